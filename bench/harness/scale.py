"""The second part: how cost grows with size, and what happens with corpora of unusual shape."""

from __future__ import annotations

import pathlib
import re
from typing import Any

from . import corpus, machine, queries, rounds
from .compare import originals
from .errors import BenchError
from .generate import Generator, write
from .measure import Series, median, milliseconds
from .ra import Project, version
from .rounds import Bench, say
from .special import SPECIAL, Shape

SIZES = ("1k", "10k", "100k", "500k")
QUICK = ("1k", "4k")
# What a changed file costs is a small difference between two walks over many files, each of which varies by more.
FRESH = 21


def number(size: str) -> int:
    """The number of chunks that `10k` or `2500` names."""
    match = re.fullmatch(r"(\d+)(k?)", size)
    if not match:
        known = ", ".join((*SIZES, *SPECIAL))
        raise BenchError(f"`{size}` is no size", f"give numbers such as 2500 or 10k, or one of: {known}")
    return int(match.group(1)) * (1000 if match.group(2) else 1)


def of_size(generator: Generator, root: pathlib.Path, chunks: int) -> Shape:
    """A corpus with so many chunks, its documents dealt to two trees."""
    trees = {"one": "trees/one", "two": "trees/two"}
    written: list[pathlib.Path] = []
    for nr, document in enumerate(generator.of_chunks(chunks)):
        written += write(iter([document]), root / f"trees/{'one' if nr % 2 else 'two'}")
    for tree in trees.values():
        (root / tree).mkdir(parents=True, exist_ok=True)
    # Files of usual size: what a change costs should be that of a change, not of one huge document.
    usual = sorted(written, key=lambda path: (path.stat().st_size, path))
    return Shape(trees, usual[len(usual) // 4 : len(usual) * 3 // 4] or usual)


def run(bench: Bench, named: str | None, wanted: list[str]) -> dict[str, Any]:
    """Makes and measures one corpus after the other."""
    say("preparing the corpus that the others are made from")
    source = corpus.find(named, bench.scratch)
    base = corpus.install(source, bench.ra, bench.launcher, bench.scratch)
    base.index()
    generator = Generator(originals(base))
    size = base.size()
    rounds.remove(base)
    runs, failed = [], {}
    for name in wanted:
        try:
            runs.append(one(bench, generator, name))
        except BenchError as error:
            # The others took long to measure, and a corpus that breaks something is a result as well.
            say(f"error: {name}: {error}")
            failed[name] = str(error)
    return {
        "version": 1,
        "part": "scale",
        "ra": version(bench.launcher, bench.ra, bench.scratch.root),
        "machine": machine.describe(),
        "corpus": {"name": source.name, **size},
        "runs": runs,
        "failed": failed,
    }


def one(bench: Bench, generator: Generator, name: str) -> dict[str, Any]:
    """Makes one corpus, measures it and removes it."""
    say(f"{name}: making the corpus")
    root = bench.scratch.fresh(f"scale-{name}")
    shape = SPECIAL[name](generator, root) if name in SPECIAL else of_size(generator, root, number(name))
    project = Project(bench.ra, bench.launcher, root, shape.trees)
    try:
        return _measured(bench, project, shape, name)
    finally:
        rounds.remove(project)


def _measured(bench: Bench, project: Project, shape: Shape, name: str) -> dict[str, Any]:
    indexed = Series()
    indexed.add(project.index())
    # A second and a third time where that takes little, because short times vary most.
    for _ in range(2 if indexed.seconds[0] < 30 else 0):
        indexed.add(project.index())
    size = project.size()
    seconds = min(indexed.seconds)
    say(f"  {size['documents']} documents, {size['chunks']} chunks, {size['bytes'] / 1e6:.1f} MB: indexed in {seconds:.2f} s")
    index_bytes = project.index_bytes()
    files = [project.file(document["id"]) for document in project.documents()]
    chosen = queries.Chooser(queries.count(files), "two").every_kind(10)
    few = {kind: some[:2] for kind, some in chosen.items()}
    cold = rounds.cold(bench, project, few, 2)
    say("  a running server")
    served = rounds.served(bench, project, chosen, 1, {})
    say("  one changed file")
    freshness = rounds.fresh(bench, project, shape.victims, FRESH)
    served_all = rounds.overall(served.kinds, "ra")
    return {
        "name": name,
        "shape": "special" if name in SPECIAL else "sizes",
        **size,
        "trees": len(shape.trees),
        "largest_bytes": max(file.stat().st_size for file in files),
        "index": indexed.summary(),
        "index_us_per_chunk": round(seconds * 1e6 / size["chunks"], 2),
        "index_peak_bytes": max(indexed.peaks),
        "index_bytes": index_bytes,
        "cold": {tool: rounds.overall(cold, tool) for tool in ("ra", "stat walk")},
        "search_peak_bytes": max(peak for by_tool in cold.values() for peak in by_tool["ra"].peaks),
        "served": served_all,
        "served_kinds": {kind: by_tool["ra"].summary() for kind, by_tool in served.kinds.items()},
        "served_more": {kind: milliseconds(series.seconds[0]) for kind, series in served.more.items()},
        "served_more_ms": milliseconds(median([series.seconds[0] for series in served.more.values()])),
        "served_peak_bytes": served.peak,
        "served_stale": served.stale,
        "fresh": freshness.summary(),
    }
