"""The account of a stream: an executor yields each machine that it was given, once, when its run has ended."""

from collections.abc import Iterable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

from coc_core.errors import PluginError
from coc_core.execution.machine import Machine
from coc_core.text import quoted


class Account:
    """Which machines an executor was given, and which of them it has not yielded yet.

    Args:
        executor: The name of the executor, for errors.
    """

    def __init__(self, executor: str) -> None:
        self._executor = executor
        self._numbers = WeakKeyDictionary[Machine, int]()
        self._running = dict[Machine, int]()

    def given(self, machines: Iterable[Machine]) -> Iterator[Machine]:
        """Yield the machines to the executor."""
        for number, machine in enumerate(machines, 1):
            self._numbers[machine] = self._running[machine] = number
            yield machine

    def settle(self, machine: Any) -> None:
        """Strike off a machine that the executor yields.

        Raises:
            PluginError: It is unknown, was yielded before, or its run has not ended.
        """
        if not isinstance(machine, Machine):
            raise self._error(f"yielded {quoted(repr(machine), 60)}, which is not a machine")
        if machine not in self._numbers:
            raise self._error(f"yielded a machine that it was not given, {_problem(machine)}")
        if self._running.pop(machine, None) is None:
            raise self._error(f"yielded {self._named(machine)} twice")
        if machine.peek() is not None:
            raise self._error(f"yielded {self._named(machine)} after {machine.steps:,} steps, before the run had ended")

    def close(self, machines: Iterator[Machine]) -> None:
        """Check that no machine is left, except those that were asked to stop.

        Args:
            machines: What `given` returned.

        Raises:
            PluginError: A machine was never taken, or taken and not yielded.
        """
        next(machines, None)
        missing = [machine for machine in self._running if not machine.interrupted]
        if missing:
            more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
            raise self._error(f"did not yield {self._named(missing[0])}{more}")

    def _error(self, what: str) -> PluginError:
        return PluginError(
            f"the executor {self._executor!r} {what}", remedy="yield each machine once, when its run is over"
        )

    def _named(self, machine: Machine) -> str:
        return f"machine {self._numbers[machine]:,}, {_problem(machine)}"


def _problem(machine: Machine) -> str:
    with machine.attributing_errors():
        return quoted(machine.domain.problems.format(machine.problem), 60)
