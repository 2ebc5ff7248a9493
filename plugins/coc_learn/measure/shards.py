"""Evaluations in shards: the options, which a worker is given, too, what it does, and what it gives back.

A worker is given names, sizes and texts, so it may be any process on any machine with the same plugins and files. It
opens the model once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from multiprocessing import parent_process
from pathlib import Path
from typing import Any, TypeVar

from attrs import Factory, define, evolve, frozen

from coc_core.models import Model, Pair, on_device, requested_device
from coc_core.options import (
    OUTPUT,
    Choice,
    File,
    Flag,
    ModelOptions,
    Option,
    PluginOptions,
    SettingOptions,
    option,
    shared,
)
from coc_core.plugin import DEFAULT_FORMAT, ExecutorSpec, Registry
from coc_core.setting import Setting
from coc_core.text import quoted
from coc_core.types import Limits
from coc_learn.measure.ended import Expected
from coc_learn.measure.exactness import Checked, check_pairs
from coc_learn.measure.success import EndedRun, Evaluation
from coc_problems import Instance, ManyProblems
from coc_workers.options import WorkerOptions, open_pool
from coc_workers.pool import Lost, Pool, worker_error

ResultT = TypeVar("ResultT")

Opened = tuple[Setting, Model]
"""A setting, and the model that is evaluated, which may be that of the arithmetic."""

_inherited: list[Opened] = []
"""What the process opened whose workers are forked from it."""

MEASUREMENT = "Measurement"


@frozen(kw_only=True, slots=False)
class EvalOptions(PluginOptions, WorkerOptions, ModelOptions, ManyProblems, SettingOptions):
    """What `coc.evaluate` takes, and `coc eval` among others."""

    optimal: bool = option(
        Option("Compare the plans with shortest plans, of small sizes.", ("--optimal",), Flag(), MEASUREMENT), False
    )
    expect: Expected = option(
        Option("Count this outcome as success.", ("--expect",), Choice(annotation=Expected), MEASUREMENT),
        Expected.solved,
    )
    plans: Path | None = option(
        Option("With --problems: keep the plans in this folder, and reuse them.", ("--plans",), File("DIR"), OUTPUT),
        None,
    )
    plan_format: str = option(
        shared.PLAN_FORMAT,
        DEFAULT_FORMAT,
        help="With --plans: write the plans in this format: text, json, or a format from a plugin.",
    )
    max_steps: int = option(shared.MAX_STEPS, Limits().steps)

    @property
    def packed_format(self) -> str | None:
        """The format in which plans are kept; None if none are."""
        return self.plan_format if self.plans else None

    def setting(self, registry: Registry) -> Setting:
        """Make the setting; errors as for `Setting.of`."""
        limits = Limits(steps=self.max_steps)
        return Setting.of(registry, str(self.domain), self.memory, self.arith, limits, self.arith_model)


@define
class Workers:
    """The workers of a pool, for one evaluation; of the model of the arithmetic, if the options give addresses.

    `lost` has the problems and prompts that no worker could try, since each that tried was lost.
    """

    pool: Pool
    options: EvalOptions
    of_arithmetic: bool = False
    lost: list[str] = Factory(list)

    def runs(
        self, setting: Setting, shards: Iterable[Sequence[Instance]], stopped: Callable[[], bool]
    ) -> Iterator[tuple[str, list[EndedRun]]]:
        """Run shards of problems, which are sent as texts; gives the results in their order."""
        form = setting.domain.problems.format
        texts = ([each._replace(problem=form(each.problem)) for each in shard] for shard in shards)
        return self._map(partial(_run, self.options), texts, stopped, ("", []))

    def checks(self, batches: Iterable[Sequence[Pair]], stopped: Callable[[], bool]) -> Iterator[Checked]:
        """Check batches of pairs; gives the results in their order."""
        return self._map(partial(_check, self.options, self.of_arithmetic), batches, stopped, Checked((), {}, None))

    def check_lost(self) -> None:
        """Raise WorkerError if something could not be tried."""
        if self.lost:
            raise worker_error(f"{len(self.lost):,} of the problems and prompts not tried", quoted(self.lost[0], 60))

    def _map(
        self, call: Callable[[Any], ResultT], shards: Iterable[Any], stopped: Callable[[], bool], nothing: ResultT
    ) -> Iterator[ResultT]:
        for found in self.pool.map(call, shards, stopped):
            if isinstance(found, Lost):
                self.lost += [each.prompt if isinstance(each, Pair) else each.problem for each in found.shard]
                found = nothing
            yield found


@contextmanager
def open_workers(
    options: EvalOptions, opened: Opened | None = None, *, of_arithmetic: bool = False
) -> Iterator[Workers | None]:
    """Give the workers for an evaluation, which end with the block; errors as for `open_pool`. Workers that are forked
    don't open again what was `opened`. WorkerError at the end of the block if something could not be tried.
    """
    _inherited[:] = [opened] if opened else []
    try:
        with open_pool(options) as pool:
            device = requested_device()
            sent = evolve(options, sizes=None, problems=None, device=device and device[0])
            workers = None if pool is None else Workers(pool, sent, of_arithmetic)
            yield workers
        if workers:
            workers.check_lost()
    finally:
        _inherited.clear()


@lru_cache(maxsize=1)
def _opened(options: EvalOptions, of_arithmetic: bool) -> Opened:
    if _inherited and parent_process() is not None:
        return _inherited[0]
    with on_device(options.device):
        setting = options.setting(Registry.installed(options.plugins))
        model = setting.arith_model if of_arithmetic else setting.model(options.model)
    assert model is not None  # or else there would be no pairs
    return setting, model


def _run(options: EvalOptions, texts: Sequence[Instance]) -> tuple[str, list[EndedRun]]:
    setting, model = _opened(options, of_arithmetic=False)
    executor = setting.registry.create(ExecutorSpec, options.executor)
    evaluation = Evaluation(setting, model, executor, options.optimal, options.packed_format, expect=options.expect)
    parse = setting.domain.problems.parse
    runs = list(evaluation.runs(each._replace(problem=parse(each.problem)) for each in texts))
    return executor.used, runs


def _check(options: EvalOptions, of_arithmetic: bool, pairs: Sequence[Pair]) -> Checked:
    model = _opened(options, of_arithmetic)[1]
    model.margin = None  # that of another command, whose workers these have been
    return check_pairs(model, pairs)
