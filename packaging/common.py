"""What all packaging scripts share: the facts of the project, the targets, templates and archives.

Facts come from `cargo metadata`, so the version is written in Cargo.toml and nowhere else.
"""

import argparse
import functools
import io
import json
import os
import re
import stat
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What one package of the registries is called. The program is `ra`; that name is taken in most registries.
PACKAGE = "ra-kb"
# The name of the server in the MCP registry. Packages have to repeat it to prove that they belong together.
MCP_NAME = "io.github.ra-kb/ra"


def fail(message, hint=None):
    """Ends the script with an error and, if there is one, a remedy."""
    print(f"error: {message}", file=sys.stderr)
    if hint:
        print(f"hint: {hint}", file=sys.stderr)
    sys.exit(2)


@dataclass(frozen=True)
class Target:
    """A system that `ra` is built for, and what the package managers call it."""

    triple: str
    npm_os: str
    npm_cpu: str
    debian: str | None = None
    homebrew: tuple[str, str] | None = None
    docker: str | None = None
    static: bool = False

    @property
    def binary(self):
        return "ra.exe" if self.npm_os == "win32" else "ra"

    @property
    def npm_package(self):
        return f"@{PACKAGE}/{self.npm_os}-{self.npm_cpu}"


# A static binary comes before one that needs glibc: where only one can be packed, the first is.
TARGETS = {
    target.triple: target
    for target in [
        Target("x86_64-unknown-linux-musl", "linux", "x64", "amd64", ("linux", "intel"), "amd64", static=True),
        Target("aarch64-unknown-linux-musl", "linux", "arm64", "arm64", ("linux", "arm"), "arm64", static=True),
        Target("x86_64-unknown-linux-gnu", "linux", "x64", "amd64", ("linux", "intel"), "amd64"),
        Target("aarch64-unknown-linux-gnu", "linux", "arm64", "arm64", ("linux", "arm"), "arm64"),
        Target("x86_64-apple-darwin", "darwin", "x64", homebrew=("macos", "intel")),
        Target("aarch64-apple-darwin", "darwin", "arm64", homebrew=("macos", "arm")),
        Target("x86_64-pc-windows-msvc", "win32", "x64"),
        Target("x86_64-pc-windows-gnu", "win32", "x64"),
    ]
}


# The number of each processor in the header of a program: ELF on Linux, Mach-O on macOS, PE on Windows.
ELF_MACHINES = {"x64": 62, "arm64": 183}
MACH_O_CPUS = {"x64": 0x0100_0007, "arm64": 0x0100_000C}
PE_MACHINES = {"x64": 0x8664}


def is_program_of(target, binary):
    """Says whether a file is a program for the target, by the header of its format."""
    with open(binary, "rb") as file:
        head = file.read(4096)

    def number(start, size):
        return int.from_bytes(head[start : start + size], "little")

    if target.npm_os == "linux":
        return head[:4] == b"\x7fELF" and number(18, 2) == ELF_MACHINES[target.npm_cpu]
    if target.npm_os == "darwin":
        return head[:4] == b"\xcf\xfa\xed\xfe" and number(4, 4) == MACH_O_CPUS[target.npm_cpu]
    start = number(0x3C, 4)
    return head[:2] == b"MZ" and head[start : start + 4] == b"PE\0\0" and number(start + 4, 2) == PE_MACHINES[target.npm_cpu]


@functools.cache
def project():
    """Returns the facts of the package `ra-kb`, with those of its workspace."""
    command = ["cargo", "metadata", "--no-deps", "--format-version", "1"]
    try:
        answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except FileNotFoundError:
        fail("cargo is not installed", "the version of the packages comes from `cargo metadata`")
    except subprocess.CalledProcessError as error:
        fail(f"`{' '.join(command)}` failed: {error.stderr.strip()}")
    return next(package for package in json.loads(answer.stdout)["packages"] if package["name"] == PACKAGE)


def facts():
    """Returns the values that templates can use."""
    package = project()
    return {
        "VERSION": package["version"],
        "PACKAGE": PACKAGE,
        "MCP_NAME": MCP_NAME,
        "REPOSITORY": package["repository"],
        "DESCRIPTION": package["description"],
        "LICENSE": package["license"],
        "KEYWORDS": json.dumps(package["keywords"]),
        "RELEASE": f"{package['repository']}/releases/download/v{package['version']}",
    }


