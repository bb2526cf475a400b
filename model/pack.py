#!/usr/bin/env python3
"""Rounds the trained weights and writes the model files, and the same weights in the form of the data crates."""

from __future__ import annotations

import argparse
import json
import pathlib
import shutil

import numpy as np

import layout
from errors import RecipeError, run

TILE_ROWS = 16
SECTION_FILES = ("doc_table.i8", "doc_scale.f32", "doc_mlp.f16")
MODEL_FILES = (*SECTION_FILES, "query.bin", "config.json")

Files = dict[str, bytes]


def section_files(trained: layout.Weights) -> Files:
    """Rounds the section encoder: int8 rows with f32 scales, and an MLP of f16."""
    table, scales = layout.quantize_rows(trained["table"])
    mlp = [trained[name] for name in ("hidden.weight", "hidden.bias", "output.weight", "output.bias")]
    parts = (table.tobytes(), scales.tobytes(), b"".join(part.astype(np.float16).tobytes() for part in mlp))
    return dict(zip(SECTION_FILES, parts))


def query_files(weights: layout.Weights, name: str) -> Files:
    """Rounds the query encoder, and lists its tensors in `config.json`."""
    blob, listed = b"", []
    for tensor in layout.query_tensors():
        value = weights[tensor.name]
        if tensor.name == layout.POSITION_EMBEDDINGS:
            value = value[: layout.MAX_QUERY_TOKENS]
        data = layout.encode(tensor, value)
        entry = {"name": tensor.name, "dtype": tensor.dtype, "shape": tensor.shape}
        listed.append({**entry, "offset": len(blob), "bytes": len(data)})
        blob += data
    return {"query.bin": blob, "config.json": json.dumps(config(name, listed), indent=0).encode()}


def config(name: str, tensors: list[dict[str, object]]) -> dict[str, object]:
    return {
        "model": name,
        "vocab": layout.VOCABULARY,
        "dim": layout.SECTION_DIMENSIONS,
        "mlp_hidden": layout.MLP_DIMENSIONS,
        "tf_power": layout.TF_POWER,
        "title_weight": layout.TITLE_WEIGHT,
        "max_title_tokens": layout.MAX_TITLE_TOKENS,
        "max_body_tokens": layout.MAX_BODY_TOKENS,
        "max_query_tokens": layout.MAX_QUERY_TOKENS,
        "query_layers": layout.LAYERS,
        "hidden": layout.HIDDEN_DIMENSIONS,
        "heads": layout.HEADS,
        "query_tensors": tensors,
    }


def pack_rows(data: bytes, shape: tuple[int, ...]) -> bytes:
    """Places the scales of each row after its nibbles, so a lookup touches one place."""
    nibbles, scales = _split(data, shape)
    return np.concatenate([nibbles, scales.view(np.uint8)], axis=1).tobytes()


