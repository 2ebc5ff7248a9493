"""The policy by itself: the instructions of a run in the order in which they are run, without a memory or a model."""

from collections.abc import Callable, Iterator
from typing import Any

from coc_core.domain.base import Domain
from coc_core.types import Step


def policy_steps(
    domain: Domain[Any, Any, Any, Any], problem: Any, enter: Callable[[Any], bool] | None = None
) -> Iterator[tuple[Any, Step[Any, Any]]]:
    """Each instruction of the run of `problem`, with what the policy does with it, depth first.

    Args:
        domain: The domain whose policy is followed.
        problem: One of its problems.
        enter: Says of an instruction whether to go into it; by default into all, as a run does.
    """
    waiting = [domain.start(problem)]
    while waiting:
        instruction = waiting.pop()
        if enter is None or enter(instruction):
            step = domain.expand(instruction)
            yield instruction, step
            waiting += reversed(step.then)
