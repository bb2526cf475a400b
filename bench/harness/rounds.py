"""The measurements. In every round each tool has its turn, so that a machine that is busy for a while is busy for all
of them, and what is compared was measured within the same second."""

from __future__ import annotations

import pathlib
import shutil
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from .errors import BenchError
from .floors import Engine, Floors
from .generate import made_up
from .mcp import McpServer
from .measure import Launcher, Run, Series, median, milliseconds, percentile
from .queries import Query
from .ra import Project, change
from .scratch import Scratch

# How FTS5 is asked to index. The last one leaves the database that is searched.
FTS5 = {
    "SQLite FTS5, as it comes": "plain",
    "SQLite FTS5, sections in memory": "memory",
    "SQLite FTS5, read and cut": "disk",
}


def say(text: str) -> None:
    """Tells the person who waits what is going on."""
    print(text, file=sys.stderr, flush=True)


@dataclass
class Bench:
    """What every measurement needs."""

    scratch: Scratch
    launcher: Launcher
    floors: Floors
    ra: pathlib.Path


@dataclass
class Indexed:
    """Full indexes by tool: what they took, and what they take on the disk."""

    series: dict[str, Series] = field(default_factory=lambda: defaultdict(Series))
    bytes: dict[str, int] = field(default_factory=dict)


def index(bench: Bench, project: Project, sections: pathlib.Path, rounds: int) -> Indexed:
    """Full indexes by `ra` and by the engines, from nothing each time."""
    found = Indexed()
    for nr in range(rounds):
        turns: dict[str, Run] = {"ra": project.index()}
        found.bytes["ra"] = project.index_bytes()
        if bench.floors.fts5:
            for tool, source in FTS5.items():
                turns[tool] = bench.floors.fts5.index(bench.launcher, sections, source)
                found.bytes[tool] = bench.floors.fts5.bytes()
        # Xapian takes many times longer than the others together, and once is enough to see that.
        if bench.floors.xapian and nr == 0:
            turns["Xapian, read and cut"] = bench.floors.xapian.index(bench.launcher, sections, "disk")
            found.bytes["Xapian, read and cut"] = bench.floors.xapian.bytes()
        for tool, run in turns.items():
            found.series[tool].add(run)
        times = ", ".join(f"{tool} {run.seconds:.2f} s" for tool, run in turns.items())
        say(f"  round {nr + 1} of {rounds}: {times}")
    return found


def cold(bench: Bench, project: Project, queries: dict[str, list[Query]], rounds: int) -> dict[str, dict[str, Series]]:
    """Searches from the command line, the start of the process included: by kind, then by tool."""
    found: dict[str, dict[str, Series]] = {kind: defaultdict(Series) for kind in queries}
    for nr in range(rounds):
        for kind, chosen in queries.items():
            query, series = chosen[nr % len(chosen)], found[kind]
            if bench.floors.statwalk:
                series["stat walk"].add(bench.floors.statwalk.run(bench.launcher, project.root / "trees"))
            series["ra"].add(project.search(query))
            if bench.floors.ripgrep:
                run = bench.floors.ripgrep.run(bench.launcher, project.root, query, project.trees)
                if run:
                    series["ripgrep"].add(run)
    return found


@dataclass
class Fresh:
    """What staying fresh costs."""

    walk: Series = field(default_factory=Series)
    unchanged: Series = field(default_factory=Series)
    changed: Series = field(default_factory=Series)

    def extra(self) -> list[float]:
        """What one changed file costs more than none, round by round."""
        return [after - before for before, after in zip(self.unchanged.seconds, self.changed.seconds)]

    def summary(self) -> dict[str, Any]:
        """All of it for the results."""
        extra = self.extra()
        found = {
            "unchanged": self.unchanged.summary(),
            "changed": self.changed.summary(),
            "extra": {"median_ms": milliseconds(median(extra)), "minimum_ms": milliseconds(min(extra))},
        }
        return {**found, "walk": self.walk.summary()} if self.walk.seconds else found


