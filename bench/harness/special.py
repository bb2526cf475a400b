"""Corpora of unusual shape, from the text of a real one: a huge file, a file with very many headings, very many tiny
files, and very many trees."""

from __future__ import annotations

import itertools
import pathlib
import random
import re
from dataclasses import dataclass
from typing import Callable, Iterator

from .generate import Copy, Generator

FRONT_MATTER = re.compile(r"\A(---|\+\+\+)\n.*?\n\1\n", re.DOTALL)
HEADING = re.compile(r"^#{1,6} +(.*?) *#*$", re.MULTILINE)

BIG_FILE_BYTES = 100_000_000
HEADINGS = 100_000
TINY_FILES = 200_000
TREES = 1_000
TREE_FILES = 10


@dataclass(frozen=True)
class Shape:
    """A corpus on the disk: its trees, and small files in it that may be changed."""

    trees: dict[str, str]
    victims: list[pathlib.Path]


def plain(copy: Copy) -> str:
    """The text of a document without front matter, which would be something else in the middle of a file."""
    return FRONT_MATTER.sub("", copy.text.replace("\r\n", "\n"))


def paragraphs(generator: Generator) -> Iterator[str]:
    """Lines of prose, without end."""
    for copy in generator.documents():
        for line in plain(copy).split("\n"):
            if len(line) > 60 and line[0].isalpha():
                yield line


def _note(root: pathlib.Path) -> pathlib.Path:
    """A small document beside a large one, for changing."""
    note = root / "trees/two/note.md"
    note.parent.mkdir(parents=True)
    note.write_text("# Note\n\nA small document beside a large one.\n")
    return note


def _two(root: pathlib.Path) -> dict[str, str]:
    (root / "trees/one").mkdir(parents=True)
    return {"one": "trees/one", "two": "trees/two"}


def big_file(generator: Generator, root: pathlib.Path) -> Shape:
    """One file of 100 MB, with a heading for each document that it is made of."""
    trees = _two(root)
    written = 0
    with open(root / "trees/one/big.md", "w", encoding="utf-8") as out:
        for copy in generator.documents():
            body = HEADING.sub(r"**\1**", plain(copy))
            written += out.write(f"# {pathlib.PurePath(copy.path).parent.name or 'Part'}\n\n{body}\n\n")
            if written >= BIG_FILE_BYTES:
                break
    return Shape(trees, [_note(root)])


def many_headings(generator: Generator, root: pathlib.Path) -> Shape:
    """One file with 100,000 headings of all levels, each with a line of text."""
    trees = _two(root)
    chance = random.Random(1)
    level = 1
    with open(root / "trees/one/headings.md", "w", encoding="utf-8") as out:
        for nr, line in enumerate(itertools.islice(paragraphs(generator), HEADINGS)):
            level = max(1, min(6, level + chance.choice((-1, 0, 1)))) if nr else 1
            out.write(f"{'#' * level} {' '.join(line.split()[:5])}\n\n{line}\n\n")
    return Shape(trees, [_note(root)])


def tiny_files(generator: Generator, root: pathlib.Path) -> Shape:
    """200,000 files of a heading and a line each, two hundred to a directory."""
    trees = _two(root)
    victims = []
    for nr, line in enumerate(itertools.islice(paragraphs(generator), TINY_FILES)):
        tree = "one" if nr % 400 < 200 else "two"
        path = root / f"trees/{tree}/d{nr // 200:04}/n{nr:06}.md"
        if nr % 200 in (0, 1):
            path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {' '.join(line.split()[:4])}\n\n{line}\n", encoding="utf-8")
        if nr % 1000 == 0:
            victims.append(path)
    return Shape(trees, victims)


def many_trees(generator: Generator, root: pathlib.Path) -> Shape:
    """1,000 trees of ten documents each."""
    trees, victims = {}, []
    documents = generator.documents()
    for nr in range(TREES):
        name = "two" if nr == 1 else f"tree-{nr:04}"
        trees[name] = f"trees/{name}"
        for document in itertools.islice(documents, TREE_FILES):
            path = root / trees[name] / document.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(document.text, encoding="utf-8")
        victims.append(path)
    return Shape(trees, victims)


SPECIAL: dict[str, Callable[[Generator, pathlib.Path], Shape]] = {
    "big-file": big_file,
    "headings": many_headings,
    "tiny-files": tiny_files,
    "trees": many_trees,
}
