#!/usr/bin/env python3
"""Trains the section encoder and the projection of queries. The query encoder itself stays as it is.

The first stage aligns section vectors with those of the teacher. The second makes the scores of sections, for a
batch of queries, those that the teacher gives.
"""

from __future__ import annotations

import argparse
import math
import pathlib
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

import layout
from errors import RecipeError, run
from teacher import check_device

SEED = 0
BASIS_SECTIONS = 60_000
# Weight of a token in the first table: a / (a + frequency).
FREQUENCY_SMOOTHING = 1e-3
# Share of sections that lose their title, so bodies are learned too.
TITLE_DROPOUT = 0.35

ALIGN_LEARNING_RATE = 3e-3
ALIGN_FINAL_LEARNING_RATE = 3e-4

TABLE_LEARNING_RATE = 1.5e-3
DENSE_LEARNING_RATE = 5e-4
WARMUP_STEPS = 60
GRADIENT_NORM = 1.0
TEACHER_TEMPERATURE = 0.05
FIRST_SCALE, MAX_SCALE = 20.0, 60.0
# Sections compete for a query with full weight, queries for a section with half of it.
COLUMN_WEIGHT = 0.5
# Weights of the same loss on vectors that are cut, and on the signs of section vectors.
CUT_WEIGHTS = {128: 0.25, 64: 0.15}
SIGN_WEIGHT = 0.25

# Each token alone should mean what the teacher says. The first thousand ids are unused ones and characters.
FIRST_WORD_ID = 1000
TOKEN_BATCH = 8192
TOKEN_WEIGHT = 0.3


@dataclass(frozen=True)
class Settings:
    """What a trial may reduce. The defaults are those of a full run."""

    align_steps: int
    distill_steps: int
    align_batch: int
    batch_repositories: int
    repository_queries: int
    min_queries: int


@dataclass(frozen=True)
class TrainingData:
    """Token ids and teacher vectors on the device."""

    titles: Tensor
    bodies: Tensor
    query_sections: Tensor
    query_repositories: np.ndarray
    section_vectors: Tensor
    query_vectors: Tensor
    token_vectors: Tensor

    @classmethod
    def load(cls, data: pathlib.Path, teacher: pathlib.Path, device: torch.device) -> TrainingData:
        ids, vectors = np.load(data), np.load(teacher)
        if len(ids["titles"]) != len(vectors["sections"]) or len(ids["queries"]) != len(vectors["queries"]):
            raise RecipeError(f"{teacher} does not belong to {data}", "run teacher.py again")

        def on_device(array: np.ndarray, dtype: type) -> Tensor:
            return torch.tensor(array.astype(dtype), device=device)

        return cls(
            titles=on_device(ids["titles"], np.int32),
            bodies=on_device(ids["bodies"], np.int32),
            query_sections=on_device(ids["query_sections"], np.int64),
            query_repositories=ids["query_repositories"],
            section_vectors=on_device(vectors["sections"], np.float32),
            query_vectors=on_device(vectors["queries"], np.float32),
            token_vectors=on_device(vectors["tokens"], np.float32),
        )

    @property
    def device(self) -> torch.device:
        return self.titles.device

    def section_ids(self, sections: Tensor) -> Tensor:
        """Returns the ids of sections, some of them without their titles."""
        titles = self.titles[sections].long()
        dropped = torch.rand(len(sections), 1, device=self.device) < TITLE_DROPOUT
        titles = torch.where(dropped, torch.zeros_like(titles), titles)
        return torch.cat([titles, self.bodies[sections].long()], 1)


@dataclass(frozen=True)
class Targets:
    """Teacher vectors in the space of section vectors."""

    basis: Tensor
    sections: Tensor
    tokens: Tensor

    @classmethod
    def of(cls, data: TrainingData) -> Targets:
        """Uses the first right singular vectors of a sample of sections as the basis."""
        sample = torch.randperm(len(data.section_vectors))[:BASIS_SECTIONS]
        _, _, vectors = torch.linalg.svd(data.section_vectors[sample.to(data.device)], full_matrices=False)
        if len(vectors) < layout.SECTION_DIMENSIONS:
            raise RecipeError(f"{len(sample)} sections are too few", f"use {layout.SECTION_DIMENSIONS} or more")
        basis = vectors[: layout.SECTION_DIMENSIONS].T.contiguous()
        return cls(basis, F.normalize(data.section_vectors @ basis), F.normalize(data.token_vectors @ basis))


