"""Strategies of hypothesis for the tests of a plugin. What is drawn shrinks to the smallest case that still fails."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import accumulate, islice
from operator import itemgetter
from typing import Any

from hypothesis import reject, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from coc_check.check import require
from coc_check.domain.subject import AnyDomain, with_mistakes
from coc_core.errors import ActionFault, AddressFault, LimitFault
from coc_core.memories import HALT, Memory
from coc_core.types import Limits
from coc_problems import policy_actions, policy_steps

__all__ = ["PlainMemory", "instructions", "legal_actions", "memory_machine", "problems", "states"]

SIZES, SEEDS = 4, 1_000  # the smallest sizes that a domain has, and problems of each
LONGEST = 2_000  # steps of a policy, or actions of a plan
PLANS = 4  # problems of one size whose actions are known
MOVES = 3  # physical moves away from the policy's plan


def problems(domain: AnyDomain, sizes: Iterable[int] | None = None) -> st.SearchStrategy[Any]:
    """Return problems of a domain, of these sizes, by default the four smallest.

    Example:
        >>> from hypothesis import find
        >>> from coc_core.plugin import DomainSpec, Registry
        >>> hanoi = Registry.installed().create(DomainSpec, "hanoi")
        >>> hanoi.problems.format(find(problems(hanoi, sizes=range(3, 9)), lambda problem: True))
        'n=3 src=1 dst=3'
    """
    drawn = st.sampled_from(list(domain.sizes[:SIZES] if sizes is None else sizes)), st.integers(0, SEEDS)
    return st.builds(domain.problem, *drawn)


def instructions(domain: AnyDomain, sizes: Iterable[int] | None = None) -> st.SearchStrategy[Any]:
    """Return instructions that the policy meets on its way, the first ones first; sizes as for `problems`."""

    def met(problem: Any) -> st.SearchStrategy[Any]:
        return st.sampled_from([each for each, _ in islice(policy_steps(domain, problem), LONGEST)])

    return problems(domain, sizes).flatmap(met)


def states(domain: AnyDomain, sizes: Iterable[int] | None = None) -> st.SearchStrategy[Any]:
    """Return states that legal moves lead to: on the way of the policy, or up to three physical moves beside it.

    Sizes as for `problems`. The smallest one is the first state of a smallest problem.
    """
    return _positions(domain, sizes).map(itemgetter(1))


@st.composite
def legal_actions(draw: st.DrawFn, domain: AnyDomain, sizes: Iterable[int] | None = None) -> tuple[Any, Any]:
    """A state as `states` draws it, and an action that is legal there."""
    n, state = draw(_positions(domain, sizes))
    plans = (policy_actions(domain, domain.problem(n, seed)) for seed in range(PLANS))
    legal = list[Any]()
    for action in with_mistakes(domain.actions, (each for plan in plans for each in islice(plan, LONGEST))):
        with suppress(ActionFault):
            domain.apply(state, action)
            legal.append(action)
    return state, draw(st.sampled_from(legal)) if legal else reject()


@st.composite
def _positions(draw: st.DrawFn, domain: AnyDomain, sizes: Iterable[int] | None) -> tuple[int, Any]:
    """Return a size, and a state of a problem of it."""
    problem = draw(problems(domain, sizes))
    plan = islice(policy_actions(domain, problem), LONGEST)
    state = draw(st.sampled_from(list(accumulate(plan, domain.apply, initial=domain.initial(problem)))))
    for place in draw(st.lists(st.integers(0, 999), max_size=MOVES)):
        neighbours = list(domain.neighbours(state) or [state]) or [state]
        state = neighbours[place % len(neighbours)]
    return domain.size(problem), state


LIMITS = Limits(tape_bytes=40, stack_depth=8, windows_per_step=4)
"""Caps that are low enough to be reached."""
TEXTS = st.text("ab =1", max_size=6)


class PlainMemory(ABC):
    """What a memory has to do, as a value: simple, slow and evidently right.

    Attributes:
        windows: What `Memory.windows` gives.
        pointer: The index of the next window; -1 once halted.
    """

    windows: Any
    pointer: Any

    @abstractmethod
    def window(self) -> Any:
        """Return the next window, as `Memory.read` gives it; None once halted."""

    @abstractmethod
    def writes(self) -> st.SearchStrategy[Any]:
        """Return what a step may try to write, right and wrong."""

    @abstractmethod
    def after(self, write: Any) -> "PlainMemory":
        """Return the memory after a step; AddressFault for a wrong address, LimitFault where a limit is exceeded."""


def memory_machine(
    memory: Callable[[Limits], Memory[Any, Any, Any]],
    plain: Callable[[tuple[str], Limits], PlainMemory],
    first: st.SearchStrategy[str] = TEXTS,
    limits: Limits = LIMITS,
) -> type[RuleBasedStateMachine]:
    """Make a state machine of hypothesis in which a memory does what a plain one does.

    Steps are taken and refused, from the last contents and from any earlier ones. After each, all contents that there
    have been must show what those of the plain memory show.

    Args:
        memory: Makes the memory from its limits.
        plain: Makes the plain memory from its first window and limits.
        first: What the first window may be.
        limits: Caps on both.

    Example:
        TestShelf = memory_machine(Shelf, PlainShelf).TestCase
    """

    class MemoryMachine(RuleBasedStateMachine):
        """The memory, and pairs of contents and of what the plain memory has for them."""

        @initialize(window=first)
        def start(self, window: str) -> None:
            self.memory = memory(limits)
            self.pairs: list[tuple[Any, PlainMemory]] = [(self.memory.start(window), plain((window,), limits))]

        @rule(data=st.data())
        def step(self, data: st.DataObject) -> None:
            last = len(self.pairs) - 1
            index = data.draw(st.just(last) | st.integers(0, last), "contents")
            contents, plain = self.pairs[index]
            if plain.pointer == HALT:
                return
            write = data.draw(plain.writes(), "write")
            try:
                after = plain.after(write)
            except (AddressFault, LimitFault) as fault:
                with suppress(type(fault)):
                    self.memory.write(contents, write)
                    require(False, f"a step is accepted that has to be refused: {fault}", repr(write))
            else:
                self.pairs.append((self.memory.write(contents, write), after))

        @invariant()
        def show_the_same(self) -> None:
            for contents, plain in self.pairs:
                window = None if plain.pointer == HALT else (plain.pointer, plain.window())
                for found in (self.memory.read(contents), self.memory.read(contents)):
                    require(found == window, f"read gives {found!r}, and has to give {window!r}")
                windows = tuple(self.memory.windows(contents))
                require(windows == plain.windows, f"windows gives {windows!r}, and has to give {plain.windows!r}")

    return MemoryMachine
