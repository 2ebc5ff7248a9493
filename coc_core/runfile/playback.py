"""A recorded run as the answers to a machine's prompts, so that the machine takes the same steps without a model."""

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from coc_core.errors import ArtefactError, ProtocolFault
from coc_core.execution import Machine
from coc_core.runfile.arithmetic_log import Witness
from coc_core.runfile.chunk import Transition
from coc_core.runfile.reader import RunFile
from coc_core.text import shown

_REMEMBERED = 1 << 12  # transitions


class Script(Mapping[str, str]):
    """What `Machine.follow` takes: `get` answers the next prompt with the recorded target, up to the last step.

    Each step is compared with the record: its prompt, its actions, and the pointer that the step before has led to.
    Whatever differs is an ArtefactError. `machine` must be where the recorded run was before the step `first`.
    """

    def __init__(self, runfile: RunFile, machine: Machine, witness: Witness | None, first: int = 1) -> None:
        self._runfile = runfile
        self._machine = machine
        self._memory = machine.memory
        self._witness = witness
        self._steps = runfile.walk(first)
        self._pointer = machine.memory.pointer
        self._checked: set[Transition] = set()

    def get(self, prompt: str, default: Any = None) -> Any:
        """The recorded target of the step under way; it must belong to `prompt`."""
        self.check()
        transition, self._pointer, numbers = next(self._steps)
        if transition[0] != prompt:
            self._reject(f"the machine asks {shown(prompt)}, and the file answers {shown(transition.prompt)}")
        if transition not in self._checked:
            self._check_actions(transition)
        if self._witness is not None:
            self._witness.given = numbers
        return transition[1]

    def check(self) -> None:
        """Compare the memory's pointer with the one recorded for the step that was taken last."""
        if self._memory.pointer != self._pointer:
            self._reject(f"its pointer after the step before is {self._pointer}, not {self._memory.pointer}")

    def _check_actions(self, transition: Transition) -> None:
        if len(self._checked) >= _REMEMBERED:
            self._checked.clear()
        self._checked.add(transition)
        try:
            actions = self._machine.convention.parse(transition.target).actions
        except ProtocolFault:
            return  # the machine meets it, too
        if tuple(map(self._machine.domain.actions.format, actions)) != transition.actions:
            self._reject("its actions are not those of its target")

    def _reject(self, reason: str) -> NoReturn:
        raise ArtefactError(
            f"the run file {self._runfile.path} does not replay at step {self._machine.steps + 1:,}: {reason}"
        )

    def __getitem__(self, prompt: str) -> str:
        raise KeyError(prompt)  # a recorded answer is given once, by `get`

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def follow(machine: Machine, script: Script, runfile: RunFile, most: int) -> None:
    """Take the recorded steps up to number `most`; ArtefactError if the machine does not accept each of them."""
    machine.follow(script, most - machine.steps)
    if machine.fault is not None and machine.steps < most:
        raise ArtefactError(
            f"the run file {runfile.path} does not replay: at step {machine.fault.step:,} {machine.fault.message}"
        )
    if machine.steps < most and machine.prompt() is None and machine.memory.halted:
        raise ArtefactError(f"the run file {runfile.path} does not replay: it goes on after the machine has halted")
    script.check()
