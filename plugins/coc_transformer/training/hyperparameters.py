"""The hyperparameters: what a user may choose of a model and of its training, the four that matter most first; and what
presets set beside these.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import asdict, field, fields, frozen, validators

from coc_transformer.files import MOST_DIGIT_ROWS, MOST_STEPS, ModelConfig, within
from coc_transformer.tokenizer import MOST_TOKENS

if TYPE_CHECKING:
    from coc_transformer.network import Architecture, MadeConfig

ATTENTION = ("full", "scaled", "target", "other-lists", "target-other-lists")

_GROUP = "group"
_ALIKE = ("d_model", "layers", "heads", "max_len", "dropout", "token_shift")  # in `ModelConfig`, too


def _of(group: str, default: Any, validator: Any = None) -> Any:
    """Return a hyperparameter that a user chooses. Those of the architecture are validated by `ModelConfig`."""
    return field(default=default, validator=validator, metadata={_GROUP: group})


@frozen
class Hyperparameters:
    """A model and its training; `model` has the architecture. The defaults are the preset `small`."""

    steps: int = _of("above all", 400, within(1, MOST_STEPS))
    """The number of optimiser steps."""
    max_len: int = _of("above all", 96)
    """The length of the context in tokens: prompt, separator, target and special tokens together."""
    tokens: str = _of("above all", "digits", validators.in_(("merged", "digits", "exact", "binary", "brackets")))
    """The kind of tokens; see `coc_transformer.tokenizer.tokenizer`."""
    positions: str = _of("above all", "absolute", validators.in_(("absolute", "structural", "rotary", "fields")))
    """How the position of a token is encoded; see `coc_transformer.model.positions`. `rotary` is `structural`, with
    half of each head's queries and keys rotated by the place in a list."""

    d_model: int = _of("architecture", 128)
    layers: int = _of("architecture", 2)
    heads: int = _of("architecture", 4)

    attention: str = _of("positions", "full", validators.in_(ATTENTION))
    """Which tokens attend to which.

    `full`: each token to all before it. `scaled`: the same, and attention gets sharper as the sequence gets longer.
    `target`: scaled, and the tokens of a prompt attend to themselves only, so that what the model learns is a sequence
    of look-ups, and no property of a whole list. `other-lists`: scaled, and the tokens of a target don't attend to the
    earlier items of the list that they are in, so that they can't tell how far it has come. `target-other-lists`: both.
    """
    token_shift: int = _of("positions", 0)
    """How many of the preceding tokens are mixed into each token's embedding, each through a matrix of its own."""
    digit_positions: int = _of("positions", 0, within(0, MOST_DIGIT_ROWS - 1))
    """In training, each sequence's digits have positions drawn from 1 to this, in ascending order, instead of 1, 2, 3
    and so on; see `coc_transformer.training.sampler`. 0: none are drawn."""

    batch_size: int = _of("sampling", 64, within(1, 65_536))
    """Pairs in each step."""
    prioritised_replay: float = _of("sampling", 0.0, within(0, 0.9))
    """The share of each batch that is drawn in proportion to the pairs' last known loss; see
    `coc_transformer.training.sampler`."""
    name_permutation: float = _of("sampling", 0.0, within(0, 1))
    """The share of the training sequences whose names are permuted; see `coc_transformer.training.sampler`."""

    lr: float = _of("optimiser", 1e-3, within(0, 1))
    """The peak learning rate: reached after `warmup` steps, then lowered to zero along a cosine."""
    warmup: int = _of("optimiser", 50, within(0, MOST_STEPS))
    """Steps over which the learning rate rises linearly."""
    weight_decay: float = _of("optimiser", 0.1, within(0, 10))

    dropout: float = 0.0
    vocab: int = 128
    """The largest size that the vocabulary may have, in tokens."""
    min_frequency: int = field(default=10, validator=within(1, 1_000_000))
    """How often a pair of tokens, or a chunk, must occur in the text to become a token."""
    min_score_scale: float = field(default=1.0, validator=within(0.01, 1))
    """In training, each sequence's attention scores are multiplied by a number drawn from this to 1, so that a token
    has to stand out clearly to be looked up. Then it still does so among many more tokens. 1: they are not."""
    score_noise: float = field(default=0.0, validator=within(0, 8))
    """In training, noise is added to each sequence's attention scores: normal, with a standard deviation drawn from 0
    to this. What a model learns from many small differences, such as a count, gets lost in it; what it looks up does
    not. 0: none is added."""
    bucket_share: float = field(default=0.0, validator=within(0, 1))
    """The share of each batch that is stratified by sampling buckets; see `coc_transformer.training.sampler`."""
    bucket_digits: str = field(default="decimal", validator=validators.in_(("decimal", "binary")))
    """In which digits sampling buckets tell how far an addition carries: long carries in binary digits are rare."""
    curriculum: float = field(default=0.0, validator=within(0, 1))
    """The share of the steps in which the pairs grow from short to long; see `coc_transformer.training.sampler`."""
    name_pool: int = field(default=0, validator=within(0, MOST_TOKENS))
    """How many interchangeable names, such as `B1` to `B128`, get a token whether they occur in the pairs or not; with
    `name_permutation` the model learns all of them."""
    final_pairs: int = field(default=0, validator=within(0, 1_000_000_000))
    """The most training pairs, and the most held-out pairs, of each dialect that are measured at the end. 0: all."""
    cooldown: int = field(default=0, validator=within(0, MOST_STEPS))
    """Training ends this many steps after all training pairs are exact, or at `steps` at the latest; over them the
    learning rate falls to zero, and the margins grow. 0: it ends at `steps`, whatever is exact."""
    optimizer: str = field(default="adamw", validator=validators.in_(("adamw", "muon")))
    """See `coc_transformer.training.optimise`."""
    loss: str = field(default="target", validator=validators.in_(("target", "all")))
    """Which tokens the model learns to predict: those of the `target`, or `all`, including those of the prompt."""
    ema: float = field(default=0.0, validator=within(0, 0.999999))
    """The decay of the exponential moving average of the weights, which is measured and saved. 0: no average."""
    epochs: int = field(default=1_000, validator=within(1, 1_000_000))
    """Training ends after this many passes over the training pairs, if that is before `steps`."""

    seed: int = field(default=0, validator=within(0, 2**63 - 1))
    """Draws the weights, the batches and the dropout. The job sets it."""
    architecture: "Architecture | None" = None
    """The network that `--network` chose; None for the decoder, whose hyperparameters have no effect on another."""
    own: Mapping[str, Any] = field(factory=dict)
    """The hyperparameters of that network that the user sets."""

    def __attrs_post_init__(self) -> None:
        if self.name_pool and not self.name_permutation:
            raise ValueError(f"'name_pool' {self.name_pool} is of use to 'name_permutation' only, which is 0")
        _ = self.model  # validates the architecture

    def stated(self) -> dict[str, Any]:
        """Return the values by name: all that have an effect, but those of a network that was chosen."""
        left_out = {"architecture", "own", "" if self.cooldown else "cooldown"}
        left_out.update(DECODERS if self.architecture else ())
        return asdict(self, filter=lambda attribute, _: attribute.name not in left_out)

    @property
    def model(self) -> "ModelConfig | MadeConfig":
        """What the network is made from, before the size of the vocabulary is known."""
        return self.made(self.vocab)

    def made(self, vocab: int) -> "ModelConfig | MadeConfig":
        """Return what the network is made from, for a vocabulary; ValueError or UsageError if that is not allowed."""
        if self.architecture is not None:
            return self.architecture.config(self.own, vocab, self.max_len)
        return self.decoder(vocab)

    def decoder(self, vocab: int) -> ModelConfig:
        """Return what the decoder is made from."""
        rotary = self.positions == "rotary"
        return ModelConfig(
            vocab=vocab,
            d_ff=4 * self.d_model,
            **{name: getattr(self, name) for name in _ALIKE},
            positions="structural" if rotary else self.positions,
            rotary=self.d_model // max(1, self.heads) // 4 if rotary else 0,
            digit_rows=max(64, 1 << self.digit_positions.bit_length()),
            prompt_attention=not self.attention.startswith("target"),
            list_attention=not self.attention.endswith("other-lists"),
            log_scaling=self.attention != "full",
        )

    @property
    def item_offset(self) -> int:
        """In training, each sequence's items are counted from a number drawn from 0 to this: rotations can do it."""
        return 40 if self.positions == "rotary" else 0

    @property
    def digit_offset(self) -> int:
        """In training, each sequence's digits are counted from a number drawn from 0 to this."""
        return 2 if self.positions in ("structural", "rotary") and not self.digit_positions else 0

    @property
    def eval_interval(self) -> int:
        """Steps from one measurement of exactness to the next."""
        return 20 if self.cooldown else min(1_000, max(20, self.steps // 20))


_ALL = {each.name: each for each in fields(Hyperparameters) if each.name not in ("seed", "architecture", "own")}

GROUPS: Mapping[str, tuple[str, ...]] = {
    group: tuple(name for name, each in _ALL.items() if each.metadata.get(_GROUP) == group)
    for group in ("above all", "architecture", "positions", "sampling", "optimiser")
}
"""The names that a user may choose, by group."""

FURTHER = tuple(name for name, each in _ALL.items() if _GROUP not in each.metadata)
"""What presets set beside these. A command may replace them, as those of old cards and of experiments do."""

DECODERS = (*GROUPS["architecture"], *GROUPS["positions"], "positions", "dropout", "min_score_scale", "score_noise")
"""The names of those that only the decoder has."""
