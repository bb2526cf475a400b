"""The page about benchmarks: fixed prose around the results that were saved last."""

from __future__ import annotations

import json
import pathlib
import textwrap
from typing import Any

from . import plot, report, targets
from .errors import BenchError
from .ra import REPOSITORY

TEMPLATE = pathlib.Path(__file__).with_name("page.md.in")
PAGE = REPOSITORY / "docs/reference/benchmarks.md"
FOLDER = REPOSITORY / "docs/reference/benchmarks"
PARTS = {"compare": FOLDER / "compare.json", "scale": FOLDER / "scale.json"}


def save(results: dict[str, Any]) -> None:
    """Keeps the results of one part."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    PARTS[results["part"]].write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def render() -> None:
    """Writes the page and its plot from what was saved. Both parts are needed, since the page shows both."""
    saved = {}
    for part, path in PARTS.items():
        if not path.is_file():
            how = "bench/run CORPUS --write-docs" + (" --scale" if part == "scale" else "")
            raise BenchError(f"the page needs the results of both parts, and {path.name} is not there", f"run `{how}`")
        saved[part] = json.loads(path.read_text(encoding="utf-8"))
    (FOLDER / "growth.svg").write_text(plot.draw(panels(saved["scale"])), encoding="utf-8")
    PAGE.write_text(page(saved["compare"], saved["scale"]), encoding="utf-8")


def page(compare: dict[str, Any], scale: dict[str, Any]) -> str:
    """The text of the page."""
    parts = {
        "compare_on": wrapped(report.corpus_line(compare) + "."),
        "floors": wrapped(report.floors_line(compare)),
        "compare_targets": report.verdicts(targets.compare(compare)),
        "index": report.index_table(compare),
        "cold": report.cold_table(compare),
        "served": report.served_table(compare),
        "meaning": report.meaning_table(compare),
        "other": report.other_table(compare),
        "scale_on": wrapped(report.corpus_line(scale) + "."),
        "scale_targets": report.verdicts(targets.scale(scale)),
        "scale": report.scale_table(scale) + "\n" + report.failures(scale),
    }
    text = TEMPLATE.read_text(encoding="utf-8")
    for name, value in parts.items():
        text = text.replace(f"{{{{{name}}}}}", value.strip())
    return text


def wrapped(text: str) -> str:
    """Breaks a paragraph into lines as the rest of the documentation has them."""
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def panels(scale: dict[str, Any]) -> list[plot.Panel]:
    """What the plot shows: the corpora that differ only in size."""
    runs = sorted((run for run in scale["runs"] if run["shape"] == "sizes"), key=lambda run: run["chunks"])
    if len(runs) < 2:
        raise BenchError("a plot of growth needs two sizes", "name more of them with `--sizes`")

    def line(name: str, *keys: str, factor: float = 1.0) -> plot.Line:
        points = []
        for run in runs:
            value: Any = run
            for key in keys:
                value = value.get(key) if value else None
            if value:
                points.append((run["chunks"], value * factor))
        return plot.Line(name, points)

    drawn = [
        plot.Panel("Full index", "s", [line("ra", "index", "minimum_ms", factor=1e-3)]),
        plot.Panel(
            "Size and memory",
            "MB",
            [
                line("sources", "bytes", factor=1e-6),
                line("index", "index_bytes", factor=1e-6),
                line("peak, indexing", "index_peak_bytes", factor=1e-6),
                line("peak, search", "search_peak_bytes", factor=1e-6),
            ],
        ),
        plot.Panel(
            "Search, process start included",
            "ms",
            [
                line("nothing changed", "fresh", "unchanged", "minimum_ms"),
                line("one file changed", "fresh", "changed", "minimum_ms"),
                line("stat walk", "fresh", "walk", "minimum_ms"),
            ],
        ),
        plot.Panel(
            "Query in a running server",
            "ms",
            [line("p50", "served", "p50_ms"), line("p99", "served", "p99_ms"), line("one more query", "served_more_ms")],
        ),
    ]
    return [plot.Panel(it.title, it.unit, [line for line in it.lines if line.points]) for it in drawn]
