"""`coc doctor`: what a model has to learn of a domain, before any training."""

from collections import Counter
from collections.abc import Iterator, Mapping

from attrs import asdict, frozen

from coc_check.doctor import MOST_STEPS, Diagnosis, Lengths, SizeRow, diagnose, memories, plan
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
        lengths = Lengths.of(found.pairs, found.preset)
    training = plan(setting, spec, found, lengths, options.plugins)
    able = memories(registry, options.domain, options.arith)
    longest = max(len(pair.prompt) for pair in found.pairs)
    cost = f"{counted(lengths.tokens, 'token')}, {counted(training.steps, 'step')}, about {duration(training.seconds)}"
    listed, tokens = found.listed, counted(lengths.prompt, "token")
    headings = ("n", "problems", "steps", "prompts", "new", "longest")
    console.report(
        lambda: {
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
            "longest_prompt": {"characters": longest, "tokens": lengths.prompt},
            "longest_sequence_tokens": lengths.sequence,
            "tokens": lengths.tokens,
            "comparisons": dict(found.comparisons),
            "training": {**asdict(training), "seconds": round(training.seconds, 1)},
            "pairs": [{**pair._asdict(), "reached": pair.prompt in found.reached} for pair in found.pairs],
        },
        f"{setting.domain.name} on {setting.memory.name}, {setting.arithmetic.name}: {_verdict(found)}",
        [
            *_about(found),
            f"longest prompt: {counted(longest, 'character')}, {tokens} of the preset {found.preset}",
            *(f"compares names: {escaped(place)}, {counted(n, 'prompt')}" for place, n in found.comparisons.items()),
            f"memories: {', '.join(name for name, reason in able.items() if not reason)}{_needs(setting, able)}",
            console.table(headings, map(_cells, found.sizes), numbers=6),
        ],
        f"to train: {counted(len(found.pairs), 'pair')}, {cost} on one core",
        training.command,
        *(_every(found) if options.every_prompt else ()),
    )
    return 0


def _verdict(found: Diagnosis) -> str:
    many, runs = counted(len(found.pairs), "prompt"), f"{found.sizes[0].n}-{found.sizes[-1].n}"
    if found.listed:
        return f"finite: {many} for problems of every size; runs of n = {runs} reach {len(found.reached):,}"
    return f"{'growing' if found.growing else 'measured'}: {many} for n = {runs}"


def _about(found: Diagnosis) -> Iterator[str]:
    """Yield what there is to know of the prompts."""
    if found.growing:
        yield f"the prompts grow: {found.growing}"
    if found.listed:
        yield found.listed.scope
        for fault, n in Counter(found.listed.wrong.values()).items():
            yield f"{fault}, {counted(n, 'prompt')}"
        if found.unseen:
            kinds = "; ".join(found.unseen[:_SHOWN]) + "; …" * (len(found.unseen) > _SHOWN)
            yield f"no draw has shown {len(found.unseen):,} of these kinds: {kinds}"
    if found.cut:
        yield f"runs were cut after {MOST_STEPS:,} steps in all"


def _needs(setting: Setting, able: Mapping[str, str]) -> str:
    refused = any(able.values()) and setting.domain.needs
    return f"; the others lack {' or '.join(sorted(setting.domain.needs))}" if refused else ""


def _cells(row: SizeRow) -> list[str]:
    counts = row.problems, row.steps, row.prompts, row.new, row.longest
    return [str(row.n), *("–" if count is None else f"{count:,}" for count in counts)]


def _every(found: Diagnosis) -> Iterator[str]:
    """Yield every prompt, with its target."""
    for prompt, target in found.pairs:
        yield f"\n{prompt}{'' if prompt in found.reached else '    (in no run)'}\n{target}"
    for prompt, fault in found.listed.wrong.items() if found.listed else ():
        yield f"\n{prompt}    (the program goes wrong)\n{fault}"
