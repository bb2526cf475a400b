"""The one error that people see without a traceback."""

from __future__ import annotations


class BenchError(Exception):
    """Something that the person who started the benchmark can put right."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint
