"""A directory that behaves as if it were far away."""

from __future__ import annotations

import time

from process import Failure, Ra
from report import Setting, Tally
from shim import Shim

from .descriptors import serve
from .disk import recovered, under_fault

# No question may take longer than this once there is an index, in seconds. The server gives up waiting for a walk after
# some seconds, and answers from what it knows.
SERVED_WITHIN = 15.0


def slow(setting: Setting, tally: Tally) -> None:
    """Every look at a document takes its time: answers are late, and right."""
    shim = Shim.build(setting.scratch)
    project = setting.project("slow", 60)
    project.prove()
    for delay in (500, 5_000, 20_000):
        for with_index in (True, False):
            project.change()
            if not with_index:
                under_fault(project, tally, "update", ["update"])
            environment = shim.environment(path="/slow/docs", delay=delay)
            project.ra = Ra(setting.ra.binary, setting.ra.home, environment=environment)
            where = f"{delay / 1000} ms for each call"
            began = time.monotonic()
            try:
                project.prove()
                tally.count("right")
            except Failure as failure:
                tally.fail(where, failure)
            if delay >= 5_000 and time.monotonic() - began < 60 * delay / 1e6 / 4:
                tally.fail(where, Failure("the directory was not slow at all"))
            began = time.monotonic()
            serve(project, tally, f"mcp, {where}", 1024)
            if time.monotonic() - began > SERVED_WITHIN:
                tally.fail(f"mcp, {where}", Failure(f"took {time.monotonic() - began:.1f} s"))
            project.ra = setting.ra
            recovered(project, tally, where)
    project.prove_tidy()
    tally.how = "a preloaded library that waits before statx, open, read and opendir"


def flaky(setting: Setting, tally: Tally) -> None:
    """Every so many calls fail as on a network. What could not be seen is kept, said, and seen again later."""
    shim = Shim.build(setting.scratch)
    project = setting.project("flaky", 60)
    project.prove()
    for fail in (1, 2, 3, 5, 7, 11, 17, 29, 47, 83, 131):
        for round_ in range(max(1, 4 // setting.every)):
            project.change()
            environment = shim.environment(path="/flaky/docs", fail=fail)
            project.ra = Ra(setting.ra.binary, setting.ra.home, environment=environment)
            where = f"every {fail}th call fails, round {round_}"
            under_fault(project, tally, where)
            under_fault(project, tally, where, ["update"])
            under_fault(project, tally, where)
            project.ra = setting.ra
            recovered(project, tally, where)
    project.prove_tidy()
    tally.how = "a preloaded library that fails with EIO, ESTALE, ETIMEDOUT and EACCES"
