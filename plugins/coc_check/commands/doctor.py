"""`coc doctor`: what a model has to learn of a domain, before any training."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from coc_check.doctor import MOST_STEPS, PRESET, diagnose
from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.options import OUTPUT, PROBLEM, Flag, Name, Option, PluginOptions, option, shared
from coc_core.setting import Setting
from coc_core.text import counted, duration, escaped
from coc_learn.datasets import DatasetSpec
from coc_learn.trainer import FINITE_PRESET
from coc_problems import INSTANCES, SEEDS, SIZES, PromptList, Sizes, sizes_of

_INSTANCES, _SIZES, _SHOWN, _LINES = 5, 20, 3, 8


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
    with console.status(f"looking at {options.domain}"):
        spec = DatasetSpec(tuple(sizes), options.instances, seed=options.seed)
        found, listed = diagnose(setting, spec, options.plugins)
    longest, training = found["longest_prompt"], found["training"]
    length = f"{counted(longest['characters'], 'character')}, {counted(longest['tokens'], 'token')}"
    preset = FINITE_PRESET if listed else PRESET
    cost = f"{counted(training['steps'], 'step')}, about {duration(training['seconds'])} on one core"
    headings = ("n", "problems", "steps", "prompts", "new", "longest")
    console.report(
        found,
        f"{setting.domain.name} on {setting.memory.name}, {setting.arithmetic.name}: {_verdict(found)}",
        [
            *_about(found, listed),
            f"longest prompt: {length} of the preset {preset}",
            *(f"compares names: {escaped(at)}, {counted(n, 'prompt')}" for at, n in found["comparisons"].items()),
            *_lines(found),
            console.table(headings, map(_cells, found["sizes"]), numbers=6),
        ],
        f"to train: {counted(found['prompts'], 'pair')}, {counted(found['tokens'], 'token')}, {cost}",
        training["command"],
        *(_every(found) if options.every_prompt else ()),
    )
    return 0


def _verdict(found: Mapping[str, Any]) -> str:
    many, runs = counted(found["prompts"], "prompt"), f"{found['sizes'][0]['n']}-{found['sizes'][-1]['n']}"
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
        if unseen := found["kinds"]["unseen"]:
            kinds = "; ".join(unseen[:_SHOWN]) + "; …" * (len(unseen) > _SHOWN)
            yield f"no draw has shown {len(unseen):,} of these kinds: {kinds}"
    if found["cut"]:
        yield f"runs were cut after {MOST_STEPS:,} steps in all"


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a program with the most prompts."""
    lines = sorted(found["lines"].items(), key=lambda line: (-line[1], line[0]))
    for place, n in lines[:_LINES]:
        yield f"{counted(n, 'prompt')} of {escaped(place)}"
    if rest := lines[_LINES:]:
        yield f"{counted(sum(n for _, n in rest), 'prompt')} of {counted(len(rest), 'other line')}; --json has all"


def _cells(row: Mapping[str, int | None]) -> list[str]:
    n, *counts = row.values()
    return [str(n), *("–" if count is None else f"{count:,}" for count in counts)]


def _every(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield every prompt, with its target."""
    for pair in found["pairs"]:
        yield f"\n{pair['prompt']}{'' if pair['reached'] else '    (in no run)'}\n{pair['target']}"
    for prompt, fault in (found["wrong"] or {}).items():
        yield f"\n{prompt}    (the program goes wrong)\n{fault}"
