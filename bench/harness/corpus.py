"""Corpora: found, unpacked, copied and made, always inside the scratch folder."""

from __future__ import annotations

import pathlib
import shutil
import tarfile
import zipfile
from dataclasses import dataclass

from .errors import BenchError
from .measure import Launcher
from .ra import REPOSITORY, Project
from .scratch import Scratch

EXTENSIONS = {".md", ".txt"}
TREES = {"one": "trees/one", "two": "trees/two"}


@dataclass(frozen=True)
class Source:
    """Where documents come from: a directory that is only read."""

    name: str
    directory: pathlib.Path

    def files(self) -> list[pathlib.Path]:
        """The documents in the order of their paths. Hidden ones are left out, since `ra` would not take them."""
        found = []
        for path in sorted(self.directory.rglob("*")):
            hidden = any(part.startswith(".") for part in path.relative_to(self.directory).parts)
            if path.suffix in EXTENSIONS and path.is_file() and not hidden:
                found.append(path)
        return found


def find(named: str | None, scratch: Scratch) -> Source:
    """The corpus that was named, unpacked if it is an archive; without a name, the documentation of this repository."""
    if named is None:
        return Source("docs", REPOSITORY / "docs")
    path = pathlib.Path(named)
    name = path.name.split(".")[0] or path.resolve().name
    if path.is_dir():
        return Source(name, path.resolve())
    if not path.is_file():
        raise BenchError(f"there is no corpus at {path}", "give a directory or an archive (.tar, .tar.gz, .tar.xz, .zip)")
    target = scratch.fresh("unpacked")
    if tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            archive.extractall(target, filter="data")
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(target)
    else:
        raise BenchError(f"{path} is no archive that can be unpacked here", "give a .tar, .tar.gz, .tar.xz or .zip")
    return Source(name, target)


def install(source: Source, ra: pathlib.Path, launcher: Launcher, scratch: Scratch) -> Project:
    """Copies the documents of a source into a project with two trees: the first half of the paths, and the rest.
    There are two so that a query can be kept to one of them."""
    files = source.files()
    if not files:
        raise BenchError(f"{source.directory} holds no `.md` or `.txt` files")
    root = scratch.fresh(f"project-{source.name}")
    for nr, file in enumerate(files):
        tree = TREES["one"] if nr * 2 < len(files) else TREES["two"]
        target = root / tree / file.relative_to(source.directory)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    # A corpus of a single file has nothing for the second tree, which must be there all the same.
    (root / TREES["two"]).mkdir(parents=True, exist_ok=True)
    return Project(ra, launcher, root, TREES)
