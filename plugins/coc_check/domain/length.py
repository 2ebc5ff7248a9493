"""How long the run of a problem is, counted without taking each step."""

from graphlib import CycleError, TopologicalSorter
from itertools import islice
from typing import Any

from coc_check.check import require
from coc_core.domain import Domain, StoresRecords
from coc_problems import policy_steps

MOST = 5_000  # distinct instructions of a run; steps, where records decide what follows
MOST_TEXT = 1_000_000  # characters of them


def length(domain: Domain[Any, Any, Any, Any], problem: Any) -> tuple[int, int] | None:
    """Return the numbers of actions and steps of a run; None if it has too many distinct instructions.

    Nonconforming if an instruction leads to itself again, so that the run never ends.
    """
    write, found, characters = domain.instructions.format, dict[str, tuple[int, list[str]]](), 0
    if isinstance(domain, StoresRecords):
        steps = [step for _, step in islice(policy_steps(domain, problem), MOST + 1)]
        actions = sum(emitted in domain.actions for step in steps for emitted in step.emits)
        return (actions, len(steps)) if len(steps) <= MOST else None
    for instruction, step in policy_steps(domain, problem, lambda each: write(each) not in found):
        text = write(instruction)
        found[text] = sum(emitted in domain.actions for emitted in step.emits), [*map(write, step.then)]
        characters += len(text)
        if len(found) > MOST or characters > MOST_TEXT:
            return None
    lengths = dict[str, tuple[int, int]]()
    try:
        for text in TopologicalSorter({text: then for text, (_, then) in found.items()}).static_order():
            actions, then = found[text]
            lengths[text] = actions + sum(lengths[each][0] for each in then), 1 + sum(lengths[each][1] for each in then)
    except CycleError as error:
        require(False, f"the policy never ends: {error.args[1][0]} leads to itself")
    return lengths[write(domain.start(problem))]
