"""Results as tables in markdown."""

from __future__ import annotations

from typing import Any, Sequence

from .targets import Verdict


def table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers_from: int = 1) -> str:
    """A markdown table. Columns from `numbers_from` on are set to the right."""
    rule = ["---" if nr < numbers_from else "---:" for nr in range(len(head))]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows)) + "\n"


def number(value: float) -> str:
    """A number with three digits that mean something."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def ms(summary: dict[str, Any] | None, key: str = "median_ms") -> str:
    """A time, or a dash where there is none."""
    return number(summary[key]) if summary and key in summary else "–"


def megabytes(count: float | None) -> str:
    """Bytes as megabytes."""
    return "–" if count is None else number(count / 1e6)


def ratio(one: float, other: float) -> str:
    """How many times the other."""
    return f"{one / other:.2f}" if other else "–"


def verdicts(found: Sequence[Verdict]) -> str:
    """The targets as passed or missed."""
    rows = []
    for verdict in found:
        outcome = "passed" if verdict.passed else "**missed**"
        measured = f"{number(verdict.measured)} {verdict.unit}" + (f" ({verdict.note})" if verdict.note else "")
        rows.append([verdict.target, f"{number(verdict.limit)} {verdict.unit}", measured, outcome])
    return table(["Target", "At most", "Measured", "Outcome"], rows)


def corpus_line(results: dict[str, Any]) -> str:
    """What was measured, on what."""
    corpus, machine = results["corpus"], results["machine"]
    return (
        f"{results['ra']} on {machine['day']}; corpus {corpus['name']}: {corpus['documents']:,} documents, "
        f"{corpus['chunks']:,} chunks, {megabytes(corpus['bytes'])} MB; "
        f"{machine['cores']} cores, {machine['processor']}, {machine['system']}"
    )


def floors_line(results: dict[str, Any]) -> str:
    """Which floors there were."""
    there = [f"{name} ({version})" for name, version in results["floors"]["versions"].items()]
    missing = [f"{name} is not installed: {why}" for name, why in results["floors"]["missing"].items()]
    return "; ".join(["Compared with: " + ", ".join(there), *missing]) + "."


def index_table(results: dict[str, Any]) -> str:
    """Full indexes: time, size, memory."""
    tools, sizes = results["index"]["tools"], results["index"]["bytes"]
    rows = []
    for tool, summary in tools.items():
        ra = tools["ra"]
        rows.append(
            [
                tool,
                number(summary["median_ms"] / 1000),
                number(summary["minimum_ms"] / 1000),
                ratio(ra["median_ms"], summary["median_ms"]),
                ratio(ra["minimum_ms"], summary["minimum_ms"]),
                number(summary["cpu_ms"] / 1000) if "cpu_ms" in summary else "–",
                megabytes(sizes.get(tool)),
                ratio(sizes[tool], results["corpus"]["bytes"]) if tool in sizes else "–",
                megabytes(summary["peak_bytes"]),
            ]
        )
    head = ["Full index", "median s", "minimum s", "ra by it", "by minima", "cores s", "index MB", "by source", "peak MB"]
    return table(head, rows)


def cold_table(results: dict[str, Any]) -> str:
    """Searches from the command line."""
    rows = []
    for kind, tools in {**results["cold"], "all kinds": None}.items():
        if tools is None:
            tools = {name: it for name, it in results["cold_overall"].items() if it}
            key = "p50_ms"
        else:
            key = "median_ms"
        ra, walk, rg = tools["ra"], tools.get("stat walk"), tools.get("ripgrep")
        rows.append(
            [
                kind,
                ms(ra, key),
                ms(ra, "minimum_ms"),
                ms(walk, key),
                ms(walk, "minimum_ms"),
                ratio(ra[key], walk[key]) if walk else "–",
                ratio(ra["minimum_ms"], walk["minimum_ms"]) if walk else "–",
                ms(rg, key),
                ratio(ra[key], rg[key]) if rg else "–",
            ]
        )
    head = ["Search, ms", "ra", "minimum", "stat walk", "minimum", "ra by walk", "by minima", "ripgrep", "ra by ripgrep"]
    return table(head, rows)


def served_table(results: dict[str, Any]) -> str:
    """Queries to running servers."""
    engines = [name for name in ("SQLite FTS5", "Xapian") if results["served_overall"].get(name)]
    rows = []
    for kind, tools in results["served"].items():
        ra = tools["ra"]
        row = [kind, ms(ra), ms(ra, "minimum_ms"), ms(ra, "p99_ms"), number(results["served_more"].get(kind, 0.0))]
        row += [ms(tools.get(name)) for name in engines]
        rows.append(row)
    overall = results["served_overall"]
    row = ["all kinds", ms(overall["ra"], "p50_ms"), ms(overall["ra"], "minimum_ms"), ms(overall["ra"], "p99_ms"), "–"]
    rows.append(row + [ms(overall[name], "p50_ms") for name in engines])
    head = ["Running server, ms", "ra p50", "minimum", "p99", "one more", *engines]
    return table(head, rows)


def meaning_table(results: dict[str, Any]) -> str:
    """What is compared by meaning: the encoding of pages, and queries."""
    meaning = results["meaning"]
    seconds = meaning["encoding_ms"] / 1000
    pages = meaning["pages"]
    encoded = f"All {pages:,} pages were encoded in {number(seconds)} s, {number(pages / seconds)} a second."
    overall = {**meaning["cold_overall"], "served": meaning["served_overall"]}
    rows = [
        [kind, ms(tools["ra"]), ms(tools["ra"], "minimum_ms"), ms(tools.get("stat walk"))]
        + [ms(meaning["served"][kind]["ra"], key) for key in ("median_ms", "minimum_ms", "p99_ms")]
        for kind, tools in meaning["cold"].items()
    ]
    last = ["all three", ms(overall["ra"], "p50_ms"), ms(overall["ra"], "minimum_ms"), ms(overall["stat walk"], "p50_ms")]
    rows.append(last + [ms(overall["served"], key) for key in ("p50_ms", "minimum_ms", "p99_ms")])
    head = ["With meaning, ms", "search", "minimum", "stat walk", "running server p50", "minimum", "p99"]
    return f"{encoded}\n\n{table(head, rows)}"


def other_table(results: dict[str, Any]) -> str:
    """Everything else: staying fresh, context, get, memory."""
    fresh = results["fresh"]
    rows = [
        ["search, nothing changed", ms(fresh["unchanged"]), ms(fresh["unchanged"], "minimum_ms")],
        ["search, one file changed", ms(fresh["changed"]), ms(fresh["changed"], "minimum_ms")],
        ["the difference, round by round", ms(fresh["extra"]), ms(fresh["extra"], "minimum_ms")],
        ["`ra context` for a file of 50 kB", *_both(results["tools"]["context"])],
        ["`context` in a running server", *_both(results["served_tools"]["context"])],
        ["`ra get` of a section", *_both(results["tools"]["get"])],
        ["`get` in a running server", *_both(results["served_tools"]["get"])],
    ]
    if "walk" in fresh:
        rows.insert(0, ["stat walk", *_both(fresh["walk"])])
    memory = [
        ["full index", megabytes(results["index"]["tools"]["ra"]["peak_bytes"])],
        ["search from the command line", megabytes(results["cold_peak_bytes"])],
        ["running server, after all queries", megabytes(results["served_peak_bytes"])],
        ["search from the command line, with meaning", megabytes(results["meaning"]["cold_peak_bytes"])],
        ["running server, with meaning", megabytes(results["meaning"]["served_peak_bytes"])],
    ]
    return table(["What", "median ms", "minimum ms"], rows) + "\n" + table(["Peak memory", "MB"], memory)


def _both(summary: dict[str, Any]) -> list[str]:
    return [ms(summary), ms(summary, "minimum_ms")]


def scale_table(results: dict[str, Any]) -> str:
    """One line for each corpus."""
    rows = []
    for run in results["runs"]:
        fresh = run["fresh"]
        rows.append(
            [
                run["name"],
                f"{run['documents']:,}",
                f"{run['chunks']:,}",
                megabytes(run["bytes"]),
                number(run["index"]["minimum_ms"] / 1000),
                number(run["index_us_per_chunk"]),
                number(run["index"]["cpu_ms"] * 1000 / run["chunks"]) if "cpu_ms" in run["index"] else "–",
                megabytes(run["index_peak_bytes"]),
                ratio(run["index_bytes"], run["bytes"]),
                ms(fresh.get("walk")),
                ms(fresh["unchanged"]),
                ms(fresh["extra"]),
                ms(run["served"], "p50_ms"),
                ms(run["served"], "p99_ms"),
                number(run["served_more_ms"]),
                megabytes(run["served_peak_bytes"]),
            ]
        )
    head = "Corpus|documents|chunks|MB|index s|µs a chunk|cores µs|peak MB|index by source|walk ms|search ms|changed, more ms".split("|")
    return table([*head, "server p50 ms", "p99 ms", "one more ms", "server MB"], rows)


def failures(results: dict[str, Any]) -> str:
    """The corpora that could not be measured."""
    return "\n".join(f"- **{name} failed:** {why}" for name, why in results.get("failed", {}).items())


def compare_report(results: dict[str, Any], found: Sequence[Verdict]) -> str:
    """The first part as markdown."""
    parts = [corpus_line(results) + ".", floors_line(results), verdicts(found)]
    parts += [index_table(results), cold_table(results), served_table(results), meaning_table(results), other_table(results)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def scale_report(results: dict[str, Any], found: Sequence[Verdict]) -> str:
    """The second part as markdown."""
    parts = [corpus_line(results) + ".", verdicts(found), scale_table(results), failures(results)]
    return "\n\n".join(part.strip() for part in parts if part) + "\n"
