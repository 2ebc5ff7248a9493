"""A domain: what a problem is, what one instruction does, which actions are legal, and what the goal is.

The policy is written once, free of any memory: `expand` is a deterministic pushdown transducer, and the conventions
(`coc_core.memories`) turn it into the text of each memory.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Generic, Literal, TypeVar

from coc_core.errors import UsageError
from coc_core.text import Forms, Surface
from coc_core.types import Case, Expectation, Step

ProblemT = TypeVar("ProblemT")
InstructionT = TypeVar("InstructionT")
ActionT = TypeVar("ActionT")
StateT = TypeVar("StateT")


class Domain(ABC, Generic[ProblemT, InstructionT, ActionT, StateT]):
    """One planning domain. States are immutable values: `apply` returns a new one."""

    name: ClassVar[str]
    sizes: ClassVar[range]
    """The problem sizes n that the domain accepts."""

    problems: ClassVar[Forms[Any]]
    instructions: ClassVar[Forms[Any]]
    actions: ClassVar[Forms[Any]]
    notes: ClassVar[Forms[Any]] = Forms()
    """Sentences that a step may write beside its actions."""

    continuation: ClassVar[Literal["linked", "chain"]] = "linked"
    """How a tape keeps what is still to do. `linked` always works; `chain` needs at most one successor a step."""

    surfaces: ClassVar[Mapping[tuple[str, str], Surface]] = {}
    """Surfaces of its own, by (convention, notation); the conventions have a default for each."""

    def problem(self, n: int, seed: int = 0) -> ProblemT:
        """The problem of size `n` that `seed` draws, uniformly where there are several; UsageError for a bad size."""
        self.check_size(n)
        return self._problem(n, random.Random(f"{self.name} {n} {seed}"))

    def check_size(self, n: int) -> None:
        """UsageError unless the domain accepts problems of size `n`."""
        if n not in self.sizes:
            first, last = self.sizes[0], self.sizes[-1]
            raise UsageError(f"{self.name} has no problem of size n={n}", remedy=f"n is {first} to {last}")

    @abstractmethod
    def _problem(self, n: int, rng: random.Random) -> ProblemT: ...

    def every_problem(self, n: int) -> Iterator[ProblemT]:
        """All problems of size `n`, each once, as they are asked for; UsageError for a bad size.

        Problems that differ in names alone count as one: where any arrangement can be the goal, all have one goal.
        """
        self.check_size(n)
        return iter(self._every_problem(n))

    @abstractmethod
    def _every_problem(self, n: int) -> Iterable[ProblemT]: ...

    @abstractmethod
    def size(self, problem: ProblemT) -> int:
        """The paper's n of a problem."""

    @abstractmethod
    def start(self, problem: ProblemT) -> InstructionT:
        """The instruction that solves the problem; the memory holds its text at first."""

    @abstractmethod
    def expand(self, instruction: InstructionT) -> Step[InstructionT, ActionT]:
        """The policy: what one instruction does."""

    @abstractmethod
    def initial(self, problem: ProblemT) -> StateT:
        """The state that the problem starts in."""

    @abstractmethod
    def apply(self, state: StateT, action: ActionT) -> StateT:
        """The state after a legal action; ActionFault, with the reason, for an illegal one."""

    @abstractmethod
    def effect(self, state: StateT, action: ActionT) -> str | None:
        """What a legal action physically does here, in words that name every place; None if it changes nothing."""

    @abstractmethod
    def neighbours(self, state: StateT) -> Iterable[StateT]:
        """The states that one physical move leads to, by the rules of the puzzle and not by the policy.

        What a state remembers beside the places of things is here as it is at the start of a run. The search for
        shortest plans (`coc_core.domain.search`) walks these.
        """

    @abstractmethod
    def is_goal(self, problem: ProblemT, state: StateT) -> bool:
        """Whether `state` solves the problem."""

    @abstractmethod
    def render(self, state: StateT, width: int) -> str:
        """A picture of the state in lines of text, never empty, at most `width` characters wide where that is possible.

        With enough room, it tells apart the states in which things lie in different places.
        """

    @abstractmethod
    def expect(self, problem: ProblemT) -> Expectation | None:
        """The length of the run in closed form, if there is one."""

    @abstractmethod
    def cases(self) -> Iterable[Case[ActionT]]:
        """Problems with optimal, suboptimal, incomplete and illegal plans."""
