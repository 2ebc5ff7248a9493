"""The pairs that a chain of trainings has held out and trained on, which each of its checkpoints records.

A chain begins with new weights; each later training starts from the checkpoint of the one before. A pair that one of
them held out stays out of all later ones, and only a pair that none of them trained on counts as held out. What counts
is the step (`StepKey`), so a pair is known if its step was trained on in another dialect or with other names. Where
two prompts show registers, these count too.

The record is the file `pairs.digests`: a line of JSON, then sorted digests as little-endian numbers, of 64 bits for
what was held out and of 32 bits for what was trained on: each step with its registers, and again with any. A false
match among the shorter ones makes a pair count as trained on, so it only makes the chain claim less.
"""

import json
import sys
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b, sha256
from heapq import merge
from itertools import groupby, islice
from operator import lt
from pathlib import Path
from typing import NamedTuple

from attrs import Factory, evolve, frozen

from coc_core.errors import ArtefactError, UsageError
from coc_core.models import Pair
from coc_core.storage import parse_json_object, read_bytes
from coc_learn.step_key import StepKey
from coc_learn.trainer import TrainingSet

PAIR_HISTORY = "pairs.digests"
MOST_HELD_OUT = 1 << 23
MOST_TRAINED = 1 << 24

_FORMAT = 2
_OF_PROMPTS = 1  # the format that recorded prompts, not steps
_HELD_OUT, _TRAINED = "Q", "I"  # unsigned numbers of 8 and 4 bytes
_KEYS = ("format", "checkpoint", "complete", "held_out", "trained", "sha256")
_ANY = "*"  # in place of the registers
_LONGEST_HEADER = 1 << 10  # bytes


@frozen
class PairHistory:
    """What the trainings of a chain have used.

    Attributes:
        complete: Whether it covers the chain from its beginning. If not, a held-out pair may have been trained on.
        held_out: The sorted digests of what was held out and never trained on.
        trained: The first halves of the digests of what was trained on, sorted.
    """

    complete: bool = True
    held_out: "array[int]" = Factory(lambda: array(_HELD_OUT))
    trained: "array[int]" = Factory(lambda: array(_TRAINED))

    def __repr__(self) -> str:
        known = "complete" if self.complete else "incomplete"
        return f"PairHistory({known}, {len(self.held_out):,} digests held out, {len(self.trained):,} trained on)"

    def divide(self, training_sets: Iterable[TrainingSet]) -> "Division":
        """Divide the pairs of a training so that the chain keeps its promise.

        A pair that the chain held out is held out again, and one that is drawn to be held out is learned if the chain
        has trained on it. One whose step this training learns, in another dialect or with other names, is left out.

        Raises:
            UsageError: If nothing is left to train on in a dialect, or there are more pairs than can be recorded.
        """
        divided = [self._divide(each) for each in training_sets]
        learned = {digest for each in divided for keyed in each.train for digest in keyed.recorded}

        def is_known(digest: int) -> bool:
            return digest in learned or self._has_learned(digest)

        sets, unseen = [], set[int]()
        for each in divided:
            heldout = [keyed for keyed in each.heldout if not any(map(is_known, keyed.compared))]
            unseen.update(digest for keyed in heldout for digest in keyed.recorded if not is_known(digest))
            sets.append(each.without_known(heldout))
        held_out = _union(_HELD_OUT, self.held_out, unseen)
        trained = _union(_TRAINED, self.trained, {_short(digest) for digest in learned})
        if len(held_out) > MOST_HELD_OUT or len(trained) > MOST_TRAINED:
            raise UsageError(
                f"a checkpoint can record {MOST_TRAINED:,} digests of pairs that were trained on and {MOST_HELD_OUT:,}"
                f" of pairs that were held out, but these are {len(trained):,} and {len(held_out):,}",
                remedy="train on fewer pairs",
            )
        return Division(tuple(sets), PairHistory(self.complete, held_out, trained))

    def _divide(self, one: TrainingSet) -> "_Halves":
        train, withheld = _split(_keyed(one, one.train), lambda keyed: any(map(self._holds_out, keyed.compared)))
        heldout, reused = _split(
            _keyed(one, one.heldout),
            lambda keyed: any(map(self._has_learned, keyed.compared)) and not any(map(self._holds_out, keyed.compared)),
        )
        if withheld and not train and not reused:
            raise UsageError(
                f"earlier training runs of this chain held out every training pair of {one.dialect}",
                remedy="train on other pairs, or leave out --init",
            )
        return _Halves(one, [*train, *reused], [*heldout, *withheld], len(withheld), len(reused))

    def _holds_out(self, digest: int) -> bool:
        return _in(self.held_out, digest)

    def _has_learned(self, digest: int) -> bool:
        return _in(self.trained, _short(digest)) and not self._holds_out(digest)

    def to_bytes(self, checkpoint: str) -> bytes:
        """The contents of the file for the checkpoint that has this fingerprint."""
        facts = [_FORMAT, checkpoint, self.complete, len(self.held_out), len(self.trained)]
        body = b"".join(_swapped(array(each.typecode, each)).tobytes() for each in (self.held_out, self.trained))
        header = dict(zip(_KEYS, [*facts, _sum(facts, body)], strict=True))
        return json.dumps(header).encode() + b"\n" + body

    @classmethod
    def from_bytes(cls, data: bytes, where: str, checkpoint: str) -> "PairHistory":
        """Read what `to_bytes` wrote for the same checkpoint; ArtefactError, naming `where`, for anything else."""
        line, _, body = data[:_LONGEST_HEADER].partition(b"\n")
        body = data[len(line) + 1 :]
        found = parse_json_object(line, f"{where}: the first line")
        facts = [found.get(name) for name in _KEYS]
        known = facts[0] in (_FORMAT, _OF_PROMPTS)
        if found.keys() != set(_KEYS) or not known or _sum(facts[:-1], body) != facts[-1]:
            raise ArtefactError(f"{where} is damaged, or not a record of pairs that this version of coc reads")
        _, owner, complete, held_out, trained, _ = facts
        if owner != checkpoint:
            raise ArtefactError(f"{where} belongs to another checkpoint")
        if type(complete) is not bool or type(held_out) is not int or type(trained) is not int:
            raise ArtefactError(f"{where}: the first line has a value of a wrong kind")
        numbers = array(_HELD_OUT), array(_TRAINED)
        begin = numbers[0].itemsize * held_out
        if held_out < 0 or trained < 0 or len(body) != begin + numbers[1].itemsize * trained:
            raise ArtefactError(f"{where} does not have the digests that its first line counts")
        for each, part in zip(numbers, (body[:begin], body[begin:]), strict=True):
            each.frombytes(part)
            if not all(map(lt, _swapped(each), islice(each, 1, None))):
                raise ArtefactError(f"{where}: the digests are not in order")
        return cls(complete, *numbers) if facts[0] == _FORMAT else cls(complete=False)

    @classmethod
    def read(cls, folder: Path, checkpoint: str) -> "PairHistory":
        """Read the record of a checkpoint; an empty, incomplete one if it has none.

        Args:
            folder: The checkpoint's folder.
            checkpoint: The fingerprint of its other files.

        Raises:
            ArtefactError: If the file is damaged or belongs to another checkpoint.
        """
        path = folder / PAIR_HISTORY
        if not path.exists():
            return cls(complete=False)
        try:
            return cls.from_bytes(read_bytes(path, _largest_file()), str(path), checkpoint)
        except ArtefactError as error:
            remedy = "delete it: coc then takes it as unknown which pairs the checkpoint was trained on"
            raise ArtefactError(error.message, remedy=remedy) from None


