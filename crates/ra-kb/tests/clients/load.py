"""Many clients at once, over HTTP, while documents change.

    load.py RA DIRECTORY [--clients N] [--searches N]

Serves DIRECTORY, which must have no `.ra.toml` of value: documents are added to it and taken away again. Every
client searches over one connection of its own. Meanwhile a document is changed again and again, and each change
must be found by the next search. Prints the times and the memory of the server; fails on any error or stale
answer. Needs nothing but Python.
"""

import argparse
import http.client
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

WORDS = """array promise fetch border grid flex event listener cookie header cache request response module import
export canvas video audio stream worker service storage index database transaction selector property value function
object prototype iterator generator async await error handling parse string number regular expression date time zone
accessibility aria role label keyboard focus scroll animation transition transform media query viewport font color
gradient shadow layout position float table form input button validation security policy origin""".split()

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "load", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Client:
    def __init__(self, address):
        self.connection = http.client.HTTPConnection(address, timeout=120)

    def search(self, query, **arguments):
        params = {"name": "search", "arguments": {"queries": query, **arguments}, "_meta": META}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": "tools/call",
            "Mcp-Name": "search",
        }
        self.connection.request("POST", "/mcp", body, headers)
        reply = self.connection.getresponse()
        body = reply.read()
        if reply.status != 200:
            raise RuntimeError(f"{reply.status}: {body[:300]!r}")
        result = json.loads(body)["result"]
        text = result["content"][0]["text"]
        if result.get("isError"):
            raise RuntimeError(text)
        return text


def is_stale(answer):
    """Whether an answer says that the index is not ready, or older than the documents."""
    return answer.startswith("still ") or "may be out of date" in answer


def memory(process):
    """The resident memory of a process in megabytes, without the files that are mapped."""
    try:
        lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    return int(fields["RssAnon"].split()[0]) // 1024


def percentile(times, part):
    return sorted(times)[min(len(times) - 1, int(len(times) * part))] * 1000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ra")
    parser.add_argument("directory")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--searches", type=int, default=10_000)
    options = parser.parse_args()

    home = tempfile.mkdtemp()
    environment = {"HOME": home, "PATH": os.environ["PATH"]}
    command = [os.path.abspath(options.ra), "mcp", "--http", "127.0.0.1:0", "--root", options.directory]
    server = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        address = server.stderr.readline().strip().removeprefix("note: serving at http://").removesuffix("/mcp")
        run(server, address, options)
    finally:
        server.terminate()
        server.wait(timeout=20)


def run(server, address, options):
    first, start = Client(address), time.time()
    while is_stale(first.search("array")):
        time.sleep(0.2)
    print(f"first index ready after {time.time() - start:.1f} s, {memory(server.pid)} MB")
    alone = []
    for _ in range(200):
        begin = time.perf_counter()
        first.search(" ".join(random.sample(WORDS, 2)), list=True)
        alone.append(time.perf_counter() - begin)
    print(f"one client: p50 {percentile(alone, 0.5):.1f} ms, p99 {percentile(alone, 0.99):.1f} ms")

    times, problems, changes, lock = [], [], [0], threading.Lock()
    left, done, sizes = [options.searches], threading.Event(), []

    def client():
        mine = Client(address)
        while True:
            with lock:
                if left[0] <= 0:
                    return
                left[0] -= 1
            begin = time.perf_counter()
            try:
                mine.search(" ".join(random.sample(WORDS, random.randint(1, 3))), list=True)
            except Exception as problem:  # Whatever goes wrong is counted.
                with lock:
                    problems.append(repr(problem))
                mine = Client(address)
            with lock:
                times.append(time.perf_counter() - begin)

    def editor():
        mine, number = Client(address), 0
        path = pathlib.Path(options.directory) / "zz-load-test.md"
        try:
            while not done.is_set():
                number += 1
                word = f"loadword{number}x{random.randrange(10**9)}"
                path.write_text(f"# Load\n\n{word}\n")
                answer = mine.search(f'"{word}"')
                if is_stale(answer):
                    continue
                if "zz-load-test.md" not in answer:
                    problems.append(f"stale: {word} is not found")
                changes[0] += 1
                sizes.append(memory(server.pid))
                done.wait(0.2)
        except Exception as problem:
            problems.append(f"editor: {problem!r}")
        finally:
            path.unlink(missing_ok=True)

    editing = threading.Thread(target=editor)
    clients = [threading.Thread(target=client) for _ in range(options.clients)]
    begin = time.time()
    for thread in [editing, *clients]:
        thread.start()
    for thread in clients:
        thread.join()
    done.set()
    editing.join()
    took = time.time() - begin
    print(f"{len(times)} searches by {options.clients} clients in {took:.1f} s ({len(times) / took:.0f}/s)")
    print(f"p50 {percentile(times, 0.5):.0f} ms, p99 {percentile(times, 0.99):.0f} ms")
    print(f"{changes[0]} changes, each found by the next search")
    if sizes:
        print(f"memory: {sizes[len(sizes) // 4]} MB after a quarter, {sizes[-1]} MB at the end, {max(sizes)} MB at most")
    if problems:
        print(f"{len(problems)} problems, such as:", *problems[:5], sep="\n  ")
        sys.exit(1)


main()
