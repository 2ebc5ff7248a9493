"""`coc data`: build, verify and export datasets of prompt-target pairs."""

import json
from pathlib import Path

from attrs import asdict, frozen

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.progress import progress
from coc_core.options import PROBLEM, Choice, File, Option, PluginOptions, option, shared
from coc_core.setting import Setting
from coc_core.storage import FreshFile, check_replaceable
from coc_core.text import counted
from coc_learn.commands.train import command_line
from coc_learn.datasets import CARD, KIND, Card, Dataset, SubsetName, build_dataset, setting_of, verify_dataset
from coc_learn.options import DrawnPairs
from coc_learn.sources import dataset_spec, written_pairs


@frozen(kw_only=True, slots=False)
class OneDataset:
    """A dataset."""

    folder: Path = option(Option("The dataset's folder.", (), File("DIR"), PROBLEM))


@frozen(kw_only=True, slots=False)
class BuildCommand(PluginOptions, DrawnPairs):
    """What `coc data build` takes."""

    domain: str = option(shared.DOMAIN)
    out: Path = option(shared.OUT, help="Write the dataset to this folder.", kind=File("DIR"))
    memory: str | None = option(shared.MEMORY, None)
    arith: str = option(shared.ARITH, "symbolic")


@frozen(kw_only=True, slots=False)
class ExportCommand(OneDataset):
    """What `coc data export` takes."""

    out: Path = option(shared.OUT, help="Write the rows to this file.")
    subset: SubsetName = option(
        Option("Export the training pairs or those held out.", ("--subset",), Choice(annotation=SubsetName), PROBLEM),
        SubsetName.train,
    )


def data() -> None:
    """Build, verify and export datasets of prompt-target pairs.

    Examples:
        coc data build -d hanoi -n 1-15 -o hanoi-pairs
    """


@command(BuildCommand)
def build(options: BuildCommand) -> int:
    """Build a dataset of prompt-target pairs.

    Each distinct pair is written once, with a card that states how the pairs were made.

    Examples:
        coc data build -d hanoi -n 1-15 -o hanoi-pairs
        coc data build -d pancake -n 3-20,30 --instances 100 -o pancakes
    """
    registry, out = console.registry(options.plugins), options.out
    setting = Setting.of(registry, options.domain, options.memory, options.arith)
    spec = dataset_spec(options, setting.domain.sizes)
    check_replaceable(out, marker=CARD, kind=KIND)  # now, not after the pairs were made
    source = written_pairs([setting], spec)
    with progress(console.err(), "writing pairs", lambda: None, lambda: source.count, lambda: "so far"):
        (pairs,) = source.sets()
        card = build_dataset(out, setting, spec, (pairs.train, pairs.heldout), command_line())
    console.report({"dataset": str(out), **asdict(card)}, f"{out}: {_pairs(card)} of {card.dialect}", [str(spec)])
    return 0


@frozen(kw_only=True, slots=False)
class VerifyCommand(PluginOptions, OneDataset):
    """What `coc data verify` takes."""


@command(VerifyCommand)
def verify(options: VerifyCommand) -> int:
    """Check every pair of a dataset.

    The files are compared with the card, and the reference model computes every target again.

    Examples:
        coc data verify hanoi-pairs
    """
    registry, folder = console.registry(options.plugins), options.folder
    dataset = Dataset.open(folder)
    setting = setting_of(registry, dataset)
    count = 0
    with progress(console.err(), "verifying", lambda: len(dataset), lambda: count, lambda: "computed again"):
        for _ in verify_dataset(dataset, setting):
            count += 1
    card = dataset.card
    found = {"dataset": str(folder), "verified": True, "dialect": card.dialect, "sha256": dataset.sha256}
    found |= {f"{name}_pairs": subset.pairs for name, subset in card.subsets.items()}
    checked = "each target is the reference model's, and the rows are those that the card lists"
    console.report(found, f"{folder}: {_pairs(card)} of {card.dialect}", [checked])
    return 0


@command(ExportCommand)
def export(options: ExportCommand) -> int:
    """Export a dataset as JSON lines.

    Each line is a chat: the user's message is the prompt, the assistant's the target.

    TRL and the trainers of Hugging Face read them.

    Examples:
        coc data export hanoi-pairs -o train.jsonl
        coc data export hanoi-pairs -o test.jsonl --subset heldout
    """
    dataset, count = Dataset.open(options.folder), 0
    with FreshFile(options.out, "exported pairs") as file:
        for _, pair in dataset.file(options.subset):
            chat = [{"role": "user", "content": pair.prompt}, {"role": "assistant", "content": pair.target}]
            file.write(json.dumps({"messages": chat}, ensure_ascii=False).encode() + b"\n")
            count += 1
        file.keep()
    found = {"file": str(options.out), "subset": options.subset, "rows": count}
    console.report(found, f"{options.out}: {counted(count, 'row')} of {dataset.card.dialect}")
    return 0


def _pairs(card: Card) -> str:
    train, heldout = (subset.pairs for subset in card.subsets.values())
    return f"{counted(train, 'training pair')}, {counted(heldout, 'held-out pair')}"
