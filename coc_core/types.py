"""Records that the parts exchange. All are frozen, and none depends on a domain or a memory."""

import reprlib
from collections.abc import Mapping
from typing import Annotated, Any, Generic, Literal, TypeVar

from attrs import field, frozen

InstructionT = TypeVar("InstructionT")
ActionT = TypeVar("ActionT")

DEFAULT_SIZE = 8
"""The size of a problem that nobody chooses."""

Count = Annotated[int, range((1 << 64) + 1)]
"""A number of something, as far as a document may give it (`coc_core.storage.read_document`)."""

ShortText = Annotated[str, range((1 << 16) + 1)]
"""A text of at most so many characters, likewise."""

Amount = Annotated[float, range((1 << 64) + 1)]
"""How much there is of something, likewise."""

MOST_STEPS = 10**100
"""The largest number of steps of a run whose steps can be skipped, where nobody sets another one."""

Status = Literal["solved", "unsolved", "unsolvable", "fault", "interrupted"]


@frozen
class Step(Generic[InstructionT, ActionT]):
    """What a policy does with one instruction.

    Attributes:
        emits: The actions and notes, in order.
        then: The instructions to run next, in execution order.
        last: A successor that needs no work, because it meets the goal. A chain on a tape writes it at address -1, as
            the paper's appendix does; every other convention drops it.
        result: What it hands to the instruction that waits for a result, one of the domain's `results`; None for
            nothing. A step that has a result runs nothing next.

    Raises:
        TypeError: `emits` or `then` is not a tuple.
    """

    emits: tuple[Any, ...] = ()
    then: tuple[InstructionT, ...] = ()
    last: InstructionT | None = None
    result: Any = None

    def __attrs_post_init__(self) -> None:
        if not (isinstance(self.emits, tuple) and isinstance(self.then, tuple)):
            name, value = ("then", self.then) if isinstance(self.emits, tuple) else ("emits", self.emits)
            kind = type(value).__name__
            raise TypeError(f"`{name}` of a Step must be a tuple, not {kind}; a tuple of one is written (x,)")


@frozen
class Limits:
    """Caps on what a run may use; exceeding one is a `limit` fault.

    Attributes:
        steps: Steps of the run.
        tape_bytes: Bytes on a tape.
        stack_depth: Windows on a stack.
        windows_per_step: Windows that one target writes.
        target_chars: Characters of one target.
    """

    steps: Count = 100_000_000
    tape_bytes: Count = 2**31
    stack_depth: Count = 1_000_000
    windows_per_step: Count = 1_000
    target_chars: Count = 65_536


@frozen
class Fault:
    """Why a run ended early.

    Attributes:
        step: The step at fault, counted from 1. Nothing of it was applied.
        kind: The kind of fault, such as `protocol`; see `coc_core.errors.FAULT_KINDS`.
        message: One line of explanation.
        text: The text at fault.
        offset: Where in the text the fault is, if that is known.
    """

    step: Count
    kind: str
    message: ShortText
    text: ShortText = field(default="", repr=reprlib.repr)
    offset: Count | None = None


@frozen
class Outcome:
    """How a run ended.

    Attributes:
        status: `solved`, `unsolved`, `unsolvable`, `fault` or `interrupted`.
        steps: The number of committed steps.
        actions: The number of actions in these steps.
        fault: The fault, if there was one.
        model_calls: The number of prompts for which the model was called.
        seconds: The wall time of the loop.
        reason: Why the problem has no solution, if it is `unsolvable`; then no step was taken. Why the answer is not
            right, if it is `unsolved` and the domain has answers.
        report: What else the executor has to report, by name, as plain data: a total, as `model_calls` is.
    """

    status: Status
    steps: Count
    actions: Count
    fault: Fault | None = None
    model_calls: Count = 0
    seconds: Annotated[float, range(10**10 + 1)] = 0.0
    reason: ShortText = ""
    report: Annotated[Mapping[str, Mapping[str, Amount | None]], range(9)] = field(factory=dict, repr=False)


@frozen
class Expectation:
    """The length of the run of a problem, if the domain has a formula for it.

    Attributes:
        actions: The number of actions.
        steps: The number of steps.
        optimum: Where it is known that no plan has fewer actions: the formula or its source, in a few words, such as
            `2^8 - 1`.
    """

    actions: int
    steps: int
    optimum: str = field(default="", eq=False)


Registers = Mapping[str, int]
