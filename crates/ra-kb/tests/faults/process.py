"""Runs `ra`, and judges what came of it without knowing what was asked."""

from __future__ import annotations

import json
import os
import pathlib
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

# No command may take longer, whatever is done to it. The machine may be busy with other things.
TIME_LIMIT = 90.0
# What `ra` documents: answered, warnings of `ra check`, an error.
EXIT_CODES = (0, 1, 2)
# What a process says that ended in a way nobody planned.
PANIC = ("panicked at", "RUST_BACKTRACE", "which is a bug", "internal error", "stack overflow")
# The system refused before `ra` had begun: this is no answer of `ra`.
NOT_STARTED = "error while loading shared libraries"


class Failure(Exception):
    """What must never happen, has happened."""


@dataclass(frozen=True)
class Outcome:
    """How a process ended. The code is negative when a signal ended it, and none when it did not end in time."""

    args: tuple[str, ...]
    code: int | None
    stdout: str
    stderr: str

    @property
    def started(self) -> bool:
        return NOT_STARTED not in self.stderr

    @property
    def refused(self) -> bool:
        """True for an error that says what is wrong."""
        return self.code == 2 and "error:" in self.stderr

    def judge(self) -> None:
        """Raises when this is neither an answer nor a clear error."""
        if not self.started:
            return
        problem = None
        said = self.stdout + self.stderr
        if self.code is None:
            problem = f"did not end within {TIME_LIMIT:.0f} seconds"
        elif any(word in said for word in PANIC):
            problem = "panicked"
        elif self.code not in EXIT_CODES:
            problem = f"ended with {self.code}"
        elif self.code == 2 and self.args[0] != "check" and "error:" not in self.stderr:
            problem = "failed without an error"
        if problem:
            raise Failure(f"`ra {' '.join(self.args)}` {problem}\n{self.shown()}")

    def shown(self) -> str:
        return f"exit code {self.code}\n--- stdout\n{self.stdout[-1500:]}\n--- stderr\n{self.stderr[-3000:]}"

    def answer(self) -> dict:
        """The answer in JSON."""
        if self.code != 0:
            raise Failure(f"`ra {' '.join(self.args)}` was to answer\n{self.shown()}")
        return json.loads(self.stdout)


@dataclass(frozen=True)
class Ra:
    """The binary under test, and the home directory that it sees."""

    binary: pathlib.Path
    home: pathlib.Path
    # Put in front of the command: another user, a tracer.
    wrapper: tuple[str, ...] = ()
    environment: Mapping[str, str] | None = None

    def command(self, args: Sequence[str]) -> list[str]:
        return [*self.wrapper, str(self.binary), *args]

    def settings(self, cwd: pathlib.Path) -> dict:
        """What every process is started with. Nothing of the caller's environment reaches it."""
        environment = {"HOME": str(self.home), "PATH": os.environ.get("PATH", ""), **(self.environment or {})}
        return {"cwd": cwd, "env": environment, "stdin": subprocess.DEVNULL}

    def run(
        self, cwd: pathlib.Path, *args: str, limit: Callable[[], None] | None = None, signals: bool = True
    ) -> Outcome:
        """Runs a command to its end. `limit` is called in the new process before `ra` begins."""
        settings = {**self.settings(cwd), "preexec_fn": limit, "restore_signals": signals}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with subprocess.Popen(self.command(args), **settings, **pipes) as process:
            try:
                out, err = process.communicate(timeout=TIME_LIMIT)
                code: int | None = process.returncode
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
                code = None
        return Outcome(args, code, out.decode(errors="replace"), err.decode(errors="replace"))

    def start(self, cwd: pathlib.Path, *args: str, talk: bool = False) -> subprocess.Popen:
        """Starts a command that is going to be killed."""
        settings = self.settings(cwd)
        if talk:
            settings["stdin"] = subprocess.PIPE
        return subprocess.Popen(self.command(args), **settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def limited(kind: int, most: int) -> Callable[[], None]:
    """A limit of the system, for a process to come."""
    return lambda: resource.setrlimit(kind, (most, most))


def kill(process: subprocess.Popen, after: float) -> bool:
    """Kills a process after so many seconds. False when it had ended before."""
    try:
        process.wait(timeout=after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    if process.stdin:
        # The pipe may be broken, and is to be closed all the same.
        try:
            process.stdin.close()
        except OSError:
            pass
    return process.wait(timeout=TIME_LIMIT) == -signal.SIGKILL


def wait_until(condition: Callable[[], bool], seconds: float = TIME_LIMIT) -> bool:
    """Waits for something to become true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return condition()
