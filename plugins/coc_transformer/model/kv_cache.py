"""What a model remembers of the tokens that it has read, so that the next ones cost no more than themselves.

Shapes are named as in `coc_transformer.model.decoder`: B (sequences), T (tokens), D (d_model), H (heads).
"""

import torch
from torch import Tensor

from coc_transformer.model.config import ModelConfig
from coc_transformer.model.positions import COUNTERS, counts

_CPU = torch.device("cpu")


class KVCache:
    """What is remembered of the tokens read so far, for B sequences of equal length, room for `max_len` tokens.

    It lies where the model does, on `device`.
    """

    def __init__(self, config: ModelConfig, sequences: int, device: torch.device = _CPU) -> None:
        store = (config.layers, 2, sequences, config.heads, config.max_len, config.d_model // config.heads)
        inputs = (sequences, config.token_shift + config.max_len, config.d_model if config.token_shift else 0)
        counted = (len(COUNTERS), sequences, 1 + config.max_len)
        self._store = torch.empty(store, device=device)
        self._inputs = torch.zeros(inputs, device=device)
        self._counts = torch.zeros(counted, dtype=torch.long, device=device)
        self.length = 0

    @staticmethod
    def floats(config: ModelConfig) -> int:
        """How many numbers one sequence needs."""
        return 2 * config.layers * config.max_len * config.d_model

    def extend(self, layer: int, both: Tensor) -> tuple[Tensor, Tensor]:
        """Store the keys and values of new tokens, (2, B, H, T, D/H), and give those of all tokens so far.

        The length stays; the model moves it on when every layer has stored its own.
        """
        end = self.length + both.shape[3]
        stored = self._store[layer]
        stored[:, :, :, self.length : end] = both
        keys, values = stored[:, :, :, :end].unbind()
        return keys, values

    def count(self, ids: Tensor, kinds: Tensor) -> Tensor:
        """Store the structural counts of new tokens, (B, T), and give them behind those of the token in front.

        That is (3, B, 1 + T). In front of the first token all counts are zero.
        """
        end = 1 + self.length + ids.shape[1]
        self._counts[:, :, 1 + self.length : end] = counts(ids, kinds, self._counts[:, :, self.length])
        return self._counts[:, :, self.length : end]

    def precede(self, x: Tensor, token_shift: int) -> Tensor:
        """Store the embeddings of new tokens, (B, T, D), and give them behind those of `token_shift` tokens in front."""
        self._inputs[:, token_shift + self.length : token_shift + self.length + x.shape[1]] = x
        return self._inputs[:, self.length : token_shift + self.length + x.shape[1]]

    def keep(self, rows: Tensor) -> None:
        """Go on with these sequences only; `rows` are their indices."""
        self._store, self._inputs, self._counts = self._store[:, :, rows], self._inputs[rows], self._counts[:, rows]

    def truncate(self, length: int) -> None:
        """Forget all tokens but the first `length`."""
        self.length = length
