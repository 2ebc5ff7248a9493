"""Presets: named sets of hyperparameters, as `--set` has them; and how single values are replaced."""

import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import evolve, fields

from coc_core.errors import UsageError
from coc_core.plugin import suggest
from coc_core.text import nearest, parse_decimal, quoted
from coc_transformer.training.hyperparameters import DECODERS, FURTHER, GROUPS, Hyperparameters

if TYPE_CHECKING:
    from coc_transformer.network import Architecture

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


def _with(preset: Hyperparameters, text: str) -> Hyperparameters:
    """Return a preset in which some values are replaced, written as `NAME=VALUE NAME=VALUE`."""
    return evolve(preset, **_parsed(dict(each.split("=") for each in text.split()), _KINDS))


_SMALL = Hyperparameters()
_EXACT = _with(
    _SMALL,
    "steps=700 epochs=1000000 max_len=320 tokens=exact positions=structural d_model=96 layers=3 vocab=512"
    " min_frequency=1 batch_size=128 bucket_share=0.5 lr=4e-3 warmup=100 optimizer=muon ema=0.99",
)
_NUMBERS = _with(
    _EXACT,
    "steps=2000 max_len=512 tokens=binary positions=fields d_model=64 layers=2 heads=2 attention=target token_shift=1"
    " digit_positions=40 prioritised_replay=0.25 weight_decay=1",
)
PRESETS: Mapping[str, Hyperparameters] = {
    "small": _SMALL,
    "exact": _EXACT,
    "exact-numbers": _NUMBERS,
    "exact-lists": _with(
        _NUMBERS,
        "max_len=1024 d_model=128 layers=3 heads=4 attention=target-other-lists min_score_scale=0.3 curriculum=0.6"
        " name_permutation=1 name_pool=128 final_pairs=3000 warmup=50",
    ),
    "program": _with(  # no number of a finite list of prompts is long: each digit is a token, which is learned sooner
        _NUMBERS, "steps=10000 tokens=exact attention=full digit_positions=0 weight_decay=0.1 cooldown=200"
    ),
    "arithmetic": _with(  # buckets matter: the two pairs of -1 are drawn often
        _NUMBERS,
        "steps=1500 max_len=64 tokens=exact attention=full batch_size=256 prioritised_replay=0.4 weight_decay=0.1",
    ),
    "paper": _with(
        _SMALL,
        "steps=50000 epochs=100 max_len=128 tokens=merged d_model=384 layers=6 heads=6 dropout=0.1 vocab=300 lr=3e-4"
        " warmup=2000 loss=all",
    ),
}
SUMMARIES: Mapping[str, str] = {
    "small": "under half a million parameters, one token per digit; learns the distinct pairs of Hanoi within minutes",
    "exact": "for large training sets: structural positions, one token per name and digit, rare kinds of step drawn"
    " often",
    "exact-numbers": "for steps with larger numbers than those in training: positions by fields, binary digits",
    "exact-lists": "for steps that copy longer lists than those in training: items are found by their neighbours",
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
    preset, groups, further, own = PRESETS[name], GROUPS, FURTHER, dict[str, Any]()
    if architecture is not None:
        preset = evolve(preset, **{field: getattr(_SMALL, field) for field in DECODERS})
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
