"""Compiles for other systems than this one.

If the toolchain has no standard library for a target, cargo compiles that too, from Debian's sources of the same version.
Zig compiles C and links programs for musl, and MinGW does it for Windows. Code for macOS can be checked, but not linked:
that needs the libraries of Apple.
"""

import functools
import hashlib
import io
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
import urllib.request
from pathlib import Path

import common

DEBIAN = "https://deb.debian.org/debian"
SUITES = ["trixie-backports", "forky", "sid"]
ZIG_VERSION = "0.17.0"
DOWNLOAD_TIMEOUT_SECONDS = 60
# What Zig calls the systems.
ZIG_TARGETS = {
    "x86_64-unknown-linux-musl": "x86_64-linux-musl",
    "aarch64-unknown-linux-musl": "aarch64-linux-musl",
    "x86_64-apple-darwin": "x86_64-macos",
    "aarch64-apple-darwin": "aarch64-macos",
}
MINGW = "x86_64-w64-mingw32-gcc"
# Zig has its own names for targets and processors, and its own libraries of the compiler.
WRAPPER = """\
#!/bin/sh
for argument do
    shift
    case $argument in
        --target=* | -mmacosx-version-min=* | -arch | arm64 | x86_64 | -m64) ;;
        -nodefaultlibs | -lgcc | -lgcc_eh | -lgcc_s) ;;
        -static-pie) set -- "$@" -static -pie ;;
        *) set -- "$@" "$argument" ;;
    esac
done
ZIG_GLOBAL_CACHE_DIR='{cache}' exec '{zig}' cc -target {name} -fno-sanitize=undefined "$@"
"""


class Unavailable(Exception):
    """Why this machine can't compile for a target."""


def kept():
    """Returns the directory of downloads and of what is compiled for other systems, which the next run uses again."""
    directory = Path(os.environ.get("CARGO_TARGET_DIR", common.ROOT / "target")).resolve() / "other-systems"
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def rustc(*arguments):
    return subprocess.run(["rustc", *arguments], capture_output=True, text=True, check=True).stdout.strip()


@functools.cache
def sysroot():
    return Path(rustc("--print", "sysroot"))


def host_triple():
    return next(line.removeprefix("host: ") for line in rustc("-vV").splitlines() if line.startswith("host: "))


def has_std(triple):
    """Says whether the toolchain has the standard library for a target."""
    return (sysroot() / "lib/rustlib" / triple / "lib").is_dir()


def download(url):
    try:
        with urllib.request.urlopen(url, timeout=DOWNLOAD_TIMEOUT_SECONDS) as answer:
            return answer.read()
    except OSError as error:
        raise Unavailable(f"{url} can't be downloaded: {error}") from error


def source_package(version):
    """Returns the path and the checksum of Debian's sources of one version of Rust."""
    problem = None
    for suite in SUITES:
        try:
            index = lzma.decompress(download(f"{DEBIAN}/dists/{suite}/main/binary-amd64/Packages.xz")).decode()
        except Unavailable as error:
            problem = error
            continue
        for entry in index.split("\n\n"):
            fields = dict(line.split(": ", 1) for line in entry.splitlines() if ": " in line and line[0] != " ")
            if fields.get("Package") == "rust-src" and fields["Version"].startswith(f"{version}+"):
                return fields["Filename"], fields["SHA256"]
    raise problem or Unavailable(f"Debian has no sources of Rust {version}, and `rustup component add rust-src` was not run")


def unpack_deb(data, directory):
    """Unpacks the files of a Debian package, which is an `ar` archive that contains a `tar` archive."""
    at = len(b"!<arch>\n")
    while at < len(data):
        name, size = data[at : at + 16].decode().strip(), int(data[at + 48 : at + 58])
        at += 60
        if name.startswith("data.tar"):
            with tarfile.open(fileobj=io.BytesIO(data[at : at + size])) as archive:
                # The package also has the compiler and the documentation.
                wanted = [member for member in archive if "/library/" in member.name]
                archive.extractall(directory, wanted, filter="data")
            return
        at += size + size % 2
    raise Unavailable("the Debian package has no files")


