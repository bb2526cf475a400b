"""A library that is loaded before all others and makes the machine worse than it is: see shim.c."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
from dataclasses import dataclass

from report import Skipped


@dataclass(frozen=True)
class Shim:
    """The compiled library."""

    library: pathlib.Path

    @staticmethod
    def build(scratch: pathlib.Path) -> Shim:
        """Compiles it. Raises when there is no compiler, or no such way into a process."""
        compiler = shutil.which(os.environ.get("CC", "cc"))
        if not compiler:
            raise Skipped("there is no C compiler")
        library = scratch / "shim.so"
        source = pathlib.Path(__file__).with_name("shim.c")
        built = subprocess.run(
            [compiler, "-O1", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], capture_output=True, text=True
        )
        if built.returncode != 0:
            raise Skipped(f"the library that bends the system does not compile here: {built.stderr[:200]}")
        return Shim(library)

    def environment(self, *, clock: int = 0, path: str = "", delay: int = 0, fail: int = 0, tick: int = 0) -> dict[str, str]:
        """The environment of a process that suffers from this."""
        return {
            "LD_PRELOAD": str(self.library),
            "RA_SHIM_CLOCK": str(clock),
            "RA_SHIM_DELAY": str(delay),
            "RA_SHIM_FAIL": str(fail),
            "RA_SHIM_TICK": str(tick),
            **({"RA_SHIM_PATH": path} if path else {}),
        }
