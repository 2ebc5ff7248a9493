"""Algorithm 1 as the paper prints it, read without a machine and without an executor: what all of them must come to.

One problem, one step at a time. It is slow, takes no shortcut, and shares nothing with `coc_core.execution.machine` but
the parts that both compose.
"""

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from coc_core.arithmetic import Inexact
from coc_core.errors import AddressFault, ArithmeticFault, LimitFault, LoopFault, StepFault
from coc_core.execution import Listener, StepRecord
from coc_core.memories import Memory
from coc_core.models import Model
from coc_core.setting import Setting
from coc_core.types import Fault, Outcome


@frozen
class PlainRun:
    """How a run ended, and what it left: the domain's last state and the memory."""

    outcome: Outcome
    state: Any
    memory: Memory[Any, Any]


def run_plainly(setting: Setting, problem: Any, model: Model, listeners: Iterable[Listener] = ()) -> PlainRun:
    """The run of one problem. Each of the `listeners` hears of every step once it is committed, and of no other.

    It asks the model once a step, with one prompt. Only what a model raises that is no StepFault comes out.
    """
    domain, convention, oracle, limits = setting.domain, setting.convention, setting.arithmetic, setting.limits
    heard_by = tuple(listeners)
    first = convention.first_window(domain.start(problem))
    memory: Memory[Any, Any] = setting.registry.make(setting.memory, setting.memory.factory, first, limits)
    state, steps, actions = domain.initial(problem), 0, 0
    text, numbers = "", tuple[int, ...]()
    try:
        while (window := memory.fetch()) is not None:
            text, numbers = "", ()
            if steps >= limits.steps:
                raise LimitFault(f"the run reached its limit of {steps:,} steps without halting")
            if model.deterministic and memory.repeats():
                raise LoopFault("the machine has returned to an earlier configuration and would never halt")
            text = prompt = convention.prompt(window)
            (text,) = model.complete([prompt])
            parsed = convention.parse(text)
            expressions, registers = convention.expressions(parsed, window)
            numbers = oracle.resolve(expressions, registers)
            write = convention.write(parsed, window, numbers)
            after = state
            for action in parsed.actions:
                after = domain.apply(after, action)
            memory.apply(write)
            before, state = state, after
            steps += 1
            actions += len(parsed.actions)
            inexact = numbers if isinstance(numbers, Inexact) else None
            for listener in heard_by:
                listener(
                    StepRecord(
                        steps, prompt, text, parsed.actions, memory.pointer, inexact, window, before, after, memory
                    )
                )
    except StepFault as error:
        # An address that is refused may be a number that the oracle got wrong, and then that is the fault.
        wrong = numbers.mistake if isinstance(error, AddressFault) and isinstance(numbers, Inexact) else ""
        cause = ArithmeticFault(f"{wrong}: {error.message}", text=error.text) if wrong else error
        fault = Fault(steps + 1, cause.kind, cause.message, cause.text or text, cause.offset)
        return PlainRun(Outcome("fault", steps, actions, fault), state, memory)
    solved = domain.is_goal(problem, state)
    return PlainRun(Outcome("solved" if solved else "unsolved", steps, actions), state, memory)