class SectionEncoder(nn.Module):
    """A table of token vectors, a weighted mean and an MLP with a residual connection."""

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.table = nn.Parameter(table.clone())
        self.hidden = nn.Linear(layout.SECTION_DIMENSIONS, layout.MLP_DIMENSIONS)
        self.output = nn.Linear(layout.MLP_DIMENSIONS, layout.SECTION_DIMENSIONS)
        nn.init.zeros_(self.output.weight)
        nn.init.zeros_(self.output.bias)

    def forward(self, ids: Tensor) -> Tensor:
        weights = token_weights(ids)
        total = F.embedding_bag(ids, self.table, per_sample_weights=weights, mode="sum")
        mean = total / weights.sum(1, keepdim=True).clamp(min=1e-6)
        scaled = F.normalize(mean) * layout.MLP_INPUT_LENGTH
        return F.normalize(scaled + self.output(F.gelu(self.hidden(scaled))))


def token_weights(ids: Tensor) -> Tensor:
    """An occurrence of a token that occurs c times weighs c ** (TF_POWER - 1); padding weighs nothing."""
    mask = (ids > 0).float()
    counts = torch.zeros(len(ids), layout.VOCABULARY, device=ids.device).scatter_add_(1, ids, mask)
    return counts.gather(1, ids).clamp(min=1).pow(layout.TF_POWER - 1) * mask


def first_table(data: TrainingData, targets: Targets) -> Tensor:
    """Starts from the teacher's vectors of single tokens; frequent tokens get short ones."""
    counts = torch.bincount(data.bodies.flatten().long(), minlength=layout.VOCABULARY).float()
    counts[0] = 0
    weights = FREQUENCY_SMOOTHING / (FREQUENCY_SMOOTHING + counts / counts.sum())
    return targets.tokens * weights[:, None]


def cosine_loss(vectors: Tensor, targets: Tensor) -> Tensor:
    return (1 - (vectors * targets).sum(1)).mean()


def token_loss(encoder: SectionEncoder, targets: Targets) -> Tensor:
    """Keeps tokens that are rare in the training text close to the teacher."""
    device = encoder.table.device
    tokens = torch.randint(FIRST_WORD_ID, layout.VOCABULARY, (TOKEN_BATCH,), device=device)
    return TOKEN_WEIGHT * cosine_loss(F.normalize(encoder.table[tokens]), targets.tokens[tokens])


