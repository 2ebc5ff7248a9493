"""The backend `numpy`, without torch: the decoder, from the same table and sequences as `coc_transformer.model`, and a
checkpoint of it behind the core's interface.

Shapes: B sequences, S new tokens, N = B S, T tokens so far, H heads of width W, D = H W. In float32 each function stays
within the assumptions of `coc_transformer.rounding`, so its bounds hold here, too. Small arrays are multiplied with
`dot`, and constants are arrays without axes, since numpy then takes half the time.
"""

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coc_core.errors import UsageError
from coc_core.extras import needs_extra
from coc_core.models import Identity, requested_device
from coc_transformer.continuation import CheckpointModel, Ids, dialect_index, likeliest
from coc_transformer.files import checkpoint
from coc_transformer.sequences import ITEMS, SEPARATORS, Lookup, Sequences, rotated, rotation_table

Array = NDArray[Any]  # of float32, or float64 for margins

_SCORES = 1 << 22  # of attention, that are computed at a time
_FLOATS = 1 << 26  # for all sequences that are read together
_READ = 1 << 9  # tokens that are read at once, so that what is computed stays in the processor's caches
_REMEMBERED = 1 << 22  # numbers, of keys and values of prompts
_ERF = np.frompyfunc(math.erf, 1, 1)
_EPS = 1e-5
_HALF, _MINUS_HALF, _INVERSE_P = (np.array(number, np.float32) for number in (0.5, -0.5, math.sqrt(2) / 0.3275911))
_A = [np.array(a, np.float32) for a in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)]
"""The coefficients of Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, formula 7.1.26."""


@cache
def _mean(width: int, dtype: Any) -> Array:
    """Return what a row is multiplied by for its mean, (D, 1)."""
    return np.full((width, 1), 1 / width, dtype)


def normed(x: Array, norm: tuple[Array, ...]) -> Array:
    """LayerNorm of (N, D), with its scale and shift, (1, D) each."""
    width, rows = x.shape[1], () if len(x) == 1 else (len(x), 1)
    mean = _mean(width, x.dtype)
    centred: Array = x - x.dot(mean).reshape(rows)
    if rows:
        centred /= np.sqrt(np.square(centred).dot(mean) + _EPS)
    else:
        centred /= np.array(math.sqrt(centred.dot(centred.T).item() / width + _EPS), x.dtype)
    centred *= norm[0]
    centred += norm[1]
    return centred


def gelu(u: Array) -> Array:
    """GELU(u) = u P(Z <= u) for a standard normal Z, which is (u + |u| - |u| P(|Z| > |u|)) / 2."""
    if u.dtype == np.float64:
        return u * (0.5 + 0.5 * np.asarray(_ERF(u / math.sqrt(2)), np.float64))
    size = np.abs(u)
    t = size + _INVERSE_P
    np.divide(_INVERSE_P, t, t)
    tail = t * _A[0]
    for coefficient in _A[1:]:
        tail += coefficient
        tail *= t
    tail *= size
    size += u
    square = u * u
    square *= _MINUS_HALF
    tail *= np.exp(square, square)
    size -= tail
    size *= _HALF
    return size


def softmax(scores: Array) -> Array:
    """Return the softmax along the last axis, in the memory of the scores."""
    scores -= np.maximum.reduce(scores, -1, keepdims=True)
    np.exp(scores, scores)
    scores /= np.add.reduce(scores, -1, keepdims=True)
    return scores


class Layer(NamedTuple):
    """Weight, and bias if any, of each part of a block. Matrices are (inputs, outputs); the others (1, D), since
    numpy is slower with (D,).
    """

    norm1: tuple[Array, ...]
    qkv: tuple[Array, ...]
    out: tuple[Array, ...]
    norm2: tuple[Array, ...]
    up: tuple[Array, ...]
    down: tuple[Array, ...]

    def mixed(self, x: Array, values: Array) -> Array:
        """Return what the block makes of the hidden states of tokens, (N, D), from what they attend to."""
        x = x + values.dot(self.out[0])
        inner = normed(x, self.norm2).dot(self.up[0])
        inner += self.up[1]
        x += gelu(inner).dot(self.down[0])
        x += self.down[1]
        return x


