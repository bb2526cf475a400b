"""The tool that is measured, over one project."""

from __future__ import annotations

import json
import pathlib
import shutil
import sys
from typing import Any

from .errors import BenchError
from .measure import Launcher, Run
from .queries import Query

FLOORS = pathlib.Path(__file__).resolve().parent.parent / "floors"
sys.path.insert(0, str(FLOORS))
from sections import Place  # noqa: E402  (the floors are programs of their own and share this one module)

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


def binary(named: str | None) -> pathlib.Path:
    """The program that is measured: the one that was named, or the release build of this repository."""
    path = pathlib.Path(named) if named else REPOSITORY / "target/release/ra"
    if not path.is_file():
        hint = None if named else "build it with `cargo build --release`, or name another one with `--ra PATH`"
        raise BenchError(f"there is no program at {path}", hint)
    return path.resolve()


class Project:
    """A directory with a `.ra.toml` and the trees that it names."""

    def __init__(self, ra: pathlib.Path, launcher: Launcher, root: pathlib.Path, trees: dict[str, str]) -> None:
        self.ra = ra
        self.root = root
        self.trees = trees
        self._launcher = launcher
        self.compare_meaning(False)

    def compare_meaning(self, semantic: bool) -> None:
        """Says in the configuration whether pages are encoded and compared by meaning, or by their words alone."""
        lines = ["root = true", "", "[search]", f"semantic = {json.dumps(semantic)}", "", "[trees]"]
        lines += [f"{json.dumps(name)} = {json.dumps(at)}" for name, at in self.trees.items()]
        (self.root / ".ra.toml").write_text("\n".join(lines) + "\n")

    def run(self, *arguments: str) -> Run:
        """Runs one command of `ra`."""
        return self._launcher.run([self.ra, *arguments], self.root)

    def json(self, *arguments: str) -> Any:
        """The answer of a command as data."""
        return json.loads(self.run("--json", *arguments).output)

    def index(self) -> Run:
        """Builds the index from nothing."""
        shutil.rmtree(self.index_path(), ignore_errors=True)
        return self.run("update")

    def search(self, query: Query) -> Run:
        """A search as a person or a script would run it."""
        return self.run("search", *query.arguments())

    def index_path(self) -> pathlib.Path:
        """The directory of the index."""
        return pathlib.Path(self.json("status")["index"]["path"])

    def index_bytes(self) -> int:
        """What the index takes on the disk."""
        files = (path for path in self.index_path().rglob("*") if path.is_file())
        return sum(path.stat().st_size for path in files)

    def size(self) -> dict[str, int]:
        """Documents, chunks and bytes of the sources, as `ra` counts them."""
        trees = self.json("status")["trees"]
        return {key: sum(tree[key] for tree in trees) for key in ("documents", "chunks", "bytes")}

    def documents(self) -> list[dict[str, Any]]:
        """All documents with their number of chunks."""
        return self.json("ls", "docs")["documents"]

    def file(self, document: str) -> pathlib.Path:
        """The file of a document, by its id."""
        tree, _, path = document.partition(":")
        return self.root / self.trees[tree] / path

    def places(self) -> list[Place]:
        """Where every chunk stands, in the order of the documents."""
        documents = {document["id"] for document in self.documents()}
        found = []
        for chunk in self.json("ls", "chunks")["chunks"]:
            document = chunk["id"] if chunk["id"] in documents else chunk["id"].rpartition("#")[0]
            tree, _, path = document.partition(":")
            found.append(Place(tree, str(self.file(document)), path, chunk["breadcrumb"], *chunk["lines"]))
        return found


def change(file: pathlib.Path, word: str) -> None:
    """Adds a paragraph with one word to a file, as an editor that saves it would."""
    with open(file, "a", encoding="utf-8") as out:
        out.write(f"\n\nA new paragraph that says {word}.\n")


def version(launcher: Launcher, ra: pathlib.Path, cwd: pathlib.Path) -> str:
    """What `ra --version` prints."""
    return launcher.run([ra, "--version"], cwd).output.strip()

