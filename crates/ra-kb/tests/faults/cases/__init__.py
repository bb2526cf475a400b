"""The cases, in the order in which they are run. Each is a function that breaks something and counts what came of it."""

from __future__ import annotations

from collections.abc import Callable

from report import Setting, Tally

from . import clock, damage, descriptors, disk, killing, memory, moving, network

Case = Callable[[Setting, Tally], None]

CASES: dict[str, Case] = {
    "kill": killing.at_random,
    "kill-step": killing.at_every_step,
    "full-disk": disk.full,
    "file-size": disk.small_files,
    "read-only": disk.read_only,
    "no-permission": disk.no_permission,
    "descriptors": descriptors.few,
    "memory": memory.little,
    "clock": clock.jumps,
    "same-size": clock.same_size,
    "coarse-times": clock.coarse,
    "rewritten": moving.rewritten,
    "renamed": moving.renamed,
    "deleted": moving.deleted,
    "mounted": moving.mounted,
    "slow": network.slow,
    "flaky": network.flaky,
    "damage": damage.every_file,
}
