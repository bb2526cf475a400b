"""Documents that do not hold still."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator

from process import Failure
from project import Project
from report import Setting, Tally

from .disk import recovered, small_disk


@contextlib.contextmanager
def meanwhile(work: Callable[[], None]) -> Iterator[None]:
    """Does something again and again until the block is done."""
    done = threading.Event()

    def loop() -> None:
        while not done.is_set():
            work()

    thread = threading.Thread(target=loop)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def ask(project: Project, tally: Tally, where: str, rounds: int) -> None:
    """Searches and updates while documents move. What they find is anybody's guess; that they end well is not."""
    commands = (project.ask(), ["update"], ["--json", "search", "zebra"], ["check"], ["ls", "chunks"])
    for nr in range(rounds):
        outcome = project.ra.run(project.directory, *commands[nr % len(commands)])
        try:
            outcome.judge()
            tally.count("answered" if outcome.code in (0, 1) else "refused")
        except Failure as failure:
            tally.fail(where, failure)


def rewritten(setting: Setting, tally: Tally) -> None:
    """A writer rewrites, appends to, cuts and replaces documents while they are read."""
    project = setting.project("rewritten", 40)
    project.prove()
    names = sorted(project.texts)

    def spoil() -> None:
        name = project.random.choice(names)
        path = project.path(name)
        how = project.random.randrange(4)
        if how == 0:
            with path.open("a") as file:
                file.write("\n# Appended\n\nmore and more\n" * 50)
        elif how == 1:
            os.truncate(path, project.random.randrange(path.stat().st_size + 1))
        elif how == 2:
            path.write_bytes(os.urandom(200) + b"\n# Noise\n")
        else:
            beside = project.directory / "docs" / "beside.tmp"
            beside.write_text(f"# Replaced\n\n{'word ' * 500}\n")
            beside.rename(path)

    for round_ in range(8 // setting.every + 1):
        with meanwhile(spoil):
            ask(project, tally, f"round {round_}", 15)
        # The writer comes to rest.
        project.fresh.clear()
        for name in names:
            project.write(name)
        project.fresh.clear()
        recovered(project, tally, f"round {round_}")
    project.prove_tidy()
    tally.how = "a thread that appends, cuts, garbles and replaces"


def renamed(setting: Setting, tally: Tally) -> None:
    """Directories, and the tree itself, are renamed back and forth while they are walked."""
    project = setting.project("renamed", 60)
    project.prove()
    docs = project.path("")
    parts = sorted(path for path in docs.iterdir() if path.is_dir())

    def rename() -> None:
        place = project.random.choice([*parts, docs])
        away = place.with_name(f"{place.name}-away")
        place.rename(away)
        time.sleep(project.random.uniform(0, 0.004))
        away.rename(place)

    for round_ in range(8 // setting.every + 1):
        with meanwhile(rename):
            ask(project, tally, f"round {round_}", 15)
        recovered(project, tally, f"round {round_}")
    project.prove_tidy()
    tally.how = "a thread that renames"


def deleted(setting: Setting, tally: Tally) -> None:
    """The working directory, the project, or the tree is gone."""
    project = setting.project("deleted", 10)
    project.prove()
    gone = setting.scratch / "gone"
    for command in (["search", "zebra"], ["update"], ["status"], ["check"], ["mcp"], ["context", "x.rs"], ["init"]):
        gone.mkdir()
        # The directory is removed in the new process, when it already works there.
        outcome = project.ra.run(gone, *command, limit=lambda: os.rmdir(gone))
        try:
            outcome.judge()
            if not outcome.refused or "hint:" not in outcome.stderr:
                raise Failure(f"a working directory that is gone is not noticed\n{outcome.shown()}")
            tally.count("refused")
        except Failure as failure:
            tally.fail(f"{command[0]} in a directory that is gone", failure)
    away = setting.scratch / "away"
    for place in (project.path(""), project.index, project.index.parent):
        place.rename(away)
        outcome = project.ra.run(project.directory, "search", "zebra")
        try:
            outcome.judge()
            tally.count("answered" if outcome.code == 0 else "refused")
        except Failure as failure:
            tally.fail(f"{place.name} is gone", failure)
        restore(away, place)
        recovered(project, tally, f"{place.name} was gone")
    tally.how = "removed and renamed"


def restore(away: pathlib.Path, place: pathlib.Path) -> None:
    """Puts a directory back in place of whatever has been made there."""
    shutil.rmtree(place, ignore_errors=True)
    away.rename(place)


class Server:
    """A running MCP server that is asked one question at a time."""

    def __init__(self, project: Project) -> None:
        settings = {**project.ra.settings(project.directory), "stdin": subprocess.PIPE}
        self.process = subprocess.Popen(project.ra.command(["mcp"]), **settings, stdout=subprocess.PIPE, text=True)
        self.number = 0
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "faults", "version": "1"}}
        self.request("initialize", hello)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(timeout=60)

    def send(self, message: dict) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def request(self, method: str, params: dict) -> dict:
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        assert self.process.stdout
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self.number:
                return message
        raise Failure("the server ended")

    def search(self, query: str) -> str:
        answer = self.request("tools/call", {"name": "search", "arguments": {"queries": [query]}})
        return answer["result"]["content"][0]["text"]


def mounted(setting: Setting, tally: Tally) -> None:
    """A file system is mounted over a directory of documents while a server runs, which nothing reports."""
    project = setting.project("mounted", 10)
    (project.directory / "docs" / "disk").mkdir()
    with Server(project) as server:
        check(tally, "before", "disk/page.md" not in server.search("zebraword"))
        with small_disk(project.directory / "docs" / "disk", "1m") as disk:
            (disk / "page.md").write_text("# Page\n\nThe zebraword is here.\n")
            check(tally, "mounted", "disk/page.md" in server.search("zebraword"))
        check(tally, "unmounted", "disk/page.md" not in server.search("zebraword"))
    tally.how = "a tmpfs"


def check(tally: Tally, where: str, holds: bool) -> None:
    if holds:
        tally.count("right")
    else:
        tally.fail(where, Failure("the server did not notice"))
