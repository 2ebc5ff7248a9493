"""Compute the pairs of all trainings that model cards tell of, and compare them with the cards.

For each card the pairs are computed from the commands in it. Of the latest training, those held-out pairs count that
are new up to names and notation: no training of the chain has learned their step, in any dialect. Then the SHA-256 sums
are compared with the card's.

    python benchmarks/held_out.py plugins/coc_puzzles/blocksworld/checkpoints/blocksworld-extended/README.md
"""

import re
import shlex
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterable
from pathlib import Path

from attrs import evolve

from coc_core.plugin import Registry
from coc_learn.options import DrawnPairs, TrainOptions
from coc_learn.sources import AddressPairs, WrittenPairs, dataset_spec, settings_of
from coc_learn.trainer import StepKey, TrainingSet
from coc_transformer.training.job import fingerprint

REGISTRY = Registry.installed()

OPTIONS = ArgumentParser()
OPTIONS.add_argument("--domain")
OPTIONS.add_argument("--n", default="1-20")
OPTIONS.add_argument("--memory", action="append")
OPTIONS.add_argument("--arith", action="append")
OPTIONS.add_argument("--holdout", type=float)
OPTIONS.add_argument("--holdout-by")
for name in ("--instances", "--enumerated", "--near-goal"):
    OPTIONS.add_argument(name, type=int)
OPTIONS.add_argument("--seed", type=int, default=0)


def training_sets(command: str) -> list[TrainingSet]:
    """The pairs that a command trains on and draws to be held out."""
    given, _ = OPTIONS.parse_known_args(shlex.split(command)[2:])
    if not given.domain:
        return AddressPairs(TrainOptions(out="", seed=given.seed, holdout=given.holdout)).sets()
    names = ("instances", "enumerated", "near_goal", "holdout", "holdout_by", "seed")
    spec = dataset_spec(DrawnPairs(sizes=given.n, **{name: getattr(given, name) for name in names}))
    settings = settings_of(REGISTRY, given.domain, given.memory or [None], given.arith or ["symbolic"])
    return WrittenPairs(settings, spec).sets()


def chain(card: str) -> list[tuple[str, list[str]]]:
    """The commands of a card in the order of the trainings, each with the sums of its pairs, if the card has them."""
    found = dict[str, tuple[str, list[str]]]()
    for section in card.split("\n## The checkpoint "):
        commands = re.findall(r"^    (coc train .*)$", section, re.MULTILINE)
        sums = re.findall(r"^  - (?:training|held out): .* `([0-9a-f]{64})`$", section, re.MULTILINE)
        for command in commands:
            found[re.findall(r" (?:-o|--out) (\S+)", command)[0]] = command, sums if command == commands[0] else []
    ordered, name = [], next(iter(found))
    while name:
        ordered.insert(0, found[name])
        name = "".join(re.findall(r" --init (\S+)", found[name][0]))
    return ordered


class Learned:
    """What trainings have learned: steps with their registers, and steps with any."""

    def __init__(self) -> None:
        self._keys, self._steps = set[StepKey](), set[str]()

    def add(self, sets: Iterable[TrainingSet]) -> None:
        for one in sets:
            for key in map(one.step_key, (pair.prompt for pair in one.train)):
                self._keys.add(key)
                self._steps.add(key.step)

    def __contains__(self, key: StepKey) -> bool:
        if not key.registers:
            return key.step in self._steps
        return key in self._keys or StepKey(key.step) in self._keys


def divided(commands: Iterable[str]) -> list[TrainingSet]:
    """The sets of the last of these trainings; of the held-out pairs, those that are new up to names and notation."""
    learned, latest = Learned(), list[TrainingSet]()
    for command in commands:
        latest = training_sets(command)
        learned.add(latest)
    return [
        evolve(one, heldout=[pair for pair in one.heldout if one.step_key(pair.prompt) not in learned])
        for one in latest
    ]


def report(card: Path) -> None:
    trainings = chain(card.read_text())
    sets = divided(command for command, _ in trainings)
    found = [fingerprint(half) for one in sets for half in (one.train, one.heldout)]
    print(f"{card}: SHA-256 sums {'equal to the card' if found == trainings[-1][1] else 'DIFFERENT'}", flush=True)
    for one in sets:
        print(f"{card}: {one.dialect}: {len(one.train):,} training pairs, {len(one.heldout):,} new held-out pairs")


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("cards", type=Path, nargs="+", metavar="CARD")
    for card in parser.parse_args().cards:
        report(card)


if __name__ == "__main__":
    main()
