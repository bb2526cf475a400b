"""What the cases are given, and what they count."""

from __future__ import annotations

import pathlib
from collections import Counter
from dataclasses import dataclass, field

from process import Failure, Ra
from project import Project


class Skipped(Exception):
    """The case cannot be run here; the text says why."""


@dataclass(frozen=True)
class Setting:
    """What a case works with."""

    ra: Ra
    scratch: pathlib.Path
    kills: int
    seed: int
    # How many of the more numerous faults are tried: 1 is all of them, 4 is every fourth.
    every: int

    def project(self, name: str, documents: int, ra: Ra | None = None) -> Project:
        """A project of its own, below the scratch directory."""
        return Project(ra or self.ra, self.scratch / name, documents, self.seed)


@dataclass
class Tally:
    """How often something was broken, and what came of it."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    how: str = ""
    skipped: str = ""

    def count(self, what: str) -> None:
        self.counts[what] += 1

    def fail(self, where: str, failure: Failure) -> None:
        self.count("FAILED")
        self.failures.append(f"{where}: {failure}")

    @property
    def faults(self) -> int:
        return sum(self.counts.values())

    def summary(self) -> str:
        if self.skipped:
            return f"SKIPPED: {self.skipped}"
        return ", ".join(f"{count} {what}" for what, count in sorted(self.counts.items()))