def pack_tiles(data: bytes, shape: tuple[int, ...]) -> bytes:
    """Cuts a matrix into tiles of 16 rows by 32 columns: for each pair of columns 16 bytes, then 16 scales."""
    nibbles, scales = _split(data, shape)
    groups = scales.shape[1]
    tiled = nibbles.reshape(-1, TILE_ROWS, groups, layout.GROUP_COLUMNS // 2).transpose(0, 2, 3, 1)
    tiled = tiled.reshape(-1, groups, TILE_ROWS * layout.GROUP_COLUMNS // 2)
    tile_scales = np.ascontiguousarray(scales.reshape(-1, TILE_ROWS, groups).transpose(0, 2, 1))
    return np.concatenate([tiled, tile_scales.view(np.uint8)], axis=2).tobytes()


def _split(data: bytes, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = shape
    nibbles = np.frombuffer(data, np.uint8, rows * columns // 2).reshape(rows, -1)
    return nibbles, np.frombuffer(data, np.float16, offset=nibbles.size).reshape(rows, -1)


def crate_files(model: Files) -> Files:
    """Rearranges the model files into those of the data crates."""
    files = {f"ra-model-sections/data/{name}": model[name] for name in SECTION_FILES}
    layers, start = b"", 0
    for tensor in layout.query_tensors():
        data = model["query.bin"][start : start + tensor.byte_count()]
        start += tensor.byte_count()
        if tensor.name == layout.WORD_EMBEDDINGS:
            files["ra-model-query-words/data/word_embeddings.q4"] = pack_rows(data, tensor.shape)
        else:
            layers += pack_tiles(data, tensor.shape) if tensor.dtype == "q4_32" else data
    files["ra-model-query-layers/data/layers.bin"] = layers
    return files


def read_model(directory: pathlib.Path) -> Files:
    missing = [name for name in MODEL_FILES if not (directory / name).is_file()]
    if missing:
        raise RecipeError(f"{directory} has no {missing[0]}", "name a directory that `pack.py pack` has written")
    return {name: (directory / name).read_bytes() for name in MODEL_FILES}


def write_files(directory: pathlib.Path, files: Files) -> None:
    for name, data in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def pack(arguments: argparse.Namespace) -> None:
    """Writes OUTPUT/model and OUTPUT/crates."""
    trained = dict(np.load(arguments.trained))
    weights = {**layout.read_minilm(arguments.minilm), layout.PROJECTION: trained["projection"]}
    model = {**section_files(trained), **query_files(weights, arguments.name)}
    write_files(arguments.output / "model", model)
    for file in (layout.TOKENIZER, layout.VOCABULARY_FILE):
        shutil.copyfile(file, arguments.output / "model" / file.name)
    write_files(arguments.output / "crates", crate_files(model))
    print(f"{sum(map(len, model.values()))} bytes in {arguments.output / 'model'}")


def unpack(model: Files, directory: pathlib.Path) -> tuple[layout.Weights, layout.Weights]:
    """Returns the rounded weights of both encoders as f32, under the names that training gives them."""
    shape = (layout.VOCABULARY, layout.SECTION_DIMENSIONS)
    table = np.frombuffer(model["doc_table.i8"], np.int8).reshape(shape)
    scales = np.frombuffer(model["doc_scale.f32"], np.float32)
    mlp = np.frombuffer(model["doc_mlp.f16"], np.float16).astype(np.float32)
    inner, outer = layout.MLP_DIMENSIONS, layout.SECTION_DIMENSIONS
    ends = np.cumsum([inner * outer, inner, outer * inner])
    hidden_weight, hidden_bias, output_weight, output_bias = np.split(mlp, ends)
    trained = {
        "table": table.astype(np.float32) * scales[:, None],
        "hidden.weight": hidden_weight.reshape(inner, outer),
        "hidden.bias": hidden_bias,
        "output.weight": output_weight.reshape(outer, inner),
        "output.bias": output_bias,
    }
    return trained, layout.read_query_bin(directory / "query.bin")


def check(arguments: argparse.Namespace) -> None:
    """Compares a model with the data crates, and rounds its weights again: that must change nothing."""
    model = read_model(arguments.model)
    trained, weights = unpack(model, arguments.model)
    again = {**section_files(trained), **query_files(weights, json.loads(model["config.json"])["model"])}
    # A scale in f32 can move by its last bit. All other values are exact.
    old, new = (np.frombuffer(files["doc_scale.f32"], np.float32) for files in (model, again))
    failed = [name for name in MODEL_FILES if name != "doc_scale.f32" and model[name] != again[name]]
    failed += [] if np.allclose(old, new, rtol=2.0**-23, atol=0) else ["doc_scale.f32"]
    for name, data in crate_files(model).items():
        path = arguments.crates / name
        if not path.is_file() or path.read_bytes() != data:
            failed.append(str(path))
    if failed:
        raise RecipeError("these files differ: " + ", ".join(failed), "pack the model again, and copy its crates")
    print(f"{arguments.model}: packing gives the same bytes, and {arguments.crates} has them")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    packing = commands.add_parser("pack", help="write the model files and those of the data crates")
    packing.add_argument("trained", type=pathlib.Path, help="the .npz file that train.py has written")
    packing.add_argument("minilm", type=pathlib.Path, help="what rounding.py has written, or MiniLM's own weights")
    packing.add_argument("output", type=pathlib.Path, help="where model/ and crates/ are written")
    packing.add_argument("--name", default="ra", help="the name in config.json (default: %(default)s)")
    packing.set_defaults(command=pack)
    checking = commands.add_parser("check", help="compare a model with the data crates")
    checking.add_argument("model", type=pathlib.Path, help="a directory of model files")
    crates_help = "default: those of this repository"
    checking.add_argument("--crates", type=pathlib.Path, default=layout.CRATES, help=crates_help)
    checking.set_defaults(command=check)
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    arguments.command(arguments)


if __name__ == "__main__":
    run(main)
