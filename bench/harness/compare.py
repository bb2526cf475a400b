"""The first part: one corpus, every tool, every kind of query."""

from __future__ import annotations

import pathlib
import random
from dataclasses import dataclass
from typing import Any

from . import corpus, machine, queries, rounds
from .generate import Generator, Original, write
from .measure import Series, milliseconds
from .queries import Query
from .ra import Project, version
from .rounds import Bench, say

from sections import Place, cut, write_list  # shared with the floors, see `ra.py`

CONTEXT_BYTES = 50_000


@dataclass(frozen=True)
class Effort:
    """How much is measured."""

    index: int
    search: int
    served: int
    variants: int
    chunks_without_corpus: int


FULL = Effort(index=3, search=12, served=2, variants=20, chunks_without_corpus=10_000)
QUICK = Effort(index=1, search=3, served=1, variants=5, chunks_without_corpus=2_000)


def originals(project: Project) -> list[Original]:
    """The documents of an indexed project, for making copies."""
    found = []
    for document in project.documents():
        file = project.file(document["id"])
        text = file.read_text(encoding="utf-8", errors="replace")
        found.append(Original(document["id"].replace(":", "/", 1), text, document["chunks"]))
    return found


def prepare(bench: Bench, named: str | None, chunks: int) -> tuple[str, Project]:
    """The project that is measured. Without a corpus, one is made from the documentation of this repository."""
    source = corpus.find(named, bench.scratch)
    project = corpus.install(source, bench.ra, bench.launcher, bench.scratch)
    if named is None:
        project.index()
        generator = Generator(originals(project))
        made = bench.scratch.fresh("generated")
        write(generator.of_chunks(chunks), made)
        project = corpus.install(corpus.Source("generated", made), bench.ra, bench.launcher, bench.scratch)
    return source.name if named else "made from the documentation of ra", project


def context_file(project: Project, places: list[Place]) -> pathlib.Path:
    """A file of 50 kB to ask context for: sections from all over the corpus, one after the other."""
    chance = random.Random(1)
    text = ""
    while len(text.encode()) < CONTEXT_BYTES:
        section = next(cut([places[chance.randrange(len(places))]]))
        text += section.body.strip() + "\n\n"
    path = project.root / "work" / "notes.md"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode()[:CONTEXT_BYTES])
    return path


def run(bench: Bench, named: str | None, effort: Effort) -> dict[str, Any]:
    """Measures everything on one corpus and gives the results."""
    say("preparing the corpus")
    name, project = prepare(bench, named, effort.chunks_without_corpus)
    project.index()
    size = project.size()
    places = project.places()
    listed = bench.scratch.root / "sections"
    write_list(listed, places)
    files = [project.file(document["id"]) for document in project.documents()]
    chooser = queries.Chooser(queries.count(files), "two")
    chosen = chooser.every_kind(effort.variants)
    say(f"  {size['documents']} documents, {size['chunks']} chunks, {size['bytes'] / 1e6:.1f} MB")

    say("full index")
    indexed = rounds.index(bench, project, listed, effort.index)

    say("searches from the command line, twelve kinds")
    cold = rounds.cold(bench, project, chosen, effort.search)

    say("a running server, twelve kinds")
    asked, section = context_file(project, places), _middle_section(project)
    served = rounds.served(bench, project, chosen, effort.served, bench.floors.engines(), asked, section)

    say("context and get from the command line")
    tools: dict[str, Series] = {"context": Series(), "get": Series()}
    for _ in range(effort.search):
        tools["context"].add(project.run("context", str(asked)))
        tools["get"].add(project.run("get", section))

    say("one changed file")
    freshness = rounds.fresh(bench, project, files, effort.search)

    say("meaning: encoding every page")
    with_meaning = _with_meaning(bench, project, files, chosen, effort)

    return {
        "version": 1,
        "part": "compare",
        "ra": version(bench.launcher, bench.ra, bench.scratch.root),
        "machine": machine.describe(),
        "floors": {"versions": bench.floors.versions, "missing": bench.floors.missing},
        "corpus": {"name": name, **size},
        "index": {
            "bytes": indexed.bytes,
            "tools": _summaries(indexed.series),
        },
        "cold": {kind: _summaries(by_tool) for kind, by_tool in cold.items()},
        "cold_overall": {tool: rounds.overall(cold, tool) for tool in ("ra", "stat walk", "ripgrep")},
        "cold_peak_bytes": max(peak for by_tool in cold.values() for peak in by_tool["ra"].peaks),
        "served": {kind: _summaries(by_tool) for kind, by_tool in served.kinds.items()},
        "served_overall": {tool: rounds.overall(served.kinds, tool) for tool in ("ra", *bench.floors.engines())},
        "served_more": {kind: milliseconds(series.seconds[0]) for kind, series in served.more.items()},
        "served_tools": _summaries(served.tools),
        "served_peak_bytes": served.peak,
        "served_stale": served.stale,
        "tools": _summaries(tools),
        "fresh": freshness.summary(),
        "meaning": with_meaning,
        "examples": {kind: chosen[kind][0].text() for kind in queries.KINDS},
    }


def _with_meaning(
    bench: Bench, project: Project, files: list[pathlib.Path], chosen: dict[str, list[Query]], effort: Effort
) -> dict[str, Any]:
    """Encodes all pages, and measures the queries that are then compared by meaning as well."""
    project.compare_meaning(True)
    updated = project.json("update")
    asked = {kind: chosen[kind] for kind in queries.MEANING_KINDS}
    cold = rounds.cold(bench, project, asked, effort.search)
    served = rounds.served(bench, project, asked, effort.served, {})
    freshness = rounds.fresh(bench, project, files, effort.search)
    return {
        "pages": updated["encoded"],
        "encoding_ms": updated["encoding_milliseconds"],
        "index_bytes": project.index_bytes(),
        "cold": {kind: _summaries(by_tool) for kind, by_tool in cold.items()},
        "cold_overall": {tool: rounds.overall(cold, tool) for tool in ("ra", "stat walk")},
        "cold_peak_bytes": max(peak for by_tool in cold.values() for peak in by_tool["ra"].peaks),
        "served": {kind: _summaries(by_tool) for kind, by_tool in served.kinds.items()},
        "served_overall": rounds.overall(served.kinds, "ra"),
        "served_peak_bytes": served.peak,
        "fresh": freshness.summary(),
    }


def _summaries(by_tool: dict[str, Series]) -> dict[str, Any]:
    return {tool: series.summary() for tool, series in by_tool.items() if series.seconds}


def _middle_section(project: Project) -> str:
    """The id of a chunk in the middle of the corpus."""
    chunks = project.json("ls", "chunks")["chunks"]
    return chunks[len(chunks) // 2]["id"]
