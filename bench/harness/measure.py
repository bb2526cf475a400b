"""Processes with their time and memory, and what many times come to."""

from __future__ import annotations

import json
import math
import pathlib
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any, Iterable, Sequence

from .errors import BenchError
from .scratch import Scratch

LAUNCHER = pathlib.Path(__file__).with_name("launcher.py")


@dataclass(frozen=True)
class Run:
    """A process that has ended well."""

    seconds: float
    cpu: float
    """The seconds that all cores together worked for it, which a busy machine changes less than the time."""
    peak: int
    """The most memory that was resident, in bytes."""
    output: str


class Launcher:
    """Runs processes one after the other, with the environment of the scratch folder."""

    def __init__(self, scratch: Scratch) -> None:
        self._scratch = scratch
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-E", str(LAUNCHER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, argv: Sequence[str | pathlib.Path], cwd: pathlib.Path, good: Iterable[int] = (0,)) -> Run:
        """Runs a process to its end. An exit code that is not good is an error with what the process said."""
        out, err = self._scratch.root / "stdout", self._scratch.root / "stderr"
        request = {
            "argv": [str(part) for part in argv],
            "cwd": str(cwd),
            "env": self._scratch.environment,
            "stdout": str(out),
            "stderr": str(err),
        }
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        reply = json.loads(self._process.stdout.readline())
        if "error" in reply:
            raise BenchError(reply["error"])
        if reply["code"] not in set(good):
            said = err.read_text(errors="replace").strip()[-2000:]
            command = " ".join(request["argv"])
            raise BenchError(f"`{command}` ended with {reply['code']}: {said}")
        return Run(reply["seconds"], reply["cpu"], reply["peak"], out.read_text(errors="replace"))

    def close(self) -> None:
        """Ends the helper process."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


def percentile(values: Sequence[float], part: float) -> float:
    """The smallest value that at least this part of the values does not exceed."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)]


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two in the middle."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


@dataclass
class Series:
    """What one tool needed for one thing, round after round. Of requests to a running server only the time is
    known."""

    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peaks: list[int] = field(default_factory=list)

    def add(self, run: Run) -> Run:
        """Adds a run and gives it back."""
        self.seconds.append(run.seconds)
        self.cpu.append(run.cpu)
        self.peaks.append(run.peak)
        return run

    def summary(self) -> dict[str, Any]:
        """Times in milliseconds, memory in bytes."""
        found: dict[str, Any] = {
            "rounds": len(self.seconds),
            "median_ms": milliseconds(median(self.seconds)),
            "minimum_ms": milliseconds(min(self.seconds)),
        }
        if len(self.seconds) >= 20:
            found["p99_ms"] = milliseconds(percentile(self.seconds, 0.99))
        if self.cpu:
            found["cpu_ms"] = milliseconds(median(self.cpu))
        if self.peaks:
            found["peak_bytes"] = max(self.peaks)
        return found


def milliseconds(seconds: float) -> float:
    """Milliseconds to a thousandth, which is more than any clock here can tell."""
    return round(seconds * 1000, 3)


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """How cost grows with size: the slope of a straight line through the logarithms. 1 is linear, 0 is constant."""
    xs = [math.log(size) for size in sizes]
    ys = [math.log(cost) for cost in costs]
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - middle_x) ** 2 for x in xs)
    if spread == 0:
        raise ValueError("growth needs two sizes")
    return sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys)) / spread
