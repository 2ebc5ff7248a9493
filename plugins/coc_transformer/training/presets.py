"""Named sets of hyperparameters, and how single values are replaced."""

import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import evolve, fields

from coc_core.errors import UsageError
from coc_core.plugin import suggest
from coc_core.text import nearest, parse_decimal, quoted
from coc_transformer.training.hyperparameters import DECODERS, GROUPS, Hyperparameters

if TYPE_CHECKING:
    from coc_transformer.network import Architecture

_SMALL = Hyperparameters()
_EXACT = evolve(
    _SMALL,
    steps=700,
    epochs=1_000_000,
    max_len=320,
    tokens="exact",
    positions="structural",
    d_model=96,
    layers=3,
    vocab=512,
    min_frequency=1,
    batch_size=128,
    bucket_share=0.5,
    lr=4e-3,
    warmup=100,
    optimizer="muon",
    ema=0.99,
)
_EXACT_NUMBERS = evolve(
    _EXACT,
    steps=2_000,
    max_len=512,
    tokens="binary",
    positions="fields",
    d_model=64,
    layers=2,
    heads=2,
    attention="target",
    token_shift=1,
    digit_positions=40,
    prioritised_replay=0.25,
    weight_decay=1.0,
)
_EXACT_LISTS = evolve(
    _EXACT_NUMBERS,
    max_len=1_024,
    d_model=128,
    layers=3,
    heads=4,
    attention="target-other-lists",
    min_score_scale=0.3,
    curriculum=0.6,
    name_permutation=1.0,
    name_pool=128,
    final_pairs=3_000,
    warmup=50,
    precision="bfloat16",
)
_PROGRAM = evolve(  # no number of a finite list of prompts is long: each digit is a token, which is learned sooner
    _EXACT_NUMBERS, steps=10_000, tokens="exact", attention="full", digit_positions=0, weight_decay=0.1, cooldown=200
)
_ARITHMETIC = evolve(  # buckets matter: the two pairs of -1 are drawn often
    _EXACT_NUMBERS,
    steps=1_500,
    max_len=64,
    tokens="exact",
    attention="full",
    batch_size=256,
    prioritised_replay=0.4,
    weight_decay=0.1,
)
_PAPER = evolve(
    _SMALL,
    steps=50_000,
    epochs=100,
    max_len=128,
    tokens="merged",
    d_model=384,
    layers=6,
    heads=6,
    dropout=0.1,
    vocab=300,
    lr=3e-4,
    warmup=2_000,
    loss="all",
)

PRESETS: Mapping[str, Hyperparameters] = {
    "small": _SMALL,
    "exact": _EXACT,
    "exact-numbers": _EXACT_NUMBERS,
    "exact-lists": _EXACT_LISTS,
    "program": _PROGRAM,
    "arithmetic": _ARITHMETIC,
    "paper": _PAPER,
}
SUMMARIES: Mapping[str, str] = {
    "small": "under half a million parameters, one token per digit; learns the distinct pairs of Hanoi within minutes",
    "exact": "for large training sets: structural positions, one token per name and digit, batches stratified by kind"
    " of step",
    "exact-numbers": "for steps with larger numbers than those in training: positions by fields, binary digits at"
    " random positions",
    "exact-lists": "for steps that copy longer lists than those in training: items are found by what stands beside"
    " them",
    "program": "for a finite list of prompts, all of which are learned: training ends once all are exact",
    "arithmetic": "a tiny model that evaluates expressions such as NEXT_ID+2 for a planning model; needs no domain",
    "paper": "the paper's model and training for Tower of Hanoi; needs a GPU",
}


def choose(
    name: str, overrides: Mapping[str, str], seed: int = 0, architecture: "Architecture | None" = None
) -> Hyperparameters:
    """Return a preset with some hyperparameters replaced, given as texts; those of a network that is not the decoder
    replace the decoder's own. UsageError if a name is unknown or a value is not allowed.
    """
    if name not in PRESETS:
        raise UsageError(f"unknown preset {name!r}", remedy=suggest(name, PRESETS))
    preset, groups, own = PRESETS[name], GROUPS, dict[str, Any]()
    kinds = {attribute.name: attribute.type for attribute in fields(Hyperparameters)}
    if architecture is not None:
        preset = evolve(preset, **{field: getattr(_SMALL, field) for field in DECODERS})
        own = dict(architecture.fields())
        for field in own:
            if field in kinds and field not in DECODERS:
                raise UsageError(
                    f"the network {architecture.name}: Config.{field} is a hyperparameter of coc, for every network",
                    remedy="give it another name",
                )
        groups = {group: tuple(each for each in names if each not in DECODERS) for group, names in GROUPS.items()}
        groups = {group: names for group, names in {architecture.name: tuple(own), **groups}.items() if names}
        kinds |= own
    known = [field for names in groups.values() for field in names]
    for field in overrides:
        if field not in known:
            near = nearest(field, known)
            suggestion = f"did you mean {near!r}? " if near else ""
            listing = "; ".join(f"{group}: {', '.join(names)}" for group, names in groups.items())
            raise UsageError(f"unknown hyperparameter {field!r}", remedy=f"{suggestion}choose from {listing}")
    changes = {field: _parse(field, text, kinds[field]) for field, text in overrides.items()}
    own = {field: changes.pop(field) for field in overrides if field in own}
    try:
        return evolve(preset, **changes, seed=seed, architecture=architecture, own=own)
    except ValueError as error:
        raise UsageError(f"these hyperparameters are not allowed: {error.args[0]}") from None


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


def _parse(name: str, text: str, expected: type | None) -> Any:
    read, what = _READ[expected]
    try:
        return read(text)
    except (ValueError, KeyError):
        raise UsageError(f"{name} must be {what}, not {text!r}") from None
