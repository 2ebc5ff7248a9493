"""`coc doctor`: what a model has to learn of a domain, before any training."""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.domain import HasSource
from coc_core.errors import PluginError, UsageError
from coc_core.memories import Memo
from coc_core.models import Pair
from coc_core.options import OUTPUT, PROBLEM, Flag, Name, Option, PluginOptions, option, shared
from coc_core.setting import Setting
from coc_core.text import counted, escaped, format_sizes, quoted
from coc_learn.datasets import DatasetSpec, why_growing
from coc_learn.sources import words_of
from coc_problems import INSTANCES, SEEDS, SIZES, PromptList, Sizes, closure, every_prompt, has_few_kinds, sizes_of

MOST_STEPS = 200_000  # of all runs together
PRESET = "exact-numbers"  # of prompts that are not a finite list
_INSTANCES, _SIZES = 5, 20


@frozen(kw_only=True, slots=False)
class DoctorCommand(PluginOptions):
    """What `coc doctor` takes."""

    domain: str = option(
        Option("The puzzle, such as blocks.", (), Name("DOMAIN"), PROBLEM),
    )
    sizes: Sizes | None = option(SIZES, None, shown=f"the first {_SIZES}")
    instances: int = option(INSTANCES, _INSTANCES)
    seed: int = option(SEEDS, 0)
    memory: str | None = option(shared.MEMORY, None)
    arith: str = option(shared.ARITH, "symbolic")
    every_prompt: bool = option(
        Option("Print every prompt with its target, and mark those that no run reached.", ("--list",), Flag(), OUTPUT),
        False,
    )


@command(DoctorCommand)
def doctor(options: DoctorCommand) -> int:
    """Show what a model has to learn of a puzzle.

    The prompts of a program are a finite list if none of its variables and fields is a number without a limit; then a
    model can learn all of them, for problems of every size. Of other puzzles, the prompts of some problems are counted.
    The last line is the command of a training.

    Examples:
        coc doctor blocks
        coc doctor my-puzzle --plugin my_puzzle.py --list
        coc doctor hanoi --memory tape -n 1-8 --json
    """
    registry = console.registry(options.plugins)
    setting = Setting.of(registry, options.domain, options.memory, options.arith)
    sizes = setting.domain.sizes[:_SIZES] if options.sizes is None else sizes_of(options.sizes)
    spec = DatasetSpec(tuple(sizes), options.instances, seed=options.seed)
    with console.status(f"looking at {options.domain}"):
        listed = every_prompt(setting.convention) if has_few_kinds(setting.convention) else None
        found = _diagnosis(setting, spec, listed)
    words = ["coc", "train", *words_of(setting, options.plugins)]
    if not listed:
        words += ["-a", setting.arithmetic.name, "-n", format_sizes(spec.sizes), "--instances", str(spec.instances)]
        words += ["--preset", PRESET]
    training = shlex.join([*words, "-o", f"{setting.domain.name}-checkpoint"])
    console.report(
        {**found, "training": {"command": training}},
        f"{setting.domain.name} on {setting.memory.name}, {setting.arithmetic.name}: {_verdict(found)}",
        [*_about(found, listed), *_lines(found)],
        "to train:",
        training,
        *(_every(found) if options.every_prompt else ()),
    )
    return 0


def _diagnosis(setting: Setting, spec: DatasetSpec, listed: PromptList | None) -> dict[str, Any]:
    """Return the document on the problems of a dataset spec; `listed` are all prompts, if they are a finite list.

    Of its fields, `reached` counts the prompts of runs. UsageError if no run has a step, PluginError if the policy does
    not solve one.
    """
    domain, convention = setting.domain, setting.convention
    reached, steps, last = dict[str, str](), 0, spec.sizes[0]
    for problem in spec.drawn(setting):
        if convention.memoryless and listed is None:
            reached.update(closure(convention, [problem]))
        elif steps < MOST_STEPS:
            steps += _run(setting, problem, reached, MOST_STEPS - steps)
        else:
            break
        last = domain.size(problem)
    if not reached:
        raise UsageError("no run of these problems has a step", remedy="choose other sizes with -n")
    pairs = list(listed.pairs) if listed else [*map(Pair, reached, reached.values())]
    parse = convention.parse_prompt
    lines = [domain.source_of(parse(prompt)[0]) for prompt, _ in pairs] if isinstance(domain, HasSource) else []
    return {
        "domain": domain.name,
        "memory": setting.memory.name,
        "arith": setting.arithmetic.name,
        "dialect": convention.dialect,
        "finite": listed is not None,
        "growing": why_growing(convention) or None,
        "prompts": len(pairs),
        "reached": len(reached),
        "kinds": listed and {"stated": listed.stated, "first": listed.first},
        "wrong": listed and dict(listed.wrong),
        "sizes": [spec.sizes[0], last],
        "steps": steps or None,
        "cut": steps >= MOST_STEPS,
        "lines": Counter(filter(None, lines)),
        "pairs": [{**pair._asdict(), "reached": pair.prompt in reached} for pair in pairs],
    }


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


def _verdict(found: Mapping[str, Any]) -> str:
    many, runs = counted(found["prompts"], "prompt"), "{}-{}".format(*found["sizes"])
    if found["finite"]:
        return f"finite: {many} for problems of every size; runs of n = {runs} reach {found['reached']:,}"
    return f"{'growing' if found['growing'] else 'measured'}: {many} for n = {runs}"


def _about(found: Mapping[str, Any], listed: PromptList | None) -> Iterator[str]:
    """Yield what there is to know of the prompts."""
    if found["growing"]:
        yield f"the prompts grow: {found['growing']}"
    if listed:
        yield listed.scope
        for fault, n in Counter(listed.wrong.values()).items():
            yield f"{fault}, {counted(n, 'prompt')}"
    if found["cut"]:
        yield f"runs were cut after {MOST_STEPS:,} steps in all"


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a program, those with the most prompts first."""
    for place, n in sorted(found["lines"].items(), key=lambda line: (-line[1], line[0])):
        yield f"{counted(n, 'prompt')} of {escaped(place)}"


def _every(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield every prompt, with its target."""
    for pair in found["pairs"]:
        yield f"\n{pair['prompt']}{'' if pair['reached'] else '    (in no run)'}\n{pair['target']}"
    for prompt, fault in (found["wrong"] or {}).items():
        yield f"\n{prompt}    (the program goes wrong)\n{fault}"
