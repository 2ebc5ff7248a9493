"""How fast runs are, and where the time goes: the loop alone, the model alone, each executor, and other libraries.

A load is a set of problems of one setting with one model. Each row of its benchmark does the same work in another way
for a given time, and is measured in steps per second. Rates depend on the computer and on what else it does, so quote
ratios.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from threading import Timer
from typing import Any

from attrs import evolve, frozen

from coc_core.domain import Domain
from coc_core.errors import UsageError
from coc_core.execution import Cached, Executor, Machine
from coc_core.memories import Reference
from coc_core.models import Model, call_each, read_config
from coc_core.plugin import ExecutorSpec, ModelSpec
from coc_core.setting import Setting, checkpoint_folder
from coc_learn.datasets import teacher_pairs
from coc_problems import policy_steps
from coc_transformer.checkpoint_model import CheckpointModel

BASE = "sequential"
"""The row that the others are compared with: Algorithm 1 as in the paper."""

Work = Callable[[float], int]
"""Takes the seconds that are left and returns the number of steps done."""

_PAIRS = 256  # for the rows of the model alone
_MOST_ATTEMPTS = 10  # to take a first step, where the time is shorter than a step
_BATCH = 64  # prompts in one model call
_LARGE, _PRODUCTS = 1_024, 5  # rows of the matrices that are multiplied, and how often


@frozen
class Rate:
    """A measured row: how many steps it did in how many seconds. If it could not run, `obstacle` says why."""

    name: str
    steps: int = 0
    seconds: float = 0.0
    obstacle: str = ""
    host: float | None = None
    """Microseconds of processor time a step outside of the network; None where none is known to compute."""
    peak: float | None = None
    """The share of the device's peak, a measured rate of multiplying matrices, that the row reached."""

    @property
    def per_second(self) -> float | None:
        """Steps per second; None if there were none."""
        return self.steps / self.seconds if self.steps else None


@frozen
class Load:
    """Problems of one setting, and the `choice` of the model that runs them, as for `Setting.model`."""

    setting: Setting
    problems: Sequence[Any]
    choice: str | None = None

    @property
    def title(self) -> str:
        """A short description."""
        setting, sizes = self.setting, sorted({self.setting.domain.size(problem) for problem in self.problems})
        many = f"{len(self.problems)} problems of " if len(self.problems) > 1 else ""
        numbers = "-".join(str(n) for n in dict.fromkeys((sizes[0], sizes[-1])))
        return f"{setting.domain.name}, {setting.memory.name}, {setting.arithmetic.name}: {many}n={numbers}"


def rates(load: Load, executors: Sequence[str], seconds: float) -> Iterator[Rate]:
    """Measure the rows of a load.

    Args:
        load: The problems and the model.
        executors: The names of the executors that get a row.
        seconds: About how long each row is measured.

    Raises:
        UsageError: If there is no such model or executor.
        PluginError: If the model or an executor can't be created.
    """
    setting, registry = load.setting, load.setting.registry
    model = setting.model(load.choice)
    runners = [(name, registry.create(ExecutorSpec, name)) for name in executors]
    pairs = list(islice(teacher_pairs(setting, load.problems), _PAIRS))
    prompts, targets = [pair.prompt for pair in pairs], [pair.target for pair in pairs]
    fresh = [setting.machine(problem) for problem in load.problems]
    rows: list[tuple[str, Work]] = [
        ("the policy alone, no text", partial(_recurse, load)),
        ("the loop alone", partial(_drive, fresh, Cached(), Reference(setting.convention))),
        (f"the model alone, {_BATCH} with drafts", partial(_call, model, prompts, targets, _BATCH)),
        *((name, partial(_drive, fresh, runner, model)) for name, runner in runners),
    ]
    if isinstance(model, CheckpointModel):
        fastest = multiplications(model)
        rows = [(name, Metered(work, model, fastest)) for name, work in rows]
    for name, work in rows:
        try:
            yield measure(name, work, seconds)
        except UsageError as error:
            if name not in executors:
                raise
            yield Rate(name, obstacle=str(error))  # such as one that needs a deterministic model
    for name, other in chain(_backends(load, model), peers(setting, load.choice)):
        if isinstance(other, UsageError):
            yield Rate(name, obstacle=str(other))
            continue
        for size in (1, _BATCH):
            many = "one prompt" if size == 1 else f"{size} prompts"
            yield measure(f"{name}, {many}", partial(_call, other, prompts, None, size), seconds)


