"""Twelve kinds of query, chosen from a corpus by counting its words.

No word is written here that a corpus would have to contain. A word is common or rare because of the number of sections
that have it, and phrases, questions and headings are copied from documents.
"""

from __future__ import annotations

import pathlib
import random
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Sequence

from .errors import BenchError

KINDS = (
    "common word",
    "rare word",
    "two words",
    "four words",
    "phrase",
    "typo",
    "OR",
    "field",
    "negation",
    "long question",
    "no hit",
    "filter by tree",
)

# The kinds that are compared by meaning as well: several plain words.
MEANING_KINDS = ("two words", "four words", "long question")

WORD = re.compile(r"[A-Za-z]{3,24}")
PROSE = re.compile(r"^[A-Z][a-z]+(?: [a-z]{1,20}){6,14}")
HEADING = re.compile(r"^#{1,6} +(.*)$")

# Words that carry no meaning of their own. A query made of them would measure how a tool treats function words.
FUNCTION_WORDS = frozenset(
    """about above after again all also and any are because been before being below between both but can cannot could
    did does doing down during each few for from further had has have having her here hers him his how into its itself
    just may might more most must not now off once one only other our ours out over own same shall she should some such
    than that the their them then there these they this those through too two under until upon use used using very was
    were what when where which while who whom why will with would you your yours""".split()
)

# How many bytes of a corpus are counted. What is common and what is rare shows in a part of a large one.
COUNTED = 64 << 20


@dataclass(frozen=True)
class Query:
    """A query in parts, so that each tool can be asked in its own language."""

    kind: str
    every: tuple[str, ...] = ()
    some: tuple[str, ...] = ()
    phrase: tuple[str, ...] = ()
    title: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    tree: str | None = None
    spoken: str | None = None
    """How a person would say it, where that is not just the parts."""

    def text(self) -> str:
        """The query in the language of `ra`."""
        if self.spoken:
            return self.spoken
        parts = list(self.every)
        parts += [f'"{" ".join(self.phrase)}"'] if self.phrase else []
        parts += [f"title:{word}" for word in self.title]
        parts += [" OR ".join(self.some)] if self.some else []
        parts += [f"-{word}" for word in self.without]
        return " ".join(parts)

    def arguments(self) -> list[str]:
        """The query as arguments of `ra search`."""
        return (["--tree", self.tree] if self.tree else []) + ["--", self.text()]

    def tool_arguments(self) -> dict[str, Any]:
        """The query as arguments of the tool `search` of the MCP server."""
        return {"queries": self.text(), **({"trees": [self.tree]} if self.tree else {})}

    def parts(self) -> dict[str, Any] | None:
        """The query for an engine without typos, or nothing when that would be another question."""
        if self.kind == "typo":
            return None
        names = ("every", "some", "phrase", "title", "without")
        return {**{name: list(getattr(self, name)) for name in names}, "tree": self.tree}

    def pattern(self) -> str | None:
        """A regular expression for the kinds that one can express."""
        if self.kind == "typo" or self.title or self.without or len(self.every) > 1:
            return None
        words = self.phrase or self.every
        return rf"\b{' '.join(words)}\b" if words else rf"\b({'|'.join(self.some)})\b"


@dataclass
class Statistics:
    """What a corpus says about its words."""

    sections: int
    counts: Counter[str]
    """In how many sections each word is."""
    samples: list[list[str]]
    """The words of some sections, in the order of the text."""
    prose: list[list[str]]
    """Beginnings of sentences."""
    headings: list[str]
    """Words of headings."""


def split(text: str) -> Iterator[str]:
    """The sections of a text: what begins at a line with a heading, or at the top. Good enough for counting."""
    start = 0
    for match in re.finditer(r"^#{1,6} ", text, re.MULTILINE):
        if match.start() > start:
            yield text[start : match.start()]
        start = match.start()
    yield text[start:]


def count(files: Sequence[pathlib.Path], seed: int = 1) -> Statistics:
    """Counts the words of the files, or of a part of them that is spread evenly when there is too much."""
    chance = random.Random(seed)
    total = sum(file.stat().st_size for file in files)
    part = min(1.0, COUNTED / max(1, total))
    found = Statistics(0, Counter(), [], [], [])
    for nr, file in enumerate(files):
        # One file in so many is read, and of a single large file the beginning.
        if int(nr * part) == int((nr - 1) * part) and nr:
            continue
        with open(file, encoding="utf-8", errors="replace") as source:
            text = source.read(COUNTED)
        for section in split(text):
            words = [word.lower() for word in WORD.findall(section)]
            found.sections += 1
            found.counts.update(set(words))
            if chance.random() < 0.05 or len(found.samples) < 200:
                found.samples.append(words)
            for line in section.split("\n"):
                if len(found.prose) < 20000 and (sentence := PROSE.match(line)):
                    found.prose.append(sentence.group().split())
                if len(found.headings) < 20000 and (heading := HEADING.match(line)):
                    found.headings += [word.lower() for word in WORD.findall(heading.group(1))]
    return found


