"""Which configurations of transformers `--network hf:CONFIG.json` may name: one may come from anywhere, and so it is
checked before anything is made of it.
"""

import json
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from coc_core.errors import ArtefactError, UsageError
from coc_core.extras import needs_extra
from coc_core.storage import read_json
from coc_core.text import message_of, quoted
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
COC_KEYS = ("backend", "dialects", "sizes", "tested", "network", "model", "training")
"""The keys of `config.json` that are coc's, beside those of transformers."""


def read_configuration(path: Path) -> dict[str, Any]:
    """Return the configuration in a file, without what coc says of a checkpoint there; ArtefactError if it can't be
    used, UsageError if there is no file.
    """
    if not path.is_file():
        raise UsageError(f"{quoted(f'{PREFIX}{path}', 80)} is no configuration", remedy="write hf:CONFIG.json")
    document = {key: value for key, value in read_json(path).items() if key not in COC_KEYS}
    check_document(document, str(path))
    return document
