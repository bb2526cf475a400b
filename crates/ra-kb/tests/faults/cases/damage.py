"""Damaged index files: each file of an index in turn, in every way that a disk or a person can spoil it."""

from __future__ import annotations

import pathlib
import random
import shutil
from collections.abc import Callable, Iterator

from process import Failure
from project import Project
from report import Setting, Tally

# In so many places of each file a bit is flipped, one at a time.
FLIPS = 12

Damage = tuple[str, Callable[[pathlib.Path], None]]


def replace(path: pathlib.Path, data: bytes) -> None:
    """Puts other bytes in place of a file, as a copy back from a bad disk would: the old file may be mapped."""
    path.unlink()
    path.write_bytes(data)


def cut(path: pathlib.Path, size: int) -> None:
    replace(path, path.read_bytes()[:size])


def flip(path: pathlib.Path, at: int, bit: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1 << bit
    replace(path, bytes(data))


def directory(path: pathlib.Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "inside").write_text("x")


def swap(path: pathlib.Path, other: pathlib.Path) -> None:
    first, second = path.read_bytes(), other.read_bytes()
    replace(path, second)
    replace(other, first)


def damages(path: pathlib.Path, others: list[pathlib.Path], chance: random.Random) -> Iterator[Damage]:
    """Everything that is done to a file. What depends on its size is left out for one that is empty."""
    size = path.stat().st_size
    yield "emptied", lambda path: cut(path, 0)
    if size > 1:
        yield "cut in half", lambda path: cut(path, size // 2)
        yield "cut by a byte", lambda path: cut(path, size - 1)
    yield "removed", lambda path: path.unlink()
    yield "made a directory", directory
    yield "zeroed", lambda path: replace(path, bytes(size))
    yield "lengthened", lambda path: replace(path, path.read_bytes() + b"\0more")
    for _ in range(FLIPS if size else 0):
        at, bit = chance.randrange(size), chance.randrange(8)
        yield "flipped", lambda path, at=at, bit=bit: flip(path, at, bit)
    if others:
        other = chance.choice(others)
        yield "swapped", lambda path: swap(path, other)


def every_file(setting: Setting, tally: Tally) -> None:
    """Damages each file of an index that has seen updates, and asks."""
    project = setting.project("damage", 40)
    for _ in range(4):
        # Several segments with deletions are in the index, as in one that has been in use.
        project.prove()
        project.change()
    project.prove()
    pristine = setting.scratch / "pristine"
    project.keep(pristine)
    files = [path.relative_to(project.index) for path in project.files()]
    chance = random.Random(setting.seed)
    number = 0
    for file in files:
        others = [project.index / other for other in files if other != file]
        for name, inflict in damages(pristine / file, others, chance):
            number += 1
            if number % setting.every:
                continue
            project.restore(pristine)
            inflict(project.index / file)
            try:
                tally.count(aftermath(project, name))
            except Failure as failure:
                tally.fail(f"{file} {name}", failure)
    shutil.rmtree(project.index)
    project.prove_tidy()
    tally.how = f"{len(files)} files, {number // setting.every} damages"


def aftermath(project: Project, name: str) -> str:
    """Asks a damaged index: the answer is right; or a bit has hidden something, and `ra check` and `ra update` help; or
    something is in the way that may be the user's, and the error says what to do about it."""
    project.prove_untouched()
    outcome = project.ra.run(project.directory, *project.ask())
    outcome.judge()
    if outcome.refused and name == "made a directory" and "hint: a directory is in the way" in outcome.stderr:
        shutil.rmtree(project.index)
        project.prove()
        return "refused"
    wrong = project.wrong(outcome)
    if wrong is None:
        return "right"
    if name != "flipped":
        raise Failure(f"{wrong}\n{outcome.shown()}")
    checked = project.ra.run(project.directory, "check")
    checked.judge()
    if "damaged" not in checked.stdout:
        raise Failure(f"{wrong}, and `ra check` sees nothing\n{checked.shown()}")
    project.ra.run(project.directory, "update").judge()
    project.prove()
    return "hidden until `ra update`"
