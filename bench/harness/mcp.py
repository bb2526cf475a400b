"""Programs that answer one line with one line: the MCP server of `ra`, and the floors that serve queries."""

from __future__ import annotations

import json
import os
import pathlib
import select
import subprocess
import time
from typing import Any, Sequence

from .errors import BenchError
from .scratch import Scratch

PATIENCE = 120.0
"""Seconds after which a program that does not answer is given up."""

PIPE = 1 << 16
"""How many bytes a pipe holds. To make room for more costs time that would be counted."""


def line_of(message: Any) -> bytes:
    """A message as it is sent."""
    return json.dumps(message).encode() + b"\n"


class LineProcess:
    """A program that reads and writes lines."""

    def __init__(self, argv: Sequence[str | pathlib.Path], cwd: pathlib.Path, scratch: Scratch) -> None:
        self._said = scratch.root / "served-stderr"
        self.name = pathlib.Path(str(argv[0])).name
        with open(self._said, "wb") as said:
            self._process = subprocess.Popen(
                [str(part) for part in argv],
                cwd=cwd,
                env=scratch.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                bufsize=0,
            )
        assert self._process.stdin and self._process.stdout
        self._in, self._out = self._process.stdin, self._process.stdout.fileno()
        self._rest = b""

    def write(self, message: Any) -> None:
        """Sends one line."""
        self._in.write(line_of(message))

    def read(self) -> bytes:
        """The next line."""
        pieces = [self._rest]
        while b"\n" not in pieces[-1]:
            ready, _, _ = select.select([self._out], [], [], PATIENCE)
            piece = os.read(self._out, PIPE) if ready else b""
            if not piece:
                why = "ended" if ready else f"did not answer within {PATIENCE:.0f} seconds"
                said = self._said.read_text(errors="replace").strip()[-1000:]
                raise BenchError(f"{self.name} {why}: {said}")
            pieces.append(piece)
        line, _, self._rest = b"".join(pieces).partition(b"\n")
        return line

    def ask(self, message: Any) -> tuple[bytes, float]:
        """The answer to a line, and the seconds from the first byte written to the last byte read."""
        line = line_of(message)
        started = time.perf_counter()
        self._in.write(line)
        answer = self.read()
        return answer, time.perf_counter() - started

    def peak(self) -> int | None:
        """The most memory that was resident so far, in bytes, where the system tells."""
        try:
            lines = pathlib.Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        except OSError:
            return None
        fields = dict(line.split(":", 1) for line in lines if ":" in line)
        return int(fields["VmHWM"].split()[0]) * 1024

    def close(self) -> None:
        """Ends the input and waits for the program to end."""
        self._in.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()


def text_of(result: dict[str, Any]) -> str:
    """The text of a tool's answer."""
    return result["content"][0]["text"]


class McpServer(LineProcess):
    """`ra mcp` over standard input and output, ready to answer."""

    def __init__(self, ra: pathlib.Path, cwd: pathlib.Path, scratch: Scratch) -> None:
        super().__init__([ra, "mcp"], cwd, scratch)
        self._number = 0
        self.stale = 0
        """How many answers did not wait for the comparison with the disk."""
        client = {"name": "bench", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        deadline = time.monotonic() + 600
        while "note: still " in text_of(self.call("list_sources", {})[0]):
            if time.monotonic() > deadline:
                raise BenchError("the server was still indexing after ten minutes")
            time.sleep(0.2)
        self.stale = 0

    def request(self, method: str, params: dict[str, Any]) -> tuple[dict[str, Any], float]:
        """The result of a request and the seconds that it took. Reading the JSON does not count."""
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        answer, seconds = self.ask(message)
        reply = json.loads(answer)
        if reply.get("id") != self._number or "result" not in reply:
            raise BenchError(f"ra mcp: {method} was answered with {answer[:500].decode(errors='replace')}")
        return reply["result"], seconds

    def call(self, tool: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], float]:
        """The answer of a tool. An error of the tool is an error here."""
        result, seconds = self.request("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            raise BenchError(f"ra mcp: {tool} {arguments} failed: {text_of(result)[:500]}")
        if text_of(result).startswith("still ") or "may be out of date: still " in text_of(result):
            self.stale += 1
        return result, seconds