class Chooser:
    """Makes queries of each kind from the words of a corpus, always the same ones for the same corpus."""

    def __init__(self, statistics: Statistics, tree: str, seed: int = 1) -> None:
        self._all = statistics
        self._tree = tree
        self._chance = random.Random(seed)
        self._known = statistics.counts
        content = {word: n for word, n in self._known.items() if word not in FUNCTION_WORDS}
        if len(content) < 50 or not statistics.prose:
            raise BenchError(
                "the corpus has too few words to choose queries from", "give a directory with more prose in `.md` or `.txt`"
            )
        size = statistics.sections
        self._common = self._nearest(content, 0.2 * size, 40)
        self._rare = self._nearest({word: n for word, n in content.items() if len(word) >= 5}, 3, 400)
        # Between both: what people search for. The bounds are parts of the sections, and hold for small corpora as well.
        low, high = min(5, 0.001 * size + 2), max(0.03 * size, 8)
        self._middle = {word for word, n in content.items() if low <= n <= high and len(word) >= 4}
        self._headings = sorted({word for word in statistics.headings if word in self._middle}) or self._rare
        self._makers: dict[str, Callable[[], Query]] = {
            "common word": lambda: Query("common word", every=(self._pick(self._common),)),
            "rare word": lambda: Query("rare word", every=(self._pick(self._rare),)),
            "two words": lambda: Query("two words", every=self._together(2)),
            "four words": lambda: Query("four words", every=self._together(4)),
            "phrase": self._phrase,
            "typo": self._typo,
            "OR": lambda: Query("OR", some=(self._together(1)[0], self._together(1)[0])),
            "field": lambda: Query("field", title=(self._pick(self._headings),)),
            "negation": lambda: Query("negation", every=self._together(1), without=(self._pick(self._common),)),
            "long question": self._question,
            "no hit": self._nothing,
            "filter by tree": lambda: Query("filter by tree", every=self._together(1), tree=self._tree),
        }

    def of(self, kind: str, number: int) -> list[Query]:
        """Different queries of one kind; fewer where the corpus does not give so many."""
        made: dict[str, Query] = {}
        for _ in range(number * 5):
            query = self._makers[kind]()
            made.setdefault(query.text(), query)
            if len(made) == number:
                break
        return list(made.values())

    def every_kind(self, number: int) -> dict[str, list[Query]]:
        """Queries of all kinds."""
        return {kind: self.of(kind, number) for kind in KINDS}

    @staticmethod
    def _nearest(counts: dict[str, int], wanted: float, number: int) -> list[str]:
        """The words whose count is nearest to a number, by ratio."""
        distance = {word: max(n / wanted, wanted / n) for word, n in counts.items()}
        return sorted(counts, key=lambda word: (distance[word], word))[:number]

    def _pick(self, words: Sequence[str]) -> str:
        return words[self._chance.randrange(len(words))]

    def _together(self, number: int) -> tuple[str, ...]:
        """Words that stand in one section, so that there is something to find."""
        for _ in range(1000):
            sample = self._all.samples[self._chance.randrange(len(self._all.samples))]
            words = sorted({word for word in sample if word in self._middle})
            if len(words) >= number:
                return tuple(self._chance.sample(words, number))
        return tuple(self._chance.sample(sorted(self._middle), number))

    def _phrase(self) -> Query:
        for _ in range(1000):
            sentence = self._all.prose[self._chance.randrange(len(self._all.prose))]
            start = self._chance.randrange(1, len(sentence) - 3)
            words = tuple(sentence[start : start + 3])
            if sum(word in self._middle for word in words) >= 1:
                return Query("phrase", phrase=words)
        return Query("phrase", phrase=tuple(self._all.prose[0][1:4]))

    def _typo(self) -> Query:
        """A rare word with one letter changed, so that no section has it."""
        long = [word for word in self._rare if len(word) >= 7] or self._rare
        while True:
            word = self._pick(long)
            at = self._chance.randrange(1, len(word))
            wrong = word[:at] + self._chance.choice("abcdefghijklmnopqrstuvwxyz") + word[at + 1 :]
            if wrong not in self._known:
                return Query("typo", every=(wrong,))

    def _question(self) -> Query:
        """The beginning of a sentence as a question. Engines without a notion of questions get its words."""
        sentence = self._all.prose[self._chance.randrange(len(self._all.prose))]
        words = tuple(word for word in dict.fromkeys(sentence[1:]) if len(word) > 2 and word not in FUNCTION_WORDS)
        return Query("long question", some=words or tuple(sentence), spoken=f"how do I {' '.join(sentence[1:])}?")

    def _nothing(self) -> Query:
        while True:
            word = "".join(self._chance.choice("bcdfghjkqvwxz") for _ in range(12))
            if word not in self._known:
                return Query("no hit", every=(word,))
