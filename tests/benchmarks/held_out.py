"""Compute the pairs of all trainings that model cards tell of, and say how many held-out pairs the models had seen.

For each card the pairs are computed from the commands in it and
compared with its SHA-256 sums. Then it prints, for each dialect of the latest training, how many of its held-out pairs
have prompts that a training of the chain has learned, in any dialect.

    python tests/benchmarks/held_out.py plugins/coc_blocksworld/checkpoints/blocksworld-extended/README.md
"""

import re
import shlex
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from hashlib import blake2b
from pathlib import Path

from attrs import evolve

from coc_core.api.pairs import AddressPairs, dataset_spec, settings_of, stream
from coc_core.datasets import DatasetSpec
from coc_core.datasets.pairs import hold_out
from coc_core.models import Pair, TrainingSet
from coc_core.plugin import Registry
from coc_transformer.training.fingerprint import fingerprint

REGISTRY = Registry.installed()
PAIRS = dict[tuple[str, DatasetSpec], list[Pair]]()
"""What was written already, since the trainings of a chain often differ in the hold-out only."""

OPTIONS = ArgumentParser()
OPTIONS.add_argument("--domain")
OPTIONS.add_argument("--n", default="1-20")
OPTIONS.add_argument("--memory", action="append")
OPTIONS.add_argument("--arith", action="append")
OPTIONS.add_argument("--holdout", type=float)
for name in ("--instances", "--enumerated", "--near-goal"):
    OPTIONS.add_argument(name, type=int)
OPTIONS.add_argument("--seed", type=int, default=0)


def training_sets(command: str) -> list[TrainingSet]:
    """The pairs that a command trains on and holds out."""
    given, _ = OPTIONS.parse_known_args(shlex.split(command)[2:])
    if not given.domain:
        return AddressPairs(given.seed, given.holdout).sets()
    spec = dataset_spec(given.n, given.instances, given.enumerated, given.near_goal, given.holdout, None, given.seed)
    sets = []
    for setting in settings_of(REGISTRY, given.domain, given.memory or ["pda"], given.arith or ["symbolic"]):
        dialect = setting.convention.dialect
        drawn = (dialect, evolve(spec, holdout=0.0))
        if drawn not in PAIRS:
            PAIRS[drawn] = list(stream(setting, drawn[1]))
        sets.append(TrainingSet(dialect, *hold_out(PAIRS[drawn], spec.holdout, spec.seed)))
    return sets


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


def report(card: Path) -> None:
    trained = set[bytes]()
    latest: list[TrainingSet] = []
    for command, sums in chain(card.read_text()):
        latest = training_sets(command)
        found = [fingerprint(half) for each in latest for half in (each.train, each.heldout)]
        check = ("equal to the card's" if found == sums else "DIFFERENT") if sums else "not in the card"
        pairs = sum(len(each.train) + len(each.heldout) for each in latest)
        print(f"{card}: {pairs:,} pairs, SHA-256 sums {check}", flush=True)
        trained.update(digest(pair) for each in latest for pair in each.train)
    for each in latest:
        seen = sum(digest(pair) in trained for pair in each.heldout)
        print(f"{card}: {each.dialect}: {seen:,} of {len(each.heldout):,} held-out pairs seen", flush=True)


def digest(pair: Pair) -> bytes:
    return blake2b(pair.prompt.encode(), digest_size=8).digest()


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("cards", type=Path, nargs="+", metavar="CARD")
    for card in parser.parse_args().cards:
        report(card)


if __name__ == "__main__":
    main()
