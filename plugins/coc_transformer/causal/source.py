"""What `--network hf:…` names: a configuration, a folder with weights, or a pinned revision on the Hub; and which
configurations of transformers are allowed: before anything is made of one, it may come from anywhere.
"""

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.errors import ArtefactError, UsageError
from coc_core.extras import needs_extra
from coc_core.models import CONFIG, check_pickles
from coc_core.storage import read_json
from coc_core.text import message_of, quoted
from coc_doors.hub import fetched
from coc_transformer.files import checkpoint
from coc_transformer.quiet import quiet

_MOST_LISTED = 1_000
_LISTED = ("layer", "num_labels", "attention_types", "first_k_dense_replace")
"""Parts of the keys of numbers of which the library makes lists as long, before a network."""
_LARGEST = 1 << 40
_REFUSED = {
    "auto_map": "names code of its own, which coc never runs",
    "quantization_config": "is of quantised weights, which can't be trained",
}


def library() -> Any:
    """Return the library transformers; UsageError if it is not installed."""
    with needs_extra("transformers", "networks of transformers need the package transformers"):
        return import_module("transformers")


def check_document(document: Mapping[str, Any], where: str) -> None:
    """Raise ArtefactError for a configuration of no causal language model, with code of its own or absurd numbers."""
    for key, reason in _REFUSED.items():
        if document.get(key) is not None:
            raise ArtefactError(f"{where} {reason} ({key!r})")
    for key, value in _numbers(document):
        if abs(value) > _LARGEST or (value > _MOST_LISTED and any(each in key for each in _LISTED)):
            raise ArtefactError(f"{where}: {quoted(key, 40)} is {value:.3g}, which is too large")
    transformers, kind = library(), document.get("model_type")
    known = transformers.CONFIG_MAPPING
    if kind is None:
        raise ArtefactError(f"{where} is no configuration of transformers: it has no 'model_type'")
    if not isinstance(kind, str) or kind not in known or known[kind] not in transformers.MODEL_FOR_CAUSAL_LM_MAPPING:
        raise ArtefactError(
            f"{where}: the model type {quoted(str(kind), 40)} is no causal language model that coc trains"
        )
    if type(document.get("vocab_size", 0)) is not int:
        raise ArtefactError(f"{where}: 'vocab_size' is not a whole number")


def configuration(document: Mapping[str, Any], where: str) -> Any:
    """Return the library's configuration of a document that was checked; ArtefactError if the library refuses it."""
    transformers = library()
    with quiet(transformers):
        try:
            found = transformers.AutoConfig.for_model(**json.loads(json.dumps(document), object_hook=_allowed))
            found.to_json_string()  # a key may take the place of a method
            return found
        except Exception as error:
            raise ArtefactError(f"transformers refuses {where}: {message_of(error):.200}") from error


def _allowed(document: dict[str, Any]) -> Any:
    """Return an object without its implementations, which may be code on the Hub; or a number that JSON has not."""
    if document.keys() == {"__float__"}:
        return float(document["__float__"])
    return {key: value for key, value in document.items() if not key.endswith("_implementation")}


def without_form(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration without class and number format, which a checkpoint states and its source need not."""
    return {key: value for key, value in document.items() if key not in ("architectures", "dtype")}


def _numbers(document: object, key: str = "") -> Iterator[tuple[str, float]]:
    """Yield the numbers of a document, each with its key."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield from _numbers(value, str(name))
    elif isinstance(document, list):
        for value in document:
            yield from _numbers(value, key)
    elif isinstance(document, int | float):
        yield key, document


PREFIX = "hf:"
_REVISION = re.compile(
    "(?P<repository>[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95})(@(?P<commit>.*))?"
)
_REMEDY = "write hf:CONFIG.json, hf:FOLDER, or hf:OWNER/NAME@COMMIT with the 40 digits of a commit"
_ADAPTER, _INDEX = "adapter_config.json", "model.safetensors.index.json"
COC_KEYS = ("backend", "dialects", "sizes", "tested", "network", "model", "training")
"""The keys of `config.json` that are coc's, beside those of transformers."""


@frozen
class Source:
    """What was named: a configuration as its file has it, `where` it is for errors, the folder of its weights (None for
    new ones), the SHA-256 of both, and what cards call the weights.
    """

    document: dict[str, Any]
    where: str
    folder: Path | None
    sha256: str
    label: str

    @classmethod
    def of(cls, text: str) -> "Source":
        """Return what a text names, `hf:` left out; UsageError if that is nothing or a revision that may move,
        ServiceError if the Hub can't be reached, ArtefactError if the configuration or the folder can't be used.
        """
        path = Path(text)
        if not text or "\0" in text or not path.exists():
            found = _REVISION.fullmatch(text)
            if found is None or found["commit"] is None or text.endswith(".json"):
                raise UsageError(f"{quoted(PREFIX + text, 80)} is no configuration or folder", remedy=_REMEDY)
            if not re.fullmatch("[0-9a-f]{40}", found["commit"]):
                raise UsageError(f"{quoted(PREFIX + text, 120)} is a revision that may move", remedy=_REMEDY)
            return cls._of_folder(fetched(found["repository"], found["commit"], cls._of_folder)[1], text)
        if path.is_dir():
            return cls._of_folder(path, path.resolve().name)
        return cls(_document(path), text, None, checkpoint.sum_of(path), "")

    @classmethod
    def _of_folder(cls, folder: Path, label: str = "") -> "Source":
        check_pickles(folder)
        document = _document(folder / CONFIG)
        weights = sorted(each for each in folder.iterdir() if each.suffix == ".safetensors")
        if not weights:
            raise ArtefactError(f"{folder} has no weights as safetensors", remedy="no other format is ever opened")
        if (folder / _ADAPTER).exists():
            raise ArtefactError(
                f"{folder} has an adapter ({_ADAPTER})", remedy="merge it with the weights, or delete it"
            )
        if (folder / _INDEX).exists():
            parts = read_json(folder / _INDEX).get("weight_map")
            if not isinstance(parts, dict) or not {*map(str, parts.values())} <= {each.name for each in weights}:
                raise ArtefactError(f"{folder / _INDEX} names weights that are not in the folder")
        sums = "".join(f"{checkpoint.sum_of(each)}  {each.name}\n" for each in (folder / CONFIG, *weights))
        return cls(document, str(folder / CONFIG), folder, sha256(sums.encode()).hexdigest(), label)


def _document(path: Path) -> dict[str, Any]:
    """Return the configuration in a file, without what coc says of a checkpoint there."""
    document = {key: value for key, value in read_json(path).items() if key not in COC_KEYS}
    check_document(document, str(path))
    return document
