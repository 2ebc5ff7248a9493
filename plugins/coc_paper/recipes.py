"""How shipped checkpoints were trained, as their cards state it: a command for each training, and what came out."""

import re
import shlex
from argparse import ArgumentError, ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from attrs import frozen

from coc_core.errors import ArtefactError
from coc_core.storage import read_bytes, read_json

_CARD, _CONFIG = "README.md", "config.json"
_LARGEST = 1 << 20  # bytes
_COMMAND = re.compile(r"^    coc train (.+)$", re.MULTILINE)
_EXACT = re.compile(r"^\| (training|held-out) pairs.* predicted exactly \| ([0-9,]+) of ([0-9,]+) \|$", re.MULTILINE)
_PROCESSES = re.compile(r"^\| environment \|.* processes \|$", re.MULTILINE)


@frozen
class Recipe:
    """How a checkpoint was trained.

    Attributes:
        trainings: The arguments of `coc.train` but for `out` and `init`, for each training. Each starts from the
            checkpoint of the one before it, the first one from random weights.
        processes: Whether a training had several processes, so that one process can't give the same weights.
        exact: How many `training` and `held-out` pairs the checkpoint predicts exactly, and of how many.
        tested: How many targets of the tests of other sizes it predicts exactly, and of how many.
    """

    trainings: Sequence[Mapping[str, Any]]
    processes: bool
    exact: Mapping[str, tuple[int, int]]
    tested: tuple[int, int]

    def __repr__(self) -> str:
        return f"Recipe({len(self.trainings)} trainings)"


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


_PARSER = _Parser(add_help=False, allow_abbrev=False, exit_on_error=False)
_PARSER.add_argument("--domain")
_PARSER.add_argument("--memory", action="append")
_PARSER.add_argument("--arith", action="append")
_PARSER.add_argument("--n", "-n", dest="sizes")
_PARSER.add_argument("--instances", type=int)
_PARSER.add_argument("--enumerated", type=int)
_PARSER.add_argument("--near-goal", type=int)
_PARSER.add_argument("--holdout", type=float)
_PARSER.add_argument("--holdout-by")
_PARSER.add_argument("--preset", default="small")
_PARSER.add_argument("--set", action="append", dest="hyperparameters", default=[])
_PARSER.add_argument("--seed", type=int)
_PARSER.add_argument("--test-n", dest="test_sizes")
_PARSER.add_argument("--test-instances", type=int)
_PARSER.add_argument("--init")
_PARSER.add_argument("--out", "-o", required=True)


def read_recipe(folder: Path) -> Recipe:
    """The recipe of a checkpoint.

    Raises:
        ArtefactError: Its card can't be read, or states no command that leads to it.
    """
    card = read_bytes(folder / _CARD, _LARGEST).decode("utf-8", "replace")
    try:
        trainings = _chain([_arguments(command) for command in _COMMAND.findall(card)])
    except (ValueError, ArgumentError) as error:
        raise ArtefactError(f"{folder / _CARD} states no training that can be done again: {error}") from None
    exact: dict[str, tuple[int, int]] = {}
    for kind, right, pairs in _EXACT.findall(card):
        exact.setdefault(kind, (_number(right), _number(pairs)))  # the first ones are those of the checkpoint itself
    tests = [test for each in read_json(folder / _CONFIG, _LARGEST).get("tested", {}).values() for test in each]
    tested = sum(test["exact"] for test in tests), sum(test["pairs"] for test in tests)
    return Recipe(trainings, bool(_PROCESSES.search(card)), exact, tested)


def _arguments(command: str) -> dict[str, Any]:
    """The arguments of `coc.train`, with the names of the folders `out` and `init`."""
    given = vars(_PARSER.parse_args(shlex.split(command)))
    settings = dict(text.split("=", 1) for text in given.pop("hyperparameters"))
    arguments = {name: value for name, value in given.items() if value is not None}
    return arguments | ({"hyperparameters": settings} if settings else {})


def _chain(commands: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The trainings in their order; the first command is the last training."""
    if not commands:
        raise ValueError("there is no command")
    by_name = {arguments["out"]: arguments for arguments in commands}
    following, chain = commands[0], [commands[0]]
    while (initial := following.get("init")) is not None:
        following = by_name.get(initial, {})
        if not following or following in chain:
            raise ValueError(f"no other command leads to {initial!r:.40}")
        chain.insert(0, following)
    return [{name: value for name, value in each.items() if name not in ("out", "init")} for each in chain]


def _number(text: str) -> int:
    return int(text.replace(",", ""))
