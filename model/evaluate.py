#!/usr/bin/env python3
"""Measures packed model files. It needs no accelerator: the encoders are those of reference.py."""

from __future__ import annotations

import argparse
import json
import pathlib
from typing import Any

import numpy as np

import layout
from errors import RecipeError, run
from judged import JudgedSet, best_passages, bm25_scores, ndcg, read_set
from reference import Model

MIN_COSINE = 0.9999
FUSION_DEPTH = 100
RERANK_DEPTH = 200
LEXICAL_WEIGHT = 0.4


def encode_case(model: Model, case: dict[str, Any]) -> dict[str, Any]:
    """Returns the token ids and the vector of a test input."""
    if case["kind"] == "query":
        return {"ids": model.query_ids(case["text"]), "vec": model.encode_query(case["text"])}
    title_ids, body_ids = model.section_ids(case["title"], case["body"])
    return {"title_ids": title_ids, "body_ids": body_ids, "vec": model.encode_section(case["title"], case["body"])}


def check_vectors(arguments: argparse.Namespace) -> None:
    """Compares token ids and vectors with recorded ones."""
    model = Model(arguments.model)
    cases = json.loads(arguments.vectors.read_text())
    lowest = 1.0
    for case in cases:
        encoded = encode_case(model, case)
        name = case.get("text") or case["title"]
        if any(encoded[key] != case[key] for key in encoded if key != "vec"):
            raise RecipeError(f"other token ids for {name!r}", "the vectors belong to another tokenizer")
        expected = np.array(case["vec"])
        cosine = float(encoded["vec"] @ expected / np.linalg.norm(expected))
        if cosine < MIN_COSINE:
            raise RecipeError(f"cosine {cosine:.6f} for {name!r}", "the vectors belong to another model")
        lowest = min(lowest, cosine)
    print(f"{len(cases)} vectors agree: same token ids, lowest cosine {lowest:.8f}")


def write_vectors(arguments: argparse.Namespace) -> None:
    """Encodes the inputs of recorded vectors with another model."""
    model = Model(arguments.model)
    cases = json.loads(arguments.vectors.read_text())
    for case in cases:
        encoded = encode_case(model, case)
        case.update(encoded, vec=[round(float(value), 6) for value in encoded["vec"]])
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(cases))
    print(f"{len(cases)} vectors written to {arguments.output}")


def min_max(scores: np.ndarray, depth: int) -> np.ndarray:
    """Scales the best scores of each row to 0..1. All others become 0."""
    top = np.argsort(-scores, axis=1, kind="stable")[:, :depth]
    return scale_at(scores, top)


def scale_at(scores: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Scales the scores in the given columns of each row to 0..1. All others become 0."""
    chosen = np.take_along_axis(scores, columns, 1)
    low, high = chosen.min(1, keepdims=True), chosen.max(1, keepdims=True)
    scaled = np.zeros_like(scores)
    np.put_along_axis(scaled, columns, (chosen - low) / np.maximum(high - low, 1e-9), 1)
    return scaled


def measure(model: Model, judged: JudgedSet, weight: float) -> list[float]:
    """Returns nDCG@10 of BM25, of cosines alone, of both fused, and of BM25's first pages ranked by both."""
    lexical = bm25_scores(judged)
    queries = np.stack([model.encode_query(query) for query in judged.queries])
    passages = np.stack([model.encode_section(passage.title, passage.body) for passage in judged.passages])
    cosines = best_passages(queries @ passages.T, judged, -1e9)
    fused = weight * min_max(lexical, FUSION_DEPTH) + (1 - weight) * min_max(cosines, FUSION_DEPTH)
    candidates = np.argsort(-lexical, axis=1, kind="stable")[:, :RERANK_DEPTH]
    reranked = weight * min_max(lexical, RERANK_DEPTH) + (1 - weight) * scale_at(cosines, candidates)
    return [ndcg(scores, judged.relevance) for scores in (lexical, cosines, fused, reranked)]


def evaluate_sets(arguments: argparse.Namespace) -> None:
    """Prints a Markdown table of nDCG@10."""
    model = Model(arguments.model)
    print("| set | queries | BM25 | cosine | fused | re-ranked |\n| --- | --- | --- | --- | --- | --- |")
    for directory in arguments.sets:
        judged = read_set(directory)
        results = measure(model, judged, arguments.lexical_weight)
        cells = " | ".join(f"{value:.3f}".removeprefix("0") for value in results)
        print(f"| {judged.name} | {len(judged.queries)} | {cells} |", flush=True)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, function: object, help_text: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=help_text)
        added.add_argument("model", type=pathlib.Path, help="a directory of model files")
        added.set_defaults(command=function)
        return added

    recorded = {"type": pathlib.Path, "default": layout.TEST_VECTORS, "help": "default: those of ra-semantic"}
    command("check", check_vectors, "compare with recorded vectors").add_argument("--vectors", **recorded)
    write = command("vectors", write_vectors, "record the vectors of this model for the same inputs")
    write.add_argument("output", type=pathlib.Path, help="the JSON file to write")
    write.add_argument("--vectors", **recorded)
    sets = command("judged", evaluate_sets, "measure nDCG@10 on judged sets in the layout of BEIR")
    sets.add_argument("sets", type=pathlib.Path, nargs="+", help="a directory for each set")
    weight_help = "share of BM25 in both mixtures (default: %(default)s)"
    sets.add_argument("--lexical-weight", type=float, default=LEXICAL_WEIGHT, help=weight_help)
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    arguments.command(arguments)


if __name__ == "__main__":
    run(main)
