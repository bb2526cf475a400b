"""Makes training queries for the sections of one repository: from headings, sentences, descriptions and links.

The order of the random draws is part of the recipe: another order gives other queries.
"""

from __future__ import annotations

import collections
import enum
import os
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from documents import Section, remove_links, sections, split_text, to_markdown

MIN_SECTION_WORDS = 8
MAX_TITLE_CHARACTERS = 200
MAX_SECTION_CHARACTERS = 2500
MAX_LINKS_TO_SECTION = 6

_TEMPLATES = [
    "how to {}",
    "how do i {}",
    "{}",
    "{} not working",
    "what is {}",
    "help with {}",
    "{} example",
    "where can i find {}",
    "configure {}",
    "why {}",
    "i need to {}",
    "can i {}",
    "{} docs",
    "best way to {}",
    "explain {}",
]
# Headings that say nothing without the one above.
_GENERIC_HEADING = re.compile(
    r"(?i)^(overview|introduction|examples?|syntax|see also|notes?|description|parameters?|return values?|value"
    r"|usage|options?|arguments?|next steps|prerequisites|summary|details|specifications|browser compatibility"
    r"|requirements|attributes|properties|methods|exceptions|remarks|references?|try it|formal definition"
    r"|formal syntax|additional resources|inputs|outputs|related links|procedure|configuration|limitations|steps"
    r"|result|conclusion|getting started|faq|about|install|installation)$"
)
_LINK = re.compile(r"(?<!!)\[([^\]\n]{3,120})\]\(([^)\s]+)[^)]*\)")


class QueryKind(enum.IntEnum):
    """Where a query comes from."""

    HEADING = 0
    QUESTION = 1
    FIRST_SENTENCE = 2
    SENTENCE = 3
    WORDS = 4
    DESCRIPTION = 5
    LINK_TEXT = 6
    LINK_CONTEXT = 7


@dataclass(frozen=True)
class Query:
    """A query and the section that answers it."""

    section: int
    text: str
    kind: QueryKind


@dataclass
class Page:
    """The sections of a page by the slugs of their headings."""

    sections: dict[str, int] = field(default_factory=dict)
    first: int | None = None


@dataclass(frozen=True)
class Link:
    """A link between pages, with the words around it."""

    text: str
    before: str
    after: str
    target: str


