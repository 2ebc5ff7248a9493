"""What `--network hf:…` chose, what a model of transformers is made from, and that model as a network of coc."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from attrs import field, frozen
from torch import Tensor

from coc_core.errors import ArtefactError, PluginError, UsageError
from coc_doors.hub.memory import memory_budget
from coc_transformer.files import checkpoint, weights, within
from coc_transformer.network.base import Architecture, MadeConfig, Network, inner_matrices
from coc_transformer.network.configuration import PREFIX, configuration, library, read_configuration
from coc_transformer.network.own import blamed, counted_parameters
from coc_transformer.network.reading import Stepping
from coc_transformer.quiet import quiet
from coc_transformer.tokenizer import BOS, EOS, MOST_TOKENS, PAD

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

    def begin(self, rows: Sequence[list[int]]) -> tuple[Stepping, weights.Array]:
        reader = Stepping(self._step, self.device, rows, _kept)
        return reader, reader.begin()

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
    """What a model of transformers is made from; making one counts its parameters, for which it takes no memory."""

    architecture: CausalArchitecture
    vocab: int = field(validator=within(8, MOST_TOKENS))
    max_len: int = field(validator=within(4, 1 << 16))
    _count: int = field(init=False)

    @_count.default
    def _counted(self) -> int:
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

    def parameters(self) -> int:
        return self._count

    def stated(self) -> dict[str, Any]:
        return {}
