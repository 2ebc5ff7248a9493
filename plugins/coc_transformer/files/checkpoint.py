"""A checkpoint's folder: config.json, model.safetensors, tokenizer.json, README.md (the model card), SHA256SUMS, and a
training's metrics, which nothing reads. `save` writes all of it or nothing; `load` trusts none of it.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.errors import ArtefactError
from coc_core.models import CONFIG, Identity
from coc_core.storage import SUMS, Contents, check_sums, open_regular, read_bytes, read_document, sums_of, write_folder
from coc_transformer.files import weights
from coc_transformer.files.config import ModelConfig, Shape, check_size
from coc_transformer.tokenizer import LARGEST_FILE, TextTokenizer

WEIGHTS = "model.safetensors"
TOKENIZER = "tokenizer.json"
CARD = "README.md"
_DECISIVE = (CONFIG, TOKENIZER, WEIGHTS)
_LARGEST = 1 << 40  # bytes


@frozen
class Stored:
    """A model as its folder has it."""

    config: ModelConfig
    tokenizer: TextTokenizer
    tensors: Mapping[str, weights.Array]


def contents(
    identity: Identity,
    model: Mapping[str, Any],
    tensors: weights.Contents,
    training: Mapping[str, Any],
    tokenizer: TextTokenizer,
) -> dict[str, Any]:
    """Return the contents of a checkpoint's files by name, except the model card. `model` has the keys that say what
    the network is, its configuration among them; `training`, how it was trained, is for people.
    """
    document = identity.to_json() | {**model, "training": dict(training)}
    return {CONFIG: (json.dumps(document, indent=2) + "\n").encode(), WEIGHTS: tensors, TOKENIZER: tokenizer.to_json()}


def save(folder: Path, files: Mapping[str, Contents], card: str) -> None:
    """Write a checkpoint's folder whole or not at all, in place of an older one; UsageError for anything else."""
    text = card.encode("utf-8", "backslashreplace")  # it names folders, whose names may be any bytes
    write_folder(folder, sealed({**files, CARD: text}), marker=CONFIG)


def sealed(files: Mapping[str, Contents]) -> dict[str, Contents]:
    """Return files with their `SHA256SUMS`."""
    return {**files, SUMS: sums_of(files)}


def load(folder: Path, config: dict[str, Any]) -> Stored:
    """Read a checkpoint, given its backend's own keys of `config.json`; ArtefactError if anything is not as it must be.
    Before memory is taken for the weights, the memory budget must allow the model that `config` describes, and the size
    and the header of their file must fit it.
    """
    check_keys(folder, config, "model")
    where = f"{folder / CONFIG}, 'model'"
    model_config = read_document(ModelConfig, config.get("model"), where, sparse=True)  # some are older than a key
    tokenizer = load_tokenizer(folder, config, model_config)
    return Stored(model_config, tokenizer, load_tensors(folder, model_config.shapes()))


def check_keys(folder: Path, config: Mapping[str, Any], *known: str) -> None:
    """Raise ArtefactError if a `config.json` has other keys of the backend's own than these and `training`."""
    for name in config:
        if name not in (*known, "training"):
            raise ArtefactError(f"{folder / CONFIG} has the unknown key {name!r:.80}")


def load_tokenizer(folder: Path, config: Mapping[str, Any], shape: Shape) -> TextTokenizer:
    """Return the tokenizer of a network of this size, once the size is allowed."""
    where = str(folder / CONFIG)
    check_size(shape, where)
    tokenizer = TextTokenizer.from_json(read_bytes(folder / TOKENIZER, LARGEST_FILE), str(folder / TOKENIZER))
    if tokenizer.size != shape.vocab:
        raise ArtefactError(
            f"{folder / TOKENIZER} has {tokenizer.size} tokens, and {where} says 'vocab' is {shape.vocab}"
        )
    return tokenizer


def load_tensors(folder: Path, shapes: weights.Shapes) -> dict[str, weights.Array]:
    """Return the weights of these shapes, once they are those that `SHA256SUMS` names."""
    tensors = dict(weights.read(folder / WEIGHTS, shapes))
    _sums(folder)
    return tensors


def fingerprint(folder: Path) -> str:
    """Return the SHA-256 of the files that determine the model's responses; ArtefactError as for `_sums`."""
    return hashlib.sha256(b"".join(map(bytes.fromhex, _sums(folder).values()))).hexdigest()


def _sums(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file that determines the model's responses, in hexadecimal; ArtefactError if one can't
    be read, or has not the sum that the folder's `SHA256SUMS` gives.
    """
    found = {name: sum_of(folder / name) for name in _DECISIVE}
    check_sums(folder, found)
    return found


def sum_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal; ArtefactError if it can't be read."""
    try:
        with open_regular(path, _LARGEST) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ArtefactError(f"can't read {path}: {error.strerror}") from None
