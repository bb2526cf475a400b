"""Judged sets in the layout of BEIR, a BM25 to compare with, and nDCG@10."""

from __future__ import annotations

import collections
import json
import math
import pathlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from documents import sections, split_text
from errors import RecipeError

BM25_K1, BM25_B = 1.2, 0.75
NDCG_DEPTH = 10

_STOP_WORDS = frozenset(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this"
    " to was will with".split()
)
_WORD = re.compile(r"\b\w\w+\b")
_HEADING = re.compile(r"^#{1,6}\s", re.M)


@dataclass(frozen=True)
class Passage:
    """A part of a page that is scored alone. A page scores as high as its best passage."""

    page: int
    title: str
    body: str


@dataclass(frozen=True)
class JudgedSet:
    """Pages cut into passages, queries, and the relevance of each page to each query."""

    name: str
    passages: list[Passage]
    queries: list[str]
    relevance: np.ndarray

    @property
    def pages(self) -> np.ndarray:
        return np.array([passage.page for passage in self.passages])


def read_set(directory: pathlib.Path) -> JudgedSet:
    """Reads a set, without the queries that have no relevant page."""
    qrels = directory / "qrels/test.tsv"
    if not qrels.is_file():
        hint = "name a directory with corpus.jsonl, queries.jsonl and qrels/test.tsv"
        raise RecipeError(f"{qrels} does not exist", hint)
    documents = _json_lines(directory / "corpus.jsonl")
    page_numbers = {document["_id"]: page for page, document in enumerate(documents)}
    grades: dict[str, dict[int, int]] = collections.defaultdict(dict)
    for line in qrels.read_text().splitlines()[1:]:
        query, page, grade = line.split("\t")
        if int(grade) > 0 and page in page_numbers:
            grades[query][page_numbers[page]] = int(grade)
    queries = [query for query in _json_lines(directory / "queries.jsonl") if query["_id"] in grades]
    relevance = np.zeros((len(queries), len(documents)), np.float32)
    for row, query in enumerate(queries):
        for page, grade in grades[query["_id"]].items():
            relevance[row, page] = grade
    return JudgedSet(directory.name, _passages(documents), [query["text"] for query in queries], relevance)


def _json_lines(path: pathlib.Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _passages(documents: list[dict[str, Any]]) -> list[Passage]:
    """Cuts pages at their headings. A collection without any headings is one of passages already."""
    if not any(_HEADING.search(document["text"]) for document in documents):
        return [Passage(page, document["title"], document["text"]) for page, document in enumerate(documents)]
    passages = []
    for page, document in enumerate(documents):
        for section in sections(document["text"]):
            names = [document["title"], *(name for name in section.headings if name and name != document["title"])]
            for part in split_text(section.text):
                passages.append(Passage(page, " > ".join(names), part))
    return passages


def _analyzer() -> Callable[[str], list[str]]:
    import snowballstemmer

    stem = cache(snowballstemmer.stemmer("porter").stemWord)
    return lambda text: [stem(word) for word in _WORD.findall(text.lower()) if word not in _STOP_WORDS]


def bm25_scores(judged: JudgedSet) -> np.ndarray:
    """Returns the BM25 score of each page for each query, 0 where no word matches."""
    analyze = _analyzer()
    queries = [analyze(query) for query in judged.queries]
    postings: dict[str, list[tuple[int, int]]] = {word: [] for query in queries for word in query}
    lengths = np.zeros(len(judged.passages))
    for number, passage in enumerate(judged.passages):
        words = analyze(passage.title + " " + passage.body)
        lengths[number] = len(words)
        for word, count in collections.Counter(words).items():
            if word in postings:
                postings[word].append((number, count))
    norms = BM25_K1 * (1 - BM25_B + BM25_B * lengths / lengths.mean())
    scores = np.zeros((len(queries), len(lengths)), np.float32)
    for row, query in enumerate(queries):
        for word in query:
            if postings[word]:
                numbers, counts = np.array(postings[word]).T
                idf = math.log(1 + (len(lengths) - len(numbers) + 0.5) / (len(numbers) + 0.5))
                scores[row, numbers] += idf * counts / (counts + norms[numbers])
    return best_passages(scores, judged, 0)


def best_passages(scores: np.ndarray, judged: JudgedSet, lowest: float) -> np.ndarray:
    """Turns scores of passages into those of pages."""
    pages = np.full(judged.relevance.shape, lowest, np.float32)
    for row in range(len(pages)):
        np.maximum.at(pages[row], judged.pages, scores[row])
    return pages


def ndcg(scores: np.ndarray, relevance: np.ndarray) -> float:
    """Returns the mean nDCG@10. Ties are broken by the order of pages."""
    discounts = 1 / np.log2(np.arange(NDCG_DEPTH) + 2)
    top = np.argsort(-scores, axis=1, kind="stable")[:, :NDCG_DEPTH]
    gains = np.take_along_axis(relevance, top, 1)
    ideal = -np.sort(-relevance, axis=1)[:, :NDCG_DEPTH]
    discounts = discounts[: gains.shape[1]]
    return float(((gains * discounts).sum(1) / (ideal * discounts).sum(1)).mean())
