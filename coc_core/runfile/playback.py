"""Playing back a recorded run: the machine takes the recorded steps, without a model."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NoReturn

from coc_core.arithmetic import ArithmeticOracle, Inexact, Inline, Symbolic
from coc_core.errors import ArithmeticFault, ArtefactError, ProtocolFault
from coc_core.execution import Machine
from coc_core.memories import Convention
from coc_core.runfile.reader import RunFile
from coc_core.text import counted, quoted
from coc_core.types import Registers

_MAX_CHECKED = 1 << 12  # targets


class RecordedArithmetic(ArithmeticOracle):
    """Returns the numbers recorded for the current step, or exact ones if none were recorded.

    Attributes:
        recorded: The recorded numbers, which a playback sets before each step.
    """

    name = "recorded"
    notation = "symbolic"

    def __init__(self, convention: Convention[Any, Any]) -> None:
        self.recorded: tuple[int, ...] | None = None
        self._exact: ArithmeticOracle = Symbolic() if convention.notation == "symbolic" else Inline()

    def _resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]:
        if self.recorded is None:
            return self._exact.resolve(expressions, registers)
        if len(self.recorded) != len(expressions):
            recorded, expected = counted(len(self.recorded), "number"), counted(len(expressions), "expression")
            raise ArithmeticFault(f"has {recorded} recorded for {expected}")
        return Inexact.of(self.recorded, "a recorded number is wrong")


class Playback:
    """The targets of a recorded run, for `Machine.run`.

    Each step is compared with the record: its prompt, its actions, and the pointer before it. A difference is an
    ArtefactError with this `remedy`. If an arithmetic model was used, `arithmetic` is given the recorded numbers.
    """

    def __init__(
        self, runfile: RunFile, machine: Machine, arithmetic: RecordedArithmetic | None, remedy: str = ""
    ) -> None:
        self._runfile, self._remedy = runfile, remedy
        self._machine, self._arithmetic = machine, arithmetic
        self._records = runfile.records()
        self._pointer = machine.pointer
        check = self._check_actions
        self._check_target = check if machine.convention.local_names else lru_cache(_MAX_CHECKED)(check)

    def take(self, last: int) -> None:
        """Let the machine take the recorded steps up to number `last`; ArtefactError if it does not accept one."""
        machine = self._machine
        machine.run(self.target_for, last - machine.steps, self._arithmetic)
        if machine.fault is not None and machine.steps < last:
            self._reject(f"at step {machine.fault.step:,} {machine.fault.message}")
        if machine.steps < last and machine.unsolvable is not None:
            self._reject("it has steps, but its problem has no solution")
        if machine.steps < last and machine.peek() is None and machine.pointer < 0:
            self._reject("it continues after the machine has halted")
        self._check_pointer()

    def target_for(self, prompt: str) -> str:
        """Return the recorded target of the current step, whose prompt must be `prompt`."""
        self._check_pointer()
        record = next(self._records)
        self._pointer = record.pointer
        if record.prompt != prompt:
            self._differ(f"the machine's prompt is {quoted(prompt)}, but the file has {quoted(record.prompt)}")
        self._check_target(record.target, record.actions)
        if self._arithmetic is not None:
            self._arithmetic.recorded = record.numbers
        elif record.numbers is not None:
            self._differ("it has the numbers of an arithmetic model, and the run had none")
        return record.target

    def _check_pointer(self) -> None:
        if self._machine.pointer != self._pointer:
            self._differ(f"its pointer after the previous step is {self._pointer}, not {self._machine.pointer}")

    def _check_actions(self, target: str, actions: tuple[str, ...]) -> None:
        convention = self._machine.convention
        try:
            found = convention.actions(convention.parse(target), self._machine.window)
        except ProtocolFault:
            return  # the machine ends with the same fault
        if tuple(map(self._machine.domain.actions.format, found)) != actions:
            self._differ("its actions differ from those of its target")

    def _differ(self, reason: str) -> NoReturn:
        raise ArtefactError(
            f"the run file {self._runfile.path} does not replay at step {self._machine.steps + 1:,}: {reason}",
            remedy=self._remedy,
        )

    def _reject(self, reason: str) -> NoReturn:
        raise ArtefactError(f"the run file {self._runfile.path} does not replay: {reason}", remedy=self._remedy)
