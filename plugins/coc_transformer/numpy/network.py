"""The forward pass of the decoder, in numpy: what `coc_transformer.model` computes with torch. Sequences of a batch end
in the same column, so that the next token of each goes into one slice; the columns before a shorter one attend to
themselves only. Shapes: B sequences, S new tokens, T tokens so far, H heads of width W, D = H W.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coc_transformer.counts import counts_of
from coc_transformer.files import COUNTS, ModelConfig
from coc_transformer.numpy.functions import gelu, normed, rotated, rotation_table, softmax

Array = NDArray[Any]  # of float32, or float64 for margins

_SCORES = 1 << 22  # of attention, that are computed at a time
_REMEMBERED = 1 << 22  # numbers, of keys and values of prompts


class Layer(NamedTuple):
    """The tensors of a block. Matrices are (inputs, outputs); the others (1, D), since numpy is slower with (D,)."""

    norm1: tuple[Array, Array]
    qkv: Array
    out: Array
    norm2: tuple[Array, Array]
    up: tuple[Array, Array]
    down: tuple[Array, Array]


class AttentionInputs(NamedTuple):
    """What queries and keys know besides the hidden states: rotations, (B, 1, S, 2 planes) or None; what queries are
    multiplied by, a number or (B, 1, S, 1); and what is added to scores, (B or 1, 1, S, T), or None.
    """

    rotations: Array | None
    scales: Any
    mask: Array | None


class State:
    """What a batch of sequences needs for its next tokens; it has room for `columns` of them."""

    def __init__(self, config: ModelConfig, starts: Array, columns: int, dtype: Any) -> None:
        rows, shift = len(starts), config.token_shift
        self.length = 0
        self.starts, self.padded = starts, bool(starts.any())
        """The column of the first token of each sequence, (B,), and whether it is not the first for all."""
        self.store = np.empty((config.layers, 2, rows, config.heads, columns, config.head_width), dtype)
        """Keys and values."""
        kept = not config.list_attention or shift > 1
        self.counts = np.zeros((rows, columns, COUNTS), np.int32) if kept else None
        """What tokens count, where later ones need to know that of these."""
        self.inputs = np.zeros((rows, shift + columns, config.d_model), dtype) if shift else None
        """Embeddings, after those of `token_shift` tokens that don't exist."""

    def keep(self, rows: Sequence[int]) -> None:
        """Drop all sequences but these."""
        old, used = self.store, self.store[:, :, rows, :, : self.length]
        self.store = np.empty((*old.shape[:2], len(rows), *old.shape[3:]), old.dtype)
        self.store[:, :, :, :, : self.length] = used
        self.starts = self.starts[rows]
        self.padded = bool(self.starts.any())
        if self.counts is not None:
            self.counts = self.counts[rows]
        if self.inputs is not None:
            self.inputs = self.inputs[rows]


