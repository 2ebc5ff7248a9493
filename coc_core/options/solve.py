"""The options of one problem: how it is solved and recorded."""

import os
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.errors import UsageError
from coc_core.options import shared
from coc_core.options.fields import ADVANCED, OUTPUT, PROBLEM, File, Flag, Option, option
from coc_core.types import Limits

PathLike = str | os.PathLike[str]


@frozen(kw_only=True, slots=False)
class SettingOptions:
    """Domain, memory and arithmetic, by name."""

    domain: str | None = option(shared.DOMAIN)
    memory: str | None = option(shared.MEMORY, None)
    arith: str = option(shared.ARITH, "symbolic")
    arith_model: str | None = option(shared.ARITH_MODEL, None)


@frozen(kw_only=True, slots=False)
class ModelOptions:
    """A model, and how it is called."""

    model: str | None = option(shared.CHECKPOINT, None)
    constrain: str | None = option(shared.CONSTRAIN, None)
    device: str | None = option(shared.DEVICE, None)
    executor: str = option(shared.EXECUTOR, "auto")

    def __attrs_post_init__(self) -> None:
        if self.constrain:
            if ":" not in (self.model or ""):
                raise UsageError("--constrain needs a language model", remedy="write --model openai:NAME or hf:FOLDER")
            self.__dict__.update(model=f"{self.model},constrain={self.constrain}", constrain=None)


@frozen(kw_only=True, slots=False)
class PluginOptions:
    """Plugins that are not installed."""

    plugins: tuple[Path, ...] = option(shared.PLUGINS, ())


@frozen(kw_only=True, slots=False)
class OneProblem:
    """One problem: of a size, or of the user's."""

    n: int | None = option(shared.SIZE, None)
    seed: int = option(shared.SEED, 0)
    problem: Any = option(shared.PROBLEM_FILE, None)


@frozen(kw_only=True, slots=False)
class SolveOptions(PluginOptions, ModelOptions, OneProblem, SettingOptions):
    """One problem, and how a model solves it."""

    max_steps: int | None = option(shared.MAX_STEPS, None, shown=f"{Limits().steps:,}; no limit if steps are skipped")
    deterministic: bool = option(
        Option(
            "Call the model with one prompt at a time, so that batching can't change how results are rounded.",
            ("--deterministic",),
            Flag(),
            ADVANCED,
        ),
        False,
    )


@frozen(kw_only=True, slots=False)
class RunOptions(SolveOptions):
    """What `coc.run` takes, and `coc run` among others."""

    domain: str | None = option(
        shared.DOMAIN,
        None,
        help="Choose the puzzle, such as hanoi. `coc plugins` lists all puzzles. Required unless --resume is given.",
    )
    save: Path | None = option(
        Option(
            "Record every step in this new file, so that the run can be resumed after a crash; see --resume.",
            ("--save",),
            File("RUN"),
            OUTPUT,
        ),
        None,
    )
    resume: Path | None = option(
        Option(
            "Continue the run recorded in this file, with its options. --max-steps, --model, --arith-model, --device"
            " and --plan may be given anew.",
            ("--resume",),
            File("RUN"),
            PROBLEM,
        ),
        None,
    )