@frozen
class DividedSet:
    """The pairs of one dialect, divided.

    Attributes:
        training_set: The training pairs, and those that are held out, none of which any training has learned.
        withheld: How many pairs were to be learned but are held out, since the chain held them out before.
        reused: How many pairs were drawn to be held out but are learned, since the chain has trained on them.
        known: How many pairs were drawn to be held out but are left out, since their step is learned in another
            dialect or with other names.
    """

    training_set: TrainingSet
    withheld: int
    reused: int
    known: int


@frozen
class Division:
    """The pairs of a training, divided, and what the chain has used after it."""

    sets: tuple[DividedSet, ...]
    history: PairHistory


class _Keyed(NamedTuple):
    """A pair, the digests that are recorded if it is used, and those that tell whether it is known."""

    pair: Pair
    recorded: tuple[int, ...]
    compared: tuple[int, int]


@frozen
class _Halves:
    """The pairs of one dialect, before those that are known are left out."""

    training_set: TrainingSet
    train: Sequence[_Keyed]
    heldout: Sequence[_Keyed]
    withheld: int
    reused: int

    def without_known(self, heldout: Sequence[_Keyed]) -> DividedSet:
        train, kept = ([keyed.pair for keyed in half] for half in (self.train, heldout))
        both = evolve(self.training_set, train=train, heldout=kept)
        return DividedSet(both, self.withheld, self.reused, len(self.heldout) - len(heldout))


def _keyed(one: TrainingSet, pairs: Iterable[Pair]) -> Iterator[_Keyed]:
    """The pairs with the digests of their steps.

    A prompt that shows no registers is known if the step was learned with any; one that does if the step was learned
    with the same, or in a dialect without registers.
    """
    for pair in pairs:
        key = one.step_key(pair.prompt)
        own, of_any = _digest(key), _digest(StepKey(key.step, _ANY))
        if key.registers:
            yield _Keyed(pair, (own, of_any), (own, _digest(StepKey(key.step))))
        else:
            yield _Keyed(pair, (own,), (own, of_any))


def _digest(key: StepKey) -> int:
    text = f"{key.registers}\0{key.step}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")


def _short(digest: int) -> int:
    return digest >> 32


def _in(numbers: "array[int]", number: int) -> bool:
    index = bisect_left(numbers, number)
    return index < len(numbers) and numbers[index] == number


def _split(pairs: Iterable[_Keyed], is_second: Callable[[_Keyed], bool]) -> tuple[list[_Keyed], list[_Keyed]]:
    halves: tuple[list[_Keyed], list[_Keyed]] = ([], [])
    for keyed in pairs:
        halves[is_second(keyed)].append(keyed)
    return halves


def _union(kind: str, numbers: Iterable[int], others: Iterable[int]) -> "array[int]":
    return array(kind, (number for number, _ in groupby(merge(numbers, sorted(others)))))


def _largest_file() -> int:
    return _LONGEST_HEADER + array(_HELD_OUT).itemsize * MOST_HELD_OUT + array(_TRAINED).itemsize * MOST_TRAINED


def _sum(facts: Iterable[object], body: bytes) -> str:
    return sha256(json.dumps([*facts]).encode() + b"\n" + body).hexdigest()


def _swapped(numbers: "array[int]") -> "array[int]":
    """The numbers, in place, with the bytes in the other order unless this machine is little-endian."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
