"""Shapes of the model, and how its tensors are rounded and stored. FORMAT.md describes the same in words."""

from __future__ import annotations

import pathlib
from dataclasses import dataclass

import numpy as np

from errors import RecipeError

VOCABULARY = 30_522
SECTION_DIMENSIONS = 256
MLP_DIMENSIONS = 512
HIDDEN_DIMENSIONS = 384
INTERMEDIATE_DIMENSIONS = 1536
LAYERS = 6
HEADS = 12
POSITIONS = 512
LAYER_NORM_EPSILON = 1e-12
CLS, SEP = 101, 102

# Limits of the packed model. Training uses shorter inputs: see prepare.py.
MAX_TITLE_TOKENS = 40
MAX_BODY_TOKENS = 448
MAX_QUERY_TOKENS = 128
# A token that occurs c times in a section counts c ** TF_POWER times in the mean.
TF_POWER = 0.5
# An occurrence in the title counts as two. Chosen on judged sets; training gives both the same weight.
TITLE_WEIGHT = 2.0
# The mean has this length when it enters the MLP.
MLP_INPUT_LENGTH = 4.0

GROUP_COLUMNS = 32
WORD_EMBEDDINGS = "embeddings.word_embeddings.weight"
POSITION_EMBEDDINGS = "embeddings.position_embeddings.weight"
PROJECTION = "proj"

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
CRATES = REPOSITORY / "crates"
TOKENIZER = CRATES / "ra-semantic/tests/data/tokenizer.json"
VOCABULARY_FILE = CRATES / "ra-semantic/data/vocab.txt"
TEST_VECTORS = CRATES / "ra-semantic/tests/data/test_vectors.json"

Weights = dict[str, np.ndarray]


@dataclass(frozen=True)
class Tensor:
    """A tensor of `query.bin`."""

    name: str
    dtype: str
    shape: tuple[int, ...]

    def byte_count(self) -> int:
        count = int(np.prod(self.shape))
        return count * 2 if self.dtype == "f16" else count // 2 + count // GROUP_COLUMNS * 2


def _vector(name: str, length: int = HIDDEN_DIMENSIONS) -> Tensor:
    return Tensor(name, "f16", (length,))


def _linear(name: str, rows: int, columns: int) -> list[Tensor]:
    return [Tensor(f"{name}.weight", "q4_32", (rows, columns)), _vector(f"{name}.bias", rows)]


def _norm(name: str) -> list[Tensor]:
    return [_vector(f"{name}.weight"), _vector(f"{name}.bias")]


def _layer(prefix: str) -> list[Tensor]:
    hidden, intermediate = HIDDEN_DIMENSIONS, INTERMEDIATE_DIMENSIONS
    return [
        *_linear(f"{prefix}.attention.self.query", hidden, hidden),
        *_linear(f"{prefix}.attention.self.key", hidden, hidden),
        *_linear(f"{prefix}.attention.self.value", hidden, hidden),
        *_linear(f"{prefix}.attention.output.dense", hidden, hidden),
        *_norm(f"{prefix}.attention.output.LayerNorm"),
        *_linear(f"{prefix}.intermediate.dense", intermediate, hidden),
        *_linear(f"{prefix}.output.dense", hidden, intermediate),
        *_norm(f"{prefix}.output.LayerNorm"),
    ]


def query_tensors() -> list[Tensor]:
    """Lists the tensors of `query.bin` in the order of the file."""
    return [
        Tensor(WORD_EMBEDDINGS, "q4_32", (VOCABULARY, HIDDEN_DIMENSIONS)),
        Tensor(POSITION_EMBEDDINGS, "f16", (MAX_QUERY_TOKENS, HIDDEN_DIMENSIONS)),
        Tensor("embeddings.token_type_embeddings.weight", "f16", (2, HIDDEN_DIMENSIONS)),
        *_norm("embeddings.LayerNorm"),
        *(tensor for layer in range(LAYERS) for tensor in _layer(f"encoder.layer.{layer}")),
        Tensor(PROJECTION, "q4_32", (SECTION_DIMENSIONS, HIDDEN_DIMENSIONS)),
    ]