def render(template, **values):
    """Returns the text of a template with each `@NAME@` replaced. A name without a value is an error."""
    known = facts() | values

    def value(found):
        if found[1] not in known:
            fail(f"{template}: no value for {found[0]}")
        return str(known[found[1]])

    return re.sub(r"@([A-Z][A-Z0-9_]*)@", value, Path(template).read_text(encoding="utf-8"))


def options(description, binaries=True):
    """Returns a parser for the arguments that all build scripts take."""
    parser = argparse.ArgumentParser(description=description)
    if binaries:
        parser.add_argument(
            "--binaries", type=Path, required=True, metavar="DIR", help="the built programs, each in DIR/TARGET/ra"
        )
        parser.add_argument(
            "--generated",
            type=Path,
            required=True,
            metavar="DIR",
            help="completions and manual pages, as .ci/release writes them",
        )
        parser.add_argument("--fast", action="store_true", help="compress less, for tests")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where to put the packages")
    return parser


def built(directory):
    """Returns the targets in a directory of binaries, each with the path of its program."""
    if not directory.is_dir():
        fail(f"no directory {directory}", "`.ci/release --build-only` builds the program for this machine")
    found = []
    for entry in sorted(directory.iterdir()):
        target = TARGETS.get(entry.name)
        if target is None:
            fail(f"{entry}: unknown target", f"known are {', '.join(TARGETS)}")
        binary = entry / target.binary
        if not binary.exists() or not stat.S_ISREG(binary.lstat().st_mode):
            fail(f"{binary} is not a regular file")
        if not is_program_of(target, binary):
            fail(f"{binary} is not a program for {target.triple}", "a package must not contain the program of another system")
        if target.static and glibc_needed(binary):
            fail(f"{binary} needs glibc, and {target.triple} does not have it", "build it again for this target")
        found.append((target, binary))
    if not found:
        fail(f"no target in {directory}")
    return sorted(found, key=lambda item: list(TARGETS).index(item[0].triple))


def one_for_each(found, name):
    """Keeps the first target for each value of `name`, and drops those without a value."""
    kept = {}
    for target, binary in found:
        key = name(target)
        if key is not None:
            kept.setdefault(key, (target, binary))
    return list(kept.values())


@functools.cache
def timestamp():
    """Returns the time of all files in packages: that of the commit, so the same commit gives the same packages."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    log = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True)
    # The oldest time that a zip archive can express is in 1980.
    return int(log.stdout) if log.returncode == 0 and log.stdout.strip() else 315619200


def write(path, data, mode=0o644):
    """Writes a file, and the directories above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
    path.chmod(mode)


def write_tar_gz(path, files, fast=False):
    """Writes an archive of files, given as (name, bytes, mode), in their order."""
    import gzip

    path.parent.mkdir(parents=True, exist_ok=True)
    level = 1 if fast else 9
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", level, raw, mtime=timestamp()) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, data, mode in files:
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode, entry.mtime = len(data), mode, timestamp()
                archive.addfile(entry, io.BytesIO(data))


def write_zip(path, files, fast=False):
    """Writes a zip archive of files, given as (name, bytes, mode), in their order."""
    import time

    path.parent.mkdir(parents=True, exist_ok=True)
    level = 1 if fast else 9
    with zipfile.ZipFile(path, "w") as archive:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name, time.gmtime(timestamp())[:6])
            entry.create_system = 3
            entry.external_attr = (stat.S_IFREG | mode) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, level)


def is_dynamic(data):
    """Says whether an ELF program is started by a loader: its headers then have an entry of the type PT_INTERP."""
    if data[:4] != b"\x7fELF":
        return False

    def number(start, size):
        return int.from_bytes(data[start : start + size], "little")

    start, size, count = number(32, 8), number(54, 2), number(56, 2)
    return any(number(start + entry * size, 4) == 3 for entry in range(count))


@functools.cache
def glibc_needed(binary):
    """Returns the version of glibc that a program needs, such as `(2, 35)`, or None for a static one."""
    data = binary.read_bytes()
    if not is_dynamic(data):
        return None
    versions = re.findall(rb"GLIBC_(\d+)\.(\d+)", data)
    return max(((int(major), int(minor)) for major, minor in versions), default=None)
