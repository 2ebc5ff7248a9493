"""The pairs that a model is trained on: the distinct ones of the reference model's runs. A dataset spec says of which
problems, and which are held out.
"""

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from hashlib import blake2b
from itertools import chain
from typing import Annotated, Any, TypeVar

from attrs import field, frozen

from coc_core.domain import StoresRecords
from coc_core.errors import LimitFault, PluginError, UsageError
from coc_core.memories import Convention, Reference
from coc_core.models import Pair
from coc_core.setting import Setting
from coc_core.text import format_sizes, number_names, rename
from coc_learn.trainer import SizeTest, StepKey
from coc_problems import (
    MOST_SIZES,
    Split,
    closure,
    enumerate_first,
    has_few_kinds,
    is_closed,
    sample_near_goal,
    sample_problems,
)
from coc_programs import Program

ItemT = TypeVar("ItemT")

_GREATEST = 10**18
_Number = Annotated[int, range(_GREATEST + 1)]


class Seen:
    """A set of texts that stores only their digests: a million texts of any length take about 100 MB."""

    def __init__(self) -> None:
        self._digests: set[bytes] = set()

    def add(self, text: str) -> bool:
        """Add a text; returns whether it is new."""
        before = len(self._digests)
        self._digests.add(self._digest(text))
        return len(self._digests) > before

    def __contains__(self, text: str) -> bool:
        return self._digest(text) in self._digests

    def _digest(self, text: str) -> bytes:
        return blake2b(text.encode(), digest_size=16).digest()


def teacher_pairs(setting: Setting, problems: Iterable[Any], seen: Seen | None = None) -> Iterator[Pair]:
    """Return the distinct pairs of the runs of `problems`, in their order; only digests of prompts are stored, in
    `seen`, whose pairs are left out. Where a convention allows it, no problem is run (`closure`). UsageError if a
    target would be longer than allowed, PluginError if the policy does not solve a problem.
    """
    seen = Seen() if seen is None else seen
    if is_closed(setting.convention):
        yield from closure(setting.convention, problems, seen.add)
        return
    teacher = Reference(setting.convention)
    for problem in problems:
        machine = setting.machine(problem)
        while (prompt := machine.peek()) is not None:
            try:
                target = teacher.complete([prompt])[0]
            except LimitFault as fault:
                text = setting.domain.problems.format(problem)
                raise UsageError(
                    f"there are no pairs of {text}: {fault.message}", remedy="choose a smaller n"
                ) from None
            machine.step(target)
            if seen.add(prompt):
                yield Pair(prompt, target)
        if machine.status != "solved":
            text = setting.domain.problems.format(problem)
            raise PluginError(f"the policy of {setting.domain.name} does not solve {text}: {machine.fault}")


def why_growing(convention: Convention[Any, Any]) -> str:
    """Return why a program's prompts grow with its problems, in words; empty if they don't, or it is none."""
    domain = convention.domain
    if not isinstance(domain, Program) or has_few_kinds(convention):
        return ""
    if domain.compiled.growing:
        return f"numbers without a limit: {', '.join(domain.compiled.growing)}"
    return f"{convention.notation} notation shows the numbers of records"


def step_key(convention: Convention[Any, Any], prompt: str) -> StepKey:
    """Return the step and the registers of a prompt. The step is the instruction with its interchangeable names
    numbered, the same on every memory, in every notation, and under every permutation of names. Where a prompt grows
    with each step, all of it counts, and so does a text that is not a prompt of the convention.
    """
    domain = convention.domain
    try:
        found = {"instruction": prompt} if convention.growing_prompts else convention.match_prompt(prompt)
    except ValueError:
        found = None
    if found is None:
        return StepKey(prompt)
    instruction, letters = found.pop("instruction"), domain.interchangeable_names
    if isinstance(domain, StoresRecords):  # its policy does not even see which of its names are the same
        step = number_names(instruction, letters)[0]
    else:
        step = align_names(instruction, letters)
    return StepKey(f"{domain.name} {step}", " ".join(f"{name}={text}" for name, text in found.items()))


def align_names(text: str, letters: Collection[str]) -> str:
    """Return the text with its names numbered in order, equal ones alike: texts that differ in names only are equal."""
    numbers = dict[str, str]()
    for name in number_names(text, letters)[1].values():
        numbers.setdefault(name, f"{name.rstrip('0123456789')}{len(numbers) + 1}")
    return rename(text, numbers)


def check_fraction(fraction: float) -> None:
    """Raise UsageError unless the fraction is from 0 to below 1."""
    if not 0 <= fraction < 1:
        raise UsageError(
            f"a hold-out of {fraction} leaves nothing to train on", remedy="give a fraction from 0 to below 1"
        )


