"""Algorithm 1 as the paper prints it, and the one comparison of a run with it.

`run_plainly` needs no machine and no executor. It is slow, takes no shortcut, and shares nothing with
`coc_core.execution.machine` but the parts that both compose.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from attrs import frozen

from coc_core.arithmetic import Inexact
from coc_core.errors import AddressFault, ArithmeticFault, LimitFault, LoopFault, StepFault
from coc_core.execution import Anchor, StepRecord
from coc_core.memories import Memory, Reference
from coc_core.models import Model
from coc_core.setting import Setting
from coc_core.types import Fault, Outcome, Status


@frozen
class Trace:
    """One run: the steps that its listeners were notified of, how it ended, what it left, and the states on its way."""

    steps: tuple[StepRecord, ...]
    outcome: Outcome
    state: Any
    pointer: int
    windows: tuple[str, ...]
    states: tuple[Any, ...] = ()

    @property
    def end(self) -> str:
        """The outcome's kinds, numbers and texts, without its wording, calls and seconds."""
        end, fault = self.outcome, self.outcome.fault
        cause = f", at step {fault.step} a {fault.kind} fault: {fault.text!a}, {fault.offset}" if fault else ""
        return f"{end.status} after {end.steps} steps and {end.actions} actions{cause}"

    @property
    def plan(self) -> tuple[Any, ...]:
        """The actions of all steps."""
        return tuple(action for record in self.steps for action in record.actions)


def run_plainly(setting: Setting, problem: Any, model: Model | None = None, stop: int | None = None) -> Trace:
    """Return the run of one problem with a model, by default the reference, which is interrupted after `stop` steps.

    The model is called once a step, with one prompt. Of what it raises, StepFaults alone end the run.
    """
    domain, convention, limits = setting.domain, setting.convention, setting.limits
    model = model or Reference(convention)
    memory: Memory[Any, Any, Any] = setting.registry.make(setting.memory, setting.memory.factory, limits)
    contents, state = memory.start(convention.first_window(problem)), domain.initial(problem)
    steps, numbers, text, anchor, states = list[StepRecord](), tuple[int, ...](), "", Anchor(), [state]
    fault: Fault | None = None

    def pointer() -> int:
        return (memory.read(contents) or (-1, None))[0]

    try:
        while (found := memory.read(contents)) is not None and len(steps) != stop:
            text, numbers, window = "", (), found[1]
            if len(steps) >= limits.steps:
                raise LimitFault(f"the run reached its limit of {len(steps):,} steps without halting")
            moved = anchor.after(len(steps), *memory.key(contents)) if model.deterministic else anchor
            if moved is None:
                raise LoopFault("the machine has returned to an earlier configuration and would never halt")
            anchor = moved
            text = prompt = convention.prompt(window)
            (text,) = model.complete([prompt])
            parsed = convention.parse(text)
            numbers = setting.arithmetic.resolve(parsed.expressions, convention.registers(window))
            write = convention.write(parsed, window, numbers)
            done = convention.actions(parsed, window)
            passed = list(accumulate(done, domain.apply, initial=state))
            contents = memory.write(contents, write)
            before, state = state, passed[-1]
            states += passed[1:]
            step = len(steps) + 1, prompt, text, done, pointer(), numbers if isinstance(numbers, Inexact) else None
            steps.append(StepRecord(*step, window, before, state, memory, contents))
    except StepFault as error:
        # An address that is refused may be a number that the oracle got wrong, and then that is the fault.
        wrong = numbers.mistake if isinstance(error, AddressFault) and isinstance(numbers, Inexact) else ""
        cause = ArithmeticFault(f"{wrong}: {error.message}", text=error.text) if wrong else error
        fault = Fault(len(steps) + 1, cause.kind, cause.message, cause.text or text, cause.offset)
    status: Status = "fault" if fault else "interrupted"
    if not fault and memory.read(contents) is None:
        status = "solved" if domain.is_goal(problem, state) else "unsolved"
    outcome = Outcome(status, len(steps), sum(len(record.actions) for record in steps), fault)
    return Trace(tuple(steps), outcome, state, pointer(), tuple(memory.windows(contents)), tuple(states))


@frozen
class Difference:
    """The first thing in which a run is not what Algorithm 1 says.

    `problem` is its index, `step` counts from 1, `what` names the thing in words; the other two show it.
    """

    problem: int
    step: int
    what: str
    wanted: str
    found: str


_OF_A_STEP = ("step", "window", "prompt", "target", "actions", "numbers", "before", "after", "pointer", "windows")
_OF_THE_END = ("end", "state", "pointer", "windows")
_WORDS = {"before": "state before the step", "after": "state after the step"}
_REPORTED = "what listeners were notified of"


def compare(problem: int, wanted: Trace, steps: Sequence[StepRecord], end: Trace | None) -> Difference | None:
    """Return the first difference of a run's steps so far, and of its end if it has ended, from the wanted run."""
    for one, other in zip(wanted.steps, steps, strict=False):
        difference = _first(problem, one.step, one, other, _OF_A_STEP)
        if difference is not None:
            return difference
    for extra in steps[len(wanted.steps) :]:
        return Difference(problem, extra.step, _REPORTED, "nothing", ascii(extra.target))
    if end is None:
        return None
    for missing in wanted.steps[len(steps) :] if end.end == wanted.end else ():
        return Difference(problem, missing.step, _REPORTED, ascii(missing.target), "nothing")
    last = min(run.outcome.fault.step if run.outcome.fault else run.outcome.steps for run in (wanted, end))
    return _first(problem, last, wanted, end, _OF_THE_END)


def _first(problem: int, step: int, wanted: Any, found: Any, names: Sequence[str]) -> Difference | None:
    for name in names:
        one, other = getattr(wanted, name), getattr(found, name)
        if one != other:
            return Difference(problem, step, f"the {_WORDS.get(name, name)}", ascii(one), ascii(other))
    return None
