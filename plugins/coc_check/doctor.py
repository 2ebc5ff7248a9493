"""What `coc doctor` finds out: which prompts a domain has on a memory, and what it takes to learn them."""

import shlex
import signal
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.domain import HasSource, StoresRecords
from coc_core.errors import CocError, PluginError, UsageError
from coc_core.memories import Memo
from coc_core.models import Pair
from coc_core.plugin import MemorySpec, Registry
from coc_core.setting import Setting
from coc_core.text import format_sizes, quoted
from coc_learn.datasets import DatasetSpec, why_growing
from coc_learn.sources import words_of
from coc_learn.trainer import FINITE_PRESET
from coc_problems import PromptList, closure, every_prompt, has_few_kinds
from coc_programs import Program
from coc_programs.heap.kinds import kinds_begun
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training import PRESETS

MOST_STEPS = 200_000  # of all runs together
PRESET = "exact-numbers"  # of prompts that are not a finite list
PATIENCE = 5  # seconds that a problem may take to draw
_SPECIALS = 3  # tokens of each sequence that stand for no text
_RATE = 25e9  # floating-point operations that one core computes a second


@frozen
class SizeRow:
    """What the runs of one size have."""

    n: int
    problems: int  # those that were looked at
    steps: int | None  # None if their prompts were listed without a run
    prompts: int  # distinct ones
    new: int  # those that no smaller size has
    longest: int  # characters of a prompt


@frozen
class Diagnosis:
    """What a model has to learn."""

    listed: PromptList | None  # the prompts of all sizes; None if they are not a finite list
    unseen: Sequence[str]  # the kinds of first records and instructions, of that list, that none of the problems has
    growing: str  # why prompts grow with the problem; empty if that is not known from the program
    pairs: Sequence[Pair]  # those of that list, or else of `sizes`
    reached: frozenset[str]  # the prompts that runs of the problems reach
    sizes: Sequence[SizeRow]
    cut: bool  # whether runs were cut after `MOST_STEPS` steps in all
    comparisons: Mapping[str, int]  # where steps compare names, each with the number of its prompts
    lines: Mapping[str, int]  # the lines of a program's source where steps begin, each with the number of its prompts
    uncalled: Sequence[str]  # the procedures of a program that no prompt calls

    @property
    def preset(self) -> str:
        """The preset of a training on the pairs."""
        return FINITE_PRESET if self.listed else PRESET


def diagnose(setting: Setting, spec: DatasetSpec) -> Diagnosis:
    """Find out which prompts the problems of a dataset spec have.

    Raises:
        UsageError: No run has a step.
        PluginError: The policy does not solve one of them, its prompts can't be listed, or a problem takes too long to
            draw.
    """
    convention, problems = setting.convention, [*_drawn(setting, spec)]
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
    compared, lines, uncalled = _places(setting, pairs)
    growing, seen = why_growing(convention), frozenset(reached)
    return Diagnosis(listed, unseen, growing, pairs, seen, rows, cut, compared, lines, uncalled if listed else ())


def _drawn(setting: Setting, spec: DatasetSpec) -> Iterator[Any]:
    """Yield the problems of a dataset spec; PluginError if one is not drawn within `PATIENCE` seconds."""
    problems, name = spec.drawn(setting), setting.domain.name
    while True:
        with _limited(f"a problem of {name} is not drawn"):
            found = [*islice(problems, 1)]
        if not found:
            return
        yield from found


@contextmanager
def _limited(problem: str) -> Iterator[None]:
    """Raise PluginError if the block takes longer than `PATIENCE` seconds, where an alarm can ring."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(_: int, frame: Any) -> None:
        place = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno} in {frame.f_code.co_name}"
        raise PluginError(f"{problem} after {PATIENCE} seconds: it is at {place}", remedy="make it end for every size")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def memories(registry: Registry, domain: str, arith: str) -> dict[str, str]:
    """Return each memory with the reason why the domain can't run on it, which is empty if it can."""
    found = dict.fromkeys((spec.name for spec in registry.specs(MemorySpec)), "")
    for memory in found:
        try:
            Setting.of(registry, domain, memory, arith)
        except CocError as error:
            found[memory] = error.message
    return found