def hold_out(items: Sequence[ItemT], fraction: float, seed: int) -> tuple[list[ItemT], list[ItemT]]:
    """Split items into (training, held out) in their order: the seed draws the fraction, rounded down, uniformly."""
    check_fraction(fraction)
    held = set(random.Random(f"hold-out {seed}").sample(range(len(items)), int(fraction * len(items))))
    train = [item for index, item in enumerate(items) if index not in held]
    return train, [items[index] for index in sorted(held)]


class HoldOutBy(StrEnum):
    """What is held out: steps (`step_key`) with all of their pairs, the same in every dialect; single pairs of each
    dialect, as in the paper; or whole problems, with all pairs that no training problem has.
    """

    steps = "steps"
    pairs = "pairs"
    instances = "instances"


def _ascending(sizes: Iterable[int]) -> tuple[int, ...]:
    found = tuple(sorted(set(sizes)))
    if not found:
        raise UsageError("a dataset needs at least one size")
    return found


@frozen
class DatasetSpec:
    """Which problems are drawn, and which of their pairs are held out.

    Args:
        sizes: The sizes of the problems, at least one.
        instances: How many problems of each size are drawn.
        split: The split that problems are drawn from.
        holdout_by: What is held out.
        holdout: The fraction that is held out, from 0 to below 1.
        seed: Draws the problems and the hold-out.
        enumerated: Of the first so many problems of each size, those of the split are added (`enumerate_first`).
        near_goal: So many near-goal problems of each size are added (`sample_near_goal`).

    Raises:
        UsageError: If there is no size, or the hold-out leaves nothing to train on.
    """

    sizes: Annotated[tuple[_Number, ...], range(1, MOST_SIZES + 1)] = field(converter=_ascending)
    instances: Annotated[int, range(1, _GREATEST + 1)] = 1
    split: Split = Split.train
    holdout_by: HoldOutBy = HoldOutBy.steps
    holdout: float = field(default=0.15, validator=lambda _spec, _field, value: check_fraction(value))
    seed: Annotated[int, range(-_GREATEST, _GREATEST + 1)] = 0
    enumerated: _Number = 0
    near_goal: _Number = 0

    def __str__(self) -> str:
        sizes = f"n={format_sizes(self.sizes)}"
        each = f", {self.instances:,} instances of each n" if self.instances > 1 else ""
        enumerated = f" and the first {self.enumerated:,} enumerated" if self.enumerated else ""
        near_goal = f" and {self.near_goal:,} near-goal" if self.near_goal else ""
        return (
            f"{sizes}{each}{enumerated}{near_goal}, hold-out {100 * self.holdout:g}% of the {self.holdout_by},"
            f" seed {self.seed}"
        )

    def drawn(self, setting: Setting) -> Iterator[Any]:
        """Yield the problems in the order of sizes; UsageError if there are none, or no near-goal ones, of a size."""
        for n in (self.sizes[0], self.sizes[-1]):
            setting.domain.check_size(n)
        for n in self.sizes:
            yield from (
                instance.problem
                for instance in chain(
                    sample_problems(setting.domain, n, self.instances, self.seed, self.split),
                    enumerate_first(setting.domain, n, self.enumerated, self.split),
                    sample_near_goal(setting.domain, n, self.near_goal, self.seed, self.split),
                )
            )


def size_tests(setting: Setting, sizes: Iterable[int], instances: int, seed: int) -> Iterator[SizeTest]:
    """Yield tests: so many problems of each size from the test split, which no training sees; UsageError if none."""
    for n in sizes:
        spec = DatasetSpec((n,), instances, Split.test, holdout=0.0, seed=seed)
        problems = {setting.domain.problems.format(problem): problem for problem in spec.drawn(setting)}
        yield SizeTest(n, len(problems), list(teacher_pairs(setting, problems.values())))


def divided_pairs(
    setting: Setting,
    spec: DatasetSpec,
    problems: Iterable[Any] | None = None,
    through: Callable[[Iterable[Pair]], Iterable[Pair]] = iter,
) -> tuple[list[Pair], list[Pair]]:
    """Return the distinct pairs of a spec: those to train on, and those held out. Its `problems` may have been drawn
    before. The pairs pass `through` a function, which may count them.
    """
    some, seen = list(spec.drawn(setting) if problems is None else problems), Seen()
    if spec.holdout_by is HoldOutBy.instances:
        train, heldout = hold_out(some, spec.holdout, spec.seed)
        first = list(through(teacher_pairs(setting, train, seen)))
        return first, list(through(teacher_pairs(setting, heldout, seen)))
    pairs = list(through(teacher_pairs(setting, some, seen)))
    if spec.holdout_by is HoldOutBy.pairs:
        return hold_out(pairs, spec.holdout, spec.seed)
    halves: tuple[list[Pair], list[Pair]] = [], []
    for pair in pairs:
        step = step_key(setting.convention, pair.prompt).step if spec.holdout else ""
        digest = blake2b(f"hold-out {spec.seed} {step}".encode(), digest_size=8).digest()  # the same in every dialect
        halves[int.from_bytes(digest, "big") < spec.holdout * 2**64].append(pair)
    return halves
