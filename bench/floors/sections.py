"""The sections that the floors index: the same ones that `ra` does.

The list of sections is a file with one JSON object a line, in the order of the documents: the tree, the path of the
file, its path within the tree, the headings, and the first and last line. The driver writes it from `ra ls chunks`.
"""

from __future__ import annotations

import json
import pathlib
from typing import Iterator, NamedTuple


class Place(NamedTuple):
    """Where a section stands."""

    tree: str
    file: str
    path: str
    title: str
    first: int
    last: int


class Section(NamedTuple):
    """A section with its text."""

    tree: str
    path: str
    title: str
    body: str


def read_list(path: str) -> list[Place]:
    """All places in a list of sections."""
    with open(path, encoding="utf-8") as lines:
        return [Place(*json.loads(line)) for line in lines]


def write_list(path: pathlib.Path, places: list[Place]) -> None:
    """Writes a list that `read_list` reads."""
    with open(path, "w", encoding="utf-8") as out:
        for place in places:
            out.write(json.dumps(place) + "\n")


def cut(places: list[Place]) -> Iterator[Section]:
    """Reads the files, each once, and cuts them at the lines of the sections. This is less work than to find the
    headings, which `ra` has to do."""
    current, lines = None, []
    for place in places:
        if place.file != current:
            current = place.file
            lines = pathlib.Path(current).read_bytes().split(b"\n")
        body = b"\n".join(lines[place.first - 1 : place.last])
        yield Section(place.tree, place.path, place.title, body.decode("utf-8", "replace"))
