"""What the numbers were measured on, in words that name no place and no person."""

from __future__ import annotations

import datetime
import os
import pathlib
import platform
from typing import Any


def _processor() -> str:
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def describe() -> dict[str, Any]:
    """Cores, processor, system and the day."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "cores": os.cpu_count(),
        "processor": _processor(),
        "system": platform.system(),
        "python": platform.python_version(),
        "day": datetime.date.today().isoformat(),
        "load": round(load, 2) if load is not None else None,
    }
