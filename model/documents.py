"""Turns a documentation file into Markdown, and Markdown into sections with their heading paths.

The conversions are rough. They are made for training text, where a lost table does no harm.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_SECTION_WORDS = 250

_FRONT_MATTER = re.compile(r"^\ufeff?---\r?\n(.*?)\r?\n---\r?\n", re.S)
_FENCE = re.compile(r"^\s{0,3}(```+|~~~+)")
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
_RST_UNDERLINE = re.compile(r"^([=\-~^\"'#*+`.:])\1{2,}\s*$")
_RST_OVERLINE = re.compile(r"^([=\-~^\"'#*+])\1{2,}\s*$")
_SGML_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "mdash": "-"}


@dataclass(frozen=True)
class Section:
    """The text under a heading, without that of its subsections."""

    headings: list[str]
    text: str


def to_markdown(path: str, text: str) -> tuple[dict[str, str], str]:
    """Returns the front matter and the rest of the file as Markdown. The extension names the format."""
    front_matter, text = _split_front_matter(text)
    extension = path.rsplit(".", 1)[-1].lower()
    if extension == "sgml":
        text = _from_docbook(text)
    elif extension in ("adoc", "asciidoc"):
        text = _from_asciidoc(text)
    elif extension == "rst" or (extension == "txt" and "/doc/" not in path):
        text = _from_rst(text)
    elif extension == "txt":
        text = _from_vim_help(text)
    return front_matter, _remove_markup(text)


def _split_front_matter(text: str) -> tuple[dict[str, str], str]:
    match = _FRONT_MATTER.match(text)
    if not match:
        return {}, text
    fields: dict[str, str] = {}
    for line in match.group(1).splitlines():
        field = re.match(r"^\s*([A-Za-z_.]+):\s*(.*)$", line)
        if field:
            fields.setdefault(field.group(1).lower(), field.group(2).strip().strip("\"'"))
    return fields, text[match.end() :]


def _from_docbook(text: str) -> str:
    def heading(match: re.Match[str]) -> str:
        title = re.sub("<[^>]+>", "", match.group(1))
        return "\n\n## " + re.sub(r"\s+", " ", title) + "\n"

    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"<(?:ref)?title>(.*?)</(?:ref)?title>", heading, text, flags=re.S)
    text = re.sub(r"<indexterm.*?</indexterm>", "", text, flags=re.S)
    text = re.sub(r"</?(para|listitem|varlistentry|entry|row)[^>]*>", "\n", text)
    text = re.sub(r"<[^>]+>", "", text)
    text = re.sub(r"&(\w+);", lambda match: _SGML_ENTITIES.get(match.group(1), match.group(1)), text)
    return re.sub(r"\n\s*\n\s*\n+", "\n\n", text)


def _from_asciidoc(text: str) -> str:
    text = re.sub(r"^(=+)\s+", lambda match: "#" * min(6, len(match.group(1))) + " ", text, flags=re.M)
    directives = r"^(----|\.\.\.\.|:[\w-]+:.*|//.*|\[.*\]|ifdef.*|ifndef.*|endif.*|include::.*)$"
    text = re.sub(directives, "", text, flags=re.M)
    return re.sub(r"(?:xref:|link:)(\S+?)\[([^\]]+)\]", r"[\2](\1)", text)


def _from_rst(text: str) -> str:
    text = "\n".join(_rst_headings(text.splitlines()))
    text = re.sub(r"^\.\. (_[^:]+:|index::.*|contents::.*|currentmodule::.*|highlight::.*)$", "", text, flags=re.M)
    text = re.sub(r":(?:doc|ref):`([^<`]{4,80})<([^>`]+)>`", r"[\1](\2)", text)
    text = re.sub(r":[\w:]+:`~?([^`<]*?)\s*(?:<[^>]*>)?`", r"\1", text)
    text = re.sub(r"``([^`]*)``", r"\1", text)
    text = re.sub(r"`([^`<]+?)\s*<([^>]+)>`_+", r"[\1](\2)", text)
    text = re.sub(r"^\.\. ([\w-]+)::", r"\1", text, flags=re.M)
    return re.sub(r"^\s+:\w+:.*$", "", text, flags=re.M)


def _rst_headings(lines: list[str]) -> list[str]:
    """Replaces underlined titles. A character's level is the order of its first use in the file."""
    converted: list[str] = []
    levels: dict[str, int] = {}
    index = 0
    while index < len(lines):
        title = lines[index]
        if not _is_rst_title(title, lines[index + 1 : index + 2]):
            converted.append(title)
            index += 1
            continue
        character = lines[index + 1][0]
        level = levels.setdefault(character, len(levels) + 1)
        if converted and _RST_OVERLINE.match(converted[-1]):
            converted.pop()
        name = re.sub(r":\w+:`~?([^`<]*)[^`]*`", r"\1", title.strip()).replace("``", "")
        converted.append("#" * min(6, level) + " " + name)
        index += 2
    return converted


