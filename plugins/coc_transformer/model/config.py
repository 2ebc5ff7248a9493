"""The hyperparameters of a model and of its training: two frozen records, validated whenever one is made."""

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import AttrsInstance, asdict, field, frozen, validators

from coc_core.errors import ArtefactError
from coc_core.storage import read_document
from coc_transformer.model.positions import COUNTERS, MOST_DIGIT_ROWS, POSITIONS, tables
from coc_transformer.tokenizer import MOST_TOKENS

ConfigT = TypeVar("ConfigT", bound=AttrsInstance)

TOKENS = ("merged", "digits", "exact", "binary", "brackets")
OPTIMIZERS = ("adamw", "muon")
INITS = ("gpt2", "fan-in")
LOSSES = ("target", "all")
PRECISIONS = ("auto", "float32", "bfloat16")


def _within(least: float, most: float) -> Any:
    """A validator that accepts numbers from `least` to `most`, and hence rejects NaN."""
    return validators.and_(validators.ge(least), validators.le(most))


_OMITTED = "omitted at its default"
"""Marks what a file leaves out where it is the default, so that files that are older than it stay as they are."""

_RETIRED = {"list_end_rotary": False}
"""What older files may still have, at the only value that has a meaning."""


@frozen
class ModelConfig:
    """The architecture of a decoder-only transformer."""

    vocab: int = field(validator=_within(8, MOST_TOKENS))
    """The size of the vocabulary in tokens. In a preset, the largest size that the tokenizer may have."""
    d_model: int = field(validator=_within(4, 4_096))
    layers: int = field(validator=_within(1, 64))
    heads: int = field(validator=_within(1, 64))
    d_ff: int = field(validator=_within(4, 16_384))
    max_len: int = field(validator=_within(4, 8_192))
    """The length of the context in tokens: prompt, separator, target and special tokens together."""
    dropout: float = field(validator=_within(0, 0.9))
    positions: str = field(validator=validators.in_(POSITIONS))
    """How the position of a token is encoded; see `coc_transformer.model.positions`."""
    token_shift: int = field(validator=_within(0, 8))
    """How many of the preceding tokens are mixed into each token's embedding, each through a matrix of its own."""
    rotary: int = field(default=0, validator=_within(0, 256))
    """In how many planes each head's queries and keys are rotated; see `coc_transformer.model.rotary`."""
    digit_rows: int = field(default=64, validator=_within(2, MOST_DIGIT_ROWS), metadata={_OMITTED: True})
    """With positions by fields: how many positions of digits, from 0 on, have an embedding. Later digits share the last
    one, so numbers of fewer digits than this are told apart."""
    prompt_attention: bool = field(default=True, metadata={_OMITTED: True})
    """Whether the tokens of a prompt attend to those before them. If not, they know themselves and what the token shift
    mixes in, and only the tokens of a target look anything up. What the model learns then is a sequence of look-ups;
    properties of a whole list, which hold for short lists only, are out of its reach."""
    list_attention: bool = field(default=True, metadata={_OMITTED: True})
    """Whether the tokens of a target attend to the earlier items of the list that they are in. If not, they can't tell
    how far the list has come, which a model learns for short lists only. They know what the token shift mixes in, and
    look up the rest in other lists, as they must for a list of any length."""
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
        for name, value in (("prompt_attention", self.prompt_attention), ("list_attention", self.list_attention)):
            if not value and self.positions == "absolute":
                raise ValueError(f"'{name}' can't be false with 'positions' absolute")
        if self.parameters() > _MOST_PARAMETERS:
            raise ValueError(f"a model of {self.parameters():,} parameters is larger than {_MOST_PARAMETERS:,}")

    @property
    def head_width(self) -> int:
        """The width of each head's queries, keys and values."""
        return self.d_model // self.heads

    def tables(self) -> Mapping[int, int]:
        """The counters that have a table of embeddings, and the size of each table; none for `absolute` positions."""
        return tables(self.positions, self.digit_rows)

    def parameters(self) -> int:
        """The number of parameters. The output layer is the token embedding, which counts once."""
        attention = 4 * self.d_model**2
        feed_forward = 2 * self.d_model * self.d_ff + self.d_ff + self.d_model
        norm = 2 * self.d_model
        block = attention + feed_forward + 2 * norm
        rows = self.vocab + (sum(self.tables().values()) or self.max_len)
        return (rows + self.token_shift * self.d_model) * self.d_model + self.layers * block + norm


_MOST_PARAMETERS = 1_000_000_000


