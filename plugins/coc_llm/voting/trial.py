"""A trial of a step: whether the machine would take it."""

from coc_core.execution import Machine
from coc_core.types import Fault


def fault_in(machine: Machine, text: str) -> Fault | None:
    """What would be wrong with a target for the machine's next prompt, with exact arithmetic; None if nothing."""
    trial = machine.trial()
    trial.step(text)
    return trial.fault if trial.steps == machine.steps else None
