"""A trial of a step, which is undone: whether the machine would take it."""

from coc_core.arithmetic import Inline, Symbolic
from coc_core.errors import StepFault
from coc_core.execution import Machine

_EXACT = {oracle.notation: oracle() for oracle in (Inline, Symbolic)}


def fault_in(machine: Machine, text: str) -> StepFault | None:
    """What would be wrong with a target for the machine's next prompt, with exact arithmetic; None if nothing.

    The machine is left as it was, and no listener is called. The machine has been peeked, and its run has not ended.
    """
    memory, convention, state = machine.memory, machine.convention, machine.state
    mark = memory.mark()
    try:
        parsed, window = convention.parse(text), memory.fetch()
        write = convention.resolve(parsed, window, _EXACT[convention.notation])
        for action in convention.actions(parsed, window):
            state = machine.domain.apply(state, action)
        memory.apply(write)
    except StepFault as fault:
        return fault
    finally:
        memory.rollback(mark)
    return None
