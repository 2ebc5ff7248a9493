"""The machine: Algorithm 1 of the paper for one problem, one step at a time.

    prompt()        what the model is to read next, or None when the run has ended
    advance(text)   commits the model's answer as one step, whole or not at all
    follow(answers) does both, again and again, for as long as the answers are known

Whoever drives it decides where the answers come from and in what order (`coc_core.execution.executor`). Every action is
validated by the domain as it streams. What goes wrong becomes data, never an exception; only a plugin's own bug is
raised, as PluginError.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, NamedTuple

from coc_core.arithmetic import ArithmeticOracle
from coc_core.domain import Domain
from coc_core.errors import AddressFault, ArithmeticFault, CocError, LimitFault, LoopFault, PluginError, StepFault
from coc_core.memories import Convention, Memory
from coc_core.types import Fault, Limits, Status


class Commit(NamedTuple):
    """One committed step, as listeners see it: `step` counts from 1, `before` and `after` are the domain's states."""

    step: int
    window: Any
    prompt: str
    target: str
    actions: tuple[Any, ...]
    before: Any
    after: Any
    memory: Memory[Any, Any]


Listener = Callable[[Commit], None]


class Machine:
    """One problem on one memory, and everything that changes while it runs."""

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
        self.find_loops = True
        self._tell = _all_of(tuple(listeners))
        self._ended = False
        self._window: Any = None
        self._prompt = ""

    def prompt(self) -> str | None:
        """The next prompt, the same until it is answered; None once the run has halted, met a fault or been stopped."""
        return self.follow({})

    def advance(self, text: str) -> None:
        """Commit the answer to the next prompt as one step, whole or not at all: parse, resolve, validate, write."""
        prompt = self.prompt()
        if prompt is not None:
            self.follow({prompt: text}, 1)

    def follow(self, answers: Mapping[str, str], most: int = sys.maxsize) -> str | None:
        """Take at most `most` steps, for as long as `answers` knows what to say; gives the prompt that is next then."""
        # One loop for a single step and for millions of them: what it needs is looked up once.
        fetch, repeats, apply = self.memory.fetch, self.memory.repeats, self.memory.apply
        question, parse, resolve = self.convention.prompt, self.convention.parse, self.convention.resolve
        act, arithmetic, tell = self.domain.apply, self.arithmetic, self._tell
        answer, find_loops, last, new = answers.get, self.find_loops, self.limits.steps, tuple.__new__
        window, prompt, self._prompt = self._window, self._prompt, ""
        text: str | None
        try:
            with self.blaming():
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
                        prompt = question(window)
                    text = answer(prompt) if most else None
                    if text is None:
                        self._window, self._prompt = window, prompt
                        return prompt
                    reply = parse(text)
                    write = resolve(reply, window, arithmetic)
                    before = after = self.state
                    for action in reply.actions:
                        after = act(after, action)
                    apply(write)
                    self.state = after
                    self.steps += 1
                    self.actions += len(reply.actions)
                    if tell is not None:
                        # As Commit(...) does, in half the time.
                        tell(new(Commit, (self.steps, window, prompt, text, reply.actions, before, after, self.memory)))
                    prompt = ""
                    most -= 1
        except StepFault as fault:
            # The memory refuses what was resolved just before: if a number was wrong, that is why.
            mistake = self.arithmetic.mistake if isinstance(fault, AddressFault) else ""
            cause = ArithmeticFault(f"{mistake}: {fault.message}", text=fault.text) if mistake else fault
            self.fail(cause, text or "")
            return None

    def fail(self, fault: StepFault, text: str = "") -> None:
        """End the run with a fault at the step under way."""
        self.fault = Fault(self.steps + 1, fault.kind, fault.message, fault.text or text, fault.offset)
        self._ended, self._prompt = True, ""

    def interrupt(self) -> None:
        """End the run after the step under way; what it has done stands."""
        self._ended = True

    @property
    def status(self) -> Status:
        """How the run has ended; asked before its end, `interrupted`."""
        if self.fault is not None:
            return "fault"
        with self.blaming():
            if not self.memory.halted:
                return "interrupted"
            return "solved" if self.domain.is_goal(self.problem, self.state) else "unsolved"

    @contextmanager
    def blaming(self, *others: Any) -> Iterator[None]:
        """Turn what a part, or one of the `others`, raises into a PluginError that names it, its method and step."""
        try:
            yield
        except (CocError, StepFault):
            raise
        except Exception as error:
            culprit = _culprit(
                error.__traceback__, (self.domain, self.memory, self.convention, self.arithmetic, *others)
            )
            if culprit is None:
                raise
            part, method = culprit
            what = f"{type(error).__name__} in {method} at step {self.steps + 1}: {error}"
            raise PluginError(f"{type(part).__name__} {part.name!r} raised {what}") from error


def _all_of(listeners: tuple[Listener, ...]) -> Listener | None:
    """One listener that tells all of them, in order."""
    if len(listeners) < 2:
        return listeners[0] if listeners else None

    def tell(commit: Commit) -> None:
        for listener in listeners:
            listener(commit)

    return tell


def _culprit(traceback: TracebackType | None, parts: tuple[Any, ...]) -> tuple[Any, str] | None:
    """The innermost part that `traceback` leads into, and the method by which it was entered."""
    found: tuple[Any, str] | None = None
    while traceback is not None:
        owner = traceback.tb_frame.f_locals.get("self")
        part = next((part for part in parts if part is owner), None)
        if part is not None and (found is None or part is not found[0]):
            found = part, traceback.tb_frame.f_code.co_name
        traceback = traceback.tb_next
    return found
