"""Which prompts a domain has on a memory: a finite list, or some that grow with the problem."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from attrs import field, frozen

from coc_core.domain import StoresRecords
from coc_core.errors import CocError, PluginError, UsageError
from coc_core.memories import Memo
from coc_core.models import Pair
from coc_core.plugin import MemorySpec, Registry
from coc_core.setting import Setting
from coc_core.text import quoted
from coc_learn.datasets import DatasetSpec, why_growing
from coc_problems import PromptList, closure, every_prompt, has_few_kinds
from coc_programs.heap.kinds import kinds_begun

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
    """Each memory with the reason why the domain can't run on it, which is empty if it can."""
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
    """Where the step of each pair begins that compares names."""
    domain, convention = setting.domain, setting.convention
    if isinstance(domain, StoresRecords):
        for prompt, _ in pairs:
            if domain.comparisons(convention.parse_prompt(prompt)[0]):
                yield convention.source_of(prompt) or prompt.partition(" AT ")[0]
