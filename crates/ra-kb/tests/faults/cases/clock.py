"""A clock that jumps, and times of files that prove nothing."""

from __future__ import annotations

import os
import time

from process import Failure, Ra
from report import Setting, Tally
from shim import Shim

from .disk import recovered, under_fault

DAY = 86_400


def jumps(setting: Setting, tally: Tally) -> None:
    """The clock goes back and forth by seconds to decades between changes, for `ra` and for the files alike."""
    shim = Shim.build(setting.scratch)
    project = setting.project("clock", 40)
    project.prove()
    offsets = (-1, -3600, -DAY, -365 * DAY, -30 * 365 * DAY, DAY, 40 * 365 * DAY, -2, 5, 0)
    for nr, offset in enumerate(offsets * max(1, 6 // setting.every)):
        project.change()
        moment = time.time() + offset
        for name in project.fresh:
            # The files bear the time that the clock showed when they were written.
            os.utime(project.path(name), (moment, moment))
        shifted = Ra(setting.ra.binary, setting.ra.home, environment=shim.environment(clock=offset))
        try:
            project.prove(shifted)
            tally.count("right")
        except Failure as failure:
            tally.fail(f"jump {nr}: the clock is off by {offset} s", failure)
        project.ra = shifted
        under_fault(project, tally, f"the clock is off by {offset} s", ["update"])
        under_fault(project, tally, f"the clock is off by {offset} s", ["status"])
        project.ra = setting.ra
        if nr % 3 == 0:
            project.change()
            recovered(project, tally, f"the clock was off by {offset} s")
    project.prove_tidy()
    tally.how = "a preloaded clock_gettime, and times of files to match"


def same_size(setting: Setting, tally: Tally) -> None:
    """A change that keeps size and time is seen when the file was read at the moment of its change, as is promised."""
    project = setting.project("same-size", 20)
    project.prove()
    names = sorted(project.texts)
    for round_ in range(100 // setting.every):
        name = names[round_ % len(names)]
        # The time lies ahead, so that the read falls before it: what was read proves nothing.
        moment = time.time() + 60
        for _ in range(2):
            project.fresh.clear()
            text = project.texts[name]
            word = project.new_word()
            project.forget(name)
            text = text.replace(project.words[name], word)
            project.path(name).write_text(text)
            project.texts[name], project.words[name], project.fresh[name] = text, word, word
            os.utime(project.path(name), (moment, moment))
            try:
                project.prove()
                tally.count("right")
            except Failure as failure:
                tally.fail(f"round {round_}", failure)
    tally.how = "os.utime"
