"""What `coc doctor` finds out: which prompts a domain has on a memory, and what it takes to learn them."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from attrs import field, frozen

from coc_core.domain import HasSource, StoresRecords
from coc_core.errors import CocError, PluginError, UsageError
from coc_core.memories import Memo
from coc_core.models import Pair
from coc_core.plugin import MemorySpec, Registry
from coc_core.setting import Setting
from coc_core.text import format_sizes, quoted
from coc_learn.datasets import DatasetSpec, why_growing
from coc_problems import PromptList, closure, every_prompt, has_few_kinds
from coc_programs.heap.kinds import kinds_begun
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training import PRESETS

MOST_STEPS = 200_000
"""The most steps of all runs together."""


@frozen
class SizeRow:
    """What the runs of one size have.

    Attributes:
        n: The size.
        problems: How many problems were looked at.
        steps: The steps of their runs; None if their prompts were listed without a run.
        prompts: Their distinct prompts.
        new: Those of them that no smaller size has.
        longest: The characters of the longest one.
    """

    n: int
    problems: int
    steps: int | None
    prompts: int
    new: int
    longest: int


@frozen
class Diagnosis:
    """What a model has to learn.

    Attributes:
        listed: The prompts of all sizes; None if they are not a finite list.
        unseen: The kinds of first records and instructions, of that list, that none of the problems has.
        growing: Why prompts grow with the problem, in words; empty if that is not known from the program.
        pairs: All pairs of that list; else those of `sizes`.
        reached: The prompts that runs of the problems reach.
        sizes: What each size has.
        cut: Whether runs were cut after `MOST_STEPS` steps in all.
        comparisons: Where steps compare names, each with the number of its prompts.
    """

    listed: PromptList | None = field(repr=False)
    unseen: Sequence[str]
    growing: str
    pairs: Sequence[Pair] = field(repr=False)
    reached: frozenset[str] = field(repr=False)
    sizes: Sequence[SizeRow]
    cut: bool
    comparisons: Mapping[str, int]


def diagnose(setting: Setting, spec: DatasetSpec) -> Diagnosis:
    """Find out which prompts there are.

    Args:
        setting: The domain on its memory.
        spec: The problems that are looked at.

    Raises:
        UsageError: No run has a step.
        PluginError: The policy does not solve one of them, or its prompts can't be listed.
    """
    convention, problems = setting.convention, spec.problems(setting)
    listed = every_prompt(convention) if has_few_kinds(convention) else None
    reached, rows, steps, cut = dict[str, str](), list[SizeRow](), 0, False
    for n, group in groupby(problems, setting.domain.size):
        known, found, before, count = len(reached), dict[str, str](), steps, 0
        for problem in group:
            count += 1
            if convention.memoryless and listed is None:
                found.update(closure(convention, [problem]))
            else:
                steps += _run(setting, problem, found, MOST_STEPS - steps)
        reached.update(found)
        longest = max(map(len, found), default=0)
        rows.append(SizeRow(n, count, steps - before or None, len(found), len(reached) - known, longest))
        if cut := steps >= MOST_STEPS:
            break
    if not reached:
        raise UsageError("no run of these problems has a step", remedy="choose other sizes with -n")
    pairs, unseen = [*map(Pair, reached, reached.values())], list[str]()
    if listed:
        begun = {kind for problem in problems for kind in kinds_begun(setting.domain, problem)}
        pairs, unseen = list(listed.pairs), [kind for kind in listed.first if kind not in begun]
    compared = Counter(_compared(setting, pairs))
    return Diagnosis(listed, unseen, why_growing(convention), pairs, frozenset(reached), rows, cut, compared)


def memories(registry: Registry, domain: str, arith: str) -> dict[str, str]:
    """Return each memory with the reason why the domain can't run on it, which is empty if it can."""
    found = {}
    for spec in registry.specs(MemorySpec):
        try:
            Setting.of(registry, domain, spec.name, arith)
            found[spec.name] = ""
        except CocError as error:
            found[spec.name] = error.message
    return found


