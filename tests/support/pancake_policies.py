"""The list policy and the linked policy of pancakes, side by side, without texts in between."""

from attrs import evolve

from coc_core.domain import Record, policy_steps
from coc_pancake.domain import Pancake
from coc_pancake.linked import LinkedPancake

PANCAKE, LINKED = Pancake(), LinkedPancake()


def listed_flips(problem):
    """The actions of the policy whose instructions hold the whole stack."""
    return [each for _, step in policy_steps(PANCAKE, problem) for each in step.emits if each in PANCAKE.actions]


def linked_steps(problem):
    """Each instruction of the policy that stores records, together with the record that it names, and its step."""
    records = {record.number: record.contents for record in LINKED.records(problem)}
    pending = [LINKED.start(problem)]
    while pending:
        instruction = pending.pop()
        instruction = evolve(instruction, at=evolve(instruction.at, contents=records[instruction.at.number]))
        step = LINKED.expand(instruction)
        yield instruction, step
        for each in step.then:
            if isinstance(each, Record):
                records[each.number] = each.contents
            else:
                pending.append(each)


def linked_flips(problem):
    """The actions of that policy."""
    return [each for _, step in linked_steps(problem) for each in step.emits if each in PANCAKE.actions]