def _run(setting: Setting, problem: Any, found: dict[str, str], most: int) -> int:
    """Run a problem by the policy, for at most so many steps; gives their number. `found` gets the targets."""
    machine, target_for = setting.machine(problem), Memo(setting.convention.target_for).__getitem__
    left = machine.run(lambda prompt: found.setdefault(prompt, target_for(prompt)), most)
    if left is None and machine.status not in ("solved", "unsolvable"):
        text, domain = quoted(setting.domain.problems.format(problem), 60), setting.domain.name
        why = machine.fault.message if machine.fault else machine.reason
        reason = f": {why}" if why else ""
        remedy = f"run `coc check {domain}` first"
        raise PluginError(f"the policy of {domain} does not solve {text}{reason}", remedy=remedy)
    return machine.steps


def _places(setting: Setting, pairs: Sequence[Pair]) -> tuple[Counter[str], Counter[str], list[str]]:
    """Return where steps begin that compare names, and all others, and the procedures of a program that have none."""
    domain, convention = setting.domain, setting.convention
    compared, lines, called = Counter[str](), Counter[str](), set[Any]()
    for prompt, _ in pairs if isinstance(domain, StoresRecords | HasSource) else ():
        instruction = convention.parse_prompt(prompt)[0]
        source = domain.source_of(instruction) if isinstance(domain, HasSource) else ""
        lines += Counter([source] if source else ())
        if isinstance(domain, StoresRecords) and domain.comparisons(instruction):
            compared[source or prompt.partition(" AT ")[0]] += 1
        if isinstance(domain, Program):
            called.add(getattr(domain.compiled.place(instruction), "code", None))
    codes = domain.compiled.codes.values() if isinstance(domain, Program) else ()
    return compared, lines, [code.procedure.name for code in codes if code not in called]


@frozen
class Lengths:
    """The lengths of pairs in tokens: of all of them together, of the longest prompt, and of the longest pair."""

    tokens: int
    prompt: int
    sequence: int

    @classmethod
    def of(cls, pairs: Sequence[Pair], preset_name: str) -> "Lengths":
        """Return the lengths with a tokenizer that is trained on the pairs, as a training does."""
        preset = PRESETS[preset_name]
        tokenizer = TextTokenizer.train(pairs, preset.vocab, preset.min_frequency, tokens=preset.tokens)
        each = [(len(tokenizer.encode(pair.prompt)), len(tokenizer.encode(pair.target))) for pair in pairs]
        sums = [prompt + target + _SPECIALS for prompt, target in each]
        return cls(sum(sums), max(prompt for prompt, _ in each), max(sums))


@frozen
class Plan:
    """A training: its command line, its optimiser steps, and the seconds that they take on one core, estimated."""

    command: str
    steps: int
    seconds: float


def plan(setting: Setting, spec: DatasetSpec, found: Diagnosis, lengths: Lengths, plugins: Iterable[Path]) -> Plan:
    """Return a training on the pairs that were found: on all of a finite list, else with some held out."""
    preset, changes = PRESETS[found.preset], dict[str, int]()
    if lengths.sequence > preset.max_len:
        changes["max_len"] = _rounded_up(lengths.sequence)
    # 145 pairs of a finite list were learned after 120 steps, and 986 after 340; then comes the cooldown.
    steps = _rounded_up(100 + preset.cooldown + len(found.pairs) // 4) if found.listed else preset.steps
    operations = 6 * 12 * preset.layers * preset.d_model**2 * preset.batch_size * lengths.tokens / len(found.pairs)
    return Plan(_command(setting, spec, found, changes, plugins), steps, steps * operations / _RATE)


def _command(
    setting: Setting, spec: DatasetSpec, found: Diagnosis, changes: Mapping[str, int], plugins: Iterable[Path]
) -> str:
    name = setting.domain.name
    words = ["coc", "train", *words_of(setting, plugins)]
    if not found.listed:
        words += ["-a", setting.arithmetic.name, "-n", format_sizes(spec.sizes), "--instances", str(spec.instances)]
        words += ["--preset", PRESET]
    words += [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    return shlex.join([*words, "-o", f"{name}-checkpoint"])


def _rounded_up(number: int) -> int:
    return -(-number // 100) * 100
