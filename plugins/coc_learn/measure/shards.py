"""Evaluations in shards: what a worker is given, what it does, and what it gives back.

A worker is given names, sizes and texts, so it may be any process on any machine with the same plugins and files. It
opens the model once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from multiprocessing import parent_process

from attrs import evolve, frozen

from coc_core.domain import Translation
from coc_core.models import Model, Pair, on_device, requested_device
from coc_core.plugin import ArithmeticSpec, ExecutorSpec, Registry
from coc_core.setting import Setting
from coc_learn.measure.ended import Ended
from coc_learn.measure.exactness import Checked, check_pairs
from coc_learn.measure.options import EvalOptions
from coc_learn.measure.success import Evaluation, ShardResult
from coc_problems import Instance
from coc_workers.options import open_pool
from coc_workers.pool import Lost, Pool

Texts = tuple[tuple[int, int | None, str, str, Translation | None], ...]
"""Problems: the size, the seed, the text, the source and the translation of each."""


@frozen
class Workers:
    """The workers of a pool, for one evaluation; of the model of the arithmetic, if the options give addresses."""

    pool: Pool
    options: EvalOptions
    of_arithmetic: bool = False

    def runs(
        self, setting: Setting, shards: Iterable[Sequence[Instance]], stopped: Callable[[], bool]
    ) -> Iterator[ShardResult | Lost[Texts]]:
        """Run shards of problems; gives the results in their order."""
        form = setting.domain.problems.format
        texts = (
            tuple((n, seed, form(problem), source, words) for n, seed, problem, source, words in shard)
            for shard in shards
        )
        return self.pool.map(partial(_run, self.options), texts, stopped)

    def checks(
        self, batches: Iterable[Sequence[Pair]], stopped: Callable[[], bool]
    ) -> Iterator[Checked | Lost[Sequence[Pair]]]:
        """Check batches of pairs; gives the results in their order."""
        return self.pool.map(partial(_check, self.options, self.of_arithmetic), batches, stopped)


Opened = tuple[Setting, Model | None]
"""A setting, and the model that is evaluated; None if that is the model of the arithmetic."""

_inherited: list[Opened] = []
"""What the process opened whose workers are forked from it."""


@contextmanager
def open_workers(
    options: EvalOptions, opened: Sequence[Opened] = (), *, of_arithmetic: bool = False
) -> Iterator[Workers | None]:
    """Give the workers for an evaluation, which end with the block; errors as for `open_pool`. Workers that are forked
    don't open again what was `opened`, with each of the models; it may be the model of the arithmetic.
    """
    _inherited[:] = opened
    try:
        with open_pool(options) as pool:
            device = requested_device()
            sent = evolve(options, sizes=None, problems=None, device=device and device[0])
            yield None if pool is None else Workers(pool, sent, of_arithmetic)
    finally:
        _inherited.clear()


@lru_cache(maxsize=1)
def _setting(options: EvalOptions) -> Setting:
    if _inherited and parent_process() is not None:
        return _inherited[0][0]
    with on_device(options.device):
        return options.setting(Registry.installed(options.plugins))


@lru_cache(maxsize=1)
def _opened(options: EvalOptions) -> tuple[Setting, Model]:
    for setting, model in _inherited if parent_process() is not None else ():
        if model is not None and model.choice == options.model:
            return setting, model
    setting = _setting(options)
    with on_device(options.device):
        return setting, setting.model(options.model)


def _with_new_arithmetic(setting: Setting) -> Setting:
    """Return the same setting with an arithmetic that has made no mistakes yet; its model is not opened again."""
    spec = setting.registry.find(ArithmeticSpec, setting.arithmetic.name)
    arguments = [] if setting.arith_model is None else [setting.arith_model]
    return evolve(setting, arithmetic=setting.registry.make(spec, spec.factory, *arguments))


def _run(options: EvalOptions, texts: Texts) -> ShardResult:
    opened, model = _opened(options)
    setting = _with_new_arithmetic(opened)
    executor = setting.registry.create(ExecutorSpec, options.executor)
    ended: list[Ended] = []
    form = options.packed_format
    evaluation = Evaluation(
        setting, model, executor, options.optimal, form, ended.append if form else None, options.expect
    )
    parse = setting.domain.problems.parse
    evaluation.run(Instance(n, seed, parse(text), source, words) for n, seed, text, source, words in texts)
    return evaluation.result(ended)


def _check(options: EvalOptions, of_arithmetic: bool, pairs: Sequence[Pair]) -> Checked:
    model = _setting(options).arith_model if of_arithmetic else _opened(options)[1]
    assert model is not None  # or else there would be no pairs
    model.margin = None  # that of another command, whose workers these have been
    return check_pairs(model, pairs)
