"""The hyperparameters: what a user may choose of a model and of its training, the four that matter most first; what
presets set beside these; and the presets, as `--set` has them.
"""

import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import asdict, evolve, field, fields, frozen, validators

from coc_core.errors import UsageError
from coc_core.plugin import suggest
from coc_core.text import nearest, parse_decimal, quoted
from coc_transformer.files import MOST_DIGIT_ROWS, MOST_STEPS, ModelConfig, within
from coc_transformer.tokenizer import MOST_TOKENS

if TYPE_CHECKING:
    from coc_transformer.network import OwnArchitecture, OwnConfig

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
    """How a token's position is encoded; `rotary` is `structural`, and heads know distances in a list."""

    d_model: int = _of("architecture", 128)
    layers: int = _of("architecture", 2)
    heads: int = _of("architecture", 4)

    attention: str = _of("positions", "full", validators.in_(ATTENTION))
    """Which tokens attend to which. `full`: each to all before it. `scaled`: sharper as the sequence gets longer.
    `target`: scaled, and the tokens of a prompt attend to themselves only, so that what the model learns is a sequence
    of look-ups. `other-lists`: scaled, and the tokens of a target don't attend to the earlier items of the list that
    they are in, so that they can't tell how far it has come. `target-other-lists`: both.
    """
    token_shift: int = _of("positions", 0)
    """How many of the preceding tokens are mixed into each token's embedding, each through a matrix of its own."""
    digit_positions: int = _of("positions", 0, within(0, MOST_DIGIT_ROWS - 1))
    """In training, digits have ascending positions drawn from 1 to this (`DigitPositions`). 0: none are drawn."""

    batch_size: int = _of("sampling", 64, within(1, 65_536))
    """Pairs in each step."""
    prioritised_replay: float = _of("sampling", 0.0, within(0, 0.9))
    """The share of each batch that is drawn in proportion to the pairs' last known loss (`PrioritisedReplay`)."""
    name_permutation: float = _of("sampling", 0.0, within(0, 1))
    """The share of the training sequences whose names are permuted."""

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
    has to stand out clearly to be looked up."""
    score_noise: float = field(default=0.0, validator=within(0, 8))
    """In training, normal noise with a standard deviation drawn from 0 to this is added to each sequence's attention
    scores. A count gets lost in it; what is looked up does not."""
    bucket_share: float = field(default=0.0, validator=within(0, 1))
    """The share of each batch that is stratified by sampling buckets."""
    bucket_digits: str = field(default="decimal", validator=validators.in_(("decimal", "binary")))
    """In which digits sampling buckets tell how far an addition carries: long carries in binary digits are rare."""
    curriculum: float = field(default=0.0, validator=within(0, 1))
    """The share of the steps in which the pairs grow from short to long."""
    name_pool: int = field(default=0, validator=within(0, MOST_TOKENS))
    """How many interchangeable names, such as `B1` to `B128`, get a token whether they occur in the pairs or not."""
    final_pairs: int = field(default=0, validator=within(0, 1_000_000_000))
    """The most training pairs, and the most held-out pairs, of each dialect that are measured at the end. 0: all."""
    cooldown: int = field(default=0, validator=within(0, MOST_STEPS))
    """Training ends this many steps after all training pairs are exact; over them the learning rate falls to zero."""
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
    architecture: "OwnArchitecture | None" = None
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
    def model(self) -> "ModelConfig | OwnConfig":
        """What the network is made from, before the size of the vocabulary is known."""
        return self.made(self.vocab)

    def made(self, vocab: int) -> "ModelConfig | OwnConfig":
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


_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?(e[+-]?[0-9]{1,3})?", re.ASCII)


def _parse_float(text: str) -> float:
    """Parse a finite number in decimal notation; `float` also reads `nan`, `1_0` and other scripts' digits."""
    number = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(number) or (not number and text.startswith("-")):
        raise ValueError(f"{quoted(text, 24)} is not a number")
    return number


_READ: Mapping[type | None, tuple[Callable[[str], Any], str]] = {
    str: (str, ""),
    int: (parse_decimal, "a whole number"),
    float: (_parse_float, "a number"),
    bool: ({"true": True, "false": False}.__getitem__, "true or false"),
}
_KINDS = {attribute.name: attribute.type for attribute in fields(Hyperparameters)}


def _parsed(texts: Mapping[str, str], kinds: Mapping[str, type | None]) -> dict[str, Any]:
    values = {}
    for name, text in texts.items():
        read, what = _READ[kinds[name]]
        try:
            values[name] = read(text)
        except (ValueError, KeyError):
            raise UsageError(f"{name} must be {what}, not {text!r}") from None
    return values


