"""A trial: an executor runs a case, and is compared with the plain reading of Algorithm 1. The check of executors."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from types import FrameType
from typing import Any

from attrs import evolve

from coc_check.check import Subject, require
from coc_check.fuzz.case import Case, Cut, executor_of, model_of, setting_of
from coc_check.plain import Difference, Trace, compare, run_plainly
from coc_check.scripted import ScriptedPolicy
from coc_core.domain import parse_problem
from coc_core.errors import PluginError, UsageError
from coc_core.execution import Executor, StepRecord
from coc_core.models import Sampler
from coc_core.plugin import ExecutorSpec, Registry
from coc_core.setting import Setting
from coc_core.text import described, escaped
from coc_core.types import Outcome

_RAISED = "what the executor raised"
SEED, EXAMPLES = 0, 300  # the cases of `coc fuzz --seed 0`
_INTERRUPTED = 3  # prompts, before the run that comes before others is interrupted
_MOST_LINES = 4_000
"""Of the executor's own code, for each step and problem: it may go over all runs at each step, and run them again."""


class Cutoff(KeyboardInterrupt):
    """A Ctrl-C that nobody pressed."""


class OutOfOrder(RuntimeError):
    """What a model raises that has a bug."""


class Refused(Exception):
    """What a listener raises that wants no more steps."""


_RAISED_BY_LISTENERS: dict[str, type[BaseException]] = {"error": Refused, "listener": Cutoff}
_RAISED_BY_MODELS: dict[str, type[BaseException]] = {"model": Cutoff, "broken": OutOfOrder}


class Differs(AssertionError):
    """An executor does not do what Algorithm 1 says; the message says where and in what."""


def reproduce(registry: Registry, case: Case) -> None:
    """Try a case again; raises `Differs` if the executor still does something else than Algorithm 1."""
    found = try_case(registry, case)
    if found is not None:
        raise Differs("\n".join(in_words(case, found)))


def in_words(case: Case, found: Difference) -> tuple[str, str, str]:
    """Return what differs, in a line; what should be, and what is, in another one each."""
    which = f" of run {found.problem + 1} of {case.runs}" if case.runs > 1 else ""
    return (
        f"{case.executor} is not Algorithm 1 at step {found.step}{which}: {found.what}",
        f"  should be {escaped(found.wanted)}",
        f"  but is    {escaped(found.found)}",
    )


def try_case(registry: Registry, case: Case) -> Difference | None:
    """Return the first difference between what the executor does and what Algorithm 1 says; None if there is none.

    UsageError if there is no such executor, setting or problem.
    """
    with line_budget(executor_of(registry, case), _MOST_LINES * case.runs * (case.most_steps + 1)):
        return _try(registry, case)


@contextmanager
def line_budget(executor: Executor, lines: int) -> Iterator[None]:
    """Stop an executor with RuntimeError once so many lines of its module, and those of its bases, are executed.

    Where a debugger or a measurement of coverage traces what is executed, nothing is stopped.
    """
    own = {each.__module__ for each in type(executor).__mro__ if issubclass(each, Executor) and each is not Executor}
    left = lines

    def enter(frame: FrameType, _event: str, _arg: object) -> Any:
        return follow if frame.f_globals.get("__name__") in own else None

    def follow(_frame: FrameType, event: str, _arg: object) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise RuntimeError("the executor comes to no end")
        return follow

    if sys.gettrace() is not None:
        yield
        return
    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(None)


class Watched:
    """A machine whose steps are kept; then `hear` is notified of them. If it is `silent`, nobody is.

    It is asked to stop after the step number `stop`. `end` is its run, once the executor has given the machine back.
    """

    def __init__(self, setting: Setting, problem: Any, *, silent: bool = False, stop: int = 0) -> None:
        self.steps: list[StepRecord] = []
        self.end: Trace | None = None
        self.hear: Callable[[StepRecord], None] = lambda record: None
        self._stop = stop
        self.machine = setting.machine(problem, [] if silent else [self._hear])

    def _hear(self, record: StepRecord) -> None:
        self.steps.append(record)
        if record.step == self._stop:
            self.machine.interrupt()
        self.hear(record)

    def ends(self) -> None:
        """Note what the machine has done and holds now, with the outcome that it says itself."""
        machine = self.machine
        outcome = Outcome(machine.status, machine.steps, machine.actions, machine.fault)
        self.end = Trace(tuple(self.steps), outcome, machine.state, machine.pointer, tuple(machine.windows))


def drive(
    executor: Executor, watched: Sequence[Watched], model: ScriptedPolicy, wanted: Sequence[Trace]
) -> Difference | None:
    """Let the executor run the machines to their ends, which should be the `wanted` runs; what is wrong with that.

    The first wrong step comes first, since it may be why the executor went wrong. What a listener raises comes out.
    """
    wrong = _driven(executor, watched, model)
    return _compared(watched, wanted, ended=wrong is None) or wrong


def _compared(watched: Sequence[Watched], wanted: Sequence[Trace], *, ended: bool) -> Difference | None:
    pairs = enumerate(zip(watched, wanted, strict=False))
    found = (compare(at, run, each.steps, each.end if ended else None) for at, (each, run) in pairs)
    return next(filter(None, found), None)


