"""The tools beside which `ra` is measured. Whichever is not installed is left out, and the results say so."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any

from .errors import BenchError
from .measure import Launcher, Run
from .mcp import LineProcess
from .queries import Query
from .ra import FLOORS
from .scratch import Scratch

RESULTS = 5
"""How many results a served query asks for: the default of the MCP server."""


class StatWalk:
    """A bare parallel walk that asks for the time and size of every file."""

    def __init__(self, program: pathlib.Path) -> None:
        self._program = program

    def run(self, launcher: Launcher, root: pathlib.Path) -> Run:
        """Walks a directory."""
        return launcher.run([self._program, root], root)


class Ripgrep:
    """A search without an index."""

    def __init__(self, program: str) -> None:
        self._program = program

    def run(self, launcher: Launcher, root: pathlib.Path, query: Query, trees: dict[str, str]) -> Run | None:
        """Counts the matches in every file, or does nothing where a regular expression cannot ask the question."""
        pattern = query.pattern()
        if pattern is None:
            return None
        place = root / trees[query.tree] if query.tree else root / "trees"
        # An exit code of 1 says that nothing matches, which is an answer.
        return launcher.run([self._program, "--ignore-case", "--count", "-e", pattern, place], root, good=(0, 1))


class Engine:
    """An engine with an index of its own, driven from Python: SQLite FTS5 or Xapian."""

    def __init__(self, python: str, script: pathlib.Path, database: pathlib.Path) -> None:
        self._command = [python, str(script)]
        self.database = database

    def index(self, launcher: Launcher, sections: pathlib.Path, source: str) -> Run:
        """Indexes the sections. The time is what the program reports, so that starting Python does not count."""
        self.remove()
        run = launcher.run([*self._command, "index", sections, self.database, source], sections.parent)
        reported = json.loads(run.output)
        return Run(reported["seconds"], reported["cpu"], run.peak, "")

    def serve(self, scratch: Scratch) -> Served:
        """A running program that answers queries."""
        return Served([*self._command, "serve", self.database], scratch.root, scratch)

    def bytes(self) -> int:
        """What the database takes on the disk."""
        if self.database.is_dir():
            return sum(path.stat().st_size for path in self.database.rglob("*") if path.is_file())
        return self.database.stat().st_size

    def remove(self) -> None:
        """Removes the database, so that building it begins from nothing."""
        if self.database.is_dir():
            shutil.rmtree(self.database)
        else:
            self.database.unlink(missing_ok=True)


class Served(LineProcess):
    """An engine that answers queries."""

    def search(self, query: Query) -> float | None:
        """The seconds that a query took, or nothing when the engine cannot ask the question."""
        parts = query.parts()
        if parts is None:
            return None
        answer, seconds = self.ask({**parts, "limit": RESULTS})
        if "results" not in json.loads(answer):
            raise BenchError(f"{self.name}: {query.text()}: {answer[:300].decode(errors='replace')}")
        return seconds


@dataclass
class Floors:
    """What is installed, and why the rest is not there."""

    statwalk: StatWalk | None = None
    ripgrep: Ripgrep | None = None
    fts5: Engine | None = None
    xapian: Engine | None = None
    versions: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def engines(self) -> dict[str, Engine]:
        """The engines that are there, by name."""
        both = {"SQLite FTS5": self.fts5, "Xapian": self.xapian}
        return {name: engine for name, engine in both.items() if engine}


def find(scratch: Scratch) -> Floors:
    """Looks for every floor."""
    found = Floors()
    _statwalk(found, scratch)
    _ripgrep(found)
    for attribute, name, script, hint in (
        ("fts5", "SQLite FTS5", "fts5.py", "this Python's sqlite3 has no FTS5"),
        ("xapian", "Xapian", "xapian_floor.py", "install the Python bindings, such as the package python3-xapian"),
    ):
        python = _python_for(FLOORS / script)
        if python is None:
            found.missing[name] = hint
        else:
            setattr(found, attribute, Engine(python[0], FLOORS / script, scratch.root / f"{attribute}.db"))
            found.versions[name] = python[1]
    return found


def _statwalk(found: Floors, scratch: Scratch) -> None:
    rustc = shutil.which("rustc")
    if rustc is None:
        found.missing["stat walk"] = "rustc is not on the PATH"
        return
    program = scratch.root / "statwalk"
    # The compiler may be a proxy that looks for toolchains in the home directory, so it keeps the caller's.
    environment = {**os.environ, "TMPDIR": scratch.environment["TMPDIR"]}
    command = [rustc, "-O", "--edition", "2024", "-o", str(program), str(FLOORS / "statwalk.rs")]
    built = subprocess.run(command, cwd=scratch.root, env=environment, capture_output=True, text=True)
    if built.returncode != 0:
        found.missing["stat walk"] = f"rustc could not build it: {built.stderr.strip()[-300:]}"
        return
    found.statwalk = StatWalk(program)
    found.versions["stat walk"] = _first_line([rustc, "--version"])


def _ripgrep(found: Floors) -> None:
    program = shutil.which("rg")
    if program is None:
        found.missing["ripgrep"] = "install the package ripgrep, so that `rg` is on the PATH"
        return
    found.ripgrep = Ripgrep(program)
    found.versions["ripgrep"] = _first_line([program, "--version"])


def _python_for(script: pathlib.Path) -> tuple[str, str] | None:
    """A Python that can run the script, and the version of the engine. Bindings that come with the system are seen
    only by the system's own Python, which need not be the one that runs this."""
    directories = os.environ.get("PATH", "").split(os.pathsep)
    candidates = [sys.executable, *(os.path.join(directory, "python3") for directory in directories), "/usr/bin/python3"]
    for python in dict.fromkeys(candidates):
        if not os.access(python, os.X_OK):
            continue
        tried = subprocess.run([python, "-B", str(script), "version"], capture_output=True, text=True)
        if tried.returncode == 0:
            return python, tried.stdout.strip()
    return None


def _first_line(command: list[str]) -> str:
    output: Any = subprocess.run(command, capture_output=True, text=True).stdout
    return output.splitlines()[0] if output else "unknown"
