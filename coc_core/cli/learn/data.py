"""`coc data`: build, verify and show datasets of prompt-target pairs."""

import json
import time
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from coc_core.cli import console, options
from coc_core.cli.learn.lessons import command_line, stream
from coc_core.cli.learn.train import ENUMERATED, HOLDOUT, NEAR_GOAL, SIZES, parse_sizes
from coc_core.cli.progress import progress
from coc_core.datasets import (
    CARD,
    KIND,
    SUBSETS,
    Card,
    Dataset,
    DatasetSpec,
    HoldOutBy,
    build_dataset,
    file_name,
    setting_of,
    to_json,
    verify_dataset,
)
from coc_core.models import Pair
from coc_core.setting import Setting
from coc_core.storage import check_replaceable
from coc_core.text import quoted

app = typer.Typer(help="Datasets of prompt-target pairs: build, verify and show them.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The dataset's folder.", show_default=False)]


@app.command("build")
def build(
    domain: options.Domain,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The dataset's folder.", show_default=False)],
    memory: options.Memory = "pda",
    arith: options.Arith = "symbolic",
    sizes: Annotated[str, typer.Option("--n", "-n", metavar="N|A-B", help="The problem sizes.")] = SIZES,
    instances: Annotated[
        int, typer.Option("--instances", min=1, help="How many problems of each size, where there are several.")
    ] = 1,
    enumerated: Annotated[int, typer.Option("--enumerated", metavar="K", min=0, help=ENUMERATED)] = 0,
    near_goal: Annotated[int, typer.Option("--near-goal", metavar="K", min=0, help=NEAR_GOAL)] = 0,
    holdout: Annotated[float, typer.Option("--holdout", help="The fraction kept for testing.")] = HOLDOUT,
    by: Annotated[
        HoldOutBy, typer.Option("--holdout-by", help="Hold out single pairs, or whole problems.")
    ] = HoldOutBy.pairs,
    seed: Annotated[
        int,
        typer.Option("--seed", parser=options.whole_number, metavar="N", help="Draws the problems and the hold-out."),
    ] = 0,
    plugins: options.Plugins = None,
    as_json: options.Json = False,
) -> int:
    """Write the distinct prompt-target pairs of a setting to a folder, with a card that says how they were made."""
    setting = Setting.of(console.registry(plugins), domain, memory, arith)
    chosen = parse_sizes(sizes)
    spec = DatasetSpec(
        chosen[0], chosen[-1], instances, by=by, holdout=holdout, seed=seed, enumerated=enumerated, near_goal=near_goal
    )
    check_replaceable(out, marker=CARD, kind=KIND)  # now, not after the pairs were made
    pairs = stream(setting, spec)
    with progress(console.err(), "writing pairs", lambda: None, lambda: pairs.count, lambda: "so far"):
        card = build_dataset(out, setting, spec, pairs, command_line())
    if as_json:
        typer.echo(json.dumps({"dataset": str(out), **to_json(card)}))
    else:
        console.out().print(
            Text(
                f"{out}: {card.train.pairs:,} training pairs, {card.heldout.pairs:,} held-out pairs of"
                f" {card.dialect}\n  {spec}"
            ),
            soft_wrap=True,
        )
    return 0


@app.command("verify")
def verify(folder: Folder, plugins: options.Plugins = None, as_json: options.Json = False) -> int:
    """Audit a dataset against its card, and ask the reference model for every target again."""
    registry = console.registry(plugins)
    dataset = Dataset.open(folder)
    setting = setting_of(registry, dataset)
    started, count = time.monotonic(), 0
    with progress(console.err(), "verifying", lambda: len(dataset), lambda: count, lambda: "audited and replayed"):
        for _ in verify_dataset(dataset, setting):
            count += 1
    seconds = round(time.monotonic() - started, 3)
    card = dataset.card
    if as_json:
        found = {"dataset": str(folder), "verified": True, "dialect": card.dialect, "sha256": dataset.sha256}
        found |= {"train_pairs": card.train.pairs, "heldout_pairs": card.heldout.pairs, "seconds": seconds}
        typer.echo(json.dumps(found))
    else:
        console.out().print(
            Text(
                f"{folder}: {card.train.pairs:,} training pairs, {card.heldout.pairs:,} held-out pairs of"
                f" {card.dialect}\n  no prompt appears twice, and each target is the reference model's; {seconds:.1f} s"
            ),
            soft_wrap=True,
        )
    return 0


@app.command("show")
def show(
    folder: Folder,
    rows: Annotated[int, typer.Option("--rows", min=0, help="How many pairs of each file.")] = 2,
    as_json: options.Json = False,
) -> int:
    """Print a dataset's card and its first pairs, without auditing the rest."""
    dataset = Dataset.open(folder)
    first = {subset: [pair for _, pair in islice(dataset.file(subset), rows)] for subset in SUBSETS}
    if as_json:
        pairs = {subset: [pair._asdict() for pair in some] for subset, some in first.items()}
        document = {"dataset": str(folder), "sha256": dataset.sha256, "card": to_json(dataset.card), "pairs": pairs}
        typer.echo(json.dumps(document))
        return 0
    out = console.out()
    for name, value in _lines(dataset.card):
        out.print(Text.assemble((f"{name:18}", "dim"), value), soft_wrap=True)
    for subset, some in first.items():
        for line, pair in enumerate(some, start=1):
            out.print(Text(f"\n{file_name(subset)}, line {line}", style="bold"))
            out.print(_pair(pair), soft_wrap=True)
    return 0


def _lines(card: Card) -> list[tuple[str, str]]:
    """The card for a person: a line for each entry, and for each file its counts and hash."""
    lines = [(name, quoted(str(value), 2_000)[1:-1]) for name, value in to_json(card).items() if name != "files"]
    files = [
        (file_name(name), f"{subset.pairs:,} pairs, {subset.bytes:,} bytes, SHA-256 {subset.sha256}")
        for name, subset in card.subsets.items()
    ]
    return lines + files


def _pair(pair: Pair) -> Text:
    """A pair, safe for a terminal: what is neither printable nor a newline is escaped."""
    text = Text()
    for title, part in (("prompt", pair.prompt), ("target", pair.target)):
        for index, line in enumerate(part.split("\n")):
            text.append(f"  {title if index == 0 else '':8}", style="dim")
            text.append(ascii(line)[1:-1] + "\n")
    text.rstrip()
    return text