def _run(setting: Setting, problem: Any, found: dict[str, str], most: int) -> int:
    """Run a problem by the policy, for at most so many steps; gives their number. `found` gets the targets."""
    target_for = Memo(setting.convention.target_for).__getitem__

    def respond(prompt: str) -> str:
        return found.setdefault(prompt, target_for(prompt))

    machine = setting.machine(problem)
    if machine.run(respond, most) is None and machine.status not in ("solved", "unsolvable"):
        text, domain = quoted(setting.domain.problems.format(problem), 60), setting.domain.name
        reason = f": {machine.fault.message}" if machine.fault else ""
        raise PluginError(
            f"the policy of {domain} does not solve {text}{reason}", remedy=f"run `coc check {domain}` first"
        )
    return machine.steps


def _compared(setting: Setting, pairs: Sequence[Pair]) -> Iterator[str]:
    """Yield where the step of each pair begins that compares names."""
    domain, convention = setting.domain, setting.convention
    if isinstance(domain, StoresRecords):
        for prompt, _ in pairs:
            instruction = convention.parse_prompt(prompt)[0]
            if domain.comparisons(instruction):
                source = domain.source_of(instruction) if isinstance(domain, HasSource) else ""
                yield source or prompt.partition(" AT ")[0]


PRESET = "exact-numbers"
_SPECIALS = 3  # tokens of each sequence that stand for no text
_RATE = 25e9
"""The floating-point operations that one core computes a second."""


@frozen
class Lengths:
    """The lengths of pairs in tokens.

    Attributes:
        tokens: The tokens of all pairs.
        prompt: Those of the longest prompt.
        sequence: Those of the longest pair.
    """

    tokens: int
    prompt: int
    sequence: int

    @classmethod
    def of(cls, pairs: Sequence[Pair]) -> "Lengths":
        """Return the lengths with a tokenizer that is trained on the pairs, as a training does."""
        preset = PRESETS[PRESET]
        tokenizer = TextTokenizer.train(pairs, preset.vocab, preset.min_frequency, tokens=preset.tokens)
        each = [(len(tokenizer.encode(pair.prompt)), len(tokenizer.encode(pair.target))) for pair in pairs]
        sums = [prompt + target + _SPECIALS for prompt, target in each]
        return cls(sum(sums), max(prompt for prompt, _ in each), max(sums))


@frozen
class Plan:
    """A training.

    Attributes:
        command: The command line.
        steps: The optimiser steps.
        seconds: The time that they take on one core, estimated.
    """

    command: str
    steps: int
    seconds: float


def plan(setting: Setting, spec: DatasetSpec, found: Diagnosis, lengths: Lengths, plugins: Iterable[Path]) -> Plan:
    """Return a training on the pairs that were found: on all of a finite list, else with some held out."""
    preset, changes = PRESETS[PRESET], dict[str, int]()
    if found.listed:
        # 67 pairs were learned after 140 steps, and 3,133 after 340.
        changes = {"name_permutation": 0, "steps": _rounded_up(200 + len(found.pairs) // 5)}
    if lengths.sequence > preset.max_len:
        changes["max_len"] = _rounded_up(lengths.sequence)
    steps = changes.get("steps", preset.steps)
    operations = 6 * 12 * preset.layers * preset.d_model**2 * preset.batch_size * lengths.tokens / len(found.pairs)
    return Plan(_command(setting, spec, found.listed is not None, changes, plugins), steps, steps * operations / _RATE)


def _command(
    setting: Setting, spec: DatasetSpec, finite: bool, changes: Mapping[str, int], plugins: Iterable[Path]
) -> str:
    name = setting.domain.name
    words = ["coc", "train", "-d", name, "-m", setting.memory.name, "-a", setting.arithmetic.name]
    words += ["-n", format_sizes(spec.sizes), "--instances", str(spec.instances)]
    for path in plugins:
        words += ["--plugin", str(path)]
    words += ["--holdout", "0"] if finite else []
    words += ["--preset", PRESET]
    for key, value in changes.items():
        words += ["--set", f"{key}={value}"]
    return shlex.join([*words, "-o", f"{name}-checkpoint"])


def _rounded_up(number: int) -> int:
    """Return the next number of hundreds."""
    return -(-number // 100) * 100
