"""The keys and values of the tokens read so far, so that each further token costs no more than its own computation."""

import torch
from torch import Tensor

from coc_transformer.files import COUNTS, ModelConfig
from coc_transformer.model.positions import count

_CPU = torch.device("cpu")


class KVCache:
    """Keys, values and whatever else the next token needs, for sequences of equal length.

    Args:
        config: The model's architecture. There is room for its `max_len` tokens.
        sequences: The batch size.
        device: Where the model is.
    """

    def __init__(self, config: ModelConfig, sequences: int, device: torch.device = _CPU) -> None:
        store = (config.layers, 2, sequences, config.heads, config.max_len, config.head_width)
        inputs = (sequences, config.token_shift + config.max_len, config.d_model if config.token_shift else 0)
        counts = (COUNTS, sequences, 1 + config.max_len)
        self._store = torch.empty(store, device=device)
        self._inputs = torch.zeros(inputs, device=device)
        self._counts = torch.zeros(counts, dtype=torch.long, device=device)
        self.length = 0

    def extend(self, layer: int, both: Tensor) -> tuple[Tensor, Tensor]:
        """Store the keys and values of new tokens in one layer.

        `length` stays as it is; the model advances it when every layer has stored its own.

        Args:
            layer: The index of the layer.
            both: Keys and values of the new tokens, (2, batch, heads, new, head_width).

        Returns:
            The keys and the values of all tokens so far, each (batch, heads, total, head_width).
        """
        end = self.length + both.shape[3]
        stored = self._store[layer]
        stored[:, :, :, self.length : end] = both
        keys, values = stored[:, :, :, :end].unbind()
        return keys, values

    def count(self, input_ids: Tensor, kinds: Tensor) -> Tensor:
        """Store the structural counts of new tokens, (batch, new).

        Returns:
            The counts of all tokens so far, (4, batch, 1 + total); those before the first token of a sequence are zero.
        """
        end = 1 + self.length + input_ids.shape[1]
        self._counts[:, :, 1 + self.length : end] = count(input_ids, kinds, self._counts[:, :, self.length])
        return self._counts[:, :, :end]

    def with_preceding(self, x: Tensor, shift: int) -> Tensor:
        """Store the embeddings of new tokens, (batch, new, d_model).

        Returns:
            Those of the `shift` tokens before the new ones and of these, (batch, shift + new, d_model). Before the
            first token of a sequence they are zero.
        """
        self._inputs[:, shift + self.length : shift + self.length + x.shape[1]] = x
        return self._inputs[:, self.length : shift + self.length + x.shape[1]]

    def keep(self, rows: Tensor) -> None:
        """Drop all sequences but those with the indices `rows`."""
        self._store, self._inputs, self._counts = self._store[:, :, rows], self._inputs[rows], self._counts[:, rows]

    def truncate(self, length: int) -> None:
        """Drop all tokens but the first `length`."""
        self.length = length