def std_sources():
    """Returns the directory with the sources of the standard library."""
    installed = sysroot() / "lib/rustlib/src/rust/library"
    if installed.is_dir():
        return installed
    version = rustc("--version").split()[1]
    ours = kept() / f"rust-src-{version}"
    if not ours.is_dir():
        print(f"downloading the sources of the standard library of Rust {version}", file=sys.stderr, flush=True)
        path, checksum = source_package(version)
        data = download(f"{DEBIAN}/{path}")
        if hashlib.sha256(data).hexdigest() != checksum:
            raise Unavailable(f"{path} does not have the checksum that Debian lists")
        part = ours.with_name(ours.name + ".part")
        shutil.rmtree(part, ignore_errors=True)
        unpack_deb(data, part)
        part.rename(ours)
    return ours / f"usr/src/rustc-{version}/library"


def zig():
    """Returns the path of Zig, which comes from PyPI."""
    ours = kept() / f"zig-{ZIG_VERSION}"
    if not ours.is_dir():
        part = ours.with_name(ours.name + ".part")
        shutil.rmtree(part, ignore_errors=True)
        command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps"]
        answer = subprocess.run(
            [*command, "--target", part, f"ziglang=={ZIG_VERSION}"], capture_output=True, text=True
        )
        if answer.returncode != 0:
            raise Unavailable(f"Zig can't be installed: {(answer.stderr.strip().splitlines() or ['no reason given'])[-1]}")
        part.rename(ours)
    return ours / "ziglang/zig"


def zig_tools(triple):
    """Writes the C compiler and the archiver for a target, and returns their paths."""
    program, compiler, archiver = zig(), kept() / f"cc-{triple}", kept() / f"ar-{triple}"
    cache = kept() / "zig-cache"
    common.write(compiler, WRAPPER.format(zig=program, name=ZIG_TARGETS[triple], cache=cache), 0o755)
    common.write(archiver, f"#!/bin/sh\nexec '{program}' ar \"$@\"\n", 0o755)
    return compiler, archiver


def mingw():
    """Installs MinGW if it is missing and this is Debian and the superuser."""
    if shutil.which(MINGW) is None and shutil.which("apt-get") and os.geteuid() == 0:
        command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "gcc-mingw-w64-x86-64-posix"]
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if shutil.which(MINGW) is None:
        raise Unavailable(f"{MINGW} is not installed; Debian's package is gcc-mingw-w64-x86-64-posix")


def setup(triple):
    """Returns the options and the environment with which cargo compiles for a target, and the directory of its output.

    A target whose standard library is installed needs nothing.
    """
    if has_std(triple):
        return [], {}, Path(os.environ.get("CARGO_TARGET_DIR", common.ROOT / "target")).resolve()
    environment = {
        # Cargo compiles the standard library with an unstable option, which a stable one refuses otherwise.
        "RUSTC_BOOTSTRAP": "1",
        "__CARGO_TESTS_ONLY_SRC_ROOT": str(std_sources()),
        "CARGO_TARGET_DIR": str(kept()),
    }
    name = triple.replace("-", "_")
    if triple in ZIG_TARGETS:
        compiler, archiver = zig_tools(triple)
        environment |= {f"CC_{name}": str(compiler), f"AR_{name}": str(archiver)}
        environment[f"CARGO_TARGET_{name.upper()}_LINKER"] = str(compiler)
    elif triple.endswith("-windows-gnu"):
        mingw()
    else:
        raise Unavailable(f"the toolchain has no standard library for {triple}; `rustup target add {triple}` installs it")
    # The toolchain has no startup files for this target; the linker has them.
    environment[f"CARGO_TARGET_{name.upper()}_RUSTFLAGS"] = "-Clink-self-contained=no"
    return ["-Zbuild-std=std,panic_unwind"], environment, kept()