_PRESETS: Mapping[str, tuple[str, str, str]] = {
    "small": (
        "under half a million parameters, one token per digit; learns the distinct pairs of Hanoi within minutes",
        "",
        "",
    ),
    "exact": (
        "for large training sets: structural positions, one token per name and digit, rare kinds of step drawn often",
        "small",
        "steps=700 epochs=1000000 max_len=320 tokens=exact positions=structural d_model=96 layers=3 vocab=512"
        " min_frequency=1 batch_size=128 bucket_share=0.5 lr=4e-3 warmup=100 optimizer=muon ema=0.99",
    ),
    "exact-numbers": (
        "for steps with larger numbers than those in training: positions by fields, binary digits",
        "exact",
        "steps=2000 max_len=512 tokens=binary positions=fields d_model=64 layers=2 heads=2 attention=target"
        " token_shift=1 digit_positions=40 prioritised_replay=0.25 weight_decay=1",
    ),
    "exact-lists": (
        "for steps that copy longer lists than those in training: items are found by their neighbours",
        "exact-numbers",
        "max_len=1024 d_model=128 layers=3 heads=4 attention=target-other-lists min_score_scale=0.3 curriculum=0.6"
        " name_permutation=1 name_pool=128 final_pairs=3000 warmup=50",
    ),
    "program": (  # no number of a finite list of prompts is long: each digit is a token, which is learned sooner
        "for a finite list of prompts, all of which are learned: training ends once all are exact",
        "exact-numbers",
        "steps=10000 tokens=exact attention=full digit_positions=0 weight_decay=0.1 cooldown=200",
    ),
    "arithmetic": (  # buckets matter: the two pairs of -1 are drawn often
        "a tiny model that evaluates expressions such as NEXT_ID+2 for a planning model; needs no domain",
        "exact-numbers",
        "steps=1500 max_len=64 tokens=exact attention=full batch_size=256 prioritised_replay=0.4 weight_decay=0.1",
    ),
    "paper": (
        "the paper's model and training for Tower of Hanoi; needs a GPU",
        "small",
        "steps=50000 epochs=100 max_len=128 tokens=merged d_model=384 layers=6 heads=6 dropout=0.1 vocab=300 lr=3e-4"
        " warmup=2000 loss=all",
    ),
}
"""What each preset is for, the one that it begins with, and what it replaces."""

SUMMARIES: Mapping[str, str] = {name: summary for name, (summary, _, _) in _PRESETS.items()}
PRESETS: dict[str, Hyperparameters] = {}
for _name, (_, _base, _text) in _PRESETS.items():
    _changes = _parsed(dict(each.split("=") for each in _text.split()), _KINDS)
    PRESETS[_name] = evolve(PRESETS.get(_base, Hyperparameters()), **_changes)


def choose(
    name: str, overrides: Mapping[str, str], seed: int = 0, architecture: "OwnArchitecture | None" = None
) -> Hyperparameters:
    """Return a preset with some hyperparameters replaced, given as texts; those of a network that is not the decoder
    replace the decoder's own. UsageError if a name is unknown or a value is not allowed.
    """
    if name not in PRESETS:
        raise UsageError(f"unknown preset {name!r}", remedy=suggest(name, PRESETS))
    preset, groups, further, own = PRESETS[name], GROUPS, FURTHER, dict[str, Any]()
    if architecture is not None:
        preset = evolve(preset, **{field: getattr(PRESETS["small"], field) for field in DECODERS})
        own = dict(architecture.fields())
        for field in own:
            if field in _KINDS and field not in DECODERS:
                raise UsageError(
                    f"the network {architecture.name}: Config.{field} is a hyperparameter of coc, for every network",
                    remedy="give it another name",
                )
        theirs = {group: tuple(each for each in names if each not in DECODERS) for group, names in GROUPS.items()}
        groups = {group: names for group, names in {architecture.name: tuple(own), **theirs}.items() if names}
        further = tuple(each for each in FURTHER if each not in DECODERS)
    known = [*(field for names in groups.values() for field in names), *further]
    for field in overrides:
        if field not in known:
            near = nearest(field, known)
            suggestion = f"did you mean {near!r}? " if near else ""
            listing = "; ".join(f"{group}: {', '.join(names)}" for group, names in groups.items())
            raise UsageError(f"unknown hyperparameter {field!r}", remedy=f"{suggestion}choose from {listing}")
    changes = _parsed(overrides, _KINDS | own)
    own = {field: changes.pop(field) for field in overrides if field in own}
    try:
        return evolve(preset, **changes, seed=seed, architecture=architecture, own=own)
    except ValueError as error:
        raise UsageError(f"these hyperparameters are not allowed: {error.args[0]}") from None