def quantize_rows(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rounds each row to int8 with an f32 scale."""
    scales = np.maximum(np.abs(matrix).max(1), np.float32(1e-12)) / np.float32(127)
    return np.rint(matrix / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def encode_q4(matrix: np.ndarray) -> bytes:
    """Rounds a matrix to 4 bits in groups of 32 columns: the nibbles of all rows, then the f16 scales."""
    rows, columns = matrix.shape
    groups = matrix.reshape(rows, columns // GROUP_COLUMNS, GROUP_COLUMNS)
    largest = np.maximum(np.abs(groups).max(-1, keepdims=True), np.float32(1e-12))
    scales = np.maximum((largest / np.float32(7)).astype(np.float16), np.float16(1e-7))
    biased = np.clip(np.rint(groups / scales.astype(np.float32)), -8, 7) + 8
    nibbles = biased.astype(np.uint8).reshape(rows, columns)
    return (nibbles[:, 0::2] | nibbles[:, 1::2] << 4).tobytes() + scales.tobytes()


def decode_q4(data: bytes, shape: tuple[int, int]) -> np.ndarray:
    """The inverse of `encode_q4`, up to the rounding."""
    rows, columns = shape
    nibbles = np.frombuffer(data, np.uint8, rows * columns // 2).reshape(rows, columns // 2)
    scales = np.frombuffer(data, np.float16, offset=rows * columns // 2).astype(np.float32)
    values = np.empty(shape, np.float32)
    values[:, 0::2] = (nibbles & 15).astype(np.float32) - 8
    values[:, 1::2] = (nibbles >> 4).astype(np.float32) - 8
    return (values.reshape(-1, GROUP_COLUMNS) * scales[:, None]).reshape(shape)


def encode(tensor: Tensor, value: np.ndarray) -> bytes:
    """Returns the bytes of a tensor in `query.bin`."""
    if value.shape != tensor.shape:
        raise RecipeError(
            f"{tensor.name} has the shape {value.shape}, not {tensor.shape}", "use the weights of all-MiniLM-L6-v2"
        )
    return encode_q4(value) if tensor.dtype == "q4_32" else value.astype(np.float16).tobytes()


def decode(tensor: Tensor, data: bytes) -> np.ndarray:
    """Returns a tensor of `query.bin` as f32."""
    if tensor.dtype == "q4_32":
        return decode_q4(data, (tensor.shape[0], tensor.shape[1]))
    return np.frombuffer(data, np.float16).astype(np.float32).reshape(tensor.shape)


def read_query_bin(path: pathlib.Path) -> Weights:
    """Reads all tensors of `query.bin` as f32."""
    data = path.read_bytes()
    tensors = query_tensors()
    expected = sum(tensor.byte_count() for tensor in tensors)
    if len(data) != expected:
        raise RecipeError(f"{path} has {len(data)} bytes, not {expected}", "use a file that pack.py has written")
    weights, start = {}, 0
    for tensor in tensors:
        end = start + tensor.byte_count()
        weights[tensor.name] = decode(tensor, data[start:end])
        start = end
    return weights


def read_minilm(path: pathlib.Path) -> Weights:
    """Reads the weights of all-MiniLM-L6-v2 as f32: a safetensors file, a PyTorch file, `query.bin`, or what rounding.py
    has written."""
    if not path.is_file():
        raise RecipeError(
            f"{path} does not exist",
            "download model.safetensors of sentence-transformers/all-MiniLM-L6-v2, or name its place with --minilm",
        )
    if path.name == "query.bin":
        raw = read_query_bin(path)
    elif path.suffix == ".safetensors":
        from safetensors.numpy import load_file

        raw = load_file(path)
    elif path.suffix == ".npz":
        raw = dict(np.load(path))
    else:
        import torch

        raw = {name: value.numpy() for name, value in torch.load(path, "cpu", weights_only=True).items()}
    names = [tensor.name for tensor in query_tensors() if tensor.name != PROJECTION]
    missing = [name for name in names if name not in raw]
    if missing:
        raise RecipeError(f"{path} has no tensor {missing[0]}", "use the weights of all-MiniLM-L6-v2")
    return {name: raw[name].astype(np.float32) for name in names}
