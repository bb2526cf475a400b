"""Reference inference in numpy: the arithmetic of FORMAT.md, written to be read. `ra-semantic` is the fast one."""

from __future__ import annotations

import math
import pathlib

import numpy as np

import layout
from pack import read_model, unpack

_erf = np.vectorize(math.erf, otypes=[np.float64])


def gelu(values: np.ndarray) -> np.ndarray:
    return 0.5 * values * (1 + _erf(values / math.sqrt(2)).astype(np.float32))


def normalize(vector: np.ndarray) -> np.ndarray:
    return vector / max(float(np.linalg.norm(vector)), 1e-12)


class Model:
    """Both encoders of a directory of model files."""

    def __init__(self, directory: pathlib.Path) -> None:
        from tokenizers import Tokenizer

        self._section, self._query = unpack(read_model(directory), directory)
        self._tokenizer = Tokenizer.from_file(str(layout.TOKENIZER))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def token_ids(self, text: str, max_tokens: int) -> list[int]:
        return self._tokenizer.encode(text, add_special_tokens=False).ids[:max_tokens]

    def section_ids(self, title: str, body: str) -> tuple[list[int], list[int]]:
        return self.token_ids(title, layout.MAX_TITLE_TOKENS), self.token_ids(body, layout.MAX_BODY_TOKENS)

    def query_ids(self, text: str) -> list[int]:
        return [layout.CLS, *self.token_ids(text, layout.MAX_QUERY_TOKENS - 2), layout.SEP]

    def encode_section(self, title: str, body: str) -> np.ndarray:
        """Returns 256 dimensions of unit length."""
        weights = self._section
        scaled = layout.MLP_INPUT_LENGTH * normalize(self._mean(*self.section_ids(title, body)))
        hidden = gelu(weights["hidden.weight"] @ scaled + weights["hidden.bias"])
        return normalize(scaled + weights["output.weight"] @ hidden + weights["output.bias"])

    def _mean(self, title: list[int], body: list[int]) -> np.ndarray:
        ids = np.array(title + body, np.int64)
        if not len(ids):
            return np.zeros(layout.SECTION_DIMENSIONS, np.float32)
        weights = np.array([layout.TITLE_WEIGHT] * len(title) + [1.0] * len(body), np.float32)
        tokens, inverse, counts = np.unique(ids, return_inverse=True, return_counts=True)
        weights = np.bincount(inverse, weights * counts[inverse] ** (layout.TF_POWER - 1)).astype(np.float32)
        return weights @ self._section["table"][tokens] / weights.sum()

    def encode_query(self, text: str) -> np.ndarray:
        """Returns 256 dimensions of unit length that match those of sections."""
        return normalize(self._query[layout.PROJECTION] @ self._hidden_states(self.query_ids(text)).mean(0))

    def _hidden_states(self, ids: list[int]) -> np.ndarray:
        weights = self._query
        states = weights[layout.WORD_EMBEDDINGS][ids] + weights[layout.POSITION_EMBEDDINGS][: len(ids)]
        states = self._norm(states + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for layer in range(layout.LAYERS):
            prefix = f"encoder.layer.{layer}"
            attended = self._linear(self._attention(states, prefix), f"{prefix}.attention.output.dense")
            states = self._norm(states + attended, f"{prefix}.attention.output.LayerNorm")
            inner = gelu(self._linear(states, f"{prefix}.intermediate.dense"))
            states = self._norm(states + self._linear(inner, f"{prefix}.output.dense"), f"{prefix}.output.LayerNorm")
        return states

    def _attention(self, states: np.ndarray, prefix: str) -> np.ndarray:
        def heads(part: str) -> np.ndarray:
            projected = self._linear(states, f"{prefix}.attention.self.{part}")
            return projected.reshape(len(states), layout.HEADS, -1).transpose(1, 0, 2)

        query, key, value = heads("query"), heads("key"), heads("value")
        scores = query @ key.transpose(0, 2, 1) / np.float32(math.sqrt(query.shape[-1]))
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        return (shares @ value).transpose(1, 0, 2).reshape(states.shape)

    def _linear(self, states: np.ndarray, name: str) -> np.ndarray:
        return states @ self._query[f"{name}.weight"].T + self._query[f"{name}.bias"]

    def _norm(self, states: np.ndarray, name: str) -> np.ndarray:
        centered = states - states.mean(-1, keepdims=True)
        variance = (centered**2).mean(-1, keepdims=True)
        scaled = centered / np.sqrt(variance + layout.LAYER_NORM_EPSILON)
        return scaled * self._query[f"{name}.weight"] + self._query[f"{name}.bias"]
