"""Problems, instructions, states and actions of a domain, small ones first."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Any

from hypothesis import reject, strategies as st

from coc_check.domain.subject import AnyDomain, with_mistakes
from coc_core.errors import ActionFault
from coc_problems import policy_steps

SIZES = 4  # the smallest ones that a domain has
SEEDS = 1_000
LONGEST = 2_000  # steps of a policy
PLANS = 4  # problems of one size whose actions are known
MOVES = 3  # physical moves away from the policy's plan


def problems(domain: AnyDomain, sizes: Iterable[int] | None = None) -> st.SearchStrategy[Any]:
    """Return problems of a domain.

    Args:
        domain: The domain.
        sizes: Their sizes; by default the four smallest.

    Example:
        >>> from hypothesis import find
        >>> from coc_core.plugin import DomainSpec, Registry
        >>> hanoi = Registry.installed().create(DomainSpec, "hanoi")
        >>> hanoi.problems.format(find(problems(hanoi, sizes=range(3, 9)), lambda problem: True))
        'n=3 src=1 dst=3'
    """
    drawn = st.tuples(st.sampled_from(list(domain.sizes[:SIZES] if sizes is None else sizes)), st.integers(0, SEEDS))
    return drawn.map(lambda pair: domain.problem(*pair))


@st.composite
def instructions(draw: st.DrawFn, domain: AnyDomain, sizes: Iterable[int] | None = None) -> Any:
    """Instructions that the policy meets on its way, the first ones first; sizes as for `problems`."""
    met = [each for each, _ in islice(policy_steps(domain, draw(problems(domain, sizes))), LONGEST)]
    return met[draw(_PLACES) % len(met)]


def states(domain: AnyDomain, sizes: Iterable[int] | None = None) -> st.SearchStrategy[Any]:
    """Return states that legal moves lead to: on the way of the policy, or up to three physical moves beside it.

    Sizes as for `problems`. The smallest one is the first state of a smallest problem.
    """
    return _positions(domain, sizes).map(lambda position: position[1])


def legal_actions(domain: AnyDomain, sizes: Iterable[int] | None = None) -> st.SearchStrategy[tuple[Any, Any]]:
    """Return a state as `states` draws it, and an action that is legal there."""
    return _acting(domain, sizes, legal=True)


def illegal_actions(domain: AnyDomain, sizes: Iterable[int] | None = None) -> st.SearchStrategy[tuple[Any, Any]]:
    """Return a state as `states` draws it, and an action that is illegal there: one of a plan, or nearly like one."""
    return _acting(domain, sizes, legal=False)


_PLACES = st.integers(0, 999)
"""Where something is in a list, by its remainder: a list that gets shorter leaves it as small as it was."""


@st.composite
def _positions(draw: st.DrawFn, domain: AnyDomain, sizes: Iterable[int] | None) -> tuple[Any, Any]:
    """Return a problem, and a state of it."""
    problem = draw(problems(domain, sizes))
    state, plan = domain.initial(problem), _plan(domain, problem)
    for action in plan[: draw(_PLACES) % (len(plan) + 1)]:
        state = domain.apply(state, action)
    for place in draw(st.lists(_PLACES, max_size=MOVES)):
        neighbours = list(domain.neighbours(state) or [state]) or [state]
        state = neighbours[place % len(neighbours)]
    return problem, state


def _acting(domain: AnyDomain, sizes: Iterable[int] | None, *, legal: bool) -> st.SearchStrategy[tuple[Any, Any]]:
    known = cache(lambda n: _actions(domain, n))

    def is_legal(state: Any, action: Any) -> bool:
        with suppress(ActionFault):
            domain.apply(state, action)
            return True
        return False

    @st.composite
    def acting(draw: st.DrawFn) -> tuple[Any, Any]:
        problem, state = draw(_positions(domain, sizes))
        actions, place = known(domain.size(problem)), draw(_PLACES)
        start = place % max(len(actions), 1)
        found = (action for action in (*actions[start:], *actions[:start]) if is_legal(state, action) == legal)
        return state, next(found, None) or reject()

    return acting()


def _actions(domain: AnyDomain, n: int) -> Sequence[Any]:
    """Return the actions of some plans of one size, and others that are nearly like them; short ones first."""
    plans = [_plan(domain, domain.problem(n, seed)) for seed in range(PLANS)]
    texts = {domain.actions.format(action): action for plan in plans for action in plan}
    return with_mistakes(domain.actions, dict(sorted(texts.items())))


def _plan(domain: AnyDomain, problem: Any) -> list[Any]:
    steps = islice(policy_steps(domain, problem), LONGEST)
    return [emitted for _, step in steps for emitted in step.emits if emitted in domain.actions]
