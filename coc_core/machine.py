"""The machine: Algorithm 1 of the paper for one problem, one step at a time.

    prompt()        what the model is to read next, or None when the run has ended
    advance(text)   commits the model's answer as one step, whole or not at all

Whoever drives it decides where the answers come from and in what order (`coc_core.executor`). Every action is
validated by the domain as it streams. What goes wrong becomes data, never an exception; only a plugin's own bug is
raised, as PluginError.
"""

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, NamedTuple

from coc_core.arithmetic import ArithmeticOracle
from coc_core.convention import Convention
from coc_core.domain import Domain
from coc_core.errors import CocError, LimitFault, LoopFault, PluginError, StepFault
from coc_core.memory import Memory
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
        self._listeners = tuple(listeners)
        # A run takes millions of steps: the parts' methods are looked up once.
        self._fetch, self._repeats, self._apply = memory.fetch, memory.repeats, memory.apply
        self._question, self._parse, self._resolve = convention.prompt, convention.parse, convention.resolve
        self._act = domain.apply
        self._last = limits.steps
        self._ended = False
        self._window: Any = None
        self._prompt = ""

    def prompt(self) -> str | None:
        """The next prompt, the same until it is answered; None once the run has halted, met a fault or been stopped."""
        if self._ended:
            return None
        if self._prompt:
            return self._prompt
        try:
            window = self._fetch()
            if window is None:
                return None
            if self.steps >= self._last:
                raise LimitFault(f"the run took {self.steps:,} steps without halting, and that is its limit")
            if self.find_loops and self._repeats():
                raise LoopFault("the machine is where it was before, so it would never halt")
            self._window = window
            self._prompt = prompt = self._question(window)
            return prompt
        except StepFault as fault:
            self.fail(fault)
            return None
        except Exception as error:
            raise self.blame(error) from error

    def advance(self, text: str) -> None:
        """Commit the model's answer to the last prompt: parse, resolve, validate, then write. All of it or nothing."""
        before = after = self.state
        try:
            reply = self._parse(text)
            write = self._resolve(reply, self._window, self.arithmetic)
            for action in reply.actions:
                after = self._act(after, action)
            self._apply(write)
        except StepFault as fault:
            self.fail(fault, text)
            return
        except Exception as error:
            raise self.blame(error) from error
        prompt, self._prompt = self._prompt, ""
        self.state = after
        self.steps += 1
        self.actions += len(reply.actions)
        if self._listeners:
            commit = Commit(self.steps, self._window, prompt, text, reply.actions, before, after, self.memory)
            for listener in self._listeners:
                listener(commit)

    def fail(self, fault: StepFault, text: str = "") -> None:
        """End the run with a fault at the step under way."""
        self.fault = Fault(self.steps + 1, fault.kind, fault.message, fault.text or text, fault.offset)
        self._ended = True

    def interrupt(self) -> None:
        """End the run after the step under way; what it has done stands."""
        self._ended = True

    @property
    def status(self) -> Status:
        """How the run has ended; asked before its end, `interrupted`."""
        if self.fault is not None:
            return "fault"
        try:
            if not self.memory.halted:
                return "interrupted"
            return "solved" if self.domain.is_goal(self.problem, self.state) else "unsolved"
        except Exception as error:
            raise self.blame(error) from error

    def blame(self, error: Exception, *others: Any) -> Exception:
        """The PluginError that names the part that raised `error`, its method and the step."""
        if isinstance(error, CocError):
            return error
        parts = (self.domain, self.memory, self.convention, self.arithmetic, *others)
        name, method = _culprit(error.__traceback__, parts)
        return PluginError(f"{name} raised {type(error).__name__} in {method} at step {self.steps + 1}: {error}")


def _culprit(traceback: TracebackType | None, parts: tuple[Any, ...]) -> tuple[str, str]:
    """The innermost part that `traceback` leads into, and the method by which it was entered."""
    culprit, found = None, ("the machine", "a step")
    while traceback is not None:
        owner = traceback.tb_frame.f_locals.get("self")
        part = next((part for part in parts if part is owner), None)
        if part is not None and part is not culprit:
            culprit, found = part, (f"{type(part).__name__} {part.name!r}", traceback.tb_frame.f_code.co_name)
        traceback = traceback.tb_next
    return found
