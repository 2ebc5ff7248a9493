"""A checkpoint: what coc refuses to open is refused here, too, and so is what is too large for this checker."""

import hashlib
import math
from pathlib import Path
from typing import Any

import numpy as np

from certificate.strict import fields, parsed, read, require

FILES = ("config.json", "tokenizer.json", "model.safetensors")
LARGEST = {"config.json": 1 << 20, "tokenizer.json": 1 << 24, "model.safetensors": 1 << 27}
LARGEST_HEADER, MOST_PARAMETERS = 1 << 20, 1 << 25
PICKLES = {".bin", ".ckpt", ".joblib", ".npy", ".npz", ".pickle", ".pkl", ".pt", ".pth"}
SIZES = {
    "vocab": (8, 65_536),
    "d_model": (4, 4_096),
    "layers": (1, 64),
    "heads": (1, 64),
    "d_ff": (4, 16_384),
    "max_len": (4, 8_192),
    "token_shift": (0, 8),
    "rotary": (0, 256),
    "digit_rows": (2, 4_096),
}
OPTIONAL = {"rotary": 0, "digit_rows": 64, "prompt_attention": True, "list_attention": True, "log_scaling": False}
FIELD_ROWS = 64


class Checkpoint:
    """The files of a folder, each read once: the configuration, the dialects, the tokenizer's document, the tensors."""

    def __init__(self, folder: Path) -> None:
        pickles = [path.name for path in folder.iterdir() if path.suffix.lower() in PICKLES]
        require(not pickles, f"{pickles} may be pickles")
        files = {name: read(folder / name, LARGEST[name]) for name in FILES}
        digests = {name: hashlib.sha256(data).digest() for name, data in files.items()}
        self.fingerprint = hashlib.sha256(b"".join(digests.values())).hexdigest()
        if (sums := folder / "SHA256SUMS").exists():
            lines = set(read(sums, 1 << 16).decode("ascii").splitlines())
            same = all(f"{digest.hex()}  {name}" in lines for name, digest in digests.items())
            require(same, "a file was changed: its SHA-256 is not the one in SHA256SUMS")
        self.dialects, self.config = configuration(parsed(files["config.json"], "config.json"))
        self.tokenizer = parsed(files["tokenizer.json"], "tokenizer.json")
        self.tensors = tensors(files["model.safetensors"], shapes(self.config))


def configuration(document: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """Return the dialects, and the hyperparameters of the model."""
    document = {"sizes": {}, "tested": {}} | document
    kinds = {"backend": str, "dialects": list, "sizes": dict, "tested": dict, "model": dict, "training": dict}
    fields(document, "config.json", kinds)  # type: ignore[arg-type]
    dialects = document["dialects"]
    require(document["backend"] == "transformer", f"the backend is {document['backend']!r:.60}")
    require(all(type(dialect) is str for dialect in dialects), "a dialect is not a text")
    require({*document["sizes"], *document["tested"]} <= {*dialects}, "sizes of a dialect that it does not have")
    require(all(map(_is_span, document["sizes"].values())), "'sizes' are not pairs of numbers")
    require(all(map(_are_results, document["tested"].values())), "'tested' are not results of tests")
    require(not any(type(note) in (list, dict) for note in document["training"].values()), "'training' is no record")
    return dialects, _hyperparameters(document["model"])


def _hyperparameters(stated: dict[str, Any]) -> dict[str, Any]:
    config = OPTIONAL | {name: value for name, value in stated.items() if (name, value) != ("list_end_rotary", False)}
    switches = {name: bool for name, default in OPTIONAL.items() if type(default) is bool}
    numbers = dict.fromkeys(SIZES, int) | {"dropout": (float, int), "positions": str}
    fields(config, "the model", numbers | switches)  # type: ignore[arg-type]
    for name, (least, most) in SIZES.items():
        require(least <= config[name] <= most, f"{name!r} is {config[name]}, and {least} to {most} are allowed")
    require(0 <= config["dropout"] <= 0.9, "'dropout' is not from 0 to 0.9")
    require(config["d_model"] % config["heads"] == 0, "'d_model' is not a multiple of 'heads'")
    absolute = config["positions"] == "absolute"
    require(absolute or config["positions"] == "fields", "this checker does not know these positions")
    require(config["rotary"] == 0 and config["token_shift"] <= 1, "this checker does not know the architecture")
    require(not absolute or (config["prompt_attention"] and config["list_attention"]), "no mask without positions")
    count = sum(map(math.prod, shapes(config).values()))
    require(count <= MOST_PARAMETERS, f"{count:,} parameters are too many for this checker")
    return config


def shapes(config: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the tensors by name."""
    d, f = config["d_model"], config["d_ff"]
    rows = (
        {"": config["max_len"]} if config["positions"] == "absolute" else {"0.": FIELD_ROWS, "1.": config["digit_rows"]}
    )
    block = {"norm1.weight": (d,), "norm1.bias": (d,), "qkv.weight": (3 * d, d), "out.weight": (d, d)}
    block |= {"norm2.weight": (d,), "norm2.bias": (d,), "up.weight": (f, d), "up.bias": (f,)}
    block |= {"down.weight": (d, f), "down.bias": (d,)}
    return {
        "tokens.weight": (config["vocab"], d),
        **{f"positions.{name}weight": (count, d) for name, count in rows.items()},
        **{f"shifts.{number}.weight": (d, d) for number in range(config["token_shift"])},
        **{f"blocks.{number}.{name}": shape for number in range(config["layers"]) for name, shape in block.items()},
        "norm.weight": (d,),
        "norm.bias": (d,),
    }


def tensors(data: bytes, expected: dict[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    """Return the tensors of a safetensors file, in float64. They must be all that are expected, in float32, without
    gaps.
    """
    length = int.from_bytes(data[:8], "little")
    require(length <= LARGEST_HEADER, f"the header of the weights claims {length:,} bytes")
    header, body, end = parsed(data[8 : 8 + length], "the header of the weights"), data[8 + length :], 0
    require(header.keys() == expected.keys(), f"other tensors: {sorted(header.keys() ^ expected.keys())[:3]}")
    for name, entry in header.items():
        fields(entry, name, {"dtype": str, "shape": list, "data_offsets": list})
        require(entry["dtype"] == "F32", f"{name} is of the type {entry['dtype']!r:.20}, not F32")
        whole = all(type(number) is int and number >= 0 for number in entry["shape"] + entry["data_offsets"])
        require(whole and tuple(entry["shape"]) == expected[name], f"{name} has another shape")
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        require(entry["data_offsets"] == [end, end + 4 * math.prod(expected[name])], f"{name} is at another place")
        end = entry["data_offsets"][1]
    require(len(body) == end, f"the weights have {len(body):,} bytes, not {end:,}")
    found = {}
    for name, shape in expected.items():
        begin, end = header[name]["data_offsets"]
        found[name] = np.frombuffer(body[begin:end], "<f4").astype(float).reshape(shape)
        require(bool(np.isfinite(found[name]).all()), f"{name} has a number that is not finite")
    return found


def _is_number(value: object) -> bool:
    return type(value) is int and 0 <= value <= 10**18


def _is_span(value: object) -> bool:
    return type(value) is list and len(value) == 2 and all(map(_is_number, value)) and value[0] <= value[1]


def _are_results(value: object) -> bool:
    names = {"n", "problems", "pairs", "exact"}
    return type(value) is list and all(
        type(each) is dict
        and each.keys() == names
        and all(map(_is_number, each.values()))
        and each["exact"] <= each["pairs"]
        for each in value
    )
