"""How long the run of a problem is, counted without taking each step."""

from collections.abc import Iterator
from typing import Any

from attrs import define, frozen

from coc_check.check import require
from coc_core.domain import Domain, StoresRecords
from coc_core.types import Step
from coc_problems import policy_steps

MOST = 5_000  # distinct instructions of a run; steps, where records decide what follows
MOST_TEXT = 1_000_000  # characters of them


@frozen
class Length:
    """The numbers of actions and steps."""

    actions: int
    steps: int


@define
class _Open:
    """An instruction of which not all that it leads to has been counted."""

    text: str
    left: Iterator[Any]
    actions: int
    steps: int = 1


def length(domain: Domain[Any, Any, Any, Any], problem: Any) -> Length | None:
    """How long the run of a problem is; None if it has too many distinct instructions.

    Nonconforming if an instruction leads to itself again, so that the run never ends.
    """
    if isinstance(domain, StoresRecords):
        return _walked(domain, problem)
    known, opened, characters = dict[str, Length](), dict[str, _Open](), 0
    pending: list[Any] = [domain.start(problem)]
    while pending:
        instruction = pending.pop()
        text = domain.instructions.format(instruction)
        require(text not in opened, f"the policy never ends: {text} leads to itself", domain.problems.format(problem))
        if text not in known:
            characters += len(text)
            if len(known) + len(opened) > MOST or characters > MOST_TEXT:
                return None
            step = domain.expand(instruction)
            opened[text] = _Open(text, iter(step.then), _actions(domain, step))
        found = known.get(text)
        while opened:
            last = next(reversed(opened.values()))
            if found is not None:
                last.actions, last.steps = last.actions + found.actions, last.steps + found.steps
            following = next(last.left, None)
            if following is not None:
                pending.append(following)
                break
            found = known[last.text] = Length(last.actions, last.steps)
            del opened[last.text]
    return found


def _walked(domain: Domain[Any, Any, Any, Any], problem: Any) -> Length | None:
    actions = steps = 0
    for _, step in policy_steps(domain, problem):
        if steps == MOST:
            return None
        actions, steps = actions + _actions(domain, step), steps + 1
    return Length(actions, steps)


def _actions(domain: Domain[Any, Any, Any, Any], step: Step[Any, Any]) -> int:
    return sum(emitted in domain.actions for emitted in step.emits)
