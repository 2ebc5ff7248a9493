"""The folder of a checkpoint that transformers opens, too: `config.json` has its configuration and what coc says."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.errors import ArtefactError, UsageError
from coc_core.models import CONFIG
from coc_core.storage import read_bytes
from coc_transformer.files import check_size, checkpoint, from_json
from coc_transformer.network.base import Network, with_weights
from coc_transformer.network.causal import ENDS, CausalArchitecture, CausalConfig
from coc_transformer.network.configuration import COC_KEYS, PREFIX, check_document, library, without_form
from coc_transformer.network.library_tokens import from_library, library_settings, to_library
from coc_transformer.quiet import quiet
from coc_transformer.tokenizer import LARGEST_FILE, TextTokenizer

_GENERATION, _TOKENIZER_CONFIG = "generation_config.json", "tokenizer_config.json"


@frozen
class _Model:
    """What `config.json` says of the network beside what transformers does."""

    max_len: int


def check_tokens(tokens: str, dialects: int = 1) -> None:
    """Raise UsageError for tokens that transformers can't have."""
    if tokens not in ("digits", "merged"):
        reason = f"transformers can't read tokens={tokens}, which rewrites numbers"
        raise UsageError(reason, remedy="set tokens=digits")
    if dialects > 1:
        reason = f"transformers can't tell {dialects} dialects apart"
        raise UsageError(reason, remedy="train a model for each memory and arithmetic")


def as_folder(files: Mapping[str, Any], config: CausalConfig, tokenizer: TextTokenizer) -> dict[str, Any]:
    """Return a checkpoint's files, as transformers opens them: configuration, tokens and the end of a target."""
    ours, made = json.loads(files[CONFIG]), config.settings()
    theirs = without_form(json.loads(made.to_json_string()))
    document = {**ours, "model": {"max_len": config.max_len}, **theirs}
    document |= {"dtype": "float32", "architectures": [library().MODEL_FOR_CAUSAL_LM_MAPPING[type(made)].__name__]}
    settings = library_settings(config.max_len)
    if _has_tokenizer_class(made):
        # No code is there to be run: with this key, such a class reads tokenizer.json as it stands.
        settings["trust_remote_code"] = True
    return {
        **files,
        CONFIG: _to_bytes(document),
        checkpoint.TOKENIZER: to_library(tokenizer),
        _TOKENIZER_CONFIG: _to_bytes(settings),
        _GENERATION: _to_bytes({**ENDS, "do_sample": False, "max_length": config.max_len}),
    }


def load_causal(folder: Path, config: Mapping[str, Any]) -> tuple[Network, TextTokenizer]:
    """Return the network and the tokenizer of a checkpoint, of which nothing is run: the model is one of the library's
    own, made from a configuration that was checked. ArtefactError if anything in the folder is not as it must be.
    """
    where = str(folder / CONFIG)
    stored = from_json(_Model, config.get("model"), f"{where}, 'model'")
    document = {key: value for key, value in config.items() if key not in COC_KEYS}
    check_document(document, where)
    architecture = CausalArchitecture(f"{PREFIX}{document['model_type']}", "", document, where)
    path = folder / checkpoint.TOKENIZER
    tokenizer = from_library(read_bytes(path, LARGEST_FILE), str(path))
    if tokenizer.size != document.get("vocab_size"):
        raise ArtefactError(f"{path} has {tokenizer.size} tokens, and {where} has {document.get('vocab_size')}")
    try:
        made = CausalConfig(architecture, tokenizer.size, stored.max_len)
    except ValueError as error:
        raise ArtefactError(f"{where}: {error.args[0]}") from None
    check_size(made, where)
    return with_weights(made, folder), tokenizer


def _has_tokenizer_class(settings: Any) -> bool:
    """Return whether AutoTokenizer may take a class that makes tokens anew, and splits texts its way."""
    transformers = library()
    with quiet(transformers):
        found = transformers.TOKENIZER_MAPPING.get(type(settings), None)
    return found is not None and "__init__" in vars(found)


def _to_bytes(document: Mapping[str, Any]) -> bytes:
    return (json.dumps(document, indent=2) + "\n").encode()
