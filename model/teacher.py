#!/usr/bin/env python3
"""Encodes sections, queries and single tokens with all-MiniLM-L6-v2. The section encoder learns from these vectors."""

from __future__ import annotations

import argparse
import contextlib
import pathlib
from collections.abc import Iterator

import numpy as np
import torch
import torch.nn.functional as F

import layout
from errors import RecipeError, run

SECTION_BATCH = 1024
QUERY_BATCH = 8192


def check_device(name: str) -> torch.device:
    """Returns the device, and uses its fast matrix products."""
    if name == "cuda" and not torch.cuda.is_available():
        raise RecipeError("PyTorch finds no accelerator", "a full run needs one; for a trial give --device cpu")
    torch.set_float32_matmul_precision("high")
    return torch.device(name)


class MiniLM:
    """BERT with mean pooling, without dropout."""

    def __init__(self, weights: layout.Weights, device: torch.device) -> None:
        self.device = device
        self.positions = len(weights[layout.POSITION_EMBEDDINGS])
        self.weights = {name: torch.tensor(value, device=device) for name, value in weights.items()}

    @torch.no_grad()
    def encode(self, ids: np.ndarray) -> np.ndarray:
        """Returns vectors of unit length for rows of ids that end in zeros."""
        tokens = torch.tensor(ids.astype(np.int64), device=self.device)
        with self._half_precision():
            return self.vectors(tokens).half().cpu().numpy()

    def vectors(self, tokens: torch.Tensor) -> torch.Tensor:
        """Returns vectors of unit length for rows of ids that end in zeros."""
        mask = tokens > 0
        states = self._hidden_states(tokens, mask)
        weight = mask[..., None].float()
        mean = (states.float() * weight).sum(1) / weight.sum(1).clamp(min=1)
        return F.normalize(mean)

    def _half_precision(self) -> contextlib.AbstractContextManager[None]:
        if self.device.type == "cpu":
            return contextlib.nullcontext()
        return torch.autocast(self.device.type, torch.bfloat16)

    def _hidden_states(self, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        weights = self.weights
        states = weights[layout.WORD_EMBEDDINGS][tokens]
        states = states + weights[layout.POSITION_EMBEDDINGS][: tokens.shape[1]]
        states = states + weights["embeddings.token_type_embeddings.weight"][0]
        states = self._norm(states, "embeddings.LayerNorm")
        for layer in range(layout.LAYERS):
            prefix = f"encoder.layer.{layer}"
            attended = self._linear(self._attention(states, mask, prefix), f"{prefix}.attention.output.dense")
            states = self._norm(states + attended, f"{prefix}.attention.output.LayerNorm")
            inner = F.gelu(self._linear(states, f"{prefix}.intermediate.dense"))
            states = self._norm(states + self._linear(inner, f"{prefix}.output.dense"), f"{prefix}.output.LayerNorm")
        return states

    def _attention(self, states: torch.Tensor, mask: torch.Tensor, prefix: str) -> torch.Tensor:
        rows, length, hidden = states.shape

        def heads(part: str) -> torch.Tensor:
            projected = self._linear(states, f"{prefix}.attention.self.{part}")
            return projected.view(rows, length, layout.HEADS, -1).transpose(1, 2)

        query, key, value = heads("query"), heads("key"), heads("value")
        attended = F.scaled_dot_product_attention(query, key, value, attn_mask=mask[:, None, None, :])
        return attended.transpose(1, 2).reshape(rows, length, hidden)

    def _linear(self, states: torch.Tensor, name: str) -> torch.Tensor:
        return F.linear(states, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _norm(self, states: torch.Tensor, name: str) -> torch.Tensor:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return F.layer_norm(states, (layout.HIDDEN_DIMENSIONS,), weight, bias, layout.LAYER_NORM_EPSILON)


def section_ids(titles: np.ndarray, bodies: np.ndarray, max_tokens: int) -> np.ndarray:
    """Joins the ids of titles and bodies to `[CLS] title body [SEP]`, cut at `max_tokens`."""
    joined = np.zeros((len(titles), min(max_tokens, titles.shape[1] + bodies.shape[1] + 2)), np.uint16)
    joined[:, 0] = layout.CLS
    for row, (title, body) in enumerate(zip(titles, bodies)):
        ids = np.concatenate([title[title > 0], body[body > 0]])[: joined.shape[1] - 2]
        joined[row, 1 : len(ids) + 1] = ids
        joined[row, len(ids) + 1] = layout.SEP
    return joined


def encode_all(model: MiniLM, ids: np.ndarray, batch: int) -> np.ndarray:
    """Encodes rows in order of their lengths, so batches have little padding."""
    vectors = np.zeros((len(ids), layout.HIDDEN_DIMENSIONS), np.float16)
    lengths = (ids > 0).sum(1)
    for rows in _batches(np.argsort(lengths, kind="stable"), batch):
        vectors[rows] = model.encode(ids[rows, : lengths[rows].max()])
    return vectors


def _batches(rows: np.ndarray, size: int) -> Iterator[np.ndarray]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def single_token_ids() -> np.ndarray:
    """Returns `[CLS] token [SEP]` for each token of the vocabulary."""
    ids = np.empty((layout.VOCABULARY, 3), np.uint16)
    ids[:, 0], ids[:, 1], ids[:, 2] = layout.CLS, np.arange(layout.VOCABULARY), layout.SEP
    return ids


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=pathlib.Path, help="the .npz file that prepare.py has written")
    parser.add_argument("minilm", type=pathlib.Path, help="model.safetensors, pytorch_model.bin or query.bin")
    parser.add_argument("output", type=pathlib.Path, help="the .npz file to write")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"], help="default: %(default)s")
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    model = MiniLM(layout.read_minilm(arguments.minilm), check_device(arguments.device))
    data = np.load(arguments.data)
    ids = section_ids(data["titles"], data["bodies"], model.positions)
    if model.positions < layout.POSITIONS:
        print(f"warning: the weights have {model.positions} positions, so longer sections are cut for the teacher")
    vectors = {
        "sections": encode_all(model, ids, SECTION_BATCH),
        "queries": encode_all(model, data["queries"], QUERY_BATCH),
        "tokens": encode_all(model, single_token_ids(), QUERY_BATCH),
    }
    np.savez(arguments.output, **vectors)
    print(", ".join(f"{len(value)} {name}" for name, value in vectors.items()), "encoded")


if __name__ == "__main__":
    run(main)
