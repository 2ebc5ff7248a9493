"""Which pairs of a training count as held out: those whose step it learns nowhere, in no dialect and under no names. A
prompt that shows no registers is known if its step (`StepKey`) was learned with any; one that does if it was learned
with the same, or in a dialect without registers. After another training nothing counts as held out, since what that one
has learned is not known here.
"""

from collections.abc import Iterable
from hashlib import blake2b

from attrs import evolve

from coc_core.models import Pair
from coc_learn.trainer import TrainingSet

_ANY = "*"  # in place of the registers


def divide(training_sets: Iterable[TrainingSet], *, further: bool) -> list[TrainingSet]:
    """Leave out the held-out pairs that do not count; all of them in a `further` training, one after another one."""
    sets = list(training_sets)
    if further:
        return [evolve(one, heldout=[]) for one in sets]
    learned = {digest for one in sets for pair in one.train for digest in _digests(one, pair, learned=True)}
    kept = [[pair for pair in one.heldout if learned.isdisjoint(_digests(one, pair, learned=False))] for one in sets]
    return [
        evolve(one, heldout=pairs, known=len(one.heldout) - len(pairs)) for one, pairs in zip(sets, kept, strict=True)
    ]


def _digests(one: TrainingSet, pair: Pair, *, learned: bool) -> set[int]:
    """Return the digests that a step leaves where it is learned, or by which it is known where it is held out: with its
    own registers, and, where it is learned with some or held out without, with any.
    """
    step, registers = one.step_key(pair.prompt)
    other = _ANY if bool(registers) == learned else ""
    texts = (f"{each}\0{step}".encode("utf-8", "surrogatepass") for each in (registers, other))
    return {int.from_bytes(blake2b(text, digest_size=8).digest(), "big") for text in texts}
