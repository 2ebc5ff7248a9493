"""The executor interface: in which order, and in which batches, the loop of Algorithm 1 is run."""

import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from coc_core.errors import PluginError, StepFault, UsageError
from coc_core.execution.machine import Machine
from coc_core.models import CallContext, Model, call_each
from coc_core.text import quoted
from coc_core.types import Outcome

CACHE_BYTES = 1 << 27
"""The default size of an executor's response cache, in bytes."""


class Executor(ABC):
    """Runs machines to their ends with the targets of one model.

    Attributes:
        needs_determinism: Whether only a deterministic model will do.
        samples: Whether it may call a model several times at a step. Then its runs with a model that is not
            deterministic are not those of Algorithm 1.
        skips: In domains of which `continuation` it skips steps where it can.
        choice: The text with which it was chosen, as `--executor` takes it; empty if it was not.
        remarks: What else there is to say about the last run, a line each.
        report: What there is to report of the last run as plain data, by name: numbers, or None, in a mapping by name.

    Example:
        >>> from coc_core.plugin import Registry
        >>> from coc_core.setting import Setting
        >>> class OneByOne(Executor):
        ...     name = "one-by-one"
        ...
        ...     def _run(self, machines, model):
        ...         for machine in machines:
        ...             while take_step(machine, model):
        ...                 pass
        ...             yield machine
        >>> setting = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic")
        >>> machines = [setting.machine(setting.domain.problem(n)) for n in (2, 3)]
        >>> outcomes = OneByOne().run(machines, setting.model("reference"))
        >>> [(outcome.status, outcome.steps, outcome.actions) for outcome in outcomes]
        [('solved', 4, 3), ('solved', 10, 7)]
    """

    name: ClassVar[str]
    needs_determinism: ClassVar[bool] = False
    samples: ClassVar[bool] = False
    skips: ClassVar[Collection[str]] = ()
    remarks: tuple[str, ...] = ()
    report: Mapping[str, Mapping[str, float | None]] = {}
    choice: str = ""
    _delegate: "Executor | None" = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name in ("run", "stream"):
            if getattr(cls, name) is not getattr(Executor, name):
                raise TypeError(
                    f"the executor {cls.__name__} overrides {name}, which accounts for every run; define _run"
                )

    @property
    def used(self) -> str:
        """The name of the executor that did the work: this one, or the one that it delegated the last run to."""
        return self._delegate.name if self._delegate else self.name

    def skips_steps_of(self, machine: Machine) -> bool:
        """Return whether it skips steps of a machine if the model is deterministic."""
        return machine.skippable and machine.domain.continuation in self.skips

    def run(self, machines: Sequence[Machine], model: Model) -> tuple[Outcome, ...]:
        """Run machines that have not ended and return their outcomes, in order.

        `model_calls`, `seconds` and `report` of an outcome are totals over all machines.

        Raises:
            UsageError: This executor can't work with this model.
            PluginError: A plugin raised an exception that is not one of coc's.
        """
        calls, started = model.calls, time.perf_counter()
        for _ in self.stream(machines, model):
            pass
        seconds = time.perf_counter() - started
        calls = model.calls - calls
        return tuple(
            Outcome(each.status, each.steps, each.actions, each.fault, calls, seconds, each.reason, self.report)
            for each in machines
        )

    def stream(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        """Yield each machine once its run has ended, in the order in which the runs end.

        Machines are taken from the iterable as they are needed and released when they have ended, so there may be any
        number of them. The arguments and errors are those of `run`; a machine that is left out, yielded twice or before
        its end, or unknown is a PluginError, too. Only machines that were asked to stop may be left out.
        """
        if self.needs_determinism and not model.deterministic:
            raise UsageError(
                f"the executor {self.name!r} needs a deterministic model, and {model.name!r} is not",
                remedy="use --executor sequential",
            )

        return self._accounted(machines, model)

    def _accounted(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        """Yield what `_run` does, each machine that it was given once, when its run has ended."""
        running = dict[Machine, int]()

        def given() -> Iterator[Machine]:
            for number, machine in enumerate(machines, 1):
                machine.assume(deterministic=model.deterministic)
                running[machine] = number
                yield machine

        taken = given()
        for machine in self._run(taken, model) or ():  # None from an author who has forgotten to yield
            number = running.pop(machine, None)
            if number is None:
                raise self._error("yielded what is not a machine, was not given to it, or was yielded before")
            if machine.peek() is not None:
                raise self._error(f"yielded machine {number:,} after {machine.steps:,} steps, before the run had ended")
            yield machine
        next(taken, None)
        missing = [(number, machine) for machine, number in running.items() if not machine.interrupted]
        if missing:
            number, machine = missing[0]
            with machine.attributing_errors():
                problem = quoted(machine.domain.problems.format(machine.problem), 60)
            more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
            raise self._error(f"did not yield machine {number:,}, {problem}{more}")
        if self._delegate is not None:
            self.remarks = self._delegate.remarks

    def _error(self, what: str) -> PluginError:
        return PluginError(f"the executor {self.name!r} {what}", remedy="yield each machine once, when its run is over")

    @abstractmethod
    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]: ...


class Sequential(Executor):
    """Algorithm 1 as the paper prints it: one window, one model call, one step."""

    name = "sequential"

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        for machine in machines:
            while take_step(machine, model):
                pass
            yield machine


def attributed_to(machine: Machine, model: Model) -> CallContext:
    """Return a context for model calls that attributes unexpected exceptions to the model and the machine's step."""
    return lambda _: machine.attributing_errors(model)


def take_step(machine: Machine, model: Model) -> bool:
    """Take one step of Algorithm 1: one window, one model call. Return False, and do nothing, if the run has ended."""
    prompt = machine.peek()
    if prompt is None:
        return False
    (response,) = call_each(model, [prompt], within=attributed_to(machine, model))
    if isinstance(response, StepFault):
        machine.fail(response, prompt)
    else:
        machine.step(response)
    return True


class Waiting(NamedTuple):
    """A machine that waits for the target of its prompt."""

    machine: Machine
    prompt: str


class PolicyDrafts(Sequence[str]):
    """The targets of the policies, computed when a model reads them. A draft is empty if its policy fails."""

    def __init__(self, waiting: Sequence[Waiting]) -> None:
        self._waiting = waiting

    def __len__(self) -> int:
        return len(self._waiting)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return PolicyDrafts(self._waiting[index])
        machine, prompt = self._waiting[index]
        try:
            return machine.convention.target_for(prompt)
        except Exception:  # after a wrong target the policy may not know the instruction; the run continues
            return ""


def of_all(waiting: Sequence[Waiting], model: Model) -> tuple[list[str], PolicyDrafts, CallContext]:
    """Return what `call_each` takes for some machines: their prompts, the policies' drafts, and the context."""
    prompts = [entry.prompt for entry in waiting]
    return prompts, PolicyDrafts(waiting), lambda first: waiting[first].machine.attributing_errors(model)