@frozen
class TrainingConfig:
    """How a model and its tokenizer are trained."""

    steps: int = field(validator=_within(1, 10_000_000))
    """The number of optimiser steps."""
    epochs: int = field(validator=_within(1, 1_000_000))
    """Training ends after this many passes over the training pairs, if that is before `steps`."""
    batch_size: int = field(validator=_within(1, 65_536))
    """Pairs in each step."""
    lr: float = field(validator=_within(0, 1))
    """The peak learning rate: reached after `warmup` steps, then lowered to zero along a cosine."""
    optimizer: str = field(validator=validators.in_(OPTIMIZERS))
    """See `coc_transformer.training.optimise`."""
    init: str = field(validator=validators.in_(INITS))
    """How the initial weights are drawn; see `Decoder.initialise`."""
    warmup: int = field(validator=_within(0, 10_000_000))
    """Steps over which the learning rate rises linearly."""
    weight_decay: float = field(validator=_within(0, 10))
    clip: float = field(validator=_within(1e-6, 1e6))
    """The largest norm of the gradient; a larger gradient is scaled down to it."""
    loss: str = field(validator=validators.in_(LOSSES))
    """Which tokens the model learns to predict: those of the `target`, or `all`, including those of the prompt."""
    bucket_share: float = field(validator=_within(0, 1))
    """The share of each batch that is stratified by sampling buckets; see `coc_transformer.batches.sampler`."""
    curriculum: float = field(validator=_within(0, 1))
    """The share of the steps in which the pairs grow from short to long; see `coc_transformer.batches.curriculum`."""
    prioritised_replay: float = field(validator=_within(0, 0.9))
    """The share of each batch that is drawn in proportion to the pairs' last known loss; see
    `coc_transformer.batches.prioritised_replay`."""
    loss_probes: int = field(validator=_within(0, 65_536))
    """How many further pairs are scored at each step, without learning from them, to keep the losses up to date."""
    ema: float = field(validator=_within(0, 0.999999))
    """The decay of the exponential moving average of the weights, which is measured and saved. 0: no average."""
    name_permutation: float = field(validator=_within(0, 1))
    """The share of the training sequences whose names are permuted; see `coc_transformer.batches.name_permutation`."""
    name_pool: int = field(validator=_within(0, MOST_TOKENS))
    """How many interchangeable names, such as `B1` to `B128`, get a token whether they occur in the pairs or not; with
    `name_permutation` the model learns all of them."""
    item_offset: int = field(validator=_within(0, COUNTERS[1]))
    digit_offset: int = field(validator=_within(0, MOST_DIGIT_ROWS - 1))
    """In training, each sequence's items or digits are counted from a number drawn from 0 to this."""
    digit_positions: int = field(validator=_within(0, MOST_DIGIT_ROWS - 1))
    """In training, each sequence's digits have positions drawn from 1 to this, in ascending order, instead of 1, 2, 3
    and so on; see `coc_transformer.batches.digit_positions`. 0: none are drawn."""
    min_score_scale: float = field(validator=_within(0.01, 1))
    """In training, each sequence's attention scores are multiplied by a number drawn from this to 1, so that a token
    has to stand out clearly to be looked up. Then it still does so among many more tokens. 1: they are not."""
    score_noise: float = field(validator=_within(0, 8))
    """In training, noise is added to each sequence's attention scores: normal, with a standard deviation drawn from 0
    to this. What a model learns from many small differences, such as a count, gets lost in it; what it looks up does
    not. 0: none is added."""
    precision: str = field(validator=validators.in_(PRECISIONS))
    """The number format of matrix products; `auto` is bfloat16 on a GPU that has it, and otherwise float32."""
    eval_interval: int = field(validator=_within(1, 10_000_000))
    """Steps from one measurement of exactness to the next."""
    eval_pairs: int = field(validator=_within(1, 10_000_000))
    """The most training pairs, and the most held-out pairs, that are measured during training."""
    final_pairs: int = field(validator=_within(0, 1_000_000_000))
    """The most training pairs, and the most held-out pairs, of each dialect that are measured at the end. 0: all."""
    stop_exact: int = field(validator=_within(0, 1_000_000))
    """Training ends after this many measurements in a row in which all training pairs were exact. 0: never."""
    snapshot_seconds: int = field(validator=_within(0, 86_400))
    """Seconds from one snapshot to the next."""
    min_frequency: int = field(validator=_within(1, 1_000_000))
    """How often a pair of tokens, or a chunk, must occur in the text to become a token."""
    tokens: str = field(validator=validators.in_(TOKENS))
    """The kind of tokens; see `coc_transformer.tokenizer.tokenizer`."""
    seed: int = field(validator=_within(0, 2**63 - 1))
    """Draws the weights, the batches and the dropout."""

    def __attrs_post_init__(self) -> None:
        if self.loss_probes and not self.prioritised_replay:
            raise ValueError(f"'loss_probes' {self.loss_probes} are of use to 'prioritised_replay' only, which is 0")
        if self.digit_offset and self.digit_positions:
            raise ValueError("'digit_offset' and 'digit_positions' can't both be set")
        if self.name_pool and not self.name_permutation:
            raise ValueError(f"'name_pool' {self.name_pool} is of use to 'name_permutation' only, which is 0")


def from_json(kind: type[ConfigT], values: object, where: str) -> ConfigT:
    """Read a record from a parsed JSON object.

    Args:
        kind: The class of the record.
        values: The parsed JSON value.
        where: What errors call the object, such as the file and key that it was read from.

    Raises:
        ArtefactError: If a key, a type or a value is not as the class requires.
    """
    if isinstance(values, dict):
        values = {name: value for name, value in values.items() if name not in _RETIRED or value is not _RETIRED[name]}
    return read_document(kind, values, where, sparse=True)  # some checkpoints are older than a key


def note_from_json(values: object, where: str) -> dict[str, Any]:
    """Check a record that is kept for people only: plain values, under any names, whatever version wrote them.

    Raises:
        ArtefactError: If it is not a JSON object, or one of its values is a list or an object.
    """
    if not isinstance(values, dict):
        raise ArtefactError(f"{where} is not a JSON object")
    for name, value in values.items():
        if isinstance(value, list | dict):
            raise ArtefactError(f"{where}: {name!r:.80} must be a plain value, not {value!r:.40}")
    return values


def to_json(config: AttrsInstance) -> dict[str, Any]:
    """The JSON object that `from_json` reads."""
    return asdict(config, filter=lambda key, value: not (_OMITTED in key.metadata and value == key.default))
