"""The options of pairs, and of a training on them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, SupportsIndex

from attrs import frozen

from coc_core.errors import UsageError
from coc_core.options import (
    MODEL,
    PROBLEM,
    Choice,
    Decimal,
    File,
    Flag,
    Name,
    Option,
    PluginOptions,
    Several,
    Whole,
    option,
    shared,
)
from coc_core.text import assignments, quoted
from coc_learn.addresses.dialect import LARGEST_ADDRESS, LEAST_LARGEST_ADDRESS
from coc_learn.datasets import HoldOutBy
from coc_problems import DEFAULT_INSTANCES, INSTANCES, MOST_PROBLEMS, SIZES, Sizes

DEFAULT_SIZES = 20
"""How many sizes of problems, the first ones that there are, pairs are made of by default."""

DEFAULT_HOLDOUT = 0.15
_HOLDOUT = str(DEFAULT_HOLDOUT)

TRAINING = "Training"


@frozen
class Assignments(Name):
    """Takes several `NAME=VALUE`, each with a flag of its own; from Python a mapping."""

    metavar: str = "NAME=VALUE"
    annotation: Any = list[str]

    def check(self, value: Any) -> dict[str, Any]:
        return dict(value) if isinstance(value, Mapping) else assignments(value, "--set")


_MANY = Whole(0, MOST_PROBLEMS, "K")


@frozen(kw_only=True, slots=False)
class DrawnPairs:
    """Of which problems pairs are made, and which pairs are held out; None is the default."""

    sizes: Sizes | None = option(SIZES, None, shown=f"the first {DEFAULT_SIZES}")
    instances: int | None = option(INSTANCES, None, shown="1")
    enumerated: int | None = option(
        Option("Add the first K problems of each size, in enumeration order.", ("--enumerated",), _MANY, PROBLEM, "0"),
        None,
    )
    near_goal: int | None = option(
        Option("Add K near-goal problems of each size.", ("--near-goal",), _MANY, PROBLEM, "0"), None
    )
    holdout: float | None = option(
        Option("Hold out this fraction, from 0 to less than 1.", ("--holdout",), Decimal(), PROBLEM, _HOLDOUT), None
    )
    holdout_by: HoldOutBy | None = option(
        Option(
            "Hold out steps, the same in all dialects and under all names; single pairs of each dialect; or whole"
            " problems with all pairs that occur in no other problem.",
            ("--holdout-by",),
            Choice(annotation=HoldOutBy),
            PROBLEM,
            "steps",
        ),
        None,
    )
    seed: int = option(
        shared.SEED, 0, help="Random seed of the problems and the held-out pairs; in a training also of the weights."
    )


@frozen(kw_only=True, slots=False)
class TrainOptions(PluginOptions, DrawnPairs):
    """What `coc.train` takes, and `coc train` among others."""

    domain: str | None = option(shared.DOMAIN, None, help="Choose the puzzle, unless --data or --preset does.")
    out: Path | None = option(
        shared.OUT, None, help="Write the checkpoint to this folder.", kind=File("DIR"), shown="DOMAIN-checkpoint"
    )
    data: tuple[Path, ...] = option(
        Option("Train on the pairs of this dataset. Repeatable.", ("--data",), Several("DIR", File("DIR")), PROBLEM), ()
    )
    memory: tuple[str, ...] = option(
        shared.MEMORY, (), help="Choose the memory: pda (a stack) or tape. Repeatable.", kind=Several()
    )
    arith: tuple[str, ...] = option(
        shared.ARITH, (), help="Choose symbolic or inline addresses. Repeatable.", kind=Several(), shown="symbolic"
    )
    largest_address: int | None = option(
        Option("With --preset arithmetic: train on addresses from 0 to N.", ("--largest-address",), panel=PROBLEM),
        None,
        kind=Whole(LEAST_LARGEST_ADDRESS),
        shown=f"{LARGEST_ADDRESS:,}",
    )
    test_sizes: Sizes | None = option(
        Option(
            "Test the trained model on problems of these sizes, such as 21,30,40, and store the results in the"
            " checkpoint. With --preset arithmetic: on addresses with these numbers of digits.",
            ("--test-n",),
            Name("SIZES"),
            PROBLEM,
            "no tests",
        ),
        None,
    )
    test_instances: int | None = option(
        INSTANCES,
        None,
        help="With --test-n: draw K problems of each size from the test split.",
        flags=("--test-instances",),
        shown=str(DEFAULT_INSTANCES),
    )
    model: str = option(Option("Choose the kind of model to train.", ("--model",), panel=MODEL), "transformer")
    network: str | type | None = option(
        Option(
            "Train this network instead: a class of torch.nn.Module, as MODULE:CLASS or FILE.py:CLASS, or a model of"
            " transformers, as hf:CONFIG.json.",
            ("--network",),
            Name("NETWORK"),
            MODEL,
            "the backend's own",
        ),
        None,
    )
    device: str | None = option(shared.DEVICE, None, shown="the variable COC_DEVICE, or a GPU if there is one")
    preset: str | None = option(
        Option("Choose hyperparameters by name. An unknown name prints the list.", ("--preset",), panel=TRAINING),
        None,
        shown="program for a finite list of prompts, of which none is held out; small otherwise",
    )
    hyperparameters: Mapping[str, object] | None = option(
        Option("Set one. Repeatable. An unknown name prints the list.", ("--set",), Assignments(), TRAINING), None
    )
    init: Path | None = option(
        Option("Start from the weights of this checkpoint.", ("--init",), File("DIR"), TRAINING), None
    )
    resume: bool = option(Option("Continue an interrupted training run.", ("--resume",), Flag(), TRAINING), False)


def override_texts(values: Mapping[str, object], where: str) -> dict[str, str]:
    """Hyperparameters from Python as texts, as `--set` takes them; UsageError, which says `where`, for one that is no
    number, text, true or false.
    """
    for name, value in values.items():
        if not isinstance(value, str | float | SupportsIndex):
            raise UsageError(
                f"{where}: {quoted(name, 40)} is of type {type(value).__name__}",
                remedy="give a number, a text, True or False",
            )
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in values.items()}
