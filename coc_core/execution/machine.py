"""The machine: Algorithm 1 of the paper for one problem, one step at a time.

    peek()          what the model is to read next, or None when the run has ended
    step(text)      commits the model's target as one step, whole or not at all
    run(targets)    does both, again and again, for as long as the targets are known

An executor decides where the targets come from and in what order (`coc_core.execution.Executor`). Every action is
validated by the domain as it streams. What goes wrong becomes data, never an exception; only a plugin's own bug is
raised, as PluginError.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from attrs import frozen

from coc_core.arithmetic import ArithmeticOracle, Inexact
from coc_core.domain import Domain
from coc_core.errors import AddressFault, ArithmeticFault, CocError, LimitFault, LoopFault, PluginError, StepFault
from coc_core.execution.record import StepRecord
from coc_core.memories import Convention, Memory
from coc_core.types import Fault, Limits, Status

Listener = Callable[[StepRecord], None]


@frozen
class Snapshot:
    """Where a machine was: what it takes to return there. It holds no copy of the memory, only a mark."""

    steps: int
    actions: int
    state: Any
    memory: Any


class Machine:
    """One problem on one memory, and everything that changes while it runs.

    Its attributes are there to be read; only the machine itself writes them.
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
        self.steps = 0
        self.actions = 0
        self.fault: Fault | None = None
        self._find_loops = True
        self._tell = _all_of(tuple(listeners))
        self._ended = False
        self._window: Any = None
        self._prompt = ""

    def assume(self, *, deterministic: bool) -> None:
        """Say whether the model is deterministic: only then does a repetition prove an endless loop."""
        self._find_loops = deterministic

    def peek(self) -> str | None:
        """The next prompt, the same until a step is taken; None once the run has halted, failed or been stopped."""
        return self.run({})

    def step(self, text: str) -> None:
        """Commit the target for the next prompt as one step, whole or not at all: parse, resolve, validate, write."""
        prompt = self.peek()
        if prompt is not None:
            self.run({prompt: text}, 1)

    def run(
        self, targets: Mapping[str, str], most: int = sys.maxsize, arithmetic: ArithmeticOracle | None = None
    ) -> str | None:
        """Take steps for as long as the targets are known.

        Args:
            targets: The target for each known prompt.
            most: The number of steps to take at most.
            arithmetic: An oracle to take the place of the machine's own in these steps, such as recorded numbers.

        Returns:
            The prompt that is next then; None if the run has ended.
        """
        # One loop for a single step and for millions of them: what it needs is looked up once.
        fetch, repeats, apply = self.memory.fetch, self.memory.repeats, self.memory.apply
        write_prompt, parse = self.convention.prompt, self.convention.parse
        expressions_of, write_of = self.convention.expressions, self.convention.write
        resolve = (arithmetic or self.arithmetic).resolve
        act, tell, others = self.domain.apply, self._tell, (arithmetic,) if arithmetic else ()
        target_for, find_loops, last, new = targets.get, self._find_loops, self.limits.steps, tuple.__new__
        window, prompt, self._prompt = self._window, self._prompt, ""
        text: str | None
        numbers: Sequence[int] = ()
        try:
            with self.attributing_errors(*others):
                while True:
                    if not prompt:  # else it was asked before, and that step is finished even after an interrupt
                        text, window = None, fetch()
                        if window is None or self._ended:
                            return None
                        if self.steps >= last:
                            raise LimitFault(
                                f"the run took {self.steps:,} steps without halting, and that is its limit"
                            )
                        if find_loops and repeats():
                            raise LoopFault("the machine is where it was before, so it would never halt")
                        prompt = write_prompt(window)
                    text = target_for(prompt) if most else None
                    if text is None:
                        self._window, self._prompt = window, prompt
                        return prompt
                    numbers = ()
                    parsed = parse(text)
                    expressions, registers = expressions_of(parsed, window)
                    if expressions:
                        numbers = resolve(expressions, registers)
                    write = write_of(parsed, window, numbers)
                    before = after = self.state
                    for action in parsed.actions:
                        after = act(after, action)
                    apply(write)
                    self.state = after
                    self.steps += 1
                    self.actions += len(parsed.actions)
                    if tell is not None:
                        memory, inexact = self.memory, numbers if type(numbers) is Inexact else None
                        # As StepRecord(...) does, in half the time.
                        tell(
                            new(
                                StepRecord,
                                (
                                    *(self.steps, prompt, text, parsed.actions, memory.pointer),
                                    *(inexact, window, before, after, memory),
                                ),
                            )
                        )
                    prompt = ""
                    most -= 1
        except StepFault as fault:
            # The memory refuses what was resolved just before: if a number was wrong, that is why.
            if isinstance(fault, AddressFault) and isinstance(numbers, Inexact):
                fault = ArithmeticFault(f"{numbers.mistake}: {fault.message}", text=fault.text)
            self.fail(fault, text or "")
            return None

    def fail(self, fault: StepFault, text: str = "") -> None:
        """End the run with a fault at the step under way."""
        self.fault = Fault(self.steps + 1, fault.kind, fault.message, fault.text or text, fault.offset)
        self._ended, self._prompt = True, ""

    def interrupt(self) -> None:
        """End the run after the step under way; the steps so far are kept."""
        self._ended = True

    def snapshot(self) -> Snapshot:
        """What `restore` needs to return here; takes constant time."""
        return Snapshot(self.steps, self.actions, self.state, self.memory.mark())

    def restore(self, snapshot: Snapshot) -> None:
        """Return to a snapshot on the path that led here; a fault or an interruption after it is undone."""
        self.memory.rollback(snapshot.memory)
        self.steps, self.actions, self.state = snapshot.steps, snapshot.actions, snapshot.state
        self.fault, self._ended, self._window, self._prompt = None, False, None, ""

    @property
    def status(self) -> Status:
        """How the run has ended; `interrupted` if it has not."""
        if self.fault is not None:
            return "fault"
        with self.attributing_errors():
            if not self.memory.halted:
                return "interrupted"
            return "solved" if self.domain.is_goal(self.problem, self.state) else "unsolved"

    @contextmanager
    def attributing_errors(self, *others: Any) -> Iterator[None]:
        """Turn what a part, or one of the `others`, raises into a PluginError that names it, method and step."""
        try:
            yield
        except (CocError, StepFault):
            raise
        except Exception as error:
            origin = _origin(error.__traceback__, (self.domain, self.memory, self.convention, self.arithmetic, *others))
            if origin is None:
                raise
            part, method = origin
            what = f"{type(error).__name__} in {method} at step {self.steps + 1}: {error}"
            raise PluginError(f"{type(part).__name__} {part.name!r} raised {what}") from error


def _all_of(listeners: tuple[Listener, ...]) -> Listener | None:
    """One listener that tells all of them, in order."""
    if len(listeners) < 2:
        return listeners[0] if listeners else None

    def tell(record: StepRecord) -> None:
        for listener in listeners:
            listener(record)

    return tell


def _origin(traceback: TracebackType | None, parts: tuple[Any, ...]) -> tuple[Any, str] | None:
    """The innermost part that `traceback` leads into, and the method by which it was entered."""
    found: tuple[Any, str] | None = None
    while traceback is not None:
        owner = traceback.tb_frame.f_locals.get("self")
        part = next((part for part in parts if part is owner), None)
        if part is not None and (found is None or part is not found[0]):
            found = part, traceback.tb_frame.f_code.co_name
        traceback = traceback.tb_next
    return found
