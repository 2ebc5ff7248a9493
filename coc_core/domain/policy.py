"""The policy on its own: the instructions of a run in the order of execution, without a memory or a model."""

from collections.abc import Callable, Iterator
from typing import Any

from coc_core.domain.base import Domain
from coc_core.domain.stored import StoresRecords, stored_policy_steps
from coc_core.types import Step


def policy_steps(
    domain: Domain[Any, Any, Any, Any], problem: Any, enter: Callable[[Any], bool] | None = None
) -> Iterator[tuple[Any, Step[Any, Any]]]:
    """Each instruction of the run of `problem`, depth first, with what the policy does for it.

    Args:
        domain: The domain whose policy is followed.
        problem: One of its problems.
        enter: Whether to follow an instruction; by default all are followed, as in a run. Where the policy stores
            records or returns results, what follows depends on them, so there all are followed.
    """
    if isinstance(domain, StoresRecords) or any(domain.results):
        yield from stored_policy_steps(domain, problem)
        return
    pending = [domain.start(problem)]
    while pending:
        instruction = pending.pop()
        if enter is None or enter(instruction):
            step = domain.expand(instruction)
            yield instruction, step
            pending += reversed(step.then)
