"""No file descriptors left."""

from __future__ import annotations

import json
import resource
import subprocess

from process import TIME_LIMIT, Failure, Outcome, limited
from project import Project
from report import Setting, Tally

from .disk import recovered, under_fault
from .killing import MESSAGES


def few(setting: Setting, tally: Tally) -> None:
    """Allows 1, 2, 3, … 64 open files to a search, to an update, and to a server that is asked something."""
    project = setting.project("descriptors", 30)
    project.prove()
    for most in range(1, 65, setting.every):
        limit = limited(resource.RLIMIT_NOFILE, most)
        project.change()
        under_fault(project, tally, f"search with {most} descriptors", limit=limit)
        under_fault(project, tally, f"update with {most} descriptors", ["update"], limit=limit)
        serve(project, tally, f"mcp with {most} descriptors", most)
        recovered(project, tally, f"{most} descriptors")
    project.prove_tidy()
    tally.how = "RLIMIT_NOFILE from 1 to 64"


def serve(project: Project, tally: Tally, where: str, most: int) -> None:
    """Asks a server; it answers, refuses, or ends with an error."""
    settings = {**project.ra.settings(project.directory), "stdin": subprocess.PIPE}
    limit = limited(resource.RLIMIT_NOFILE, most)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": limit, "text": True}
    with subprocess.Popen(project.ra.command(["mcp"]), **settings, **pipes) as server:
        try:
            code, out, err = converse(server)
        except subprocess.TimeoutExpired:
            server.kill()
            out, err = server.communicate()
            code = None
    outcome = Outcome(("mcp",), code, out, err)
    try:
        outcome.judge()
        answers = [json.loads(line) for line in out.splitlines()]
        answered = any(answer.get("id") == 2 for answer in answers)
        if not outcome.started:
            tally.count("not started")
        elif answered:
            tally.count("answered")
        elif outcome.refused:
            tally.count("refused")
        else:
            raise Failure(f"a server neither answered nor refused\n{outcome.shown()}")
    except Failure as failure:
        tally.fail(where, failure)


def converse(server: subprocess.Popen) -> tuple[int | None, str, str]:
    """Says what there is to say, reads up to the answer, and leaves."""
    assert server.stdin and server.stdout
    lines = []
    try:
        for message in MESSAGES:
            server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
        for line in server.stdout:
            lines.append(line)
            if json.loads(line).get("id") == 2:
                break
    except BrokenPipeError:
        pass
    out, err = server.communicate(timeout=TIME_LIMIT)
    return server.returncode, "".join(lines) + out, err