class QueryMaker:
    """Collects the sections of a repository and their queries."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.sections: list[tuple[str, str]] = []
        self.queries: list[Query] = []
        self.link_count = 0
        self._pages: dict[str, Page] = {}
        self._links: list[Link] = []

    def add_file(self, path: str, text: str) -> None:
        """Adds the sections of a file and the queries that need no other file."""
        front_matter, markdown = to_markdown(path, text)
        found = sections(markdown)
        title = _page_title(path, front_matter, found)
        page = self._add_page(path)
        for section in found:
            headings = [remove_links(re.sub(r"[`*]", "", heading)) for heading in section.headings]
            self._links.extend(_links(section.text))
            for part in split_text(remove_links(section.text)):
                if len(part.split()) >= MIN_SECTION_WORDS:
                    self._add_section(page, [title, *(name for name in headings if name and name != title)], part)
        description = _page_description(front_matter)
        if description and page.first is not None:
            self._add_query(page.first, description, QueryKind.DESCRIPTION)

    def finish(self) -> None:
        """Adds the queries that come from links. Call it once, after the last file."""
        self.random.shuffle(self._links)
        links_to: collections.Counter[int] = collections.Counter()
        for link in self._links:
            section = self._resolve(link.target)
            if section is None or links_to[section] >= MAX_LINKS_TO_SECTION or not _is_query(link.text):
                continue
            links_to[section] += 1
            self.link_count += 1
            if len(link.text.split()) >= 2:
                self._add_query(section, link.text, QueryKind.LINK_TEXT)
            if len((link.before + link.after).split()) >= 3:
                context = f"{link.before} {link.text} {link.after}".strip()
                self._add_query(section, context, QueryKind.LINK_CONTEXT)

    def _add_page(self, path: str) -> Page:
        """Registers a page under its name, and under its name with that of its directory. The first page wins."""
        page = Page()
        key = re.sub(r"(/(index|_index|readme))?\.[a-z]+$", "", path.lower()).split("/")
        self._pages.setdefault("/".join(key[-2:]), page)
        self._pages.setdefault(key[-1], page)
        return page

    def _add_section(self, page: Page, headings: list[str], text: str) -> None:
        section = len(self.sections)
        self.sections.append((" > ".join(headings)[:MAX_TITLE_CHARACTERS], text[:MAX_SECTION_CHARACTERS]))
        if page.first is None:
            page.first = section
        page.sections.setdefault(_slug(headings[-1]), section)
        self._add_heading_queries(section, headings)
        self._add_sentence_queries(section, _sentences(text))

    def _add_heading_queries(self, section: int, headings: list[str]) -> None:
        heading = headings[-1]
        if _is_query(heading):
            if _GENERIC_HEADING.match(heading) and len(headings) > 1:
                heading = heading.lower() + " " + headings[-2]
            self._add_query(section, heading, QueryKind.HEADING)
            question = self.random.choice(_TEMPLATES).format(heading.lower())
            self._add_query(section, question, QueryKind.QUESTION)
        if len(headings) > 1:
            with_parent = headings[-1] + " " + self.random.choice(headings[:-1])
            self._add_query(section, with_parent, QueryKind.HEADING)

    def _add_sentence_queries(self, section: int, sentences: list[str]) -> None:
        if not sentences:
            return
        self._add_query(section, sentences[0], QueryKind.FIRST_SENTENCE)
        self._add_query(section, self.random.choice(sentences), QueryKind.SENTENCE)
        words = self.random.choice(sentences).split()
        count = self.random.randint(3, 8)
        start = self.random.randrange(max(1, len(words) - count + 1))
        text = " ".join(words[start : start + count]).lower().strip(".,:;")
        self._add_query(section, text, QueryKind.WORDS)

    def _add_query(self, section: int, text: str, kind: QueryKind) -> None:
        self.queries.append(Query(section, text, kind))

    def _resolve(self, target: str) -> int | None:
        """Finds the section that a link leads to: by its anchor, otherwise the first one of the page."""
        url, _, anchor = target.partition("#")
        path = re.sub(r"(/(index|_index|readme))?(\.[a-z]+)?/?$", "", url.lower().split("?")[0])
        parts = [part for part in path.split("/") if part not in ("..", ".", "")]
        if not parts:
            return None
        page = self._pages.get("/".join(parts[-2:])) or self._pages.get(parts[-1])
        if page is None:
            return None
        section = page.sections.get(_slug(anchor)) if anchor else None
        return page.first if section is None else section


def _page_title(path: str, front_matter: dict[str, str], found: list[Section]) -> str:
    first_heading = next((section.headings[0] for section in found if section.headings), "")
    title = front_matter.get("title") or first_heading or os.path.basename(path).rsplit(".", 1)[0]
    return remove_links(re.sub(r"[`*]", "", title))[:120]


def _page_description(front_matter: dict[str, str]) -> str:
    fields = (front_matter.get(name) for name in ("description", "summary", "intro"))
    text = remove_links(next((value for value in fields if value), ""))
    return "" if text.startswith(("|", ">")) else text[:200]


def _links(text: str) -> Iterable[Link]:
    for match in _LINK.finditer(text):
        target = match.group(2)
        if target.startswith(("http", "mailto")) and not target.startswith("https://developer.mozilla"):
            continue
        before = remove_links(text[max(0, match.start() - 90) : match.start()]).split()[-8:]
        after = remove_links(text[match.end() : match.end() + 60]).split()[:5]
        yield Link(re.sub(r"[`*]", "", match.group(1)), " ".join(before), " ".join(after), target)


def _slug(heading: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def _is_query(text: str) -> bool:
    return 1 <= len(re.findall(r"[A-Za-z]{2,}", text)) <= 30 and len(text) >= 4


def _sentences(text: str) -> list[str]:
    """Returns the sentences of 5 to 32 words outside of code, tables and quotes."""
    text = re.sub(r"(```|~~~).*?(\1|$)", " ", text, flags=re.S)
    text = re.sub(r"^\s*[|>].*$", "", text, flags=re.M)
    text = re.sub(r"[*_`]", "", text)
    text = re.sub(r"\n(?=\s*([-+]|\d+\.)\s)", ". ", text)
    candidates = re.split(r"(?<=[.!?:])\s+", re.sub(r"\s+", " ", text))
    return [sentence.strip(" -+#") for sentence in candidates if _is_sentence(sentence)]


def _is_sentence(text: str) -> bool:
    return 5 <= len(text.split()) <= 32 and len(re.findall(r"[A-Za-z]{3,}", text)) >= 4
