"""What `ra` sets out to reach, held against what was measured."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from .measure import exponent

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Verdict:
    """One target with what was measured. All are upper bounds."""

    target: str
    measured: float
    limit: float
    unit: str
    note: str = ""

    @property
    def passed(self) -> bool:
        """Whether the bound holds."""
        return self.measured <= self.limit

    def data(self) -> dict[str, Any]:
        """For the results."""
        return {**asdict(self), "measured": round(self.measured, 3), "limit": round(self.limit, 3), "passed": self.passed}


def work(one: dict[str, Any], other: dict[str, Any], times: float = 1.0) -> str:
    """How the work of the cores compares, where both results tell it. The other is taken so many times."""
    if "cpu_ms" not in one or "cpu_ms" not in other:
        return ""
    return f"{one['cpu_ms'] / (other['cpu_ms'] * times):.2f} by the work of the cores"


def compare(results: dict[str, Any]) -> list[Verdict]:
    """The verdicts on one corpus."""
    found = []
    tools = results["index"]["tools"]
    for tool in tools:
        if tool.startswith("SQLite FTS5"):
            by_median = tools["ra"]["median_ms"] / tools[tool]["median_ms"]
            by_minimum = tools["ra"]["minimum_ms"] / tools[tool]["minimum_ms"]
            notes = [f"{by_minimum:.2f} by the minima", work(tools["ra"], tools[tool])]
            note = ", ".join(note for note in notes if note)
            found.append(Verdict(f"Full index: the time of {tool}", by_median, 1.3, "×", note))
    meaning = results["meaning"]
    ratio = meaning["index_bytes"] / results["corpus"]["bytes"]
    found.append(Verdict("Index with the vectors of pages, by the size of the sources", ratio, 0.6, "×"))
    found.append(Verdict("Full index: peak memory", tools["ra"]["peak_bytes"] / MEGABYTE, 200, "MB"))
    for name, part, extra in (("by words", results, 5), ("with meaning", meaning, 25)):
        walk, ra = part["cold_overall"]["stat walk"], part["cold_overall"]["ra"]
        for which, word in (("p50_ms", "median"), ("minimum_ms", "minimum")) if walk else ():
            limit = 1.5 * walk[which] + extra
            note = f"{ra[which] / walk[which]:.2f} × the walk's {walk[which]:.1f} ms"
            what = f"Search {name}, nothing changed: 1.5 × a stat walk + {extra} ms ({word})"
            found.append(Verdict(what, ra[which], limit, "ms", note))
    found.append(Verdict("Search with meaning: peak memory", meaning["cold_peak_bytes"] / MEGABYTE, 100, "MB"))
    for name, part, limit in (("by words", results, 30), ("with meaning", meaning, 40)):
        extra = part["fresh"]["extra"]["median_ms"]
        found.append(Verdict(f"Search {name}, one file changed: {limit} ms more than none", extra, limit, "ms"))
    served = results["served_overall"]["ra"]
    # The bounds on latency are meant for 100,000 chunks; a corpus of half that size or less would flatter.
    if results["corpus"]["chunks"] >= 50_000:
        found.append(Verdict("Query by words in a running server: p50", served["p50_ms"], 1, "ms"))
        found.append(Verdict("Query by words in a running server: p99", served["p99_ms"], 10, "ms"))
        found.append(Verdict("Query with meaning in a running server: p50", meaning["served_overall"]["p50_ms"], 10, "ms"))
    context = results["served_tools"]["context"]["median_ms"]
    found.append(Verdict("Context for a file of 50 kB in a running server", context, 20, "ms"))
    return found


def memory(run: dict[str, Any]) -> Verdict:
    """The verdict on the memory of a full index: that of an ordinary corpus, and what cannot be given back before the
    end. A file is read whole and its sections are kept beside it, and what is known of each document is kept as well."""
    limit = 150 + 2 * run["largest_bytes"] / MEGABYTE + run["documents"] * 1000 / MEGABYTE
    what = f"Full index of {run['name']}: peak memory, 150 MB + 2 × the largest file + 1 kB a document"
    return Verdict(what, run["index_peak_bytes"] / MEGABYTE, limit, "MB")


def scale(results: dict[str, Any]) -> list[Verdict]:
    """The verdicts on growth."""
    found: list[Verdict] = []
    sizes = [run for run in results["runs"] if run["shape"] == "sizes"]
    by_name = {run["name"]: run for run in sizes}
    if "10k" in by_name and "500k" in by_name:
        small, large = by_name["10k"], by_name["500k"]
        ratio = large["index_us_per_chunk"] / small["index_us_per_chunk"]
        note = work(large["index"], small["index"], large["chunks"] / small["chunks"])
        found.append(Verdict("Full index: time per chunk at 500k, by that at 10k", ratio, 1.3, "×", note))
    for name in ("100k", "500k"):
        if name in by_name:
            run = by_name[name]
            found.append(memory(run))
            extra = run["fresh"]["extra"]["median_ms"]
            found.append(Verdict(f"One changed file at {name}: more than none", extra, 30, "ms"))
    if "100k" in by_name:
        served = by_name["100k"]["served"]
        found.append(Verdict("Query in a running server at 100k: p50", served["p50_ms"], 1, "ms"))
        found.append(Verdict("Query in a running server at 100k: p99", served["p99_ms"], 10, "ms"))
    if len(sizes) >= 2:
        chunks = [run["chunks"] for run in sizes]
        grown = [
            ("time of a full index", [run["index"]["minimum_ms"] for run in sizes], 1.1),
            ("size of the index", [run["index_bytes"] for run in sizes], 1.05),
            ("search, nothing changed", [run["fresh"]["unchanged"]["minimum_ms"] for run in sizes], 1.0),
            ("median query in a running server", [run["served"]["p50_ms"] for run in sizes], 1.0),
            ("one more query in the same request", [max(0.001, run["served_more_ms"]) for run in sizes], 1.0),
        ]
        for what, costs, limit in grown:
            found.append(Verdict(f"Growth with the number of chunks: {what}", exponent(chunks, costs), limit, "power"))
    for run in results["runs"]:
        if run["shape"] != "sizes":
            found.append(memory(run))
    return found
