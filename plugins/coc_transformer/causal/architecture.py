"""What `--network hf:…` chose, and what a model of transformers is made from."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from attrs import field, frozen

from coc_core.errors import ArtefactError, UsageError
from coc_core.storage import read_bytes
from coc_core.text import message_of, quoted
from coc_doors.hub.memory import memory_budget
from coc_transformer.causal import for_library
from coc_transformer.causal.documents import configuration, library
from coc_transformer.causal.network import CausalNetwork
from coc_transformer.causal.source import PREFIX, Source
from coc_transformer.causal.tokens import LARGEST_TOKENIZER, PretrainedTokenizer
from coc_transformer.files import checkpoint, within
from coc_transformer.network import Architecture, MadeConfig, TooManyParametersError, blamed, counted_parameters
from coc_transformer.quiet import quiet
from coc_transformer.tokenizer import BOS, EOS, PAD, TextTokenizer

_MOST_TOKENS = 1 << 20
_SPREAD = 0.02  # of new tokens, where a configuration has none
_FLOAT_BYTES = 4


@frozen
class CausalArchitecture(Architecture):
    """A model of transformers that was named."""

    source: Source
    backend = "causal-lm"

    @property
    def pretrained(self) -> bool:
        return self.source.folder is not None

    @classmethod
    def of(cls, text: str) -> "CausalArchitecture":
        """Return the choice of `hf:TEXT`; errors as for `Source.of`."""
        source = Source.of(text)
        return cls(f"{PREFIX}{source.document['model_type']}", source.sha256, source)

    def fields(self) -> Mapping[str, type]:
        return {"tokenizer": str}

    def tokenizer(self, values: Mapping[str, Any]) -> TextTokenizer | None:
        """Return the tokenizer of the folder; None if coc trains one, for new weights or where `tokenizer` is `new`.
        UsageError for another value of `tokenizer`, ArtefactError if the folder has none that can be used.
        """
        source, chosen = self.source, values.get("tokenizer", "own")
        if chosen not in ("own", "new"):
            raise UsageError(f"'tokenizer' is {quoted(chosen, 40)}", remedy="choose from own, new")
        if source.folder is None or chosen == "new":
            return None
        path = source.folder / checkpoint.TOKENIZER
        if not path.exists():
            raise ArtefactError(
                f"{source.folder} has no {checkpoint.TOKENIZER}", remedy="set tokenizer=new for new tokens"
            )
        return read_tokenizer(path, source.document, source.where)

    def config(self, values: Mapping[str, Any], vocab: int, max_len: int) -> "CausalConfig":
        tokenizer = self.tokenizer(values)
        try:
            if tokenizer is None:
                return CausalConfig(self, True, vocab, max_len)
            return CausalConfig(self, False, tokenizer.size, max_len)
        except TooManyParametersError as error:
            raise ArtefactError(f"{self.source.where}: the network {error}, which is what the memory allows") from None

    def read(self, document: object, where: str) -> "CausalConfig":
        raise UsageError(
            "a checkpoint of transformers is no --init", remedy="its folder is a network: --network hf:FOLDER"
        )


@frozen
class CausalConfig(MadeConfig):
    """What a model of transformers is made from; making one counts its parameters, for which it takes no memory."""

    architecture: CausalArchitecture
    new_tokens: bool
    vocab: int = field(validator=within(8, _MOST_TOKENS))
    max_len: int = field(validator=within(4, 1 << 16))
    _count: int = field(init=False)

    @_count.default
    def _counted(self) -> int:
        settings = self.settings()
        positions = getattr(settings, "max_position_embeddings", None)
        if positions is not None and self.max_len > positions:
            raise ValueError(f"'max_len' {self.max_len} is more than the {positions} positions of the configuration")
        return counted_parameters(lambda: _made(settings, self.architecture.name), memory_budget() // _FLOAT_BYTES)

    @property
    def document(self) -> dict[str, Any]:
        """Return the configuration, with coc's tokens if it is to have them."""
        if not self.new_tokens:
            return self.architecture.source.document
        ends = {"bos_token_id": BOS, "eos_token_id": EOS, "pad_token_id": PAD}
        return {**self.architecture.source.document, "vocab_size": self.vocab, **ends}

    @property
    def end(self) -> int:
        """Return the model's id that ends a target."""
        return EOS if self.new_tokens else end_of(self.architecture.source.document)

    def settings(self) -> Any:
        """Return the library's configuration."""
        return configuration(self.document, self.architecture.source.where)

    def network(self) -> CausalNetwork:
        source = self.architecture.source
        module: Any = _made(self.settings(), self.architecture.name) if source.folder is None else self._pretrained()
        return CausalNetwork(self, module)

    def _pretrained(self) -> Any:
        """Return the weights of the folder; new ones for the tokens if these are new."""
        source = self.architecture.source
        settings = configuration(source.document, source.where)
        with quiet(library()):
            try:
                module, found = library().AutoModelForCausalLM.from_pretrained(
                    source.folder,
                    config=settings,
                    local_files_only=True,
                    use_safetensors=True,
                    dtype=torch.float32,
                    output_loading_info=True,
                    ignore_mismatched_sizes=True,  # which are told below
                )
            except Exception as error:
                raise ArtefactError(f"transformers can't open {source.folder}: {message_of(error):.200}") from error
        for trouble in ("missing_keys", "mismatched_keys"):
            if found.get(trouble):
                names = str(sorted(found[trouble], key=str))
                raise ArtefactError(f"transformers opens {source.folder} with {trouble}: {names:.120}")
        if not all(bool(tensor.isfinite().all()) for tensor in module.parameters()):
            raise ArtefactError(f"{source.folder} has weights that are not finite")
        if self.new_tokens:
            with quiet(library()), blamed(self.architecture.name):
                module.resize_token_embeddings(self.vocab)
            for layer in (module.get_input_embeddings(), module.get_output_embeddings()):
                torch.nn.init.normal_(layer.weight, std=getattr(settings, "initializer_range", _SPREAD))
            for name, number in (("bos_token_id", BOS), ("eos_token_id", EOS), ("pad_token_id", PAD)):
                setattr(module.config, name, number)
        return module

    def parameters(self) -> int:
        return self._count

    def stated(self) -> dict[str, Any]:
        source = self.architecture.source
        weights = "new" if source.folder is None else source.label
        return {"tokenizer": "new" if self.new_tokens else "own", "weights": weights}


def end_of(document: Mapping[str, Any]) -> int:
    """Return the id that ends a text; -1 if a configuration names none."""
    found = document.get("eos_token_id")
    found = found[0] if isinstance(found, list) and found else found
    return found if type(found) is int else -1


def read_tokenizer(path: Path, document: Mapping[str, Any], where: str) -> TextTokenizer:
    """Read a tokenizer, coc's or another, for a model's configuration; ArtefactError if it can't be used."""
    data, size = read_bytes(path, LARGEST_TOKENIZER), document.get("vocab_size", 0)
    try:
        found = for_library.from_file(data, str(path))
    except ArtefactError:
        return PretrainedTokenizer(data, str(path), size, end_of(document))
    if found.size != size:
        raise ArtefactError(f"{path} has {found.size} tokens, and {where} has {size}")
    return found


def _made(settings: Any, name: str) -> Any:
    """Return a new model, whose weights torch's global generator draws."""
    with quiet(library()), blamed(name):
        return library().AutoModelForCausalLM.from_config(settings, dtype=torch.float32)
