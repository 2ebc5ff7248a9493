"""What `--network hf:…` chose, what a model of transformers is made from, and that model as a network of coc."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from attrs import field, frozen
from torch import Tensor, nn

from coc_core.errors import ArtefactError, PluginError, UsageError
from coc_core.storage import read_bytes
from coc_core.text import message_of, quoted
from coc_doors.hub.memory import memory_budget
from coc_transformer.causal.source import PREFIX, Source, configuration, library
from coc_transformer.causal.tokens import LARGEST_TOKENIZER, PretrainedTokenizer, from_library
from coc_transformer.files import checkpoint, weights, within
from coc_transformer.network import Architecture, MadeConfig, Network, Stepping, blamed, counted_parameters
from coc_transformer.quiet import quiet
from coc_transformer.tokenizer import BOS, EOS, PAD, TextTokenizer

_LARGE = 1e4
ENDS = {"bos_token_id": BOS, "eos_token_id": EOS, "pad_token_id": PAD}


class CausalNetwork(Network):
    """A network around a causal language model, `module`.

    Where the model computes its logits with a last layer of hidden states and nothing else, as most do, coc computes
    them only where a token is predicted.
    """

    config: "CausalConfig"
    draws = True

    def __init__(self, config: "CausalConfig", module: Any) -> None:
        super().__init__()
        self.config, self.module = config, module
        module.config.pad_token_id = None  # else the library warns of padding, which a causal model does not see
        with blamed(config.architecture.name):
            self._split, self._end = _splits(module), config.end

    def hidden(self, input_ids: Tensor, drawn: Any = None, selected: Tensor | None = None) -> Tensor:
        input_ids = self._theirs(input_ids)
        with blamed(self.config.architecture.name):
            states: Tensor = _hidden(self.module, input_ids) if self._split else _logits(self.module, input_ids)
        return states if selected is None else states.flatten(0, 1)[selected]

    def project(self, x: Tensor) -> Tensor:
        return self._ours(self.module.get_output_embeddings()(x) if self._split else x)

    def double(self) -> "CausalNetwork":
        """Compute in float64, which the library's fast products of experts can't compute in."""
        self.module.set_experts_implementation("eager")
        return super().double()

    def begin(self, rows: Sequence[list[int]]) -> tuple[Stepping, weights.Array]:
        reader = Stepping(self._step, self.device, rows, _kept)
        return reader, reader.begin()

    def saved(self) -> Mapping[str, Tensor]:
        names = {name for name, _ in self.module.named_parameters()}
        shared = {name for name, _ in self.module.named_parameters(remove_duplicate=False)} - names
        return {name: tensor for name, tensor in self.module.state_dict().items() if name not in shared}

    def matrices(self) -> frozenset[str]:
        embeddings = {id(each.weight) for each in self.modules() if isinstance(each, nn.Embedding)}
        embeddings.add(id(self.module.get_output_embeddings().weight))
        return frozenset(
            name
            for name, parameter in self.named_parameters()
            if parameter.dim() == 2 and id(parameter) not in embeddings
        )

    def _step(self, input_ids: Tensor, state: Any) -> tuple[Tensor, Any]:
        """Return the logits after some more tokens, and the library's cache, with the name of its argument."""
        name, cache = state or ("", None)
        with blamed(self.config.architecture.name):
            found = self.module(input_ids=self._theirs(input_ids), use_cache=True, **({name: cache} if name else {}))
        name = next((each for each in ("past_key_values", "cache_params") if found.get(each) is not None), "")
        if not name:
            raise PluginError(
                f"the network {self.config.architecture.name} keeps no cache, so coc can't decode with it"
            )
        return self._ours(found.logits[:, -1]), (name, found[name])

    def _theirs(self, input_ids: Tensor) -> Tensor:
        """Give the model's ids: those of its end and of coc's `EOS` change places."""
        if self._end == EOS:
            return input_ids
        swapped = input_ids.masked_fill(input_ids == EOS, self._end)
        return swapped.masked_fill(input_ids == self._end, EOS)

    def _ours(self, logits: Tensor) -> Tensor:
        """Put logits in the order of coc's ids."""
        if self._end == EOS:
            return logits
        order = torch.arange(logits.shape[-1], device=logits.device)
        return logits[..., self._theirs(order)]


def _kept(state: Any, rows: Tensor) -> Any:
    """Return the state of some of its sequences."""
    state[1].reorder_cache(rows)
    return state


def _hidden(module: Any, input_ids: Tensor) -> Any:
    return module.base_model(input_ids=input_ids, use_cache=False).last_hidden_state


def _logits(module: Any, input_ids: Tensor) -> Any:
    return module(input_ids=input_ids, use_cache=False).logits


@torch.no_grad()
def _splits(module: Any) -> bool:
    """Return whether the logits are those of the last layer: found out with large ones, which a cap would change."""
    ids, training, head = torch.arange(3)[None], module.training, module.get_output_embeddings()
    if head is None:
        return False
    enlarged = head.register_forward_hook(lambda _layer, _given, logits: logits * _LARGE)
    module.eval()
    try:
        return torch.allclose(head(_hidden(module, ids)), _logits(module, ids), atol=1e-6)
    except (AttributeError, TypeError):
        return False
    finally:
        enlarged.remove()
        module.train(training)


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
        return CausalConfig(self, tokenizer is None, vocab if tokenizer is None else tokenizer.size, max_len)

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
        name, most = self.architecture.name, memory_budget() // _FLOAT_BYTES
        try:
            return counted_parameters(lambda: _made(settings, name), most, name=name)
        except UsageError as error:
            reason = f"{self.architecture.source.where}: {error.message}, which is what the memory allows"
            raise ArtefactError(reason) from None

    @property
    def document(self) -> dict[str, Any]:
        """Return the configuration, with coc's tokens if it is to have them."""
        if not self.new_tokens:
            return self.architecture.source.document
        return {**self.architecture.source.document, "vocab_size": self.vocab, **ENDS}

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
            module.config.update(ENDS)
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
        found = from_library(data, str(path))
    except ArtefactError:
        return PretrainedTokenizer(data, str(path), size, end_of(document))
    if found.size != size:
        raise ArtefactError(f"{path} has {found.size} tokens, and {where} has {size}")
    return found


def _made(settings: Any, name: str) -> Any:
    """Return a new model, whose weights torch's global generator draws."""
    with quiet(library()), blamed(name):
        return library().AutoModelForCausalLM.from_config(settings, dtype=torch.float32)
