"""A disk that is full, read-only, or not the user's to write."""

from __future__ import annotations

import contextlib
import os
import pathlib
import resource
import shutil
import signal
import subprocess
from collections.abc import Iterator

from process import Failure, Ra, limited
from project import Project
from report import Setting, Skipped, Tally

NOBODY = 65534


@contextlib.contextmanager
def small_disk(place: pathlib.Path, size: str) -> Iterator[pathlib.Path]:
    """A file system of its own in memory. Only the superuser may make one."""
    place.mkdir(exist_ok=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], capture_output=True)
    if mounted.returncode != 0:
        raise Skipped(f"no file system can be mounted here: {mounted.stderr.decode().strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def under_fault(project: Project, tally: Tally, where: str, args: list[str] | None = None, **limits) -> None:
    """Runs a command under a fault and judges it: a search by its answer, all others by how they end."""
    try:
        outcome = project.ra.run(project.directory, *(args or project.ask()), **limits)
        if args is None:
            tally.count(project.judge(outcome))
        else:
            outcome.judge()
            project.prove_untouched()
            tally.count("done" if outcome.code == 0 else "refused" if outcome.started else "not started")
    except Failure as failure:
        tally.fail(where, failure)


def recovered(project: Project, tally: Tally, where: str) -> None:
    """With the fault gone, the next search is right."""
    try:
        project.prove()
        tally.count("right after it")
    except Failure as failure:
        tally.fail(f"after {where}", failure)


def full(setting: Setting, tally: Tally) -> None:
    """Leaves so many bytes of a disk of its own, from none to plenty, with an index and without one."""
    with small_disk(setting.scratch / "full", "24m") as disk:
        project = Project(Ra(setting.ra.binary, disk / "home"), disk / "project", 60, setting.seed)
        project.prove()
        filler = disk / "filler"
        for kib in range(0, 900, 20 * setting.every):
            for with_index in (True, False):
                if not with_index:
                    shutil.rmtree(project.index)
                # The documents change while there is still room for them.
                project.change()
                fill(filler, leave=kib * 1024)
                where = f"{kib} KiB left, {'an' if with_index else 'no'} index"
                under_fault(project, tally, where)
                under_fault(project, tally, where, ["update"])
                filler.unlink()
                recovered(project, tally, where)
        project.prove_tidy()
        tally.how = "a tmpfs of 24 MiB"


def fill(filler: pathlib.Path, leave: int) -> None:
    """Writes a file that leaves so many bytes of its file system."""
    with filler.open("wb") as file:
        state = os.statvfs(filler)
        with contextlib.suppress(OSError):
            os.posix_fallocate(file.fileno(), 0, max(state.f_bavail * state.f_frsize - leave, 1))


def small_files(setting: Setting, tally: Tally) -> None:
    """No file may grow beyond so many bytes, as with a quota: writing fails in the middle of any file."""
    project = setting.project("file-size", 60)
    project.prove()
    for size in [0, 1, 10, 100, *range(500, 40_000, 1500 * setting.every)]:
        for with_index in (True, False):
            if not with_index:
                shutil.rmtree(project.index)
            project.change()
            where = f"files of at most {size} bytes, {'an' if with_index else 'no'} index"
            # Python ignores the signal that comes with the error, and so hands it down ignored.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            limits = {"limit": limited(resource.RLIMIT_FSIZE, size), "signals": False}
            under_fault(project, tally, where, **limits)
            under_fault(project, tally, where, ["update"], **limits)
            recovered(project, tally, where)
    project.prove_tidy()
    tally.how = "RLIMIT_FSIZE"


def read_only(setting: Setting, tally: Tally) -> None:
    """The disk of the project and the cache becomes read-only: the index goes to the temporary files, and comes back."""
    with small_disk(setting.scratch / "read-only", "24m") as disk:
        temporary = setting.scratch / "temporary"
        temporary.mkdir()
        at_home = Ra(setting.ra.binary, disk / "home", environment={"TMPDIR": str(temporary)})
        project = Project(at_home, disk / "project", 30, setting.seed)
        for with_index in (True, False):
            project.prove()
            if not with_index:
                shutil.rmtree(project.index)
            project.change()
            subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
            where = f"a read-only disk, {'an' if with_index else 'no'} index"
            under_fault(project, tally, where)
            for args in (["update"], ["status"], ["check"], ["ls", "docs"], ["get", sorted(project.texts)[0]]):
                under_fault(project, tally, where, args)
            # Not even temporary files can be written now.
            project.ra = Ra(setting.ra.binary, disk / "home", environment={"TMPDIR": str(disk)})
            under_fault(project, tally, f"{where} and no temporary files")
            under_fault(project, tally, f"{where} and no temporary files", ["update"])
            project.ra = at_home
            subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
            recovered(project, tally, where)
        tally.how = "a tmpfs, remounted"


def no_permission(setting: Setting, tally: Tally) -> None:
    """A user who may read the project but not write to it, nor to the cache, and then not even read all of it."""
    as_nobody: tuple[str, ...] = ()
    if os.geteuid() == 0:
        setpriv = shutil.which("setpriv")
        if not setpriv:
            raise Skipped("permissions mean nothing to the superuser, and setpriv is not installed")
        as_nobody = (setpriv, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    project = setting.project("no-permission", 30)
    home = setting.scratch / "home-of-nobody"
    temporary = setting.scratch / "temporary"
    for place in (home, temporary):
        place.mkdir()
        if as_nobody:
            os.chown(place, NOBODY, NOBODY)
    binary = setting.scratch / "ra-for-all"
    shutil.copy(setting.ra.binary, binary)
    project.prove()
    owner, project.ra = project.ra, Ra(binary, home, as_nobody, {"TMPDIR": str(temporary)})
    project.prove()
    try:
        for name, mode in (("cache", 0o555), ("cache", 0o000), ("project", 0o555)):
            project.change()
            place = home / ".cache" / "ra" if name == "cache" else project.directory
            where = f"{name} with mode {mode:o}"
            place.chmod(mode)
            under_fault(project, tally, where)
            for args in (["update"], ["status"], ["check"], ["ls", "docs"]):
                under_fault(project, tally, where, args)
            home.chmod(0o000)
            under_fault(project, tally, f"{where} and no cache")
            home.chmod(0o755)
            place.chmod(0o755)
    finally:
        project.ra = owner
    recovered(project, tally, "permissions")
    tally.how = "setpriv to another user" if as_nobody else "modes"
