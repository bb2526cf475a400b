"""What packages are tested with: an MCP client that asks one question, and an npm registry of local packages."""

import base64
import hashlib
import http.server
import json
import subprocess
import tarfile
import threading
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


class NpmRegistry:
    """Serves the packages in a directory as the npm registry does, on a port of this machine."""

    def __init__(self, directory):
        self.packages = {}
        for path in Path(directory).glob("*.tgz"):
            with tarfile.open(path) as archive:
                manifest = json.load(archive.extractfile("package/package.json"))
            self.packages[manifest["name"]] = (manifest, path)

    def __enter__(self):
        packages = self.packages

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                name, _, file = unquote(self.path.lstrip("/")).partition("/-/")
                if name not in packages:
                    return self.reply(404, b"{}")
                manifest, path = packages[name]
                data = path.read_bytes()
                if file:
                    return self.reply(200, data)
                digest = base64.b64encode(hashlib.sha512(data).digest()).decode()
                address = f"http://127.0.0.1:{self.server.server_port}/{name}/-/{path.name}"
                version = manifest | {"dist": {"tarball": address, "integrity": f"sha512-{digest}"}}
                number = manifest["version"]
                packument = {"name": name, "dist-tags": {"latest": number}, "versions": {number: version}}
                return self.reply(200, json.dumps(packument).encode())

            def reply(self, status, data):
                self.send_response(status)
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