def _is_rst_title(line: str, following: list[str]) -> bool:
    if not following or not line.strip() or line.startswith(" "):
        return False
    underline = following[0]
    return bool(_RST_UNDERLINE.match(underline)) and len(underline.strip()) >= len(line.strip()) * 0.8


def _from_vim_help(text: str) -> str:
    text = re.sub(r"^[=-]{40,}\n([^\n*]+?)(\s+\*[^\n]*)?$", r"\n## \1\n", text, flags=re.M)
    text = re.sub(r"\*([\w:-]+)\*", r"\1", text)
    return re.sub(r"\|([\w:.\'()-]+)\|", r"\1", text)


def _remove_markup(text: str) -> str:
    """Removes comments, template calls, images, imports and HTML tags."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"\{\{[<%].*?[>%]\}\}", "", text, flags=re.S)
    text = re.sub(r"\{%.*?%\}", "", text)
    text = re.sub(r"\{\{\s*\w+\(\s*\"([^\"]*)\"[^}]*\}\}", r"\1", text)
    text = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"^(import|export) .*$", "", text, flags=re.M)
    return re.sub(r"</?[A-Za-z][^>\n]{0,200}>", "", text)


def remove_links(text: str) -> str:
    """Replaces Markdown links by their texts."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).strip()


def sections(markdown: str) -> list[Section]:
    """Cuts Markdown at its headings. Headings in fenced code don't count."""
    found: list[Section] = []
    stack: list[tuple[int, str]] = []
    lines: list[str] = []
    fence: str | None = None

    def finish() -> None:
        section = Section([name for _, name in stack], "\n".join(lines).strip())
        if section.text or section.headings:
            found.append(section)

    for line in markdown.splitlines():
        opening = _FENCE.match(line)
        if opening:
            character = opening.group(1)[0]
            fence = character if fence is None else None if fence == character else fence
        heading = _HEADING.match(line) if fence is None else None
        if not heading:
            lines.append(line)
            continue
        finish()
        lines = []
        level = len(heading.group(1))
        name = re.sub(r"\s*\{[#/].*?\}\s*$", "", heading.group(2))
        while stack and stack[-1][0] >= level:
            stack.pop()
        stack.append((level, re.sub(r"\{\{.*?\}\}", "", name).strip()))
    finish()
    return found


def split_text(text: str, max_words: int = MAX_SECTION_WORDS) -> list[str]:
    """Cuts a long text between paragraphs, and a very long paragraph between words."""
    if len(text.split()) <= int(max_words * 1.2):
        return [text]
    parts: list[str] = []
    paragraphs: list[str] = []
    count = 0
    for paragraph in re.split(r"\n\s*\n", text):
        words = paragraph.split()
        if count and count + len(words) > max_words:
            parts.append("\n\n".join(paragraphs))
            paragraphs, count = [], 0
        if len(words) > max_words * 1.5:
            parts.extend(" ".join(words[start : start + max_words]) for start in range(0, len(words), max_words))
            continue
        paragraphs.append(paragraph)
        count += len(words)
    if paragraphs:
        parts.append("\n\n".join(paragraphs))
    return parts