def _backends(load: Load, model: Model) -> Iterator[tuple[str, Model | UsageError]]:
    """The model as each backend runs it that opens its checkpoint, or why it can't; only itself if it has none."""
    setting = load.setting
    if checkpoint_folder(setting.registry, load.choice, setting.convention.dialect) is None:
        yield "the model alone", model
        return
    for spec in setting.registry.specs(ModelSpec):
        if spec.opens:
            try:
                yield spec.name, setting.checkpoint(load.choice, spec.name)
            except UsageError as error:
                yield spec.name, error


def peers(setting: Setting, choice: str | None = None) -> Iterator[tuple[str, Model | UsageError]]:
    """Open a checkpoint, chosen as for `Setting.model`, with each other library that can run it, one at a time.

    Yields:
        The name of a library, and the model or the reason why the library can't run it. Nothing if `choice` is not a
        checkpoint.
    """
    registry, dialect = setting.registry, setting.convention.dialect
    folder = checkpoint_folder(registry, choice, dialect)
    if folder is not None:
        identity, config = read_config(folder)
        backend = registry.find(ModelSpec, identity.backend)
        for name, factory in backend.peers:
            try:
                yield name, registry.make(backend, factory, folder, config, identity, dialect)
            except UsageError as error:
                yield name, error


@frozen
class Metered:
    """Work of which a part is done by the network of a model.

    Attributes:
        work: The work.
        model: The model.
        fastest: What `multiplications` gives for it.
    """

    work: Work
    model: CheckpointModel
    fastest: float

    def __call__(self, limit: float) -> int:
        return self.work(limit)


def measure(name: str, work: Work, seconds: float) -> Rate:
    """Repeat the work for about so many seconds, after a tenth as long for warming up, which does not count."""
    _repeat(work, seconds / 10)
    if not isinstance(work, Metered):
        return Rate(name, *_repeat(work, seconds))
    model, before, begun = work.model, evolve(work.model.work), time.process_time()
    rate, used = Rate(name, *_repeat(work, seconds)), time.process_time() - begun
    computed, tokens = model.work.seconds - before.seconds, model.work.tokens - before.tokens
    if not (rate.steps and tokens):
        return rate
    operations = 2 * model.parameters * tokens / rate.seconds
    return evolve(rate, host=max(0.0, used - computed) / rate.steps * 1e6, peak=operations / work.fastest)


def multiplications(network: CheckpointModel) -> float:
    """The floating-point operations a second at which the model's device multiplies matrices, the best of several."""
    network.multiply(_LARGE)
    times = []
    for _ in range(_PRODUCTS):
        started = time.perf_counter()
        network.multiply(_LARGE)
        times.append(time.perf_counter() - started)
    return 2 * float(_LARGE) ** 3 / min(times)


def _repeat(work: Work, seconds: float) -> tuple[int, float]:
    started, steps, rounds = time.perf_counter(), 0, 0
    while (left := started + seconds - time.perf_counter()) > 0 or (not steps and rounds < _MOST_ATTEMPTS):
        steps += work(left if left > 0 else seconds)
        rounds += 1
    return steps, time.perf_counter() - started


def _drive(fresh: Sequence[Machine], executor: Executor, model: Model, limit: float) -> int:
    """Run machines from their first steps; those still running after `limit` seconds are interrupted."""
    machines = [machine.fork() for machine in fresh]  # to make one reads the whole problem, which is no step

    def interrupt() -> None:
        for machine in machines:
            machine.interrupt()

    timer = Timer(limit, interrupt)
    timer.start()
    try:
        return sum(outcome.steps for outcome in executor.run(machines, model))
    finally:
        timer.cancel()


def _call(model: Model, prompts: Sequence[str], drafts: Sequence[str] | None, size: int, limit: float) -> int:
    """Call the model on batches of `size` prompts, until there are no more prompts or `limit` seconds are over."""
    started, calls = time.perf_counter(), 0
    for start in range(0, len(prompts), size):
        batch = slice(start, start + size)
        calls += len(call_each(model, prompts[batch], drafts[batch] if drafts else None))
        if time.perf_counter() - started > limit:
            break
    return calls


def _recurse(load: Load, limit: float) -> int:
    """Solve the problems by the policy's own steps, without prompts and targets; every action is applied."""
    started, steps = time.perf_counter(), 0
    for problem in load.problems:
        for _ in _expansions(load.setting.domain, problem):
            steps += 1
            if not steps % 1_024 and time.perf_counter() - started > limit:
                return steps
    return steps


def _expansions(domain: Domain[Any, Any, Any, Any], problem: Any) -> Iterator[None]:
    """Run the policy alone, and yield after each step."""
    state = domain.initial(problem)
    for _, step in policy_steps(domain, problem):
        for emitted in step.emits:
            if emitted in domain.actions:
                state = domain.apply(state, emitted)
        yield
