#!/usr/bin/env python3
"""Reads documentation repositories and writes training data: token ids of sections and of queries about them."""

from __future__ import annotations

import argparse
import csv
import os
import pathlib
import random
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np

import layout
from errors import RecipeError, run
from queries import Query, QueryMaker

TITLE_TOKENS = 24
BODY_TOKENS = 256
QUERY_TOKENS = 32
MAX_QUERY_CHARACTERS = 240
MAX_REPOSITORY_SECTIONS = 7000
MIN_FILE_BYTES = 300
MAX_FILE_BYTES = 400_000
FILE_ORDER_SEED = 7
# The run that gave the delivered model seeded each repository with the path of an intermediate file. Only this
# string gives its queries again; nothing is read or written there.
QUERY_SEED = "/tmp/work/raw/{}.jsonl"
TOKENIZER_BATCH = 20_000

_EXTENSION = re.compile(r"\.(md|mdx|markdown|rst|adoc|asciidoc)$", re.I)
_EXCLUDED = re.compile(
    r"(?i)(changelog|release-?notes|/releases?/|whatsnew|node_modules"
    r"|/(zh|ja|ko|fr|de|es|pt|ru|it|pl|tr|vi|id|uk|zh-cn|zh_CN|pt-br|fr-fr|ja-jp|pt_br|zh-tw)/"
    r"|license|/test/|/tests/|CODE_OF_CONDUCT|i18n/)"
)


@dataclass(frozen=True)
class Source:
    """A repository of `sources.tsv`. The counts are those of the delivered model."""

    name: str
    max_bytes: int
    path_pattern: str
    counts: tuple[int, int, int] | None
    directory: pathlib.Path


@dataclass(frozen=True)
class Repository:
    """The training data of one repository."""

    source: Source
    bytes_read: int
    sections: list[tuple[str, str]]
    queries: list[Query]
    link_count: int


