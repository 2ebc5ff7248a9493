"""`coc doctor`: what a model has to learn of a domain, before any training."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import asdict, frozen
from rich.table import Table

from coc_check.doctor import MOST_STEPS, PRESET, Diagnosis, Lengths, Plan, diagnose, memories, plan
from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.options import OUTPUT, PROBLEM, Flag, Name, Option, PluginOptions, option, shared
from coc_core.setting import Setting
from coc_core.text import counted, duration, escaped
from coc_learn.datasets import DatasetSpec
from coc_problems import INSTANCES, SEEDS, SIZES, Sizes, sizes_of

_INSTANCES, _SIZES, _SHOWN = 5, 20, 3


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
    as_json: bool = option(shared.JSON, False)


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
        found = diagnose(setting, spec)
        lengths = Lengths.of(found.pairs)
    training = plan(setting, spec, found, lengths, options.plugins)
    able = memories(registry, options.domain, options.arith)
    if options.as_json:
        console.document(_document(setting, found, lengths, training, able))
    else:
        _show(setting, found, lengths, training, able)
        if options.every_prompt:
            _list(found)
    return 0


def _document(
    setting: Setting, found: Diagnosis, lengths: Lengths, training: Plan, able: dict[str, str]
) -> dict[str, Any]:
    listed = found.listed
    return {
        "domain": setting.domain.name,
        "memory": setting.memory.name,
        "arith": setting.arithmetic.name,
        "dialect": setting.convention.dialect,
        "memories": {name: reason or None for name, reason in able.items()},
        "finite": listed is not None,
        "growing": found.growing or None,
        "prompts": len(found.pairs),
        "reached": len(found.reached),
        "kinds": listed and {"stated": listed.stated, "first": listed.first, "unseen": found.unseen},
        "wrong": listed and dict(listed.wrong),
        "sizes": [asdict(row) for row in found.sizes],
        "cut": found.cut,
        "longest_prompt": {"characters": _longest(found.pairs), "tokens": lengths.prompt},
        "longest_sequence_tokens": lengths.sequence,
        "tokens": lengths.tokens,
        "comparisons": dict(found.comparisons),
        "training": {**asdict(training), "seconds": round(training.seconds, 1)},
        "pairs": [{**pair._asdict(), "reached": pair.prompt in found.reached} for pair in found.pairs],
    }


def _show(setting: Setting, found: Diagnosis, lengths: Lengths, training: Plan, able: dict[str, str]) -> None:
    many, runs = len(found.pairs), f"{found.sizes[0].n}-{found.sizes[-1].n}"
    lines = [f"the prompts grow: {found.growing}"] if found.growing else []
    if found.listed:
        verdict = f"finite: {counted(many, 'prompt')} for problems of every size; runs of n = {runs} reach"
        verdict += f" {len(found.reached):,}"
        faults = Counter(found.listed.wrong.values())
        lines += [found.listed.scope, *(f"{fault}, {counted(n, 'prompt')}" for fault, n in faults.items())]
        if found.unseen:
            kinds = "; ".join(found.unseen[:_SHOWN]) + "; …" * (len(found.unseen) > _SHOWN)
            lines.append(f"no draw has shown {len(found.unseen):,} of these kinds: {kinds}")
    else:
        verdict = f"{'growing' if found.growing else 'measured'}: {counted(many, 'prompt')} for n = {runs}"
    where = f"{setting.domain.name} on {setting.memory.name}, {setting.arithmetic.name}"
    if found.cut:
        lines.append(f"runs were cut after {MOST_STEPS:,} steps in all")
    lines.append(
        f"longest prompt: {counted(_longest(found.pairs), 'character')}, {counted(lengths.prompt, 'token')}"
        f" of the preset {PRESET}"
    )
    lines += [f"compares names: {escaped(place)}, {counted(n, 'prompt')}" for place, n in found.comparisons.items()]
    refused = any(able.values()) and setting.domain.needs
    needs = f"; the others lack {' or '.join(sorted(setting.domain.needs))}" if refused else ""
    lines.append(f"memories: {', '.join(name for name, reason in able.items() if not reason)}{needs}")
    console.result(f"{where}: {verdict}", *lines)
    console.details().print(_table(found))
    about = f"{counted(many, 'pair')}, {counted(lengths.tokens, 'token')}, {counted(training.steps, 'step')}"
    console.result(f"to train: {about}, about {duration(training.seconds)} on one core")
    console.echo(training.command)


def _table(found: Diagnosis) -> Table:
    table = console.table("n", "problems", "steps", "prompts", "new", "longest", justify="right")
    for row in found.sizes:
        steps = "–" if row.steps is None else f"{row.steps:,}"
        cells = (row.prompts, row.new, row.longest)
        table.add_row(str(row.n), f"{row.problems:,}", steps, *(f"{cell:,}" for cell in cells))
    return table


def _list(found: Diagnosis) -> None:
    for prompt, target in found.pairs:
        console.echo(f"\n{prompt}{'' if prompt in found.reached else '    (in no run)'}\n{target}", keep="\n")
    for prompt, fault in found.listed.wrong.items() if found.listed else ():
        console.echo(f"\n{prompt}    (the program goes wrong)\n{fault}", keep="\n")


def _longest(pairs: Sequence[Any]) -> int:
    return max(len(pair.prompt) for pair in pairs)
