"""Servers that are started and killed at odd moments leave no process and no lock behind.

    cycles.py RA PROJECT ROUNDS
"""

import fcntl
import json
import pathlib
import random
import signal
import subprocess
import sys
import time

RA, PROJECT, ROUNDS = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "cycles", "version": "1"}}
MESSAGES = [
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "search", "arguments": {"queries": "zebra"}}},
]


def cycle(number):
    (PROJECT / "docs" / f"cycle{number % 7}.md").write_text(f"# Cycle\n\nzebra {number}\n")
    server = subprocess.Popen([RA, "mcp"], cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for message in MESSAGES[: random.randint(0, 3)]:
        server.stdin.write(json.dumps(message).encode() + b"\n")
        server.stdin.flush()
    time.sleep(random.choice([0, 0.01, 0.05, 0.2]))
    how = random.choice(["kill", "term", "close"])
    if how == "kill":
        server.kill()
    elif how == "term":
        server.send_signal(signal.SIGTERM)
    else:
        server.stdin.close()
    server.wait(timeout=20)
    for pipe in (server.stdin, server.stdout):
        try:
            pipe.close()
        except OSError:
            pass  # What was not sent yet has nobody to go to.


for number in range(ROUNDS):
    cycle(number)
for page in (PROJECT / "docs").glob("cycle*.md"):
    page.unlink()
status = json.loads(subprocess.run([RA, "--json", "status"], cwd=PROJECT, capture_output=True).stdout)
with open(pathlib.Path(status["index"]["path"]) / "lock") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
left = [process for process in subprocess.run(["pgrep", "-f", f"^{RA} mcp$"], capture_output=True, text=True).stdout.split()]
assert not left, f"processes are left: {left}"
answer = subprocess.run([RA, "search", "zebra"], cwd=PROJECT, capture_output=True, text=True, timeout=60)
assert answer.returncode == 0 and "docs:guide.md" in answer.stdout, answer
print(f"  {ROUNDS} servers started and ended")
