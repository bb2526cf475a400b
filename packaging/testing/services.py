"""What packages are tested with: an MCP client that asks one question, and registries of local packages."""

import base64
import hashlib
import http.server
import json
import subprocess
import tarfile
import threading
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import unquote


def assert_answers(command, timeout=60, **options):
    """Starts an MCP server over standard input and output, and checks that it finds a section of the test project."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    call = {"name": "search", "arguments": {"queries": ["zebra"]}}
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    server = subprocess.Popen(command, **pipes, **options)
    limit = threading.Timer(timeout, server.kill)
    limit.start()

    def send(message):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()

    try:
        send({"id": 1, "method": "initialize", "params": hello})
        send({"method": "notifications/initialized"})
        send({"id": 2, "method": "tools/call", "params": call})
        for line in server.stdout:
            answer = json.loads(line)
            if answer.get("id", 0) < 2:
                continue
            text = answer["result"]["content"][0]["text"]
            if "still indexing" in text:
                # On a busy machine, the first question can come before the index.
                send({"id": answer["id"] + 1, "method": "tools/call", "params": call})
                continue
            assert "guide.md#installation" in text, f"{command}: {text}"
            return
        raise AssertionError(f"{command}: the server ended without an answer: {server.stderr.read().strip()}")
    finally:
        server.stdin.close()
        server.wait()
        limit.cancel()


class LocalServer:
    """Answers GET requests on a port of this machine, while it is entered."""

    def __enter__(self):
        answer = self.answer

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                status, data, headers = answer(unquote(self.path), f"http://127.0.0.1:{self.server.server_port}")
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}/"

    def __exit__(self, *_):
        self.server.shutdown()


class NpmRegistry(LocalServer):
    """Serves the packages in a directory as the npm registry does."""

    def __init__(self, directory):
        self.packages = {}
        for path in Path(directory).glob("*.tgz"):
            with tarfile.open(path) as archive:
                manifest = json.load(archive.extractfile("package/package.json"))
            self.packages[manifest["name"]] = (manifest, path)

    def answer(self, path, address):
        name, _, file = path.lstrip("/").partition("/-/")
        if name not in self.packages:
            return 404, b"{}", {}
        manifest, package = self.packages[name]
        data = package.read_bytes()
        if file:
            return 200, data, {}
        digest = base64.b64encode(hashlib.sha512(data).digest()).decode()
        distribution = {"tarball": f"{address}/{name}/-/{package.name}", "integrity": f"sha512-{digest}"}
        number = manifest["version"]
        versions = {number: manifest | {"dist": distribution}}
        return 200, json.dumps({"name": name, "dist-tags": {"latest": number}, "versions": versions}).encode(), {}


class CratesRegistry(LocalServer):
    """Serves packed crates as crates.io does. All other crates come from crates.io itself."""

    INDEX = "https://index.crates.io"
    FILES = "https://static.crates.io/crates"

    def __init__(self, manifests, directory):
        """Takes packages as `cargo metadata` describes them, and the directory of their `.crate` files."""
        self.crates = {}
        for manifest in manifests:
            path = Path(directory) / f"{manifest['name']}-{manifest['version']}.crate"
            self.crates[manifest["name"]] = (self.index_entry(manifest, path.read_bytes()), path)

    @staticmethod
    def index_entry(manifest, data):
        """Returns what the index has of a crate."""

        def dependency(found):
            entry = {
                "name": found["rename"] or found["name"],
                "req": found["req"],
                "features": found["features"],
                "optional": found["optional"],
                "default_features": found["uses_default_features"],
                "target": found["target"],
                "kind": found["kind"] or "normal",
            }
            return entry | ({"package": found["name"]} if found["rename"] else {})

        return {
            "name": manifest["name"],
            "vers": manifest["version"],
            "deps": [dependency(found) for found in manifest["dependencies"]],
            "cksum": hashlib.sha256(data).hexdigest(),
            "features": manifest["features"],
            "yanked": False,
        }

    def answer(self, path, address):
        parts = path.strip("/").split("/")
        if parts == ["config.json"]:
            return 200, json.dumps({"dl": f"{address}/files/{{crate}}/{{version}}"}).encode(), {}
        if parts[0] == "files":
            _, name, version = parts
            if name in self.crates:
                return 200, self.crates[name][1].read_bytes(), {}
            return 302, b"", {"Location": f"{self.FILES}/{name}/{name}-{version}.crate"}
        if parts[-1] in self.crates:
            return 200, json.dumps(self.crates[parts[-1]][0]).encode(), {}
        try:
            with urllib.request.urlopen(f"{self.INDEX}{path}", timeout=60) as answer:
                return 200, answer.read(), {}
        except urllib.error.HTTPError as error:
            return error.code, b"", {}
