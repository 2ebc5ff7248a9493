"""What `--network hf:…` chose, what a model of transformers is made from, that model as a network of coc, and its
checkpoint, a folder that transformers opens, too: `config.json` has its configuration and what coc says.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from attrs import frozen
from torch import Tensor

from coc_core.errors import ArtefactError, PluginError, UsageError
from coc_core.models import CONFIG
from coc_core.storage import parse_json_object, read_bytes, read_document
from coc_doors.hub.memory import memory_budget
from coc_transformer.files import check_size, checkpoint
from coc_transformer.network.base import Architecture, MadeConfig, Network, Stepping, inner_matrices, with_weights
from coc_transformer.network.configuration import (
    COC_KEYS,
    PREFIX,
    check_document,
    configuration,
    library,
    read_configuration,
    without_form,
)
from coc_transformer.network.own import blamed, counted_parameters, own_network
from coc_transformer.quiet import quiet
from coc_transformer.tokenizer import (
    BOS,
    EOS,
    LARGEST_FILE,
    NO_TEXT,
    PAD,
    SEPARATOR,
    SPACE,
    SPECIALS,
    UNK,
    TextTokenizer,
)

ENDS = {"bos_token_id": BOS, "eos_token_id": EOS, "pad_token_id": PAD}


class CausalNetwork(Network):
    """A network around a causal language model, `module`."""

    config: "CausalConfig"
    draws = True

    def __init__(self, config: "CausalConfig", module: Any) -> None:
        super().__init__()
        self.config, self.module = config, module
        module.config.pad_token_id = None  # else the library warns of padding, which a causal model does not see

    def hidden(self, input_ids: Tensor, drawn: Any = None, selected: Tensor | None = None) -> Tensor:
        with blamed(self.config.architecture.name):
            logits: Tensor = self.module(input_ids=input_ids, use_cache=False).logits
        return logits if selected is None else logits.flatten(0, 1)[selected]

    def project(self, x: Tensor) -> Tensor:
        return x

    def double(self) -> "CausalNetwork":
        """Compute in float64, which the library's fast products of experts can't compute in."""
        self.module.set_experts_implementation("eager")
        return super().double()

    def begin(self, rows: Sequence[list[int]]) -> Stepping:
        return Stepping(self._step, self.device, rows, _kept)

    def saved(self) -> Mapping[str, Tensor]:
        names = {name for name, _ in self.module.named_parameters()}
        shared = {name for name, _ in self.module.named_parameters(remove_duplicate=False)} - names
        return {name: tensor for name, tensor in self.module.state_dict().items() if name not in shared}

    def matrices(self) -> frozenset[str]:
        output = self.module.get_output_embeddings().weight
        return frozenset(name for name, parameter in inner_matrices(self).items() if parameter is not output)

    def _step(self, input_ids: Tensor, state: Any) -> tuple[Tensor, Any]:
        """Return the logits after some more tokens, and the library's cache, with the name of its argument."""
        name, cache = state or ("", None)
        with blamed(self.config.architecture.name):
            found = self.module(input_ids=input_ids, use_cache=True, **({name: cache} if name else {}))
        name = next((each for each in ("past_key_values", "cache_params") if found.get(each) is not None), "")
        if not name:
            raise PluginError(
                f"the network {self.config.architecture.name} keeps no cache, so coc can't decode with it"
            )
        return found.logits[:, -1], (name, found[name])


def _kept(state: Any, rows: Tensor) -> Any:
    """Return the state of some of its sequences."""
    state[1].reorder_cache(rows)
    return state


_FLOAT_BYTES = 4


@frozen
class CausalArchitecture(Architecture):
    """A model of transformers that was named: its configuration, as a file has it, and `where` that is for errors."""

    document: dict[str, Any]
    where: str
    backend = "causal-lm"

    @classmethod
    def of(cls, text: str) -> "CausalArchitecture":
        """Return the choice of `hf:TEXT`; errors as for `read_configuration`."""
        path = Path(text)
        document = read_configuration(path)
        return cls(f"{PREFIX}{document['model_type']}", checkpoint.sum_of(path), document, text)

    def fields(self) -> Mapping[str, type]:
        return {}

    def config(self, values: Mapping[str, Any], vocab: int, max_len: int) -> "CausalConfig":
        return CausalConfig(self, vocab, max_len)


