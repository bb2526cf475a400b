"""Processes that are killed: at random moments, and before every step that changes the disk."""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess

from process import Failure, Ra, kill
from project import Project
from report import Setting, Skipped, Tally

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "faults", "version": "1"}}
MESSAGES = (
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "search", "arguments": {"queries": "zebra"}}},
)
# What is killed, and how often of ten.
COMMANDS = ("search", "search", "search", "search", "update", "update", "update", "mcp", "watch", "both")
# A server and a watcher do not end by themselves, and have nothing left to do after so many seconds.
LONGEST = {"mcp": 0.4, "watch": 0.4}
# More files than this in the index directory mean that something is left behind again and again.
MOST_FILES = 400


def start(project: Project, what: str) -> list[subprocess.Popen]:
    """Starts the work that is going to be killed."""
    if what == "both":
        return start(project, "search") + start(project, "update")
    if what == "mcp":
        server = project.ra.start(project.directory, "mcp", talk=True)
        assert server.stdin
        server.stdin.write("".join(json.dumps(message) + "\n" for message in MESSAGES).encode())
        server.stdin.flush()
        return [server]
    args = {"search": ["search", "zebra"], "update": ["update"], "watch": ["update", "--watch"]}[what]
    return [project.ra.start(project.directory, *args)]


def at_random(setting: Setting, tally: Tally) -> None:
    """Kills until as many processes as asked for have died of it; the next search is right each time."""
    project = setting.project("kill", 50)
    project.prove()
    # Moments are drawn from the time that each command takes, which is learned on the way.
    takes = dict.fromkeys(COMMANDS, 0.1)
    most = 0
    while tally.faults < setting.kills:
        what = project.random.choice(COMMANDS)
        if project.random.random() < 0.05:
            # The first index is a rebuild of its own, and begins with an empty directory.
            shutil.rmtree(project.index)
        project.change()
        after = project.random.uniform(0, 1.1 * takes[what])
        killed = [kill(process, after) for process in start(project, what)]
        if not all(killed):
            # It was done before it could be killed.
            takes[what] *= 0.9
            continue
        takes[what] = min(takes[what] * 1.03, LONGEST.get(what, 2.0))
        try:
            project.prove()
            tally.count(what)
        except Failure as failure:
            tally.fail(f"{what}, killed after {after * 1000:.0f} ms", failure)
        most = max(most, sum(1 for _ in project.index.rglob("*")))
        if (project.index / "damaged").exists():
            tally.fail(what, Failure("a killed process has left an index that cannot be read"))
            shutil.rmtree(project.index / "damaged")
    if most > MOST_FILES:
        tally.fail("index directory", Failure(f"{most} files were in it at once"))
    project.prove_tidy()
    tally.how = f"at most {most} files in the index directory, none left over at the end"


# The calls by which a process changes the disk, or makes sure of a change.
STEPS = ("mkdir", "openat", "write", "fsync", "fdatasync", "rename", "unlink", "unlinkat", "rmdir", "flock", "ftruncate")


def at_every_step(setting: Setting, tally: Tally) -> None:
    """Kills before the first, the second, … of each call that changes the disk, until there are no more."""
    strace = shutil.which("strace")
    if not strace:
        raise Skipped("strace is not installed")
    project = setting.project("kill-step", 12)
    project.prove()
    log = setting.scratch / "strace.log"
    for step in STEPS:
        for args in (("update",), ("search", "zebra")):
            number = 1
            while number < 400:
                project.change()
                inject = f"inject={step}:signal=KILL:when={number}"
                traced = Ra(project.ra.binary, project.ra.home, (strace, "-f", "-o", str(log), "-e", inject))
                outcome = traced.run(project.directory, *args)
                if outcome.code == 0:
                    project.prove()
                    break
                try:
                    project.prove()
                    tally.count("right")
                except Failure as failure:
                    tally.fail(f"{args[0]}, killed at {step} number {number}", failure)
                # Most opened files are libraries and documents, which come in dozens.
                number += setting.every if step != "openat" else 5 * setting.every
    pathlib.Path(log).unlink(missing_ok=True)
    project.prove_tidy()
    tally.how = f"before each {', '.join(STEPS)}"
