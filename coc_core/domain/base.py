"""A domain: what a problem is, what one instruction does, which actions are legal, and what the goal is.

The policy is written once and does not depend on the memory: `expand` is a deterministic pushdown transducer, and the
conventions (`coc_core.memories`) turn its output into the text of each memory.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, ClassVar, Generic, Literal, TypeVar

from coc_core.domain.scenes import HasScenes, StateT as StateT
from coc_core.errors import ActionFault, UsageError
from coc_core.text import Forms, Surface
from coc_core.types import DEFAULT_SIZE, Expectation, Step

ProblemT = TypeVar("ProblemT")
InstructionT = TypeVar("InstructionT")
ActionT = TypeVar("ActionT")

WAITS = " GOT ?"
"""The end of an instruction that waits for a result, which is put in place of the `?`."""


class Domain(ABC, Generic[ProblemT, InstructionT, ActionT, StateT]):
    """One planning domain. States are immutable values: `apply` returns a new one.

    A domain has a name, sizes, the forms of its texts, and seven methods. All else has a default.

    Example:
        >>> from coc_core.plugin import DomainSpec, Registry
        >>> hanoi = Registry.installed().create(DomainSpec, "hanoi")
        >>> problem = hanoi.problem(3)
        >>> step = hanoi.expand(hanoi.start(problem))
        >>> for instruction in step.then:
        ...     print(hanoi.instructions.format(instruction))
        CALL n=2 src=1 dst=2 aux=3
        MOVE d=3 src=1 dst=3
        CALL n=2 src=2 dst=3 aux=1

        The rules don't depend on the policy; an illegal action raises ActionFault:

        >>> action = hanoi.actions.parse("Move disk 2 from 1 to 3")
        >>> hanoi.apply(hanoi.initial(problem), action)
        Traceback (most recent call last):
        coc_core.errors.ActionFault: disk 2 can't be taken from peg 1, which has disk 1 on top
    """

    name: ClassVar[str]
    speaks_as: ClassVar[str] = ""
    """The name of the domain whose prompts and targets these are, too, so that a model of one runs the other."""

    sizes: ClassVar[range]
    """The problem sizes n that the domain accepts."""

    problems: ClassVar[Forms[Any]]
    instructions: ClassVar[Forms[Any]]
    actions: ClassVar[Forms[Any]]
    notes: ClassVar[Forms[Any]] = Forms()
    """Sentences that a step may write in addition to actions."""
    results: ClassVar[Forms[Any]] = Forms()
    """What a step may hand to the instruction that waits for it, such as `CALL merge b=B2 GOT ?`, for the `?`."""

    interchangeable_names: ClassVar[frozenset[str]] = frozenset()
    """The letters of the names on which no step depends, such as `B` for blocks called `B1` to `B40`: if such names
    change places in an instruction, they change places in its step, and nothing else changes."""

    needs: ClassVar[frozenset[Literal["records", "results"]]] = frozenset()
    """What a memory has to offer: records that are read and written, results that are handed to what waits for them."""

    few_problems: ClassVar[bool] = False
    """Whether each size has so few problems that a model has to be trained on all of them. Then all are in both splits,
    as the only problem of a size always is, and single steps are held out instead."""

    continuation: ClassVar[Literal["linked", "chain"]] = "linked"
    """How a tape links pending instructions: `linked` always works; `chain` allows one successor per step at most."""

    surfaces: ClassVar[Mapping[tuple[str, str], Surface]] = {}
    """Surfaces that replace a convention's defaults, by (convention, notation)."""

    def problem(self, n: int, seed: int = 0) -> ProblemT:
        """Return the problem of size `n` that `seed` draws, uniformly at random; UsageError for a size out of range."""
        self.check_size(n)
        return self._problem(n, random.Random(f"{self.name} {n} {seed}"))

    def check_size(self, n: int) -> None:
        """Raise UsageError unless the domain accepts problems of size `n`."""
        if n not in self.sizes:
            first, last = self.sizes[0], self.sizes[-1]
            if n == DEFAULT_SIZE:  # which may be nobody's choice
                choice = f"choose one from {first} to {last} with --n"
                raise UsageError(f"{self.name} has no problem of size n={n}, the default", remedy=choice)
            raise UsageError(f"{self.name} has no problem of size n={n}", remedy=f"n is {first} to {last}")

    @abstractmethod
    def _problem(self, n: int, rng: random.Random) -> ProblemT: ...

    @abstractmethod
    def size(self, problem: ProblemT) -> int:
        """Return the paper's n of a problem."""

    @abstractmethod
    def start(self, problem: ProblemT) -> InstructionT:
        """Return the instruction that solves the problem: the first content of the memory."""

    @abstractmethod
    def expand(self, instruction: InstructionT) -> Step[InstructionT, ActionT]:
        """Return the policy: what one instruction does."""

    @abstractmethod
    def initial(self, problem: ProblemT) -> StateT:
        """Return the state that the problem starts in."""

    @abstractmethod
    def apply(self, state: StateT, action: ActionT) -> StateT:
        """Return the state after an action; ActionFault, with the reason, if the action is illegal."""

    @abstractmethod
    def is_goal(self, problem: ProblemT, state: StateT) -> bool:
        """Return whether `state` solves the problem."""

    # What follows may be stated, and need not be. A None says that it is not.

    def every_problem(self, n: int) -> Iterator[ProblemT]:
        """Return all problems of size `n`, each once, created on demand.

        Problems that differ only in names count as one. So where any arrangement can be the goal, the goal is fixed.

        Raises:
            UsageError: The size is out of range, or the domain does not list its problems.
        """
        self.check_size(n)
        problems = self._every_problem(n)
        if problems is None:
            raise UsageError(f"{self.name} does not list its problems", remedy="draw some")
        return iter(problems)

    def _every_problem(self, n: int) -> Iterable[ProblemT] | None:
        return None

    def every_action(self, state: StateT) -> Iterable[ActionT] | None:
        """Actions among which are all that are legal in a state; from them `neighbours` follows."""
        return None

    def neighbours(self, state: StateT) -> Iterable[StateT] | None:
        """Return the states one physical move away, by the rules of the puzzle and independent of the policy.

        If a state holds more than the places of things, the rest is as at the start of a run. The search for shortest
        plans (`coc_problems.optimum`) uses this method.
        """
        actions = self.every_action(state)
        return None if actions is None else self._after(state, actions)

    def _after(self, state: StateT, actions: Iterable[ActionT]) -> Iterator[StateT]:
        for action in actions:
            with suppress(ActionFault):
                yield self.apply(state, action)

    def effect(self, state: StateT, action: ActionT) -> str | None:
        """Return the physical move of a legal action, in words that name all places; None if it changes nothing."""
        return self.actions.format(action)

    def render(self, state: StateT, width: int) -> str:
        """Return a picture of the state as lines of text, not empty, and at most `width` characters wide if possible.

        By default it is drawn from its scene, if it has one. With enough room, states that have things in different
        places have different pictures.
        """
        if isinstance(self, HasScenes):
            return self.scene(state).draw(width)
        text = str(state) or repr(state)
        return "\n".join(text[start : start + width] for start in range(0, len(text), width))

    def expect(self, problem: ProblemT) -> Expectation | None:
        """Return the number of steps and actions of the run in closed form; None if there is no closed form."""
        return None


def with_result(instruction: str, result: str) -> str | None:
    """Return the text of an instruction that has got its result; None if it waits for none."""
    return instruction[:-1] + result if instruction.endswith(WAITS) else None