def read_sources(table: pathlib.Path, directory: pathlib.Path) -> list[Source]:
    """Reads the table and leaves out repositories that aren't in the directory."""
    sources: list[Source] = []
    with table.open(newline="") as lines:
        rows = csv.reader((line for line in lines if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE)
        for name, _commit, max_bytes, pattern, *counts in rows:
            recorded = (int(counts[0]), int(counts[1]), int(counts[2])) if counts else None
            source = Source(name, int(max_bytes), pattern, recorded, directory / name)
            if source.directory.is_dir():
                sources.append(source)
            else:
                print(f"warning: {name} left out: {source.directory} is not a directory")
    if not sources:
        raise RecipeError(f"{directory} has none of the repositories in {table}", "model/fetch gets them")
    return sources


def list_files(source: Source) -> list[str]:
    """Lists the documentation files in random order, up to the byte limit of the repository."""
    files = sorted(_candidates(source), key=lambda file: os.fsencode(file[0]))
    random.Random(FILE_ORDER_SEED).shuffle(files)
    chosen, total = [], 0
    for path, size in files:
        if total + size <= source.max_bytes:
            chosen.append(path)
            total += size
    return chosen


def _candidates(source: Source) -> Iterator[tuple[str, int]]:
    for directory, names, files in os.walk(source.directory):
        names[:] = [name for name in names if name != ".git"]
        for name in files:
            file = pathlib.Path(directory, name)
            path = file.relative_to(source.directory).as_posix()
            if not file.is_symlink() and _is_documentation(source, path):
                size = file.stat().st_size
                if MIN_FILE_BYTES <= size <= MAX_FILE_BYTES:
                    yield path, size


def _is_documentation(source: Source, path: str) -> bool:
    """A pattern that ends in `$` names its own extension."""
    known = _EXTENSION.search(path) or source.path_pattern.endswith("$")
    return bool(known and re.search(source.path_pattern, path) and not _EXCLUDED.search(path))


def read_repository(source: Source) -> Repository:
    """Reads the files of a repository and makes its sections and queries."""
    maker = QueryMaker(QUERY_SEED.format(source.name.replace("/", "+")))
    bytes_read = 0
    for path in list_files(source):
        text = (source.directory / path).read_bytes().decode("utf-8", "replace")
        if _is_cjk(text):
            continue
        bytes_read += len(text)
        maker.add_file(path, text)
    maker.finish()
    return Repository(source, bytes_read, maker.sections, maker.queries, maker.link_count)


def _is_cjk(text: str) -> bool:
    return sum(ord(character) > 0x2E80 for character in text[:2000]) > 100


def sample_sections(index: int, count: int, limit: int) -> list[int]:
    """Chooses the sections that are kept."""
    if count <= limit:
        return list(range(count))
    return sorted(random.Random(index).sample(range(count), limit))


def report(repository: Repository, sections: int, queries: int) -> None:
    """Prints the counts, and whether they are those of the delivered model."""
    counts = (sections, queries, repository.link_count)
    recorded = repository.source.counts
    note = "" if recorded in (None, counts) else f"; the delivered model had {recorded}"
    print(f"{repository.source.name}: (sections, queries, links) {counts}{note}", flush=True)


def token_ids(texts: list[str], length: int, special_tokens: bool) -> np.ndarray:
    """Tokenizes texts into rows of ids that are cut at `length` and padded with 0."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(layout.TOKENIZER))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    rows = np.zeros((len(texts), length), np.uint16)
    for start in range(0, len(texts), TOKENIZER_BATCH):
        batch = tokenizer.encode_batch(texts[start : start + TOKENIZER_BATCH], add_special_tokens=False)
        for row, encoding in enumerate(batch, start):
            ids = encoding.ids[:length]
            if special_tokens:
                ids = [layout.CLS, *encoding.ids[: length - 2], layout.SEP]
            rows[row, : len(ids)] = ids
    return rows


def build(repositories: list[Repository], max_sections: int) -> dict[str, np.ndarray]:
    """Joins the repositories and tokenizes them. Queries of a repository stay together."""
    titles: list[str] = []
    bodies: list[str] = []
    query_texts: list[str] = []
    query_sections: list[int] = []
    query_repositories: list[int] = []
    for index, repository in enumerate(repositories):
        kept = sample_sections(index, len(repository.sections), max_sections)
        number = {section: len(titles) + position for position, section in enumerate(kept)}
        titles.extend(repository.sections[section][0] for section in kept)
        bodies.extend(repository.sections[section][1] for section in kept)
        queries = [query for query in repository.queries if query.section in number]
        query_texts.extend(query.text[:MAX_QUERY_CHARACTERS] for query in queries)
        query_sections.extend(number[query.section] for query in queries)
        query_repositories.extend([index] * len(queries))
        report(repository, len(kept), len(queries))
    return {
        "titles": token_ids(titles, TITLE_TOKENS, special_tokens=False),
        "bodies": token_ids(bodies, BODY_TOKENS, special_tokens=False),
        "queries": token_ids(query_texts, QUERY_TOKENS, special_tokens=True),
        "query_sections": np.array(query_sections, np.int32),
        "query_repositories": np.array(query_repositories, np.int16),
    }


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=pathlib.Path, help="a checkout of each repository, as OWNER/NAME")
    parser.add_argument("output", type=pathlib.Path, help="the .npz file to write")
    here = pathlib.Path(__file__).resolve().parent
    parser.add_argument("--sources", type=pathlib.Path, default=here / "sources.tsv", help="table of repositories")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: one for each core)")
    parser.add_argument(
        "--max-sections",
        type=int,
        default=MAX_REPOSITORY_SECTIONS,
        help="sections of one repository; more are sampled (default: %(default)s)",
    )
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    sources = read_sources(arguments.sources, arguments.directory)
    with ProcessPoolExecutor(arguments.jobs) as executor:
        repositories = list(executor.map(read_repository, sources))
    repositories.sort(key=lambda repository: -repository.bytes_read)
    data = build(repositories, arguments.max_sections)
    if not len(data["queries"]):
        raise RecipeError(f"no sections in {arguments.directory}", "check the path patterns in the table of sources")
    np.savez(arguments.output, **data)
    print(f"{len(data['titles'])} sections, {len(data['queries'])} queries")


if __name__ == "__main__":
    run(main)