class Network:
    """What numpy computes of a checkpoint, in numbers of type `dtype`: a `coc_transformer.continuation.Runtime`."""

    most_begun = 1 << 12  # tokens, where one after the other is decoded

    def __init__(self, stored: checkpoint.Stored, dtype: Any = np.float32) -> None:
        config, tensors = stored.config, stored.tensors

        def part(name: str) -> tuple[Array, ...]:
            names = [f"{name}.{each}" for each in ("weight", "bias") if f"{name}.{each}" in tensors]
            found = [np.asarray(tensors[each], dtype) for each in names]
            return tuple(each.T if each.ndim == 2 else each[None] for each in found)

        self.config, self.dtype, self.lookup = config, dtype, Lookup(config, stored.tokenizer.kinds())
        self.heads, self.scale = (3, config.heads, config.head_width), 1 / math.sqrt(config.head_width)
        tables = [f"positions.{number}" for number in range(len(config.tables()))] or ["positions"]
        weights = [tensors[f"{name}.weight"] for name in ("tokens", *tables)]
        own = np.concatenate((np.zeros_like(weights[0][:1]), *weights)).astype(np.float64)
        shifted = (own.dot(tensors[f"shifts.{number}.weight"].T) for number in range(config.token_shift))
        self.table = np.concatenate((own, *shifted)).astype(dtype)
        self.rotations = rotation_table(config.rotary).astype(dtype) if config.rotary else None
        blocks = [f"blocks.{number}" for number in range(config.layers)]
        self.layers = [Layer(*(part(f"{block}.{name}") for name in Layer._fields)) for block in blocks]
        self.norm, (self.output,) = part("norm"), part("tokens")
        self.rows: dict[bytes, int] = {}
        """Where a token that attends to itself only is in the following, by all that it depends on."""
        size = 2 * config.layers * config.d_model
        self.remembered = np.empty((_REMEMBERED // size, config.layers, 2, config.heads, config.head_width), dtype)
        """Keys and values of such tokens."""

    @property
    def most_read(self) -> float:
        floats = self.config.floats_per_token() + 2 * self.config.layers * self.config.d_model
        return min(_READ, _FLOATS / floats)

    def computing(self) -> np.errstate:
        return np.errstate(all="ignore")  # numbers that are not finite are found among the logits

    def begin(self, rows: Ids) -> "Reader":
        return Reader(self, rows, self.config.max_len - min(map(len, rows)))

    def last_logits(self, rows: Ids, lengths: Sequence[int]) -> Array:
        hidden = Reader(self, rows).hidden(rows, max(1, *lengths))
        last = np.arange(-hidden.shape[1], 0) >= -np.array(lengths)[:, None]
        logits: Array = hidden[last].dot(self.output)
        return logits

    def likeliest(self, logits: Array) -> tuple[Array, Array, Array]:
        return *likeliest(logits), np.asarray(np.isfinite(logits).all(1))

    def array(self, logits: Array) -> Array:
        return logits

    def projected(self, x: Array, layer: Layer, rotations: Array | None, rows: int) -> Array:
        """Return queries, keys and values of a layer, (3, B, H, S, W), of hidden states, (N, D)."""
        projected = normed(x, layer.norm1).dot(layer.qkv[0])
        split: Array = projected.reshape(rows, -1, *self.heads).transpose(2, 0, 3, 1, 4)
        return (
            split if rotations is None else np.concatenate((rotated(split[:2], rotations, np.concatenate), split[2:]))
        )


class Reader:
    """Sequences that are read token by token: their keys and values so far, (layers, 2, B, H, columns, W)."""

    def __init__(self, network: Network, rows: Sequence[Sequence[int]], room: int = 0) -> None:
        config = network.config
        self._network, self._sequences = network, Sequences(network.lookup, rows, room)
        shape = (config.layers, 2, len(rows), config.heads, self._sequences.columns, config.head_width)
        self._store = np.empty(shape, network.dtype)

    @property
    def length(self) -> int:
        return self._sequences.length

    def read(self, rows: Sequence[Sequence[int]]) -> Array:
        """Read the next tokens of each, as many of all but at first; gives logits, (B, V)."""
        logits: Array = self.hidden(rows)[:, 0].dot(self._network.output)
        return logits

    def keep(self, rows: Sequence[int]) -> None:
        """Drop all sequences but those with these indices."""
        old, used = self._store, self._store[:, :, rows, :, : self.length]
        self._store = np.empty((*old.shape[:2], len(rows), *old.shape[3:]), old.dtype)
        self._store[:, :, :, :, : self.length] = used
        self._sequences.keep(rows)

    def hidden(self, rows: Sequence[Sequence[int]], needed: int = 1) -> Array:
        """Do as `read`, but return the final hidden states of so many of the last tokens, (B, needed, D)."""
        new = self._sequences.add(rows)
        if len(new) == 1:
            return self._run(new, 1)
        begin, found, config = new.start, list[Array](), self._network.config
        if begin == 0 and not config.prompt_attention:
            begin = self._recall(range(new.stop - needed))
        columns = max(2, _SCORES // (len(rows) * config.heads * new.stop))
        for start in range(begin, new.stop, columns):
            stop = min(start + columns, new.stop)
            wanted = stop - max(start, new.stop - needed)
            read = self._run(range(start, stop), max(wanted, 1))
            if wanted > 0:
                found.append(read)
        return found[0] if len(found) == 1 else np.concatenate(found, 1)

    def _run(self, columns: range, needed: int) -> Array:
        """Return the final hidden states of the last of these columns, (B, needed, D)."""
        network, sequences, total = self._network, self._sequences, columns.stop
        bags = sequences.bags(columns)
        count, new, _ = bags.shape
        x = np.add.reduce(network.table.take(bags, 0), 2).reshape(count * new, -1)
        rotations, bias, sharpness = self._rotations(columns), sequences.bias(columns), sequences.sharpness(columns)
        scale = np.asarray(network.scale if sharpness is None else network.scale * sharpness, network.dtype)
        for layer, store in zip(network.layers, self._store, strict=True):
            split = network.projected(x, layer, rotations, count)
            store[:, :, :, columns.start : total] = split[1:]
            skip = new - needed if layer is network.layers[-1] else 0  # tokens don't attend to each other after that
            queries = split[0] * scale
            scores = np.matmul(queries[:, :, skip:] if skip else queries, store[0, :, :, :total].swapaxes(2, 3))
            if bias is not None:
                scores += bias[:, :, skip:]
            values = np.matmul(softmax(scores), store[1, :, :, :total]).transpose(0, 2, 1, 3)
            if skip:
                x = x.reshape(count, new, -1)[:, skip:].reshape(count * needed, -1)
            x = layer.mixed(x, values.reshape(x.shape))
        return normed(x, network.norm).reshape(count, needed, -1)

    def _rotations(self, columns: range) -> Array | None:
        """Return the rotations of each token, (B, 1, S, 2 planes)."""
        if self._network.rotations is None:
            return None
        return self._network.rotations.take(self._sequences.facts(columns)[:, None, :, ITEMS], 0, mode="clip")

    def _recall(self, columns: range) -> int:
        """Read the first of these columns, which attend to themselves only, and return how many: those that are known
        are not computed again.
        """
        network, remembered = self._network, self._network.remembered
        alone = int((self._sequences.facts(columns)[..., SEPARATORS] == 0).sum(1).min())
        bags = np.ascontiguousarray(self._sequences.bags(range(alone)))
        count, new, _ = bags.shape
        keys: list[bytes] = bags.view(f"V{bags.itemsize * bags.shape[2]}").ravel().tolist()
        unknown = {key: place for place, key in enumerate(keys) if key not in network.rows}
        if len(network.rows) + len(unknown) > len(remembered):
            network.rows, unknown = {}, {key: place for place, key in enumerate(keys)}
        if not new or len(unknown) > len(remembered):
            return 0
        places, begin = list(unknown.values()), len(network.rows)
        if places:
            x = np.add.reduce(network.table.take(bags.reshape(count * new, -1)[places], 0), 1)
            rotations = self._rotations(range(alone))
            if rotations is not None:
                rotations = rotations.reshape(count * new, 1, 1, -1)[places]
            for number, layer in enumerate(network.layers):
                split = network.projected(x, layer, rotations, len(x))
                remembered[begin : begin + len(x), number] = split[1:, :, :, 0].swapaxes(0, 1)
                x = layer.mixed(x, split[2, :, :, 0].reshape(x.shape))
            network.rows.update(zip(unknown, range(begin, begin + len(x)), strict=True))
        found = remembered[[network.rows[key] for key in keys]]
        self._store[:, :, :, :, :new] = found.reshape(count, new, *found.shape[1:]).transpose(2, 3, 0, 4, 1, 5)
        return alone


class NumpyTransformer(CheckpointModel):
    """A checkpoint that numpy runs; arguments as for `CheckpointModel`."""

    def __init__(self, stored: checkpoint.Stored, label: str, dialect: int = 0) -> None:
        super().__init__(Network(stored), stored.tokenizer, label, dialect)
        self._stored = stored

    def _exact(self) -> Network:
        return Network(self._stored, np.float64)

    def _exact_decoder(self) -> Any:
        with needs_extra("train", "bounds on rounding, which --no-bounds leaves out, need torch"):
            from coc_transformer.model import decoder_of
        return decoder_of(self._stored).double()


def open_checkpoint(folder: Path, config: dict[str, Any], identity: Identity, dialect: str) -> NumpyTransformer:
    """Open a checkpoint as the model for a dialect, given what `read_config` gives; ArtefactError if it is broken,
    UsageError if another device than the CPU is asked for.
    """
    device = requested_device()
    if device is not None and device[0] != "cpu":
        raise UsageError(f"{device[1]}: numpy computes on the CPU", remedy="choose the model as torch:NAME")
    stored = checkpoint.load(folder, config)
    index = dialect_index(folder, identity, stored.tokenizer, dialect)
    model = NumpyTransformer(stored, folder.resolve().name, index)
    model.record = {"fingerprint": checkpoint.fingerprint(folder), "numpy": np.__version__}
    return model
