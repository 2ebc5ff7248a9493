"""The options of many problems: which they are, and how they are evaluated."""

from collections.abc import Iterable
from pathlib import Path

from attrs import frozen

from coc_core.domain import MOST_PROBLEMS, Split
from coc_core.options import shared
from coc_core.options.fields import OUTPUT, PROBLEM, Choice, File, Flag, Option, Whole, option
from coc_core.options.solve import ModelOptions, PathLike, PluginOptions, SettingOptions
from coc_core.plugin import DEFAULT_FORMAT
from coc_core.types import DEFAULT_SIZE, Limits

DEFAULT_INSTANCES = 50
"""How many problems of each size are drawn for an evaluation or for tests by default."""

MEASUREMENT = "Measurement"

Sizes = int | str | Iterable[int]


@frozen(kw_only=True, slots=False)
class WorkerOptions:
    """Where work is done that several processes can share."""

    jobs: int | None = option(shared.JOBS, None)
    engine: str | None = option(shared.ENGINE, None)
    engine_address: str | None = option(shared.ENGINE_ADDRESS, None)


@frozen(kw_only=True, slots=False)
class ManyProblems:
    """Problems of several sizes, or the user's."""

    sizes: Sizes | None = option(shared.SIZES, None, shown=str(DEFAULT_SIZE))
    instances: int | None = option(shared.INSTANCES, None, shown=str(DEFAULT_INSTANCES))
    near_goal: int | None = option(
        Option(
            "Draw K near-goal problems of each size instead: problems that a few actions solve.",
            ("--near-goal",),
            Whole(1, MOST_PROBLEMS, "K"),
            PROBLEM,
        ),
        None,
    )
    split: Split | None = option(
        Option(
            "Draw problems from this split, or from all problems.",
            ("--split",),
            Choice(annotation=Split),
            PROBLEM,
            shown="test",
        ),
        None,
    )
    exhaustive: bool = option(shared.EXHAUSTIVE, False)
    problems: PathLike | Iterable[str] | None = option(shared.PROBLEMS, None)
    seed: int = option(shared.SEEDS, 0)


@frozen(kw_only=True, slots=False)
class EvalOptions(PluginOptions, WorkerOptions, ModelOptions, ManyProblems, SettingOptions):
    """What `coc.evaluate` takes, and `coc eval` among others."""

    optimal: bool = option(
        Option(
            "Compare the lengths of the plans with those of the shortest plans. For small sizes only.",
            ("--optimal",),
            Flag(),
            MEASUREMENT,
        ),
        False,
    )
    plans: Path | None = option(
        Option(
            "With --problems: keep the plan of each problem in this folder. Plans that are already there are reused.",
            ("--plans",),
            File("DIR"),
            OUTPUT,
        ),
        None,
    )
    plan_format: str = option(
        shared.PLAN_FORMAT,
        DEFAULT_FORMAT,
        help="With --plans: write the plans in this format: text, physical, json, or a format from a plugin.",
    )
    max_steps: int = option(shared.MAX_STEPS, Limits().steps)
