"""The pairs that a model is trained on: the distinct ones of the reference model's runs; and which are held out."""

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, TypeVar

from coc_core.domain import StoresRecords
from coc_core.errors import LimitFault, PluginError, UsageError
from coc_core.memories import Convention, Reference
from coc_core.models import Pair
from coc_core.setting import Setting
from coc_core.text import number_names, rename
from coc_learn.trainer import StepKey
from coc_problems import closure, has_few_kinds, is_closed
from coc_programs import Program

ItemT = TypeVar("ItemT")


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


def held_out_indices(count: int, fraction: float, seed: int) -> set[int]:
    """Return the indices of the held-out items: a fraction of `count`, rounded down, drawn uniformly by the seed."""
    check_fraction(fraction)
    return set(random.Random(f"hold-out {seed}").sample(range(count), int(fraction * count)))


def is_held_out(step: str, fraction: float, seed: int) -> bool:
    """Return whether a step is held out; it is the same in every dialect and dataset, since nothing else counts."""
    digest = blake2b(f"hold-out {seed} {step}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") < fraction * 2**64


def hold_out(items: Sequence[ItemT], fraction: float, seed: int) -> tuple[list[ItemT], list[ItemT]]:
    """Split items into (training, held out) by `held_out_indices`; both parts keep their order."""
    held = held_out_indices(len(items), fraction, seed)
    train = [item for index, item in enumerate(items) if index not in held]
    return train, [items[index] for index in sorted(held)]
