"""A floor: SQLite FTS5 over the same sections that `ra` indexes.

    fts5.py version
    fts5.py index SECTIONS DATABASE memory|disk|plain
    fts5.py serve DATABASE

`index` builds a database in one transaction and prints, as JSON, the seconds that it took and those that it was
working. `serve` answers queries, one JSON object a line.

With `memory` and `disk` the table keeps no text, as `ra` keeps none, and the database asks for no journal and no flush,
so that SQLite is as fast and as small as it can be. With `memory` the sections are in memory before the clock starts,
and only insertion counts; with `disk` the files are read and cut while it runs. `plain` is `disk` with everything as
SQLite has it unless told otherwise: the table keeps the text, and the disk has it when the transaction ends.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from typing import Any

import sections

SECTIONS = "CREATE TABLE section (id INTEGER PRIMARY KEY, tree TEXT, path TEXT)"
PLAIN = ["CREATE VIRTUAL TABLE words USING fts5 (path, title, body, tokenize='porter unicode61')"]
FASTEST = [
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "CREATE VIRTUAL TABLE words USING fts5 (path, title, body, content='', tokenize='porter unicode61')",
]

SEARCH = """
SELECT section.id, section.path, bm25(words, 1.0, 4.0, 1.0) AS score
FROM words JOIN section ON section.id = words.rowid
WHERE words MATCH ? AND (? IS NULL OR section.tree = ?)
ORDER BY score LIMIT ?
"""


def index(listed: str, database: str, source: str) -> None:
    """Builds the database and prints the seconds."""
    places = sections.read_list(listed)
    texts = sections.cut(places)
    if source == "memory":
        texts = iter(list(texts))
    if os.path.exists(database):
        os.remove(database)
    started, worked = time.perf_counter(), time.process_time()
    connection = sqlite3.connect(database, isolation_level=None)
    for statement in [*(PLAIN if source == "plain" else FASTEST), SECTIONS]:
        connection.execute(statement)
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO section VALUES (?, ?, ?)", ((nr, place.tree, place.path) for nr, place in enumerate(places, 1))
    )
    connection.executemany(
        "INSERT INTO words (rowid, path, title, body) VALUES (?, ?, ?, ?)",
        ((nr, text.path, text.title, text.body) for nr, text in enumerate(texts, 1)),
    )
    connection.execute("COMMIT")
    connection.close()
    print(json.dumps({"seconds": time.perf_counter() - started, "cpu": time.process_time() - worked}))


def quoted(words: list[str]) -> str:
    """Words as one phrase, whatever they contain."""
    return '"' + " ".join(words).replace('"', '""') + '"'


def expression(query: dict[str, Any]) -> str:
    """A query in the language of FTS5."""
    parts = [quoted([word]) for word in query["every"]]
    if query["phrase"]:
        parts.append(quoted(query["phrase"]))
    if query["title"]:
        parts.append(f"title : {quoted(query['title'])}")
    if query["some"]:
        parts.append("(" + " OR ".join(quoted([word]) for word in query["some"]) + ")")
    wanted = " AND ".join(parts)
    return f"({wanted}) NOT {quoted(query['without'])}" if query["without"] else wanted


def serve(database: str) -> None:
    """Answers queries until the input ends."""
    connection = sqlite3.connect(database)
    for line in sys.stdin:
        query = json.loads(line)
        tree = query["tree"]
        rows = connection.execute(SEARCH, (expression(query), tree, tree, query["limit"])).fetchall()
        print(json.dumps({"results": rows}), flush=True)


def main(arguments: list[str]) -> None:
    """Runs one of the three commands."""
    if arguments[:1] == ["version"]:
        sqlite3.connect(":memory:").execute("CREATE VIRTUAL TABLE t USING fts5 (x)")
        print(sqlite3.sqlite_version)
    elif arguments[:1] == ["index"] and len(arguments) == 4:
        index(*arguments[1:])
    elif arguments[:1] == ["serve"] and len(arguments) == 2:
        serve(arguments[1])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
