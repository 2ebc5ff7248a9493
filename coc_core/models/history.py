"""The prompts that a chain of trainings has held out and trained on, which each of its checkpoints records.

A chain begins with new weights; each later training starts from the checkpoint of the one before. A prompt that one of
them held out stays out of all later ones, and only a prompt that none of them trained on counts as unseen. Prompts
count, whatever their dialects: a prompt that was trained on in one dialect is not unseen in another.

The record is the file `pairs.digests`: a line of JSON, then sorted digests as little-endian numbers, of 64 bits for
each held-out prompt and of 32 bits for each prompt that was trained on. A false match among the shorter ones makes a
prompt count as trained on, so it only makes the chain claim less.
"""

import json
import sys
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable
from hashlib import blake2b, sha256
from heapq import merge
from itertools import groupby, islice
from operator import lt
from pathlib import Path

from attrs import Factory, evolve, frozen

from coc_core.errors import ArtefactError, UsageError
from coc_core.models.pair import Pair
from coc_core.models.training import TrainingSet
from coc_core.storage import parse_json_object, read_bytes

PAIR_HISTORY = "pairs.digests"
MOST_HELD_OUT = 1 << 23
MOST_TRAINED = 1 << 24

_FORMAT = 1
_HELD_OUT, _TRAINED = "Q", "I"  # unsigned numbers of 8 and 4 bytes
_KEYS = ("format", "checkpoint", "complete", "held_out", "trained", "sha256")
_LONGEST_HEADER = 1 << 10  # bytes


@frozen
class PairHistory:
    """What the trainings of a chain have used.

    Attributes:
        complete: Whether it covers the chain from its beginning. If not, a held-out prompt may have been trained on.
        held_out: The sorted digests of the prompts that were held out and never trained on.
        trained: The first halves of the digests of the prompts that were trained on, sorted.
    """

    complete: bool = True
    held_out: "array[int]" = Factory(lambda: array(_HELD_OUT))
    trained: "array[int]" = Factory(lambda: array(_TRAINED))

    def __repr__(self) -> str:
        known = "complete" if self.complete else "incomplete"
        return f"PairHistory({known}, {len(self.held_out):,} prompts held out, {len(self.trained):,} trained on)"

    def divide(self, training_sets: Iterable[TrainingSet]) -> "Division":
        """Divide the pairs of a training so that the chain keeps its promise.

        A prompt that the chain held out is held out again, and one that is drawn to be held out is learned if the chain
        has trained on it. At the beginning of a chain nothing is changed.

        Raises:
            UsageError: If nothing is left to train on in a dialect, or there are more prompts than can be recorded.
        """
        divided = [self._divide(each) for each in training_sets]
        learned = {_digest(pair) for each in divided for pair in each.training_set.train}
        heldout = [[_digest(pair) for pair in each.training_set.heldout] for each in divided]
        unseen = {digest for digests in heldout for digest in digests} - learned
        held_out = _union(_HELD_OUT, self.held_out, unseen)
        trained = _union(_TRAINED, self.trained, {_short(digest) for digest in learned})
        if len(held_out) > MOST_HELD_OUT or len(trained) > MOST_TRAINED:
            raise UsageError(
                f"a checkpoint can record {MOST_TRAINED:,} prompts that were trained on and {MOST_HELD_OUT:,} that"
                f" were held out, but these are {len(trained):,} and {len(held_out):,}",
                remedy="train on fewer pairs",
            )
        counted = (sum(digest in unseen for digest in digests) for digests in heldout)
        return Division(
            tuple(evolve(each, unseen=count) for each, count in zip(divided, counted, strict=True)),
            PairHistory(self.complete, held_out, trained),
        )

    def _divide(self, one: TrainingSet) -> "DividedSet":
        train, withheld = _split(one.train, lambda digest: _in(self.held_out, digest))
        reused, heldout = _split(
            one.heldout, lambda digest: _in(self.held_out, digest) or not _in(self.trained, _short(digest))
        )
        if withheld and not train and not reused:
            raise UsageError(
                f"earlier training runs of this chain held out every training pair of {one.dialect}",
                remedy="train on other pairs, or leave out --init",
            )
        both = evolve(one, train=[*train, *reused], heldout=[*heldout, *withheld])
        return DividedSet(both, len(withheld), len(reused))

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
        if found.keys() != set(_KEYS) or facts[0] != _FORMAT or _sum(facts[:-1], body) != facts[-1]:
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
        return cls(complete, *numbers)

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
        training_set: The training pairs, and those that are held out.
        withheld: How many pairs were to be learned but are held out, since the chain held out their prompts before.
        reused: How many pairs were drawn to be held out but are learned, since the chain has trained on their prompts.
        unseen: How many of the held-out pairs have prompts that neither this training nor the chain's record has in
            training.
    """

    training_set: TrainingSet
    withheld: int
    reused: int
    unseen: int = 0


@frozen
class Division:
    """The pairs of a training, divided, and what the chain has used after it."""

    sets: tuple[DividedSet, ...]
    history: PairHistory


def _digest(pair: Pair) -> int:
    return int.from_bytes(blake2b(pair.prompt.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def _short(digest: int) -> int:
    return digest >> 32


def _in(numbers: "array[int]", number: int) -> bool:
    index = bisect_left(numbers, number)
    return index < len(numbers) and numbers[index] == number


def _split(pairs: Iterable[Pair], is_second: Callable[[int], bool]) -> tuple[list[Pair], list[Pair]]:
    halves: tuple[list[Pair], list[Pair]] = ([], [])
    for pair in pairs:
        halves[is_second(_digest(pair))].append(pair)
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
