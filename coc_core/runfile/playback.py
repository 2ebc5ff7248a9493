"""A recorded run as the targets of a machine's prompts, so that the machine takes the same steps without a model."""

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from coc_core.errors import ArtefactError, ProtocolFault
from coc_core.execution import Machine
from coc_core.runfile.reader import RunFile
from coc_core.runfile.recorded_arithmetic import RecordedArithmetic
from coc_core.text import quoted

_REMEMBERED = 1 << 12  # transitions


class Playback(Mapping[str, str]):
    """What `Machine.run` takes: `get` gives the recorded target of the next prompt, up to the last step.

    Each step is compared with the record: its prompt, its actions, and the pointer to which the step before has led.
    Whatever differs is an ArtefactError.

    Args:
        runfile: The recorded run.
        machine: A machine that is where the recorded run was before the step `first`.
        arithmetic: Where the recorded numbers go, if an arithmetic model gave them.
        first: The step to begin with, counted from 1.
    """

    def __init__(
        self, runfile: RunFile, machine: Machine, arithmetic: RecordedArithmetic | None, first: int = 1
    ) -> None:
        self._runfile = runfile
        self._machine = machine
        self._memory = machine.memory
        self._arithmetic = arithmetic
        self._records = runfile.records(first)
        self._pointer = machine.memory.pointer
        self._checked: set[tuple[Any, ...]] = set()

    def take(self, last: int) -> None:
        """Let the machine take the recorded steps up to number `last`; ArtefactError if it does not accept each."""
        machine = self._machine
        machine.run(self, last - machine.steps, self._arithmetic)
        if machine.fault is not None and machine.steps < last:
            self._reject(f"at step {machine.fault.step:,} {machine.fault.message}")
        if machine.steps < last and machine.peek() is None and machine.memory.halted:
            self._reject("it goes on after the machine has halted")
        self._check_pointer()

    def get(self, prompt: str, default: Any = None) -> Any:
        """The recorded target of the step under way; it must belong to `prompt`."""
        self._check_pointer()
        record = next(self._records)
        self._pointer = record.pointer
        if record.prompt != prompt:
            self._differ(f"the machine's prompt is {quoted(prompt)}, and the file's {quoted(record.prompt)}")
        if record[1:4] not in self._checked:
            self._check_actions(record.prompt, record.target, record.actions)
        if self._arithmetic is not None:
            self._arithmetic.recorded = record.numbers
        return record.target

    def _check_pointer(self) -> None:
        if self._memory.pointer != self._pointer:
            self._differ(f"its pointer after the step before is {self._pointer}, not {self._memory.pointer}")

    def _check_actions(self, prompt: str, target: str, actions: tuple[str, ...]) -> None:
        if len(self._checked) >= _REMEMBERED:
            self._checked.clear()
        self._checked.add((prompt, target, actions))
        try:
            found = self._machine.convention.parse(target).actions
        except ProtocolFault:
            return  # the machine meets it, too
        if tuple(map(self._machine.domain.actions.format, found)) != actions:
            self._differ("its actions are not those of its target")

    def _differ(self, reason: str) -> NoReturn:
        raise ArtefactError(
            f"the run file {self._runfile.path} does not replay at step {self._machine.steps + 1:,}: {reason}"
        )

    def _reject(self, reason: str) -> NoReturn:
        raise ArtefactError(f"the run file {self._runfile.path} does not replay: {reason}")

    def __getitem__(self, prompt: str) -> str:
        raise KeyError(prompt)  # a recorded target is given once, by `get`

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0
