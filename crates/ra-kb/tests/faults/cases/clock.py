"""A clock that jumps, and times of files that prove nothing."""

from __future__ import annotations

import os
import time

from process import Failure, Ra
from project import Project
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
            change_word(project, name)
            os.utime(project.path(name), (moment, moment))
            try:
                project.prove()
                tally.count("right")
            except Failure as failure:
                tally.fail(f"round {round_}", failure)
    tally.how = "os.utime"


def coarse(setting: Setting, tally: Tally) -> None:
    """File systems that keep whole seconds, or every second one: a change within the tick of the last one is seen."""
    shim = Shim.build(setting.scratch)
    for tick in (1, 2):
        project = setting.project(f"coarse-{tick}", 20)
        project.ra = Ra(setting.ra.binary, setting.ra.home, environment=shim.environment(tick=tick))
        project.prove()
        for round_ in range(40 // setting.every + 1):
            name = sorted(project.texts)[round_ % len(project.texts)]
            change_word(project, name)
            try:
                project.prove()
                state = project.ra.run(project.directory, "--json", "status").answer()["index"]["status"]
                if state != "current":
                    raise Failure(f"the index is {state} after a search")
                # Of the same size, and within the tick of the change before it.
                change_word(project, name)
                state = project.ra.run(project.directory, "--json", "status").answer()["index"]["status"]
                if state == "current":
                    raise Failure("status does not see the change")
                project.prove()
                tally.count("right")
            except Failure as failure:
                tally.fail(f"ticks of {tick} s, round {round_}", failure)
    tally.how = "a preloaded statx"


def change_word(project: Project, name: str) -> None:
    """Puts a new word of the same length in the place of a document's own."""
    project.fresh.clear()
    word = project.new_word()
    project.forget(name)
    text = project.texts[name].replace(project.words[name], word)
    project.path(name).write_text(text)
    project.texts[name], project.words[name], project.fresh[name] = text, word, word