def _driven(executor: Executor, watched: Sequence[Watched], model: ScriptedPolicy) -> Difference | None:
    """Let the executor run the machines; what it raises, and what is committed or counted without a model call."""
    of, begun = {each.machine: each for each in watched if each.end is None}, [len(each.steps) for each in watched]
    try:
        for machine in executor.stream(iter(list(of)), model):
            of[machine].ends()
    except Refused:
        raise
    except Exception as error:
        if isinstance(error, PluginError) and isinstance(error.__cause__, OutOfOrder):
            raise error.__cause__ from error
        if isinstance(error, UsageError) and isinstance(model, Sampler):
            return None  # an executor that takes votes may refuse a model that it can't be sure of
        number = next((number for number, each in enumerate(watched) if each.end is None), 0)
        step = watched[number].machine.steps + 1 if watched else 0
        return Difference(number, step, _RAISED, "nothing", described(error))
    for number, (each, first) in enumerate(zip(watched, begun, strict=True)):
        for record in each.steps[first:]:
            if (record.prompt, record.target) not in model.pairs:
                committed = f"{record.target!a}, for which the model was not called"
                return Difference(number, record.step, "the target", "a response to its prompt", committed)
    if model.calls == model.written:
        return None
    last = watched[-1].machine.steps if watched else 0
    return Difference(max(len(watched) - 1, 0), last, "the number of model calls", f"{model.written}", f"{model.calls}")


def _try(registry: Registry, case: Case) -> Difference | None:
    """Return the first difference in all problems, which run together."""
    setting, apart, executor = setting_of(registry, case), setting_of(registry, case), executor_of(registry, case)
    problems = [parse_problem(setting.domain, text) for text in case.problems]

    def machines(case: Case) -> list[Watched]:
        runs, stops = enumerate(islice(cycle(problems), case.runs)), dict(case.stops)
        return [Watched(setting, each, silent=case.silent, stop=stops.get(number, 0)) for number, each in runs]

    def run(case: Case, watched: list[Watched], executor: Executor) -> Difference | None:
        wanted = list(islice(cycle([run_plainly(apart, each, model_of(apart, case)) for each in problems]), case.runs))
        for number, step in case.stops:
            wanted[number] = run_plainly(apart, problems[number % len(problems)], model_of(apart, case), step)
        wanted = [evolve(each, steps=()) for each in wanted] if case.silent else wanted
        for cut in case.cuts:
            failure = (_RAISED_BY_MODELS[cut.way](), cut.at) if cut.way in _RAISED_BY_MODELS else None
            wrong = _cut_off(executor, watched, model_of(setting, case, failure), wanted, cut)
            if wrong is not None:
                return wrong
            executor = executor_of(registry, case)  # another process, as it were
        return drive(executor, watched, model_of(setting, case), wanted)

    if not case.used:
        return run(case, machines(case), executor)
    right = evolve(case, responses={}, stops=(), faulty_calls=0)
    before = drive(executor, [], model_of(setting, right), []) or run(right, machines(right), executor)
    if before is not None:
        return before
    interrupted = machines(right)
    with suppress(Cutoff):
        drive(executor, interrupted, model_of(setting, right, (Cutoff(), _INTERRUPTED)), [])
    return run(case, machines(case), executor) or run(right, interrupted, executor)


def _cut_off(
    executor: Executor, watched: Sequence[Watched], model: ScriptedPolicy, wanted: Sequence[Trace], cut: Cut
) -> Difference | None:
    """Let the executor run the machines until they are cut off, if they go on for so long; what is wrong with that."""
    before, raised = sum(len(each.steps) for each in watched), _RAISED_BY_LISTENERS.get(cut.way)

    def taken() -> int:
        return sum(len(each.steps) for each in watched) - before

    def hear(record: StepRecord) -> None:
        if raised is not None and taken() == cut.at:
            raise raised("cut off here")

    for each in watched:
        each.hear = hear
    try:
        wrong = drive(executor, watched, model, wanted)
    except (Refused, Cutoff, OutOfOrder):
        return _compared(watched, wanted, ended=False)
    if wrong is None and (model.failed or (raised is not None and taken() >= cut.at)):
        return Difference(0, watched[0].machine.steps, _RAISED, "what was raised to cut it off", "nothing")
    return wrong


class ExecutorSubject(Subject):
    """One installed executor."""

    kind = ExecutorSpec


def runs_are_those_of_algorithm_1(subject: ExecutorSubject) -> None:
    """Whatever a model writes, and wherever a run is cut off, all runs are those of Algorithm 1, step by step.

    `coc fuzz --seed 0` with this executor prints the case as a test. An executor decides when the model is called; the
    machine does the rest. Only targets of the model may be committed, each to the prompt that it belongs to.
    """
    from coc_check.fuzz.hunt import Hunt  # with hypothesis, which takes time

    hunt = Hunt(subject.registry, subject.name, number=SEED)
    found = hunt.run(EXAMPLES)
    subject.tried |= dict(line.split(": ", 1) for line in hunt.lines())
    if found is not None:
        require(False, " ".join(" ".join(in_words(*found)).split()), str(found[0]))