@frozen
class CausalConfig(MadeConfig):
    """What a model of transformers is made from."""

    @cached_property
    def _count(self) -> int:
        positions = getattr(self.settings(), "max_position_embeddings", None)
        if positions is not None and self.max_len > positions:
            raise ValueError(f"'max_len' {self.max_len} is more than the {positions} positions of the configuration")
        name, most = self.architecture.name, memory_budget() // _FLOAT_BYTES
        try:
            return counted_parameters(self._made, most, name=name)
        except UsageError as error:
            reason = f"{self.architecture.where}: {error.message}, which is what the memory allows"
            raise ArtefactError(reason) from None

    def settings(self) -> Any:
        """Return the library's configuration, with coc's tokens."""
        return configuration({**self.architecture.document, "vocab_size": self.vocab, **ENDS}, self.architecture.where)

    def network(self) -> CausalNetwork:
        return CausalNetwork(self, self._made())

    def _made(self) -> Any:
        """Return a new model, whose weights torch's global generator draws."""
        settings = self.settings()
        with quiet(library()), blamed(self.architecture.name):
            return library().AutoModelForCausalLM.from_config(settings, dtype=torch.float32)

    def stated(self) -> dict[str, Any]:
        return {}


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
    stored = read_document(_Model, config.get("model"), f"{where}, 'model'")
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


def _to_bytes(document: Mapping[str, Any], **form: Any) -> bytes:
    return (json.dumps(document, **(form or {"indent": 2})) + "\n").encode()


_ADDED = ("normalizer", "post_processor")


def to_library(tokenizer: TextTokenizer) -> bytes:
    """Return the contents of `tokenizer.json` for transformers, with two steps that coc performs in code, so that the
    library reads a prompt as the model does: U+2581, which stands for a space within the tokenizer, is an unknown
    character in a text; and a prompt gets [BOS] before it and the separator after it.
    """
    document = {**json.loads(tokenizer.to_json()), **_steps(tokenizer.encode(SEPARATOR))}
    return _to_bytes(document, ensure_ascii=False, indent=1)


def from_library(data: bytes, where: str) -> TextTokenizer:
    """Return the inverse of `to_library`; ArtefactError, naming `where`, for a file that it did not write."""
    parsed = parse_json_object(data, where)
    tokenizer = TextTokenizer.from_json(_to_bytes({**parsed, **dict.fromkeys(_ADDED)}), where)
    if tokenizer.notation or tokenizer.dialects > 1:
        raise ArtefactError(f"{where} can't be in such a folder: it rewrites numbers, or tells dialects apart")
    steps = _steps(tokenizer.encode(SEPARATOR))
    for name in _ADDED:
        if parsed.get(name) != steps[name]:
            raise ArtefactError(f"{where}: {name!r} is not one of such a folder: {json.dumps(parsed.get(name))[:80]}")
    return tokenizer


def library_settings(max_len: int) -> dict[str, Any]:
    """Return the contents of `tokenizer_config.json`. A special token spelled out in a text is plain characters."""
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": SPECIALS[BOS],
        "eos_token": SPECIALS[EOS],
        "pad_token": SPECIALS[PAD],
        "unk_token": SPECIALS[UNK],
        "split_special_tokens": True,
        "clean_up_tokenization_spaces": False,
        "model_input_names": ["input_ids", "attention_mask"],
        "model_max_length": max_len,
        "padding_side": "left",
    }


def _steps(separator: list[int]) -> dict[str, Any]:
    """Return the steps before and after the tokenizer proper; `separator` has the ids of the separator."""
    prompt, following = ({"Sequence": {"id": name, "type_id": 0}} for name in "AB")
    begin, end = ({"SpecialToken": {"id": name, "type_id": 0}} for name in (SPECIALS[BOS], SEPARATOR))
    tokens = {
        SPECIALS[BOS]: {"id": SPECIALS[BOS], "ids": [BOS], "tokens": [SPECIALS[BOS]]},
        SEPARATOR: {"id": SEPARATOR, "ids": separator, "tokens": [SEPARATOR] * len(separator)},
    }
    return {
        "normalizer": {"type": "Replace", "pattern": {"String": SPACE}, "content": NO_TEXT},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [begin, prompt, end],
            "pair": [begin, prompt, end, following],
            "special_tokens": tokens,
        },
    }


def named_network(choice: Any) -> Architecture:
    """Return what `--network` chose: as `own_network`, or as `CausalArchitecture.of` for `hf:CONFIG.json`."""
    if isinstance(choice, str) and choice.startswith(PREFIX):
        return CausalArchitecture.of(choice.removeprefix(PREFIX))
    return own_network(choice)
