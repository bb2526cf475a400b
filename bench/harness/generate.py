"""Corpora of any size, made from a real one: renamed copies in which words are replaced.

Plain copies would be too easy. The number of different words in real text grows with a power of its length (Heaps'
law), so every copy brings new words; and copies must not all match the same queries, so other words are exchanged for
ones that are about as frequent. Which words these are depends on nothing but the number of the copy, so a corpus is the
same wherever and whenever it is made. The words that are most frequent stay, and so do headings, links and code fences
as marks: the copies have the structure of real documents.
"""

from __future__ import annotations

import pathlib
import random
import re
import zlib
from collections import Counter
from dataclasses import dataclass
from typing import Iterator, Sequence

from .errors import BenchError

WORD = re.compile(r"([A-Za-z]{4,})")
HEAPS = 0.6
"""The power with which the number of different words grows."""
EXCHANGED = 0.15
"""The part of the words of a copy that are exchanged for others."""
KEPT = 1000
"""How many of the most frequent words stay in every copy."""

ONSETS = "b br c ch d dr f fl g gr h j k kl l m n p pl qu r s sh st t tr v w z".split()
VOWELS = "a e i o u ai ea ou".split()
ENDINGS = "n r l s t m nd rt x k".split()


@dataclass(frozen=True)
class Original:
    """A document that copies are made of."""

    path: str
    text: str
    chunks: int


@dataclass(frozen=True)
class Copy:
    """A document of a generated corpus."""

    path: str
    text: str
    chunks: int


def noise(*parts: object) -> float:
    """A number from 0 to 1 that depends on the parts alone, on every machine."""
    return zlib.crc32(":".join(map(str, parts)).encode()) / 2**32


def made_up(seed: str) -> str:
    """A word that looks like one and that no document has. The end keeps words with the same syllables apart."""
    chance = random.Random(zlib.crc32(seed.encode()))
    syllables = "".join(chance.choice(ONSETS) + chance.choice(VOWELS) for _ in range(2))
    number, tail = zlib.crc32(b"tail" + seed.encode()), ""
    for _ in range(2):
        tail += ONSETS[number % len(ONSETS)][0] + VOWELS[number // 32 % len(VOWELS)][0]
        number //= 1024
    return syllables + tail + chance.choice(ENDINGS)


def share_of_new(copy: int) -> float:
    """The part of the vocabulary that a copy brings new, so that all copies together follow Heaps' law."""
    return (copy + 1) ** HEAPS - copy**HEAPS


class Generator:
    """An endless corpus: the originals in a fixed shuffled order, then copy after copy of them. A smaller corpus is
    the beginning of every larger one."""

    def __init__(self, originals: Sequence[Original], seed: int = 1) -> None:
        self._originals = sorted((original for original in originals if original.chunks), key=lambda it: it.path)
        if not self._originals:
            raise BenchError("the corpus has no documents to make copies of")
        random.Random(seed).shuffle(self._originals)
        counts: Counter[str] = Counter()
        for original in self._originals:
            counts.update(word.lower() for word in WORD.findall(original.text))
        ranked = sorted(counts, key=lambda word: (-counts[word], word))
        self._ranked = ranked[min(KEPT, len(ranked) // 4) :]

    def documents(self) -> Iterator[Copy]:
        """The documents of the endless corpus."""
        copy = 0
        while True:
            words = self.replacements(copy) if copy else {}
            for original in self._originals:
                text = substitute(original.text, words) if copy else original.text
                yield Copy(f"copy-{copy:04}/{original.path}", text, original.chunks)
            copy += 1

    def of_chunks(self, wanted: int) -> Iterator[Copy]:
        """So many documents that they have the wanted number of chunks, or a few more."""
        total = 0
        for document in self.documents():
            yield document
            total += document.chunks
            if total >= wanted:
                return

    def replacements(self, copy: int) -> dict[str, str]:
        """What each word becomes in a copy. Words that stay are not listed."""
        new = share_of_new(copy)
        words: dict[str, str] = {}
        last = len(self._ranked) - 1
        for rank, word in enumerate(self._ranked):
            draw = noise(copy, word)
            if draw < new:
                words[word] = made_up(f"{copy}:{word}")
            elif draw < new + EXCHANGED:
                # Ranks that differ by a tenth have about the same frequency.
                distance = 1 + int(noise("distance", copy, word) * (rank + KEPT) / 10)
                words[word] = self._ranked[min(last, rank + distance)]
        return words


def substitute(text: str, words: dict[str, str]) -> str:
    """The text with words replaced. A capital stays a capital."""
    # Every second part is a word, because the pattern is a group.
    parts = WORD.split(text)
    for nr in range(1, len(parts), 2):
        word = parts[nr]
        found = words.get(word.lower())
        if found:
            parts[nr] = found.capitalize() if word[0].isupper() else found
    return "".join(parts)


def write(documents: Iterator[Copy], root: pathlib.Path) -> list[pathlib.Path]:
    """Writes documents below a directory and says where."""
    written = []
    for document in documents:
        path = root / document.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document.text, encoding="utf-8")
        written.append(path)
    return written
