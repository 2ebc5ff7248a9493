"""The architecture of a model, as its checkpoint states it, validated when it is made; and how much memory it takes."""

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any, Protocol

from attrs import AttrsInstance, asdict, field, frozen, validators

from coc_doors.hub.memory import check_memory
from coc_transformer.tokenizer import MOST_TOKENS

POSITIONS = ("absolute", "structural", "fields")
"""How the position of a token is encoded; see `coc_transformer.sequences`."""

COUNTERS = (64, 128, 16)
"""The sizes of the tables for fields, items and digits; any larger count shares the last row."""

MOST_PARAMETERS = 1_000_000_000
MOST_DIGIT_ROWS = 4_096
MOST_STEPS = 10_000_000


def within(least: float, most: float) -> Any:
    """Return a validator that accepts numbers from `least` to `most`, and hence rejects NaN."""
    return validators.and_(validators.ge(least), validators.le(most))


_AFFINE = ("weight", "bias")
_OMITTED = "omitted at its default"
"""Marks what a file leaves out where it is the default, so that files that are older than it stay as they are."""


@frozen
class ModelConfig:
    """The architecture of a decoder-only transformer."""

    vocab: int = field(validator=within(8, MOST_TOKENS))
    """The size of the vocabulary in tokens."""
    d_model: int = field(validator=within(4, 4_096))
    layers: int = field(validator=within(1, 64))
    heads: int = field(validator=within(1, 64))
    d_ff: int = field(validator=within(4, 16_384))
    max_len: int = field(validator=within(4, 8_192))
    """The length of the context in tokens: prompt, separator, target and special tokens together."""
    dropout: float = field(validator=within(0, 0.9))
    positions: str = field(validator=validators.in_(POSITIONS))
    """How the position of a token is encoded; see `coc_transformer.sequences`."""
    token_shift: int = field(validator=within(0, 8))
    """How many of the preceding tokens are mixed into each token's embedding, each through a matrix of its own."""
    rotary: int = field(default=0, validator=within(0, 256))
    """In how many planes each head's queries and keys are rotated; see `coc_transformer.sequences`."""
    digit_rows: int = field(default=64, validator=within(2, MOST_DIGIT_ROWS), metadata={_OMITTED: True})
    """How many positions of digits, from 0 on, have an embedding, by fields. Later ones share the last."""
    prompt_attention: bool = field(default=True, metadata={_OMITTED: True})
    """Whether the tokens of a prompt attend to those before them. If not, they know themselves and what the token shift
    mixes in, and only the tokens of a target look anything up."""
    list_attention: bool = field(default=True, metadata={_OMITTED: True})
    """Whether the tokens of a target attend to the earlier items of the list that they are in. If not, they can't tell
    how far the list has come, and look things up in other lists."""
    log_scaling: bool = field(default=False, metadata={_OMITTED: True})
    """Whether attention gets sharper as the sequence gets longer: the scores of token i, counted from 1, are multiplied
    by ln(i) / 2, so that one token can stand out among more of them."""

    def __attrs_post_init__(self) -> None:
        if self.d_model % self.heads:
            raise ValueError(f"'d_model' {self.d_model} is not a multiple of 'heads' {self.heads}")
        if 2 * self.rotary > self.head_width:
            most = self.head_width // 2
            raise ValueError(f"'rotary' {self.rotary} is more than the {most} planes that a head has")
        if self.rotary and self.positions != "structural":
            raise ValueError("'rotary' requires 'positions' to be structural")
        if self.positions == "absolute" and not (self.prompt_attention and self.list_attention):
            raise ValueError("'prompt_attention' and 'list_attention' can't be false with 'positions' absolute")
        if self.parameters() > MOST_PARAMETERS:
            raise ValueError(f"a model of {self.parameters():,} parameters is larger than {MOST_PARAMETERS:,}")

    @property
    def head_width(self) -> int:
        """The width of each head's queries, keys and values."""
        return self.d_model // self.heads

    def tables(self) -> Mapping[int, int]:
        """Return the counters that have a table of embeddings, with its size; none for `absolute` positions."""
        if self.positions == "fields":
            return {0: COUNTERS[0], 2: self.digit_rows}
        return dict(enumerate(COUNTERS)) if self.positions == "structural" else {}

    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """Return the tensors of `model.safetensors`. The output layer is the token embedding."""
        return dict(self._shapes())

    def _shapes(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        width, inner, tables = self.d_model, self.d_ff, self.tables()
        yield "tokens.weight", (self.vocab, width)
        if not tables:
            yield "positions.weight", (self.max_len, width)
        for number, rows in enumerate(tables.values()):
            yield f"positions.{number}.weight", (rows, width)
        for number in range(self.token_shift):
            yield f"shifts.{number}.weight", (width, width)
        for number in range(self.layers):
            block = f"blocks.{number}"
            yield from ((f"{block}.{norm}.{part}", (width,)) for norm in ("norm1", "norm2") for part in _AFFINE)
            yield from ((f"{block}.qkv.weight", (3 * width, width)), (f"{block}.out.weight", (width, width)))
            yield from ((f"{block}.up.weight", (inner, width)), (f"{block}.up.bias", (inner,)))
            yield from ((f"{block}.down.weight", (width, inner)), (f"{block}.down.bias", (width,)))
        yield from ((f"norm.{part}", (width,)) for part in _AFFINE)

    def parameters(self) -> int:
        """Return the number of parameters."""
        return sum(map(prod, self.shapes().values()))

    def cache_floats(self) -> int:
        """Return how many numbers of four bytes a sequence's keys, values and other state take."""
        keys_and_values = 2 * self.layers * self.max_len * self.d_model
        places = 16 * (1 + self.max_len)  # of what each token counts
        return keys_and_values + places

    def floats_per_token(self) -> int:
        """Return how many numbers, as measured, a forward pass keeps a token: activations of a block, logits."""
        return 5 * self.d_ff + 30 * self.d_model + 3 * self.vocab


def to_json(config: AttrsInstance) -> dict[str, Any]:
    """Return the JSON object of a record, without what a file leaves out."""
    return asdict(config, filter=lambda key, value: not (_OMITTED in key.metadata and value == key.default))


class Shape(Protocol):
    """What a network is made from, and how large it then is; `max_len` is the length of its context in tokens."""

    @property
    def vocab(self) -> int: ...

    @property
    def max_len(self) -> int: ...

    def parameters(self) -> int:
        """Return the number of parameters."""

    def cache_floats(self) -> int:
        """Return how many numbers of four bytes it takes to read the next token of one sequence."""

    def floats_per_token(self) -> int:
        """Return how many numbers a forward pass keeps for each token at one time."""


def check_size(config: Shape, where: str) -> None:
    """Raise ArtefactError unless the memory budget allows the weights and work on a sequence that fills the context."""
    working = config.cache_floats() + config.max_len * config.floats_per_token()
    needed = 4 * (config.parameters() + working)
    check_memory(
        needed, f"{where}: a model of {config.parameters():,} parameters and {config.max_len:,} tokens of context"
    )


def length_batches(lengths: Sequence[int], most: float) -> Iterator[list[int]]:
    """Yield batches of the indices of rows: at most so many tokens each, and not much padding."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        longest = lengths[index]
        if batch and (longest * (len(batch) + 1) > most or longest > 8 + 1.1 * lengths[batch[0]]):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
