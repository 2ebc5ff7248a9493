"""Algorithm 1 as the paper prints it, read without a machine and without an executor: what all of them must come to.

One problem, one step at a time. It is slow, takes no shortcut, and shares nothing with `coc_core.execution.machine` but
the parts that both compose.
"""

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from coc_core.errors import AddressFault, ArithmeticFault, LimitFault, LoopFault, StepFault
from coc_core.execution import Commit, Listener
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
    first = convention.first(domain.start(problem))
    memory: Memory[Any, Any] = setting.registry.make(setting.memory, setting.memory.factory, first, limits)
    state, steps, actions = domain.initial(problem), 0, 0
    text = ""
    try:
        while (window := memory.fetch()) is not None:
            text = ""
            # These two are worded as the machine words them: a run file's digest has the words.
            if steps >= limits.steps:
                raise LimitFault(f"the run took {steps:,} steps without halting, and that is its limit")
            if model.deterministic and memory.repeats():
                raise LoopFault("the machine is where it was before, so it would never halt")
            text = prompt = convention.prompt(window)
            (text,) = model.complete([prompt])
            reply = convention.parse(text)
            write = convention.resolve(reply, window, oracle)
            after = state
            for action in reply.actions:
                after = domain.apply(after, action)
            memory.apply(write)
            before, state = state, after
            steps += 1
            actions += len(reply.actions)
            for listener in heard_by:
                listener(Commit(steps, window, prompt, text, reply.actions, before, after, memory))
    except StepFault as error:
        # An address that is refused may be a number that the oracle got wrong, and then that is the fault.
        wrong = oracle.mistake if isinstance(error, AddressFault) else ""
        cause = ArithmeticFault(f"{wrong}: {error.message}", text=error.text) if wrong else error
        fault = Fault(steps + 1, cause.kind, cause.message, cause.text or text, cause.offset)
        return PlainRun(Outcome("fault", steps, actions, fault), state, memory)
    solved = domain.is_goal(problem, state)
    return PlainRun(Outcome("solved" if solved else "unsolved", steps, actions), state, memory)
