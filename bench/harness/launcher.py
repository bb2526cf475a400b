"""Starts processes and measures them, for a driver that must not do it itself.

The kernel counts the memory of whoever starts a process as that process's own until it runs its program, and the peak
stays. The driver holds whole corpora in memory, so it would hide the peak of everything that it starts. This program
stays small: it imports next to nothing and keeps nothing.

Requests and replies are JSON, one a line, on standard input and output.
"""

import json
import os
import sys
import time


def launch(request: dict) -> dict:
    """Runs one process to its end."""
    os.chdir(request["cwd"])
    write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, request["stdout"], write, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, request["stderr"], write, 0o600),
    ]
    argv = request["argv"]
    started = time.perf_counter()
    try:
        process = os.posix_spawnp(argv[0], argv, request["env"], file_actions=actions)
    except OSError as error:
        return {"error": f"{argv[0]}: {error.strerror}"}
    _, status, usage = os.wait4(process, 0)
    seconds = time.perf_counter() - started
    # Linux counts in kilobytes, macOS in bytes.
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    cpu = usage.ru_utime + usage.ru_stime
    return {"seconds": seconds, "cpu": cpu, "peak": peak, "code": os.waitstatus_to_exitcode(status)}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(launch(json.loads(line))), flush=True)
