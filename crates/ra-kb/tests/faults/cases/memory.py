"""Little memory."""

from __future__ import annotations

import resource

from process import Failure, Outcome, limited
from project import Project
from report import Setting, Tally

from .disk import recovered

MIB = 1 << 20
# Who runs out of memory cannot always say so in a sentence of their own; these are the words of the system.
ABORTED = "memory allocation of"
SAID = (ABORTED, "annot allocate memory", "failed to map segment")


def little(setting: Setting, tally: Tally) -> None:
    """Allows so much address space to a search and an update: both work or fail, and the index is none the worse."""
    project = setting.project("memory", 60)
    project.prove()
    # With less than itself and the libraries of the system, a program cannot even be loaded.
    least = setting.ra.binary.stat().st_size // MIB + 8
    for mib in [*range(least, 128, 4 * setting.every), *range(128, 2048, 64 * setting.every)]:
        project.change()
        for args in (project.ask(), ["update"]):
            where = f"{args[0]} with {mib} MiB"
            try:
                tally.count(attempt(project, args, mib))
            except Failure as failure:
                tally.fail(where, failure)
        recovered(project, tally, f"{mib} MiB")
    project.prove_tidy()
    tally.how = f"RLIMIT_AS from {least} MiB to 2 GiB"


def ran_out(outcome: Outcome) -> bool:
    """True when memory ended the process. One thread can fail to allocate while another ends with its own error."""
    said = any(word in outcome.stderr for word in SAID)
    return said and (outcome.code not in (0, 2, None) or outcome.code == 2 and ABORTED in outcome.stderr)


def attempt(project: Project, args: list[str], mib: int) -> str:
    """Runs a command in little memory, and says how it ended."""
    outcome = project.ra.run(project.directory, *args, limit=limited(resource.RLIMIT_AS, mib * MIB))
    project.prove_untouched()
    if ran_out(outcome):
        return "out of memory"
    if args[0] == "update":
        outcome.judge()
        return "done" if outcome.code == 0 else "refused" if outcome.started else "not started"
    return project.judge(outcome)
