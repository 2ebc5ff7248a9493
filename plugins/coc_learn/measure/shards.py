"""Evaluations in shards: what a worker is given, what it does, and what it gives back.

A worker is given names, sizes and texts, so it may be any process on any machine with the same plugins and files. It
opens the model once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from multiprocessing import parent_process
from pathlib import Path

from attrs import evolve, frozen

from coc_core.domain import Translation
from coc_core.models import Model, Pair, on_device, requested_device
from coc_core.plugin import ArithmeticSpec, ExecutorSpec, Registry
from coc_core.setting import Setting
from coc_core.types import Limits
from coc_learn.measure.batch.ended import Ended, Expected
from coc_learn.measure.exactness import Checked, check_pairs
from coc_learn.measure.options import EvalOptions
from coc_learn.measure.success import Evaluation, ShardResult
from coc_problems import Instance
from coc_workers.options import WorkerOptions, open_pool
from coc_workers.pool import Lost, Pool

Texts = tuple[tuple[int, int | None, str, str, Translation | None], ...]
"""Problems: the size, the seed, the text, the source and the translation of each."""


@frozen
class Choices:
    """What is evaluated, by name. The arguments of `coc.evaluate` say what each of them means."""

    domain: str
    memory: str | None
    arith: str
    limits: Limits
    arith_model: str | None
    model: str | None
    executor: str
    optimal: bool
    plugins: tuple[Path, ...]
    plan_format: str | None = None
    """The format of the plans that workers give back; None to give back none."""

    expect: Expected = Expected.solved
    """How the runs should end."""

    addresses: bool = False
    """Whether the model is that of the arithmetic."""

    device: str | None = None
    """The device that workers open the model on; elsewhere it is the one that `on_device` says."""

    @classmethod
    def of(cls, options: EvalOptions, *, addresses: bool = False) -> "Choices":
        """What the options choose."""
        return cls(
            str(options.domain),
            options.memory,
            options.arith,
            Limits(steps=options.max_steps),
            options.arith_model,
            options.model,
            options.executor,
            options.optimal,
            options.plugins,
            options.plan_format if options.plans else None,
            options.expect,
            addresses,
        )

    def setting(self, registry: Registry) -> Setting:
        """The setting; errors as for `Setting.of`."""
        return Setting.of(registry, self.domain, self.memory, self.arith, self.limits, self.arith_model)


@frozen
class Workers:
    """The workers of a pool, for the evaluation of one choice."""

    pool: Pool
    choices: Choices

    def runs(
        self, setting: Setting, shards: Iterable[Sequence[Instance]], stopped: Callable[[], bool]
    ) -> Iterator[ShardResult | Lost[Texts]]:
        """Run shards of problems; gives the results in their order."""
        form = setting.domain.problems.format
        texts = (
            tuple((n, seed, form(problem), source, words) for n, seed, problem, source, words in shard)
            for shard in shards
        )
        return self.pool.map(partial(_run, self.choices), texts, stopped)

    def checks(
        self, batches: Iterable[Sequence[Pair]], stopped: Callable[[], bool]
    ) -> Iterator[Checked | Lost[Sequence[Pair]]]:
        """Check batches of pairs; gives the results in their order."""
        return self.pool.map(partial(_check, self.choices), batches, stopped)


Opened = tuple[Setting, Model | None]
"""A setting, and the model that is evaluated; None if that is the model of the arithmetic."""

_inherited: list[Opened] = []
"""What the process opened whose workers are forked from it."""


@contextmanager
def open_workers(choices: Choices, options: WorkerOptions, opened: Sequence[Opened] = ()) -> Iterator[Workers | None]:
    """The workers for an evaluation, which end with the block; further arguments and errors as for `open_pool`.

    Args:
        choices: What is evaluated.
        options: The workers.
        opened: What was opened of the choices, with each of the models; workers that are forked don't open it again.
    """
    _inherited[:] = opened
    try:
        with open_pool(options) as pool:
            device = requested_device()
            yield None if pool is None else Workers(pool, evolve(choices, device=device and device[0]))
    finally:
        _inherited.clear()


@lru_cache(maxsize=1)
def _setting(choices: Choices) -> Setting:
    if _inherited and parent_process() is not None:
        return _inherited[0][0]
    with on_device(choices.device):
        return choices.setting(Registry.installed(choices.plugins))


@lru_cache(maxsize=1)
def _opened(choices: Choices) -> tuple[Setting, Model]:
    for setting, model in _inherited if parent_process() is not None else ():
        if model is not None and model.choice == choices.model:
            return setting, model
    setting = _setting(choices)
    with on_device(choices.device):
        return setting, setting.model(choices.model)


def _with_new_arithmetic(setting: Setting) -> Setting:
    """The same setting with an arithmetic that has made no mistakes yet; its model is not opened again."""
    spec = setting.registry.find(ArithmeticSpec, setting.arithmetic.name)
    arguments = [] if setting.arith_model is None else [setting.arith_model]
    return evolve(setting, arithmetic=setting.registry.make(spec, spec.factory, *arguments))


def _run(choices: Choices, texts: Texts) -> ShardResult:
    opened, model = _opened(choices)
    setting = _with_new_arithmetic(opened)
    executor = setting.registry.create(ExecutorSpec, choices.executor)
    ended: list[Ended] = []
    keep = ended.append if choices.plan_format else None
    evaluation = Evaluation(setting, model, executor, choices.optimal, choices.plan_format, keep, choices.expect)
    parse = setting.domain.problems.parse
    evaluation.run(Instance(n, seed, parse(text), source, words) for n, seed, text, source, words in texts)
    return evaluation.result(ended)


def _check(choices: Choices, pairs: Sequence[Pair]) -> Checked:
    model = _setting(choices).arith_model if choices.addresses else _opened(choices)[1]
    assert model is not None  # or else there would be no pairs
    model.margin = None  # that of another command, whose workers these have been
    return check_pairs(model, pairs)
