"""A floor: Xapian over the same sections that `ra` indexes.

    xapian_floor.py version
    xapian_floor.py index SECTIONS DATABASE memory|disk
    xapian_floor.py serve DATABASE

The commands are those of `fts5.py`. Text is stemmed for English and indexed with positions; headings count four times
as much and have a prefix of their own. The flush at the end is left out (`DB_NO_SYNC`).
"""

from __future__ import annotations

import functools
import json
import shutil
import sys
import time
from typing import Any

import sections

try:
    import xapian
except ImportError:
    sys.exit("the Python bindings of Xapian are not installed")

# The letters are Xapian's own: Z before a stemmed word, S for titles, X and more for what a program defines.
TITLE, TREE = "S", "XTREE"


def index(listed: str, database: str, source: str) -> None:
    """Builds the database and prints the seconds."""
    texts = sections.cut(sections.read_list(listed))
    if source == "memory":
        texts = iter(list(texts))
    shutil.rmtree(database, ignore_errors=True)
    started, worked = time.perf_counter(), time.process_time()
    flags = xapian.DB_CREATE_OR_OVERWRITE | xapian.DB_NO_SYNC | xapian.DB_DANGEROUS
    writable = xapian.WritableDatabase(database, flags)
    generator = xapian.TermGenerator()
    generator.set_stemmer(xapian.Stem("english"))
    for text in texts:
        document = xapian.Document()
        document.set_data(text.path)
        document.add_boolean_term(TREE + text.tree)
        generator.set_document(document)
        generator.set_termpos(0)
        generator.index_text(text.title, 4, TITLE)
        generator.index_text(text.title, 4)
        generator.increase_termpos()
        generator.index_text(text.path)
        generator.increase_termpos()
        generator.index_text(text.body)
        writable.add_document(document)
    writable.commit()
    writable.close()
    print(json.dumps({"seconds": time.perf_counter() - started, "cpu": time.process_time() - worked}))


def compiled(query: dict[str, Any], stem: xapian.Stem) -> xapian.Query:
    """A query as Xapian's own."""

    def word(text: str, prefix: str = "") -> xapian.Query:
        return xapian.Query("Z" + prefix + stem(text.lower()).decode())

    parts = [word(text) for text in query["every"]]
    parts += [word(text, TITLE) for text in query["title"]]
    if query["phrase"]:
        terms = [text.lower() for text in query["phrase"]]
        parts.append(xapian.Query(xapian.Query.OP_PHRASE, terms, len(terms)))
    if query["some"]:
        parts.append(xapian.Query(xapian.Query.OP_OR, [word(text) for text in query["some"]]))
    wanted = functools.reduce(lambda left, right: xapian.Query(xapian.Query.OP_AND, left, right), parts)
    for text in query["without"]:
        wanted = xapian.Query(xapian.Query.OP_AND_NOT, wanted, word(text))
    if query["tree"]:
        wanted = xapian.Query(xapian.Query.OP_FILTER, wanted, xapian.Query(TREE + query["tree"]))
    return wanted


def serve(database: str) -> None:
    """Answers queries until the input ends."""
    readable = xapian.Database(database)
    stem = xapian.Stem("english")
    enquire = xapian.Enquire(readable)
    for line in sys.stdin:
        query = json.loads(line)
        enquire.set_query(compiled(query, stem))
        found = enquire.get_mset(0, query["limit"])
        rows = [[match.docid, match.document.get_data().decode("utf-8", "replace"), match.weight] for match in found]
        print(json.dumps({"results": rows}), flush=True)


def main(arguments: list[str]) -> None:
    """Runs one of the three commands."""
    if arguments[:1] == ["version"]:
        print(xapian.version_string())
    elif arguments[:1] == ["index"] and len(arguments) == 4:
        index(*arguments[1:])
    elif arguments[:1] == ["serve"] and len(arguments) == 2:
        serve(arguments[1])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
