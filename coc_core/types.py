"""The records that travel between the parts. All are frozen; none knows a domain or a memory."""

from collections.abc import Mapping
from typing import Any, Generic, Literal, TypeVar

from attrs import frozen

InstructionT = TypeVar("InstructionT")
ActionT = TypeVar("ActionT")

Status = Literal["solved", "unsolved", "fault", "interrupted"]
Verdict = Literal["optimal", "suboptimal", "incomplete", "illegal"]


@frozen
class Step(Generic[InstructionT, ActionT]):
    """What a policy does with one instruction.

    `emits` are the actions and notes, in order. `then` are the instructions still to run, in execution order.
    `last` is a successor that needs no work, because it meets the goal: a chain on a tape writes it down at
    address -1, as the paper's appendix does, and every other convention drops it.
    """

    emits: tuple[Any, ...] = ()
    then: tuple[InstructionT, ...] = ()
    last: InstructionT | None = None


@frozen
class Limits:
    """Caps on what a run may use; reaching one is a `limit` fault."""

    steps: int = 100_000_000
    tape_bytes: int = 2**31
    stack_depth: int = 1_000_000
    windows_per_step: int = 1_000
    target_chars: int = 65_536


@frozen
class Fault:
    """Why a run ended at `step` (counted from 1): the kind, one line, and the text at fault."""

    step: int
    kind: str
    message: str
    text: str = ""
    offset: int | None = None


@frozen
class Outcome:
    """How a run ended. `seconds` is the wall time of the loop, `model_calls` the prompts that the model answered."""

    status: Status
    steps: int
    actions: int
    fault: Fault | None = None
    model_calls: int = 0
    seconds: float = 0.0


@frozen
class Expectation:
    """What a domain knows in closed form about the run of one problem."""

    actions: int
    steps: int


@frozen
class Case(Generic[ActionT]):
    """A problem with a plan and the verdict that a correct domain reaches on it.

    `reason` is part of the message of an `illegal` plan's rejection, `at` the index of its first illegal action.
    """

    problem: Any
    plan: tuple[ActionT, ...]
    verdict: Verdict
    reason: str = ""
    at: int | None = None


Registers = Mapping[str, int]
