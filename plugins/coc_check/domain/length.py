"""How long the run of a problem is, counted without taking each step."""

from typing import Any

from attrs import frozen

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


def length(domain: Domain[Any, Any, Any, Any], problem: Any) -> Length | None:
    """Return how long the run of a problem is; None if it has too many distinct instructions.

    Nonconforming if an instruction leads to itself again, so that the run never ends.
    """
    if isinstance(domain, StoresRecords):
        return _walked(domain, problem)
    known = dict[str, Length]()
    opened = dict[str, tuple[int, list[str]]]()  # each leads to the next; with its actions, and all that it leads to
    pending, characters = [(domain.instructions.format(domain.start(problem)), domain.start(problem))], 0
    while pending:
        text, instruction = pending[-1]
        if text not in known and text not in opened:
            characters += len(text)
            if len(known) + len(opened) > MOST or characters > MOST_TEXT:
                return None
            step = domain.expand(instruction)
            following = [(domain.instructions.format(one), one) for one in step.then]
            opened[text] = _actions(domain, step), [each for each, _ in following]
            again = next(filter(opened.__contains__, opened[text][1]), None)
            require(again is None, f"the policy never ends: {again} leads to itself", domain.problems.format(problem))
            pending += following[::-1]
            continue
        if text in opened:
            actions, texts = opened.pop(text)
            actions += sum(known[each].actions for each in texts)
            known[text] = Length(actions, 1 + sum(known[each].steps for each in texts))
        pending.pop()
    return known[text]


def _walked(domain: Domain[Any, Any, Any, Any], problem: Any) -> Length | None:
    actions = steps = 0
    for _, step in policy_steps(domain, problem):
        if steps == MOST:
            return None
        actions, steps = actions + _actions(domain, step), steps + 1
    return Length(actions, steps)


def _actions(domain: Domain[Any, Any, Any, Any], step: Step[Any, Any]) -> int:
    return sum(emitted in domain.actions for emitted in step.emits)