class Network:
    """A checkpoint's weights, by name, ready for `read`, in numbers of type `dtype`. `kinds` has that of each token."""

    def __init__(
        self, config: ModelConfig, tensors: Mapping[str, Array], kinds: Sequence[int], dtype: Any = np.float32
    ) -> None:
        def weight(name: str) -> Array:
            return np.asarray(tensors[f"{name}.weight"], dtype)

        def row(name: str) -> Array:
            return np.asarray(tensors[name], dtype)[None]

        def both(name: str) -> tuple[Array, Array]:
            return row(f"{name}.weight"), row(f"{name}.bias")

        self.config, self.kinds, self.dtype = config, kinds, dtype
        self.tokens = weight("tokens")
        self.output = self.tokens.T
        self.counters = list(config.tables())
        names = [f"positions.{number}" for number in range(len(self.counters))] or ["positions"]
        self.positions = [weight(name) for name in names]
        self.shifts = [weight(f"shifts.{number}").T for number in range(config.token_shift)]
        self.rotations = rotation_table(config.rotary).astype(dtype) if config.rotary else None
        self.layers = [
            Layer(
                both(f"{block}.norm1"),
                weight(f"{block}.qkv").T,
                weight(f"{block}.out").T,
                both(f"{block}.norm2"),
                (weight(f"{block}.up").T, row(f"{block}.up.bias")),
                (weight(f"{block}.down").T, row(f"{block}.down.bias")),
            )
            for block in (f"blocks.{number}" for number in range(config.layers))
        ]
        self.norm = both("norm")
        self._rows: dict[bytes, int] = {}
        """Where a token that attends to itself only is in the following, by all that it depends on."""
        size = 2 * config.layers * config.d_model
        self._remembered = np.empty((_REMEMBERED // size, config.layers, 2, config.heads, config.head_width), dtype)
        """Keys and values of such tokens."""

    def begin(self, rows: Sequence[Sequence[int]], needed: int, room: int = 0) -> tuple[State, Array]:
        """Read the first tokens of sequences, which get `room` for as many more; gives what `read` gives, too."""
        longest = max(map(len, rows))
        starts = np.array([longest - len(row) for row in rows])
        ids, counts = np.zeros((len(rows), longest), np.intp), np.zeros((len(rows), longest, COUNTS), np.int32)
        for row, start, to, own in zip(rows, starts, ids, counts, strict=True):
            to[start:] = row
            if self.counters:
                own[start:] = counts_of(self.kinds, row)
        state, hidden = State(self.config, starts, longest + room, self.dtype), list[Array]()
        columns = max(2, _SCORES // (len(rows) * self.config.heads * longest))
        if self.counters and not self.config.prompt_attention:
            alone = min(longest - needed, int((counts[:, :, 3] == 0).sum(1).min()))
            self._recall(state, ids[:, :alone], counts[:, :alone])
        for start in range(state.length, longest, columns):
            stop = min(start + columns, longest)
            wanted = stop - max(start, longest - needed)
            read = self.read(state, ids[:, start:stop], counts[:, start:stop], max(wanted, 1))
            if wanted > 0:
                hidden.append(read)
        return state, hidden[0] if len(hidden) == 1 else np.concatenate(hidden, 1)

    def read(self, state: State, ids: Array, counts: Array, needed: int = 1) -> Array:
        """Read new tokens, (B, S), with counts, (B, S, 4); gives final hidden states of the last, (B, needed, D)."""
        rows, new = ids.shape
        x = self._embedded(state, ids, counts)
        rotations = None if self.rotations is None else self.rotations.take(counts[:, None, :, 1], 0, mode="clip")
        inputs = AttentionInputs(rotations, self._scales(state, new), self._mask(state, counts))
        for layer, store in zip(self.layers, state.store, strict=True):
            skip = new - needed if layer is self.layers[-1] else 0  # tokens don't attend to each other after that
            mixed = self._attention(normed(x, layer.norm1).dot(layer.qkv), store, state.length, inputs, skip)
            if skip:
                x = x.reshape(rows, new, -1)[:, skip:].reshape(rows * needed, -1)
            x = _mixed(x, mixed, layer)
        return normed(x, self.norm).reshape(rows, needed, -1)

    def _recall(self, state: State, ids: Array, counts: Array) -> None:
        """Read the first tokens, which attend to themselves only; those that are known are not computed again."""
        (rows, new), reach, remembered = ids.shape, len(self.shifts), self._remembered
        own = np.zeros((rows, reach + new, 1 + COUNTS), np.int32)
        own[:, reach:, 0], own[:, reach:, 1:] = ids, counts
        own = np.concatenate([own[:, start : start + new] for start in range(reach + 1)], 2)
        keys: list[bytes] = own.view(f"V{own.itemsize * own.shape[2]}").ravel().tolist()
        unknown = {key: place for place, key in enumerate(keys) if key not in self._rows}
        if len(self._rows) + len(unknown) > len(remembered):
            self._rows, unknown = {}, {key: place for place, key in enumerate(keys)}
        if len(unknown) > len(remembered):
            return
        x, places, begin = self._embedded(state, ids, counts), list(unknown.values()), len(self._rows)
        if unknown:
            x, items = x[places], counts[:, :, 1].reshape(-1)[places]
            rotations = None if self.rotations is None else self.rotations.take(items[:, None], 0, mode="clip")
            for number, layer in enumerate(self.layers):
                pair = normed(x, layer.norm1).dot(layer.qkv).reshape(len(x), 3, self.config.heads, -1)[:, 1:]
                mixed = pair[:, 1].reshape(x.shape)
                if rotations is not None:
                    pair = np.stack((rotated(pair[:, 0], rotations), pair[:, 1]), 1)
                remembered[begin : begin + len(x), number] = pair
                x = _mixed(x, mixed, layer)
            self._rows.update(zip(unknown, range(begin, begin + len(x)), strict=True))
        found = remembered[[self._rows[key] for key in keys]]
        state.store[:, :, :, :, :new] = found.reshape(rows, new, *found.shape[1:]).transpose(2, 3, 0, 4, 1, 5)

    def _attention(self, projected: Array, store: Array, total: int, inputs: AttentionInputs, skip: int) -> Array:
        """Attention without its output layer, (B S, 3 D) to (B (S - skip), D); keys and values go into the store."""
        rows, heads, width = store.shape[1], self.config.heads, self.config.head_width
        split = projected.reshape(rows, -1, 3, heads, width).transpose(2, 0, 3, 1, 4)
        if inputs.rotations is not None:
            split = np.concatenate((rotated(split[:2], inputs.rotations), split[2:]))
        store[:, :, :, total - split.shape[3] : total] = split[1:]
        queries = split[0] * inputs.scales
        scores = np.matmul(queries[:, :, skip:] if skip else queries, store[0, :, :, :total].swapaxes(2, 3))
        if inputs.mask is not None:
            scores += inputs.mask[:, :, skip:]
        mixed: Array = np.matmul(softmax(scores), store[1, :, :, :total])
        return mixed.transpose(0, 2, 1, 3).reshape(-1, heads * width)

    def _embedded(self, state: State, ids: Array, counts: Array) -> Array:
        """Return the embeddings of new tokens, positions and token shift, (B S, D)."""
        (rows, new), begin, reach = ids.shape, state.length, len(self.shifts)
        state.length += new
        if state.counts is not None:
            state.counts[:, begin : state.length] = counts
        x = self.tokens.take(ids, 0)
        if not self.counters:
            x += self.positions[0].take(np.arange(begin, state.length) - state.starts[:, None], 0, mode="clip")
        for table, counter in zip(self.positions, self.counters, strict=False):
            x += table.take(counts[:, :, counter], 0, mode="clip")  # a larger count shares the last row
        if state.inputs is not None:
            if new > 1 and state.padded:
                x[np.arange(begin, state.length) < state.starts[:, None]] = 0  # what precedes a sequence is nothing
            wide = state.inputs[:, begin : reach + state.length]
            wide[:, reach:] = x
            for distance, matrix in enumerate(self.shifts, start=1):
                preceding = wide[:, reach - distance : reach - distance + new]
                if distance > 1 and self.counters and 1 not in self.counters:  # digits mix with what is next to them
                    assert state.counts is not None
                    apart = state.counts[:, : state.length, 2] == 0
                    apart = np.pad(apart, ((0, 0), (distance, 0)), constant_values=True)
                    preceding = preceding * (apart[:, begin + distance :] & apart[:, begin : state.length])[:, :, None]
                x = x + preceding.reshape(rows * new, -1).dot(matrix).reshape(x.shape)
        return x.reshape(rows * new, -1)

    def _scales(self, state: State, new: int) -> Any:
        """Return the scale of scores; sharper attention multiplies it by half the logarithm of a token's number."""
        scale = 1 / math.sqrt(self.config.head_width)
        if not self.config.log_scaling:
            return np.array(scale, self.dtype)
        if new == 1 and not state.padded:
            return np.array(scale / 2 * math.log(state.length), self.dtype)
        numbers = np.arange(state.length - new + 1, state.length + 1) - state.starts[:, None]
        return (scale / 2 * np.log(np.maximum(numbers, 1))).astype(self.dtype)[:, None, :, None]

    def _mask(self, state: State, counts: Array) -> Array | None:
        """Return what is added to the scores of new tokens: minus infinity where they can't look."""
        config, starts, new, total = self.config, state.starts, counts.shape[1], state.length
        if new == 1 and config.list_attention and not state.padded:
            return None
        columns = np.arange(total)
        own = columns == columns[total - new :, None]
        seen = (columns <= columns[total - new :, None])[None]
        if state.padded:
            seen = seen & (columns >= starts[:, None])[:, None]
        if self.counters and not (config.prompt_attention and config.list_attention):
            in_target = counts[:, :, 3, None] > 0
            if not config.prompt_attention:
                seen = seen & in_target
            if not config.list_attention:
                assert state.counts is not None
                fields, items, digits, _ = state.counts[:, None, :total].transpose(3, 0, 1, 2)
                same_list = (items > 0) & (digits == 0) & (fields == counts[:, :, 0, None])
                seen = seen & ~(in_target & same_list)
        return np.where(seen | own, 0, -np.inf).astype(self.dtype)[:, None]


def _mixed(x: Array, mixed: Array, layer: Layer) -> Array:
    """Return what a block makes of the hidden states of tokens, (N, D), from what they attend to."""
    x = x + mixed.dot(layer.out)
    inner = normed(x, layer.norm2).dot(layer.up[0])
    inner += layer.up[1]
    x += gelu(inner).dot(layer.down[0])
    x += layer.down[1]
    return x
