"""A model of transformers as a network of coc."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from coc_core.errors import PluginError
from coc_transformer.files import weights
from coc_transformer.network import Network, Stepping, blamed
from coc_transformer.tokenizer import EOS

if TYPE_CHECKING:
    from coc_transformer.causal.architecture import CausalConfig

_LARGE = 1e4


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


def _hidden(module: Any, input_ids: Tensor) -> Tensor:
    states: Tensor = module.base_model(input_ids=input_ids, use_cache=False).last_hidden_state
    return states


def _logits(module: Any, input_ids: Tensor) -> Tensor:
    logits: Tensor = module(input_ids=input_ids, use_cache=False).logits
    return logits


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