def align(encoder: SectionEncoder, data: TrainingData, targets: Targets, settings: Settings) -> None:
    """The first stage: section vectors become those of the teacher."""
    optimizer = torch.optim.Adam(encoder.parameters(), lr=ALIGN_LEARNING_RATE)
    for step in range(settings.align_steps):
        done = step / settings.align_steps
        for group in optimizer.param_groups:
            group["lr"] = ALIGN_LEARNING_RATE * (1 - done) + ALIGN_FINAL_LEARNING_RATE
        sections = torch.randint(len(data.titles), (settings.align_batch,), device=data.device)
        loss = cosine_loss(encoder(data.section_ids(sections)), targets.sections[sections])
        loss = loss + token_loss(encoder, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        show_progress("align", step, settings.align_steps, loss)


class QuerySampler:
    """Draws queries from a few repositories at a time, so other sections of a batch are hard to tell apart."""

    def __init__(self, data: TrainingData, settings: Settings) -> None:
        repositories = data.query_repositories
        self._starts = np.searchsorted(repositories, np.arange(repositories.max() + 2))
        self._counts = np.diff(self._starts)
        shares = np.sqrt(self._counts) * (self._counts > settings.min_queries)
        usable = np.count_nonzero(shares)
        if usable < settings.batch_repositories:
            raise RecipeError(
                f"{usable} repositories have more than {settings.min_queries} queries",
                "add sources, or lower --batch-repositories and --min-queries for a trial",
            )
        self._shares = shares / shares.sum()
        self._random = np.random.default_rng(SEED)
        self._settings = settings

    def draw(self) -> np.ndarray:
        settings = self._settings
        chosen = self._random.choice(len(self._counts), settings.batch_repositories, False, self._shares)
        drawn = [self._random.integers(0, self._counts[index], settings.repository_queries) for index in chosen]
        return np.concatenate([self._starts[index] + offsets for index, offsets in zip(chosen, drawn)])


def distill_loss(queries: Tensor, sections: Tensor, scale: Tensor, teacher_scores: Tensor) -> Tensor:
    """Compares the distributions over the batch with those of the teacher, for whole, cut and rounded vectors."""
    by_query, by_section = teacher_scores.softmax(1), teacher_scores.softmax(0)

    def loss(queries: Tensor, sections: Tensor) -> Tensor:
        scores = scale * (queries @ sections.T)
        rows = -(by_query * scores.log_softmax(1)).sum(1).mean()
        columns = -(by_section * scores.log_softmax(0)).sum(0).mean()
        return rows + COLUMN_WEIGHT * columns

    total = loss(queries, sections)
    for dimensions, weight in CUT_WEIGHTS.items():
        total = total + weight * loss(F.normalize(queries[:, :dimensions]), F.normalize(sections[:, :dimensions]))
    signs = torch.sign(sections) / math.sqrt(layout.SECTION_DIMENSIONS)
    # Forward the signs, backward as if they were the vectors.
    return total + SIGN_WEIGHT * loss(queries, sections + (signs - sections).detach())


def distill(
    encoder: SectionEncoder, data: TrainingData, targets: Targets, sampler: QuerySampler, steps: int
) -> Tensor:
    """The second stage. Returns the projection of query vectors."""
    projection = nn.Parameter(targets.basis.T.clone())
    log_scale = nn.Parameter(torch.tensor(math.log(FIRST_SCALE), device=data.device))
    dense = [*encoder.hidden.parameters(), *encoder.output.parameters(), projection, log_scale]
    rates = [TABLE_LEARNING_RATE, DENSE_LEARNING_RATE]
    groups = [{"params": [encoder.table]}, {"params": dense}]
    optimizer = torch.optim.AdamW(groups, lr=DENSE_LEARNING_RATE, weight_decay=0.0, betas=(0.9, 0.98))
    for step in range(steps):
        done = step / steps
        factor = min(1, step / WARMUP_STEPS) * 0.5 * (1 + math.cos(math.pi * done)) + 0.01
        for group, rate in zip(optimizer.param_groups, rates):
            group["lr"] = rate * factor
        batch = torch.tensor(sampler.draw(), device=data.device)
        sections = data.query_sections[batch]
        with torch.no_grad():
            teacher_scores = data.query_vectors[batch] @ data.section_vectors[sections].T / TEACHER_TEMPERATURE
        query_vectors = F.normalize(data.query_vectors[batch] @ projection.T)
        section_vectors = encoder(data.section_ids(sections))
        scale = log_scale.exp().clamp(max=MAX_SCALE)
        loss = distill_loss(query_vectors, section_vectors, scale, teacher_scores)
        align_weight = 4 * (0.5 * (1 - done) + 0.1)
        loss = loss + align_weight * cosine_loss(section_vectors, targets.sections[sections])
        loss = loss + token_loss(encoder, targets)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(dense, GRADIENT_NORM)
        optimizer.step()
        show_progress("distill", step, steps, loss)
    return projection.data


def show_progress(stage: str, step: int, steps: int, loss: Tensor) -> None:
    """Prints about twenty lines for each stage. Reading the loss waits for the device, so it is read rarely."""
    if (step + 1) % max(1, steps // 20) == 0:
        print(f"{stage} {step + 1}/{steps}: loss {loss.item():.4f}", flush=True)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("data", type=pathlib.Path, help="the .npz file that prepare.py has written")
    parser.add_argument("teacher", type=pathlib.Path, help="the .npz file that teacher.py has written")
    parser.add_argument("output", type=pathlib.Path, help="the .npz file to write")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"], help="where to train")
    parser.add_argument("--align-steps", type=int, default=1000, help="steps of the first stage")
    parser.add_argument("--distill-steps", type=int, default=7400, help="steps of the second stage")
    parser.add_argument("--align-batch", type=int, default=4096, help="sections in a batch of the first stage")
    parser.add_argument("--batch-repositories", type=int, default=8, help="repositories in a batch of the second stage")
    parser.add_argument("--repository-queries", type=int, default=512, help="queries of each of them")
    parser.add_argument("--min-queries", type=int, default=600, help="repositories with fewer queries are left out")
    return parser.parse_args()


def main() -> None:
    arguments = vars(parse_arguments())
    paths = [arguments.pop(name) for name in ("data", "teacher", "output")]
    device = check_device(arguments.pop("device"))
    settings = Settings(**arguments)
    torch.manual_seed(SEED)
    data = TrainingData.load(paths[0], paths[1], device)
    sampler = QuerySampler(data, settings)
    targets = Targets.of(data)
    encoder = SectionEncoder(first_table(data, targets)).to(device)
    align(encoder, data, targets, settings)
    projection = distill(encoder, data, targets, sampler, settings.distill_steps)
    trained = {**encoder.state_dict(), "projection": projection}
    np.savez(paths[2], **{name: value.float().cpu().numpy() for name, value in trained.items()})


if __name__ == "__main__":
    run(main)
