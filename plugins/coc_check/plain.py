"""Algorithm 1 as the paper prints it, without a machine and without an executor: what all of them must agree with.

One problem, one step at a time. It is slow, takes no shortcut, and shares nothing with `coc_core.execution.machine` but
the parts that both compose.
"""

from typing import Any

from attrs import frozen

from coc_core.arithmetic import Inexact
from coc_core.errors import AddressFault, ArithmeticFault, LimitFault, LoopFault, StepFault
from coc_core.execution import Anchor, Listener, StepRecord
from coc_core.memories import Memory
from coc_core.models import Model
from coc_core.setting import Setting
from coc_core.types import Fault, Outcome


@frozen
class Trace:
    """One run: the steps that its listeners were notified of, how it ended, and what it left."""

    steps: tuple[StepRecord, ...]
    outcome: Outcome
    state: Any
    pointer: int
    windows: tuple[str, ...]

    @property
    def end(self) -> tuple[Any, ...]:
        """The outcome's kinds, numbers and texts, without its wording, calls and seconds."""
        end, fault = self.outcome, self.outcome.fault
        known = (fault.step, fault.kind, fault.text, fault.offset) if fault else None
        return end.status, end.steps, end.actions, known

    @property
    def plan(self) -> tuple[Any, ...]:
        """The actions of all steps."""
        return tuple(action for record in self.steps for action in record.actions)


def run_plainly(setting: Setting, problem: Any, model: Model, *listeners: Listener) -> Trace:
    """The run of one problem. The listeners are notified of each step once it is committed, and of no other.

    The model is called once a step, with one prompt. Of what it raises, StepFaults alone end the run.
    """
    domain, convention, limits = setting.domain, setting.convention, setting.limits
    memory: Memory[Any, Any, Any] = setting.registry.make(setting.memory, setting.memory.factory, limits)
    contents = memory.start(convention.first_window(problem))
    state, steps, actions = domain.initial(problem), list[StepRecord](), 0
    text, numbers, anchor = "", tuple[int, ...](), Anchor()

    def end(outcome: Outcome) -> Trace:
        return Trace(tuple(steps), outcome, state, _pointer(memory, contents), tuple(memory.windows(contents)))

    try:
        while (found := memory.read(contents)) is not None:
            text, numbers, window = "", (), found[1]
            if len(steps) >= limits.steps:
                raise LimitFault(f"the run reached its limit of {len(steps):,} steps without halting")
            if model.deterministic:
                moved = anchor.after(len(steps), *memory.key(contents))
                if moved is None:
                    raise LoopFault("the machine has returned to an earlier configuration and would never halt")
                anchor = moved
            text = prompt = convention.prompt(window)
            (text,) = model.complete([prompt])
            parsed = convention.parse(text)
            numbers = setting.arithmetic.resolve(parsed.expressions, convention.registers(window))
            write = convention.write(parsed, window, numbers)
            done, after = convention.actions(parsed, window), state
            for action in done:
                after = domain.apply(after, action)
            contents = memory.write(contents, write)
            before, state = state, after
            actions += len(done)
            inexact = numbers if isinstance(numbers, Inexact) else None
            step = len(steps) + 1, prompt, text, done, _pointer(memory, contents)
            steps.append(StepRecord(*step, inexact, window, before, after, memory, contents))
            for listener in listeners:
                listener(steps[-1])
    except StepFault as error:
        # An address that is refused may be a number that the oracle got wrong, and then that is the fault.
        wrong = numbers.mistake if isinstance(error, AddressFault) and isinstance(numbers, Inexact) else ""
        cause = ArithmeticFault(f"{wrong}: {error.message}", text=error.text) if wrong else error
        fault = Fault(len(steps) + 1, cause.kind, cause.message, cause.text or text, cause.offset)
        return end(Outcome("fault", len(steps), actions, fault))
    solved = domain.is_goal(problem, state)
    return end(Outcome("solved" if solved else "unsolved", len(steps), actions))


def _pointer(memory: Memory[Any, Any, Any], contents: Any) -> int:
    found = memory.read(contents)
    return -1 if found is None else found[0]
