"""The one place that the benchmark writes to."""

from __future__ import annotations

import os
import pathlib
import shutil
import tempfile

# What of the caller's environment measured processes may see. The rest could point them at files of the caller.
KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")


class Scratch:
    """A folder with a home directory of its own. It is removed at the end, unless the caller named it or keeps it."""

    def __init__(self, directory: str | None, keep: bool) -> None:
        self._remove = directory is None and not keep
        if directory is None:
            self.root = pathlib.Path(tempfile.mkdtemp(prefix="ra-bench-")).resolve()
        else:
            self.root = pathlib.Path(directory).resolve()
            self.root.mkdir(parents=True, exist_ok=True)
        self.environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        self.environment["NO_COLOR"] = "1"
        self.environment["PYTHONDONTWRITEBYTECODE"] = "1"
        places = {
            "HOME": "home",
            "TMPDIR": "tmp",
            "XDG_CACHE_HOME": "home/.cache",
            "XDG_CONFIG_HOME": "home/.config",
            "XDG_DATA_HOME": "home/.local/share",
            "XDG_STATE_HOME": "home/.local/state",
        }
        for name, place in places.items():
            self.environment[name] = str(self.fresh(place))

    def fresh(self, name: str) -> pathlib.Path:
        """An empty folder with this name."""
        path = self.root / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path

    def close(self) -> None:
        """Removes everything, when that was the agreement."""
        if self._remove:
            shutil.rmtree(self.root, ignore_errors=True)
