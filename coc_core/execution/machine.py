"""The machine: Algorithm 1 of the paper for one problem, one step at a time.

    peek()           returns what the model reads next, or None when the run has ended
    step(text)       commits the model's target as one step, whole or not at all
    run(target_for)  repeats both for as long as the targets are known
    skip(summary)    commits all steps that the next window leads to, by what they are known to do
    fork(), trial()  make another machine at the same point, to come back to or to look ahead with

An executor decides where the targets come from and in what order (`coc_core.execution.Executor`). The domain validates
every action before it is applied. A run that goes wrong ends with a `Fault`, which is data; only a bug in a plugin is
raised, as PluginError.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from types import TracebackType
from typing import Any, NamedTuple

from coc_core.arithmetic import ArithmeticOracle, Inexact, Inline, Symbolic
from coc_core.domain import Domain, HasOperators, doubt_about, why_unsolvable
from coc_core.errors import AddressFault, ArithmeticFault, CocError, LimitFault, LoopFault, PluginError, StepFault
from coc_core.execution.record import ProcedureSummary, StepRecord, SummaryListener
from coc_core.memories import Convention, Memory, Pushdown
from coc_core.text import counted, message_of
from coc_core.types import Fault, Limits, Status

Listener = Callable[[StepRecord], None]

_EXACT = {oracle.notation: oracle() for oracle in (Inline, Symbolic)}


class Machine:
    """One problem on one memory, and everything that changes during its run.

    Args:
        domain: The rules of the problem.
        memory: Where the windows are stored.
        convention: How the domain is expressed in prompts and targets.
        arithmetic: What resolves the expressions in targets.
        limits: Caps on the run.
        listeners: Functions that receive the record of each committed step, in order. Steps can be skipped only if each
            is a `SummaryListener`.

    Attributes:
        state: The state of the domain.
        contents: What the memory holds.
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
        memory: Memory[Any, Any, Any],
        convention: Convention[Any, Any],
        arithmetic: ArithmeticOracle,
        *,
        limits: Limits = Limits(),
        listeners: Iterable[Listener] = (),
    ) -> None:
        self.domain, self.problem, self.limits = domain, problem, limits
        self.memory, self.convention, self.arithmetic = memory, convention, arithmetic
        self.state = domain.initial(problem)
        self.steps = self.skipped = self.actions = 0
        self.fault: Fault | None = None
        self.unsolvable = why_unsolvable(domain, problem)
        self.interrupted = False
        heard = tuple(listeners)
        self._find_loops, self._anchor = True, Anchor()
        self._notify = _combined(heard)
        self._informed = [each for each in heard if isinstance(each, SummaryListener)]
        self._every_step = len(self._informed) < len(heard)
        self._ended = self.unsolvable is not None
        self._prompt = ""
        self._window: Any = None  # what the prompt was written for
        with self.attributing_errors():
            self.contents = memory.start(convention.first_window(problem))

    def assume(self, *, deterministic: bool) -> None:
        """Set whether the model is deterministic. Only then does a repetition prove an endless loop."""
        self._find_loops = deterministic

    def peek(self) -> str | None:
        """Return the next prompt, the same until a step is taken; None once the run has ended."""
        return self.run(lambda _: None)

    def step(self, text: str) -> None:
        """Commit the target for the next prompt as one step, whole or not at all. Does nothing if the run has ended."""
        prompt = self.peek()
        if prompt is not None:
            self.run(lambda _: text, 1)

    def run(
        self,
        target_for: Callable[[str], str | None],
        max_steps: int = sys.maxsize,
        arithmetic: ArithmeticOracle | None = None,
    ) -> str | None:
        """Take steps for as long as the targets are known.

        Args:
            target_for: Returns the target for a prompt, or None if it is not known.
            max_steps: The largest number of steps to take.
            arithmetic: An oracle to use in these steps in place of the machine's own, such as recorded numbers.

        Returns:
            The next prompt, or None if the run has ended.

        Raises:
            PluginError: The domain, the memory, the convention, the oracle or a listener has a bug.
        """
        # The same loop takes one step or millions, so attributes are looked up before it.
        read, write, key = self.memory.read, self.memory.write, self.memory.key
        write_prompt, parse = self.convention.prompt, self.convention.parse
        registers_of, write_of = self.convention.registers, self.convention.write
        resolve = (arithmetic or self.arithmetic).resolve
        actions_of = self.convention.actions if self.convention.local_names else None
        act, notify, limit, new = self.domain.apply, self._notify, self.limits.steps, tuple.__new__
        find_loops, (lowest, seen, until) = self._find_loops, self._anchor
        window, prompt, self._prompt = self._window, self._prompt, ""
        contents, state, steps = self.contents, self.state, self.steps
        stop = min(steps + max_steps, limit)
        text: str | None = None
        numbers: Sequence[int] = ()
        try:
            if not prompt:
                found = read(contents)
            while True:
                if not prompt:  # otherwise it was returned before, and its step is taken even after an interrupt
                    text = None
                    if found is None or self._ended:
                        return None
                    if steps >= limit:
                        raise LimitFault(f"the run reached its limit of {counted(steps, 'step')} without halting")
                    if find_loops:
                        level, value = key(contents)
                        if level < lowest or value == seen or steps >= until:
                            anchor = self._anchor.after(steps, level, value)
                            if anchor is None:
                                raise LoopFault(
                                    "the machine has returned to an earlier configuration and would never halt"
                                )
                            lowest, seen, until = self._anchor = anchor
                    window = found[1]
                    prompt = write_prompt(window)
                text = target_for(prompt) if steps < stop else None
                if text is None:
                    self._window, self._prompt = window, prompt
                    return prompt
                numbers = ()
                parsed = parse(text)
                if parsed.expressions:
                    numbers = resolve(parsed.expressions, registers_of(window))
                change = write_of(parsed, window, numbers)
                actions = actions_of(parsed, window) if actions_of and parsed.actions else parsed.actions
                before = state
                for action in actions:
                    state = act(state, action)
                self.contents = contents = write(contents, change)
                self.state = state
                self.steps = steps = steps + 1
                self.actions += len(actions)
                found = read(contents)
                if notify is not None:
                    pointer = -1 if found is None else found[0]
                    inexact = numbers if type(numbers) is Inexact else None
                    # StepRecord(...), but twice as fast.
                    step = steps, prompt, text, actions, pointer, inexact, window, before, state
                    notify(new(StepRecord, (*step, self.memory, contents)))
                prompt = ""
        except StepFault as fault:
            # If the memory rejects an address and the oracle knows that a number is wrong, that number is the cause.
            if isinstance(fault, AddressFault) and isinstance(numbers, Inexact):
                fault = ArithmeticFault(f"{numbers.mistake}: {fault.message}", text=fault.text)
            self.fail(fault, text or "")
            return None
        except BaseException as error:
            self._attribute(error, arithmetic)
            raise

    @property
    def skippable(self) -> bool:
        """Whether steps can be skipped: the next window alone decides what it leads to, and nobody needs every step."""
        convention = self.convention
        return (
            isinstance(self.memory, Pushdown)
            and isinstance(self.domain, HasOperators)
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
        domain, limits, operator = self.domain, self.limits, summary.operator
        assert isinstance(domain, HasOperators)
        with self.attributing_errors():
            if (
                self.peek() is None
                or self._ended
                or self.steps + summary.steps > limits.steps
                or self.pointer + summary.depth > limits.stack_depth
                or summary.width > limits.windows_per_step
                or not operator.applicable(domain.variables(self.state))
            ):
                return False
            self.state = domain.assign(self.state, operator.sets)
            self.contents, self._prompt = self.memory.write(self.contents, ()), ""
            self.steps += summary.steps
            self.skipped += summary.steps
            self.actions += summary.actions
            for listener in self._informed:
                listener.skip(summary)
            return True

    def fail(self, fault: StepFault, text: str = "") -> None:
        """End the run with a fault at the current step; `text` is the one at fault, if `fault` does not have one."""
        message = fault.message
        with suppress(StepFault):
            if source := self.convention.source_of(self.window):
                message += f", at {source}"
        self.fault = Fault(self.steps + 1, fault.kind, message, fault.text or text, fault.offset)
        self._ended, self._prompt = True, ""

    def interrupt(self) -> None:
        """End the run after the current step."""
        self._ended = self.interrupted = True

    def fork(self) -> "Machine":
        """Return a machine at the same point, which goes on as this one does and changes nothing of it."""
        return copy(self)

    def trial(self) -> "Machine":
        """Return a fork for steps that are only tried: with exact arithmetic, no listeners and no search for loops."""
        twin = self.fork()
        twin.arithmetic, twin._notify, twin._find_loops = _EXACT[self.convention.notation], None, False
        return twin

    @property
    def pointer(self) -> int:
        """The index in `windows` of the next one; -1 once the memory has halted."""
        return (self.memory.read(self.contents) or (-1, None))[0]

    @property
    def window(self) -> Any:
        """The next window; None once the memory has halted."""
        return (self.memory.read(self.contents) or (-1, None))[1]

    @property
    def windows(self) -> Sequence[str]:
        """The texts of the memory's windows, oldest first."""
        return self.memory.windows(self.contents)

    @property
    def status(self) -> Status:
        """How the run ended; `interrupted` if it has not."""
        if self.fault is not None:
            return "fault"
        if self.unsolvable is not None:
            return "unsolvable"
        with self.attributing_errors():
            if self.pointer >= 0:
                return "interrupted"
            return "solved" if self.domain.is_goal(self.problem, self.state) else "unsolved"

    @property
    def reason(self) -> str:
        """Why the problem has no solution, or why the answer of a run that has ended is not right; empty otherwise."""
        if self.status != "unsolved":
            return self.unsolvable or ""
        with self.attributing_errors():
            return doubt_about(self.domain, self.problem, self.state)

    @contextmanager
    def attributing_errors(self, *others: Any) -> Iterator[None]:
        """Attribute exceptions that are not coc's own: raise a PluginError that names the part, method and step."""
        try:
            yield
        except BaseException as error:
            self._attribute(error, *others)
            raise

    def _attribute(self, error: BaseException, *others: Any) -> None:
        """Raise the PluginError of an exception that is not coc's own, from one of these parts or the machine's own."""
        if isinstance(error, CocError | StepFault | KeyboardInterrupt):
            return
        origin = _origin(error.__traceback__, (self.domain, self.memory, self.convention, self.arithmetic, *others))
        if origin is not None:
            part, method = origin
            problem = f"{type(error).__name__} in {method} at step {self.steps + 1}: {message_of(error)}"
            raise PluginError(f"{type(part).__name__} {part.name!r} raised {problem}") from error


class Anchor(NamedTuple):
    """An earlier point of a run, with which each later one is compared.

    The anchor moves up at the 1st, 2nd, 4th, 8th … step, and when the run can't come back to it. So a run that goes
    round is found after a number of steps that is at most a constant factor more than its cycle needs.

    Attributes:
        level: The first part of the memory's `key`; no level since was lower.
        value: The second part.
        until: The step before which the anchor moves up.
    """

    level: int = sys.maxsize
    value: Any = None
    until: int = 0

    def after(self, steps: int, level: int, value: Any) -> "Anchor | None":
        """Return the anchor for the next step, given the memory's `key` now; None if the run provably never halts."""
        is_due, is_lower = steps >= self.until, level < self.level
        if not is_lower and value == self.value and (level < 0 or not is_due):
            return None
        if not is_due and not is_lower:
            return self
        until = self.until
        if level < 0:  # it never rises again, so all before this step is of no use
            until = 2 * steps + 1
        elif is_due:
            until = (1 << (steps + 1).bit_length()) - 1  # the next power of two, counted from 1
        return tuple.__new__(Anchor, (level, value, until))  # Anchor(...), but twice as fast


def _combined(listeners: tuple[Listener, ...]) -> Listener | None:
    """Return one listener that calls all of them, in order."""
    if len(listeners) < 2:
        return listeners[0] if listeners else None

    def notify(record: StepRecord) -> None:
        for listener in listeners:
            listener(record)

    return notify


def _origin(traceback: TracebackType | None, parts: tuple[Any, ...]) -> tuple[Any, str] | None:
    """Return the innermost part in `traceback`, and the method through which it was entered."""
    found: tuple[Any, str] | None = None
    while traceback is not None:
        owner = traceback.tb_frame.f_locals.get("self")
        part = next((part for part in parts if part is owner), None)
        if part is not None and (found is None or part is not found[0]):
            found = part, traceback.tb_frame.f_code.co_name
        traceback = traceback.tb_next
    return found