def fresh(bench: Bench, project: Project, files: list[pathlib.Path], rounds: int) -> Fresh:
    """Searches for a word that one document has, when nothing has changed and when one file just did. The changed
    search must find the new word, or it was not fresh."""
    found = Fresh()
    last = None
    for nr in range(rounds + 1):
        word, file = made_up(f"fresh:{nr}"), files[nr * 7919 % len(files)]
        if last:
            if bench.floors.statwalk:
                found.walk.add(bench.floors.statwalk.run(bench.launcher, project.root / "trees"))
            found.unchanged.add(project.run("search", "--", last))
        change(file, word)
        run = project.run("search", "--", word)
        if word not in run.output:
            raise BenchError(f"`ra search {word}` did not find the word that was just added to {file.name}")
        if last:
            found.changed.add(run)
        # A file that was read right after its change is read once more; that belongs to this round and not the next.
        project.run("search", "--", word)
        last = word
    return found


@dataclass
class Served:
    """What running servers need for each kind of query, and for the other tools of `ra`."""

    kinds: dict[str, dict[str, Series]]
    more: dict[str, Series]
    """One more query in the same request, by kind: a query without the comparison with the disk."""
    tools: dict[str, Series]
    peak: int | None
    stale: int


def served(
    bench: Bench,
    project: Project,
    queries: dict[str, list[Query]],
    rounds: int,
    engines: dict[str, Engine],
    context: pathlib.Path | None = None,
    section: str | None = None,
) -> Served:
    """Queries to a running `ra mcp`, and to the engines beside it."""
    server = McpServer(bench.ra, project.root, bench.scratch)
    others = {name: engine.serve(bench.scratch) for name, engine in engines.items()}
    kinds: dict[str, dict[str, Series]] = {kind: defaultdict(Series) for kind in queries}
    more: dict[str, Series] = defaultdict(Series)
    tools: dict[str, Series] = defaultdict(Series)
    try:
        for nr in range(rounds + 1):
            for kind, chosen in queries.items():
                # The first round warms everything up, with one query of each kind. Each program has its turn with all
                # queries of a kind: between two of them, another would push its data out of the processor's caches.
                asked = chosen[:1] if nr == 0 else chosen
                takers = {"ra": lambda query: server.call("search", query.tool_arguments())[1]}
                takers |= {name: other.search for name, other in others.items()}
                for name, ask in takers.items():
                    took = [seconds for query in asked if (seconds := ask(query)) is not None]
                    kinds[kind][name].seconds += took if nr else []
            for _ in range(5):
                if context:
                    took = server.call("context", {"files": [str(context.relative_to(project.root))]})[1]
                    tools["context"].seconds += [took] if nr else []
                if section:
                    took = server.call("get", {"ids": [section]})[1]
                    tools["get"].seconds += [took] if nr else []
        for kind, chosen in queries.items():
            batch = chosen[:10]
            if len(batch) > 1:
                arguments = batch[0].tool_arguments()
                alone = min(server.call("search", arguments)[1] for _ in range(3))
                texts = [query.text() for query in batch]
                all_at_once = min(server.call("search", {**arguments, "queries": texts})[1] for _ in range(3))
                more[kind].seconds.append(max(0.0, all_at_once - alone) / (len(batch) - 1))
        return Served(kinds, dict(more), dict(tools), server.peak(), server.stale)
    finally:
        for process in [server, *others.values()]:
            process.close()


def overall(kinds: dict[str, dict[str, Series]], tool: str) -> dict[str, Any] | None:
    """The median and the 99th percentile over all kinds together."""
    seconds = [value for series in kinds.values() for value in series.get(tool, Series()).seconds]
    if not seconds:
        return None
    return {
        "requests": len(seconds),
        "p50_ms": milliseconds(median(seconds)),
        "p99_ms": milliseconds(percentile(seconds, 0.99)),
        "minimum_ms": milliseconds(min(seconds)),
    }


def remove(project: Project) -> None:
    """Removes a project, which may take gigabytes."""
    shutil.rmtree(project.root, ignore_errors=True)
