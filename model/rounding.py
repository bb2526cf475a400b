#!/usr/bin/env python3
"""Trains the query encoder to give MiniLM's vectors although its weights are rounded to 4 bits.

Rounding the weights as they are moves the vectors by a cosine of about .95. Here the weights are rounded in each
step, and what the rounded encoder gets wrong moves the weights before rounding.
"""

from __future__ import annotations

import argparse
import math
import pathlib

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

import layout
from errors import run
from teacher import MiniLM, check_device, section_ids

SEED = 0
LEARNING_RATE = 1e-4
# Vectors, biases and positions aren't rounded to 4 bits, and move less.
PLAIN_LEARNING_RATE = 3e-5
WARMUP_STEPS = 100
# Weight of the loss on the scores of queries and sections, beside the loss on their vectors.
SCORE_WEIGHT = 20.0
CHECKED_TEXTS = 1000


def round_q4(matrix: Tensor) -> Tensor:
    """Rounds as `layout.encode_q4`. The gradient passes as if nothing had been rounded."""
    groups = matrix.detach().view(len(matrix), -1, layout.GROUP_COLUMNS)
    largest = groups.abs().amax(-1, keepdim=True).clamp(min=1e-12)
    scales = (largest / 7).half().clamp(min=1e-7).float()
    rounded = (groups / scales).round().clamp(-8, 7) * scales
    return matrix + (rounded.view(matrix.shape) - matrix.detach())


class RoundedMiniLM(MiniLM):
    """The weights before rounding, which are trained, and an encoder that rounds them."""

    def __init__(self, weights: layout.Weights, device: torch.device) -> None:
        super().__init__(weights, device)
        dtypes = {tensor.name: tensor.dtype for tensor in layout.query_tensors()}
        self.matrices = [name for name in self.weights if dtypes[name] == "q4_32"]
        self.trained = {name: value.clone().requires_grad_() for name, value in self.weights.items()}

    def round(self) -> None:
        """Rounds the trained weights for the next texts."""
        self.weights = {
            name: round_q4(value) if name in self.matrices else value for name, value in self.trained.items()
        }


def batch_of(ids: np.ndarray, rows: np.ndarray, device: torch.device) -> Tensor:
    """Returns rows of ids, without the columns that all of them leave empty."""
    chosen = ids[rows].astype(np.int64)
    return torch.tensor(chosen[:, : int((chosen > 0).sum(1).max())], device=device)


def loss_of(queries: Tensor, sections: Tensor, exact_queries: Tensor, exact_sections: Tensor) -> Tensor:
    """Compares vectors, and the scores of all queries for all sections, with those of the exact encoder."""
    vectors = ((queries - exact_queries) ** 2).sum(1).mean() + ((sections - exact_sections) ** 2).sum(1).mean()
    return vectors + SCORE_WEIGHT * F.mse_loss(queries @ sections.T, exact_queries @ exact_sections.T)


def train(exact: MiniLM, rounded: RoundedMiniLM, data: dict[str, np.ndarray], steps: int, batch: int) -> None:
    """Trains the weights of `rounded`."""
    plain = [value for name, value in rounded.trained.items() if name not in rounded.matrices]
    matrices = [rounded.trained[name] for name in rounded.matrices]
    rates = [LEARNING_RATE, PLAIN_LEARNING_RATE]
    optimizer = torch.optim.Adam([{"params": matrices}, {"params": plain}], lr=LEARNING_RATE)
    random = np.random.default_rng(SEED)
    for step in range(steps):
        factor = min(1, step / WARMUP_STEPS) * 0.5 * (1 + math.cos(math.pi * step / steps))
        for group, rate in zip(optimizer.param_groups, rates):
            group["lr"] = rate * factor
        texts = [batch_of(ids, random.integers(0, len(ids), batch), exact.device) for ids in data.values()]
        with torch.no_grad():
            expected = [exact.vectors(tokens) for tokens in texts]
        rounded.round()
        loss = loss_of(*(rounded.vectors(tokens) for tokens in texts), *expected)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (step + 1) % max(1, steps // 20) == 0:
            print(f"round {step + 1}/{steps}: loss {loss.item():.4f}", flush=True)


@torch.no_grad()
def mean_cosines(exact: MiniLM, rounded: RoundedMiniLM, texts: dict[str, np.ndarray]) -> str:
    """Says how near the vectors of both encoders are for texts that weren't trained on."""
    rounded.round()
    shown = []
    for name, ids in texts.items():
        tokens = batch_of(ids, np.arange(len(ids)), exact.device)
        cosine = (exact.vectors(tokens) * rounded.vectors(tokens)).sum(1).mean()
        shown.append(f"{name} {cosine.item():.4f}")
    return "mean cosine: " + ", ".join(shown)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("data", type=pathlib.Path, help="the .npz file that prepare.py has written")
    parser.add_argument("minilm", type=pathlib.Path, help="model.safetensors or pytorch_model.bin")
    parser.add_argument("output", type=pathlib.Path, help="the .npz file to write")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"], help="where to train")
    parser.add_argument("--steps", type=int, default=4000, help="steps")
    parser.add_argument("--batch", type=int, default=512, help="queries, and as many sections, in a batch")
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    device = check_device(arguments.device)
    weights = layout.read_minilm(arguments.minilm)
    weights[layout.POSITION_EMBEDDINGS] = weights[layout.POSITION_EMBEDDINGS][: layout.MAX_QUERY_TOKENS]
    exact, rounded = MiniLM(weights, device), RoundedMiniLM(weights, device)
    read = np.load(arguments.data)
    sections = section_ids(read["titles"], read["bodies"], exact.positions)
    order = {"queries": read["queries"], "sections": sections}
    checked = {name: ids[-CHECKED_TEXTS:] for name, ids in order.items()}
    data = {name: ids[:-CHECKED_TEXTS] if len(ids) > 2 * CHECKED_TEXTS else ids for name, ids in order.items()}
    print("before", mean_cosines(exact, rounded, checked))
    train(exact, rounded, data, arguments.steps, arguments.batch)
    print("after", mean_cosines(exact, rounded, checked))
    np.savez(arguments.output, **{name: value.detach().cpu().numpy() for name, value in rounded.trained.items()})


if __name__ == "__main__":
    run(main)
