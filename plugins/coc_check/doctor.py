"""What `coc doctor` finds out: which prompts a domain has on a memory, and what it takes to learn them."""

import shlex
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

from coc_core.domain import HasSource, StoresRecords
from coc_core.errors import PluginError, UsageError
from coc_core.memories import Memo
from coc_core.models import Pair
from coc_core.setting import Setting
from coc_core.text import format_sizes, quoted
from coc_learn.datasets import DatasetSpec, why_growing
from coc_learn.sources import words_of
from coc_learn.trainer import FINITE_PRESET
from coc_problems import PromptList, closure, every_prompt, has_few_kinds
from coc_programs.heap.kinds import kinds_begun
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training import PRESETS

MOST_STEPS = 200_000  # of all runs together
PATIENCE = 5  # seconds that a problem may take to draw
PRESET = "exact-numbers"  # of prompts that are not a finite list
_SPECIALS = 3  # tokens of each sequence that stand for no text
_RATE = 25e9  # floating-point operations that one core computes a second


def diagnose(setting: Setting, spec: DatasetSpec, plugins: Iterable[Path]) -> tuple[dict[str, Any], PromptList | None]:
    """Return the document of `coc doctor` on the problems of a dataset spec, and the list of all prompts, if finite.

    Of its fields, `reached` counts the prompts of runs, `new` those that no smaller size has, and `unseen` are the
    kinds of first records and instructions that none of the problems has.

    Raises:
        UsageError: No run has a step.
        PluginError: The policy does not solve one of them, its prompts can't be listed, or a problem takes too long to
            draw.
    """
    domain, convention, problems = setting.domain, setting.convention, list[Any]()
    with _limited(f"a problem of {domain.name} is not drawn") as again:
        again()
        for problem in spec.drawn(setting):
            problems.append(problem)
            again()
    listed = every_prompt(convention) if has_few_kinds(convention) else None
    reached, rows, steps = dict[str, str](), list[dict[str, Any]](), 0
    for n, group in groupby(problems, domain.size):
        known, found, before, count = len(reached), dict[str, str](), steps, 0
        for problem in group:
            count += 1
            if convention.memoryless and listed is None:
                found.update(closure(convention, [problem]))
            else:
                steps += _run(setting, problem, found, MOST_STEPS - steps)
        reached.update(found)
        row = {"n": n, "problems": count, "steps": steps - before or None, "prompts": len(found)}
        rows.append(row | {"new": len(reached) - known, "longest": max(map(len, found), default=0)})
        if steps >= MOST_STEPS:
            break
    if not reached:
        raise UsageError("no run of these problems has a step", remedy="choose other sizes with -n")
    pairs = list(listed.pairs) if listed else [*map(Pair, reached, reached.values())]
    begun = {kind for problem in problems for kind in kinds_begun(domain, problem)} if listed else set()
    unseen = [kind for kind in listed.first if kind not in begun] if listed else []
    compared, lines = _places(setting, pairs)
    document = {
        "domain": domain.name,
        "memory": setting.memory.name,
        "arith": setting.arithmetic.name,
        "dialect": convention.dialect,
        "finite": listed is not None,
        "growing": why_growing(convention) or None,
        "prompts": len(pairs),
        "reached": len(reached),
        "kinds": listed and {"stated": listed.stated, "first": listed.first, "unseen": unseen},
        "wrong": listed and dict(listed.wrong),
        "sizes": rows,
        "cut": steps >= MOST_STEPS,
        **_training(setting, spec, pairs, FINITE_PRESET if listed else PRESET, plugins),
        "comparisons": dict(compared),
        "lines": dict(lines),
        "pairs": [{**pair._asdict(), "reached": pair.prompt in reached} for pair in pairs],
    }
    return document, listed


@contextmanager
def _limited(problem: str) -> Iterator[Callable[[], object]]:
    """Raise PluginError `PATIENCE` seconds after the last call of what the block gets."""

    def late(_: int, frame: Any) -> None:
        place = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno} in {frame.f_code.co_name}"
        raise PluginError(f"{problem} after {PATIENCE} seconds: it is at {place}", remedy="make it end for every size")

    before = signal.signal(signal.SIGALRM, late)
    try:
        yield lambda: signal.setitimer(signal.ITIMER_REAL, PATIENCE, 1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


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


def _places(setting: Setting, pairs: Sequence[Pair]) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Return the lines where steps compare names, and those where any steps begin."""
    domain, convention = setting.domain, setting.convention
    compared, lines = Counter[str](), Counter[str]()
    for prompt, _ in pairs if isinstance(domain, StoresRecords | HasSource) else ():
        instruction = convention.parse_prompt(prompt)[0]
        source = domain.source_of(instruction) if isinstance(domain, HasSource) else ""
        lines += Counter([source] if source else ())
        if isinstance(domain, StoresRecords) and domain.comparisons(instruction):
            compared[source or prompt.partition(" AT ")[0]] += 1
    return compared, lines


def _training(
    setting: Setting, spec: DatasetSpec, pairs: Sequence[Pair], preset_name: str, plugins: Iterable[Path]
) -> dict[str, Any]:
    """Return the lengths of pairs in tokens, and a training on them: on all of a finite list, else with some held out.

    The tokenizer is trained on the pairs, as a training does; the seconds are estimated for one core.
    """
    preset, finite = PRESETS[preset_name], preset_name == FINITE_PRESET
    tokenizer = TextTokenizer.train(pairs, preset.vocab, preset.min_frequency, tokens=preset.tokens)
    lengths = [(len(tokenizer.encode(pair.prompt)), len(tokenizer.encode(pair.target))) for pair in pairs]
    sums = [prompt + target + _SPECIALS for prompt, target in lengths]
    # 145 pairs of a finite list were learned after 120 steps, and 986 after 340; then comes the cooldown.
    steps = _rounded_up(100 + preset.cooldown + len(pairs) // 4) if finite else preset.steps
    operations = 6 * 12 * preset.layers * preset.d_model**2 * preset.batch_size * sum(sums) / len(pairs)
    words = ["coc", "train", *words_of(setting, plugins)]
    if not finite:
        words += ["-a", setting.arithmetic.name, "-n", format_sizes(spec.sizes), "--instances", str(spec.instances)]
        words += ["--preset", preset_name]
    if max(sums) > preset.max_len:
        words += ["--set", f"max_len={_rounded_up(max(sums))}"]
    command = shlex.join([*words, "-o", f"{setting.domain.name}-checkpoint"])
    longest = max(len(pair.prompt) for pair in pairs)
    return {
        "longest_prompt": {"characters": longest, "tokens": max(prompt for prompt, _ in lengths)},
        "longest_sequence_tokens": max(sums),
        "tokens": sum(sums),
        "training": {"command": command, "steps": steps, "seconds": round(steps * operations / _RATE, 1)},
    }


def _rounded_up(number: int) -> int:
    return -(-number // 100) * 100
