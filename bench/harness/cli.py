"""The command line."""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
import unittest
from typing import Any

from . import compare, docs, floors, ra, report, scale, targets
from .errors import BenchError
from .measure import Launcher
from .rounds import Bench
from .scratch import Scratch
from .special import SPECIAL

DESCRIPTION = """Measures ra beside other tools on one corpus, or how its cost grows with size. Everything is written to a
scratch folder that is removed at the end; the corpus is only read. Results go to standard output as markdown."""


def parser() -> argparse.ArgumentParser:
    """All options."""
    known = ", ".join((*scale.SIZES, *SPECIAL))
    made = argparse.ArgumentParser(prog="bench/run", description=DESCRIPTION)
    made.add_argument("corpus", nargs="?", help="a directory or archive of .md and .txt files; without it, one is made from docs/")
    made.add_argument("--scale", action="store_true", help="measure how cost grows, on corpora made from this one")
    made.add_argument("--sizes", metavar="LIST", help=f"with --scale: which ones, separated by commas; all are {known}")
    made.add_argument("--quick", action="store_true", help="fewer rounds, fewer queries, smaller sizes")
    made.add_argument("--ra", metavar="PATH", help="the program to measure, instead of target/release/ra")
    made.add_argument("--scratch", metavar="DIR", help="work in this folder, and leave it there")
    made.add_argument("--keep", action="store_true", help="leave the scratch folder there and say where it is")
    made.add_argument("--json", metavar="FILE", help="also write the results as JSON")
    made.add_argument("--write-docs", action="store_true", help="put the results into docs/reference/benchmarks.md")
    made.add_argument("--render-docs", action="store_true", help="write that page again from the results that it has; measure nothing")
    made.add_argument("--self-test", action="store_true", help="test the benchmark itself; measure nothing")
    return made


def main() -> int:
    """Runs the benchmark and gives the exit code."""
    options = parser().parse_args()
    try:
        if options.self_test:
            return self_test()
        if options.render_docs:
            docs.render()
            return 0
        measure(options)
        return 0
    except BenchError as error:
        print(f"error: {error}", file=sys.stderr)
        if error.hint:
            print(f"hint: {error.hint}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def self_test() -> int:
    """Runs the tests that stand beside this package."""
    found = unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
    return 0 if unittest.TextTestRunner().run(found).wasSuccessful() else 1


def measure(options: argparse.Namespace) -> None:
    """Measures one of the two parts and hands the results on."""
    program = ra.binary(options.ra)
    wanted = sizes(options)
    scratch = Scratch(options.scratch, options.keep)
    launcher = Launcher(scratch)
    try:
        bench = Bench(scratch, launcher, floors.find(scratch), program)
        for name, why in bench.floors.missing.items():
            print(f"note: {name} is left out: {why}", file=sys.stderr)
        if options.scale:
            results = scale.run(bench, options.corpus, wanted)
            verdicts = targets.scale(results)
            text = report.scale_report(results, verdicts)
        else:
            results = compare.run(bench, options.corpus, compare.QUICK if options.quick else compare.FULL)
            verdicts = targets.compare(results)
            text = report.compare_report(results, verdicts)
        results["targets"] = [verdict.data() for verdict in verdicts]
        hand_over(options, results, text)
    finally:
        launcher.close()
        scratch.close()
        if options.keep:
            print(f"note: everything is left in {scratch.root}", file=sys.stderr)


def sizes(options: argparse.Namespace) -> list[str]:
    """The corpora that a run over sizes makes. Wrong names are found before anything is measured."""
    if options.sizes and not options.scale:
        raise BenchError("`--sizes` is for `--scale`", "add `--scale`")
    if options.sizes:
        wanted = [name.strip() for name in options.sizes.split(",") if name.strip()]
    else:
        wanted = list(scale.QUICK) if options.quick else [*scale.SIZES, *SPECIAL]
    for name in wanted:
        if name not in SPECIAL:
            scale.number(name)
    return wanted


def hand_over(options: argparse.Namespace, results: dict[str, Any], text: str) -> None:
    """Prints the results, and writes them where that was asked for."""
    print(text, end="")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if options.write_docs:
        docs.save(results)
        docs.render()
