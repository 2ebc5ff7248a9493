"""The machine: Algorithm 1 of the paper for one problem, one step at a time.

    peek()          returns what the model reads next, or None when the run has ended
    step(text)      commits the model's target as one step, whole or not at all
    run(targets)    repeats both for as long as the targets are known
    skip(summary)   commits all steps that the next window leads to, by what they are known to do

An executor decides where the targets come from and in what order (`coc_core.execution.Executor`). The domain validates
every action before it is applied. A run that goes wrong ends with a `Fault`, which is data; only a bug in a plugin is
raised, as PluginError.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from attrs import field, frozen

from coc_core.arithmetic import ArithmeticOracle, Inexact
from coc_core.domain import Domain, HasOperators, has_operators, why_unsolvable
from coc_core.errors import AddressFault, ArithmeticFault, CocError, LimitFault, LoopFault, PluginError, StepFault
from coc_core.execution.record import ProcedureSummary, StepRecord, SummaryListener
from coc_core.memories import Convention, Memory, Pushdown
from coc_core.text import counted, message_of
from coc_core.types import Fault, Limits, Status

Listener = Callable[[StepRecord], None]


@frozen
class Snapshot:
    """The state of a machine at one step. It holds a mark of the memory, not a copy.

    Attributes:
        pending: The window and the prompt that the machine has returned and not yet committed, if there is one. They
            are not fetched again, because the memory would take a second visit for a loop.
    """

    steps: int
    actions: int
    state: Any = field(repr=False)
    memory: Any = field(repr=False)
    pending: tuple[Any, str] = field(default=(None, ""), repr=False)


class Machine:
    """One problem on one memory, and everything that changes during its run.

    Args:
        domain: The rules of the problem.
        problem: The problem.
        memory: A memory that holds the first window.
        convention: How the domain is expressed in prompts and targets.
        arithmetic: What resolves the expressions in targets.
        limits: Caps on the run.
        listeners: Functions that receive the record of each committed step, in order. Steps can be skipped only if each
            is a `SummaryListener`.

    Attributes:
        state: The state of the domain.
        steps: The number of committed steps.
        skipped: How many of these were skipped.
        actions: The number of actions in these steps.
        fault: Why the run ended early, or None.
        unsolvable: Why the problem has no solution, or None. Then the run has ended before its first step.
        interrupted: Whether it was asked to stop.
    """

    def __init__(
        self,
        domain: Domain[Any, Any, Any, Any],
        problem: Any,
        memory: Memory[Any, Any],
        convention: Convention[Any, Any],
        arithmetic: ArithmeticOracle,
        *,
        limits: Limits = Limits(),
        listeners: Iterable[Listener] = (),
    ) -> None:
        self.domain = domain
        self.problem = problem
        self.memory = memory
        self.convention = convention
        self.arithmetic = arithmetic
        self.limits = limits
        self.state = domain.initial(problem)
        self.steps = self.skipped = 0
        self.actions = 0
        self.fault: Fault | None = None
        self.unsolvable = why_unsolvable(domain, problem)
        self.interrupted = False
        heard = tuple(listeners)
        self._find_loops = True
        self._notify = _combined(heard)
        self._informed = [each for each in heard if isinstance(each, SummaryListener)]
        self._every_step = len(self._informed) < len(heard)
        self._ended = self.unsolvable is not None
        self._window: Any = None
        self._prompt = ""

    def assume(self, *, deterministic: bool) -> None:
        """Set whether the model is deterministic. Only then does a repetition prove an endless loop."""
        self._find_loops = deterministic

    def peek(self) -> str | None:
        """Return the next prompt, the same until a step is taken; None once the run has ended."""
        return self.run({})

    def step(self, text: str) -> None:
        """Commit the target for the next prompt as one step, whole or not at all. Does nothing if the run has ended."""
        prompt = self.peek()
        if prompt is not None:
            self.run({prompt: text}, 1)

    def run(
        self, targets: Mapping[str, str], max_steps: int = sys.maxsize, arithmetic: ArithmeticOracle | None = None
    ) -> str | None:
        """Take steps for as long as the targets are known.

        Args:
            targets: The target for each known prompt.
            max_steps: The largest number of steps to take.
            arithmetic: An oracle to use in these steps in place of the machine's own, such as recorded numbers.

        Returns:
            The next prompt, or None if the run has ended.

        Raises:
            PluginError: The domain, the memory, the convention, the oracle or a listener has a bug.
        """
        # The same loop takes one step or millions, so attributes are looked up before it.
        fetch, repeats, apply = self.memory.fetch, self.memory.repeats, self.memory.apply
        write_prompt, parse = self.convention.prompt, self.convention.parse
        expressions_of, write_of = self.convention.expressions, self.convention.write
        resolve = (arithmetic or self.arithmetic).resolve
        actions_of = self.convention.actions if self.convention.local_names else None
        act, notify = self.domain.apply, self._notify
        target_for, find_loops, limit, new = targets.get, self._find_loops, self.limits.steps, tuple.__new__
        window, prompt, self._prompt = self._window, self._prompt, ""
        text: str | None
        numbers: Sequence[int] = ()
        try:
            with self.attributing_errors(arithmetic):
                while True:
                    if not prompt:  # otherwise it was returned before, and its step is taken even after an interrupt
                        text, window = None, fetch()
                        if window is None or self._ended:
                            return None
                        if self.steps >= limit:
                            raise LimitFault(
                                f"the run reached its limit of {counted(self.steps, 'step')} without halting"
                            )
                        if find_loops and repeats():
                            raise LoopFault("the machine has returned to an earlier configuration and would never halt")
                        prompt = write_prompt(window)
                    text = target_for(prompt) if max_steps else None
                    if text is None:
                        self._window, self._prompt = window, prompt
                        return prompt
                    numbers = ()
                    parsed = parse(text)
                    expressions, registers = expressions_of(parsed, window)
                    if expressions:
                        numbers = resolve(expressions, registers)
                    write = write_of(parsed, window, numbers)
                    actions = parsed.actions if actions_of is None else actions_of(parsed, window)
                    before = after = self.state
                    for action in actions:
                        after = act(after, action)
                    apply(write)
                    self.state = after
                    self.steps += 1
                    self.actions += len(actions)
                    if notify is not None:
                        memory, inexact = self.memory, numbers if type(numbers) is Inexact else None
                        # StepRecord(...), but twice as fast.
                        step = self.steps, prompt, text, actions, memory.pointer
                        notify(new(StepRecord, (*step, inexact, window, before, after, memory)))
                    prompt = ""
                    max_steps -= 1
        except StepFault as fault:
            # If the memory rejects an address and the oracle knows that a number is wrong, that number is the cause.
            if isinstance(fault, AddressFault) and isinstance(numbers, Inexact):
                fault = ArithmeticFault(f"{numbers.mistake}: {fault.message}", text=fault.text)
            self.fail(fault, text or "")
            return None

    @property
    def skippable(self) -> bool:
        """Whether steps can be skipped: the next window alone decides what it leads to, and nobody needs every step."""
        convention = self.convention
        return (
            isinstance(self.memory, Pushdown)
            and has_operators(self.domain)
            and convention.memoryless
            and convention.runs_every_window
            and not self._every_step
        )

    def skip(self, summary: ProcedureSummary) -> bool:
        """Commit all steps that the next window leads to, as if they had been taken one by one.

        Args:
            summary: What these steps do with the model's targets. The machine must be `skippable`.

        Returns:
            Whether it was done. If one of the steps would be a fault, or the run is to end, nothing has changed.

        Raises:
            PluginError: The domain, the memory or a listener has a bug.
        """
        domain, memory, operator = self.domain, self.memory, summary.operator
        assert isinstance(domain, HasOperators)
        assert isinstance(memory, Pushdown)
        with self.attributing_errors():
            if (
                self.peek() is None
                or self._ended
                or self.steps + summary.steps > self.limits.steps
                or not operator.applicable(domain.variables(self.state))
            ):
                return False
            after = domain.assign(self.state, operator.sets)
            if not memory.skip(summary.steps, summary.depth, summary.width):
                return False
            self.state, self._prompt = after, ""
            self.steps += summary.steps
            self.skipped += summary.steps
            self.actions += summary.actions
            for listener in self._informed:
                listener.skip(summary)
            return True

    def fail(self, fault: StepFault, text: str = "") -> None:
        """End the run with a fault at the current step.

        Args:
            fault: What is wrong.
            text: The text at fault, if `fault` does not have one.
        """
        self.fault = Fault(self.steps + 1, fault.kind, fault.message, fault.text or text, fault.offset)
        self._ended, self._prompt = True, ""

    def interrupt(self) -> None:
        """End the run after the current step."""
        self._ended = self.interrupted = True

    def snapshot(self) -> Snapshot:
        """Return what `restore` needs to come back to this point, in constant time."""
        return Snapshot(self.steps, self.actions, self.state, self.memory.mark(), (self._window, self._prompt))

    def restore(self, snapshot: Snapshot) -> None:
        """Return to a snapshot from an earlier point of this run. A later fault or interruption is undone."""
        self.memory.rollback(snapshot.memory)
        self.steps, self.actions, self.state = snapshot.steps, snapshot.actions, snapshot.state
        self.fault, self.interrupted, self._ended = None, False, self.unsolvable is not None
        self._window, self._prompt = snapshot.pending

    @property
    def status(self) -> Status:
        """How the run ended; `interrupted` if it has not."""
        if self.fault is not None:
            return "fault"
        if self.unsolvable is not None:
            return "unsolvable"
        with self.attributing_errors():
            if not self.memory.halted:
                return "interrupted"
            return "solved" if self.domain.is_goal(self.problem, self.state) else "unsolved"

    @contextmanager
    def attributing_errors(self, *others: Any) -> Iterator[None]:
        """Attribute exceptions that are not coc's own: raise a PluginError that names the part, method and step.

        Args:
            others: Further parts, beside the machine's own; None is not one.
        """
        try:
            yield
        except (CocError, StepFault, KeyboardInterrupt):
            raise
        except BaseException as error:
            origin = _origin(error.__traceback__, (self.domain, self.memory, self.convention, self.arithmetic, *others))
            if origin is None:
                raise
            part, method = origin
            problem = f"{type(error).__name__} in {method} at step {self.steps + 1}: {message_of(error)}"
            raise PluginError(f"{type(part).__name__} {part.name!r} raised {problem}") from error


def _combined(listeners: tuple[Listener, ...]) -> Listener | None:
    """One listener that calls all of them, in order."""
    if len(listeners) < 2:
        return listeners[0] if listeners else None

    def notify(record: StepRecord) -> None:
        for listener in listeners:
            listener(record)

    return notify


def _origin(traceback: TracebackType | None, parts: tuple[Any, ...]) -> tuple[Any, str] | None:
    """The innermost part in `traceback`, and the method through which it was entered."""
    found: tuple[Any, str] | None = None
    while traceback is not None:
        owner = traceback.tb_frame.f_locals.get("self")
        part = next((part for part in parts if part is owner), None)
        if part is not None and (found is None or part is not found[0]):
            found = part, traceback.tb_frame.f_code.co_name
        traceback = traceback.tb_next
    return found
