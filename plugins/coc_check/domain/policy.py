"""Checks of a domain's policy by itself, without a memory."""

import random
from typing import Any

from coc_check.check import needs, require, trying
from coc_check.domain.subject import DomainSubject
from coc_check.domain.writing import round_trip
from coc_core.domain import Domain
from coc_core.text import names_in, rename
from coc_core.types import Step


@needs("problems_round_trip")
def policy_is_deterministic(subject: DomainSubject) -> None:
    """An instruction always gets the same step, and a problem the same start.

    Look in `expand` for random choices, for sets that are iterated, and for whatever is not in the instruction.
    """
    domain = subject.domain
    for problem in subject.problems:
        same = domain.initial(problem) == domain.initial(problem)
        require(same, "a problem has two first states", subject.named(problem))
    for instruction, step in subject.policy():
        with trying(repr(instruction)):
            text = domain.instructions.format(instruction)
            require(step == domain.expand(instruction), f"{instruction!r} has two steps", text)
            if domain.continuation == "chain":
                successors = len(step.then)
                require(successors <= 1, f"{instruction!r} has {successors} successors, a chain has one", text)


@needs("policy_is_deterministic")
def each_text_has_one_rule(subject: DomainSubject) -> None:
    """No two instructions have one text, and a text leads to one step, whatever ran before it.

    An instruction's text is all that the model reads. What `expand` depends on has to be in the instruction, and no
    codec may leave out a part of it.
    """
    rules: dict[str, tuple[Any, Any]] = {}
    for instruction, step in subject.policy():
        text = subject.domain.instructions.format(instruction)
        same, before = rules.setdefault(text, (instruction, step))
        require(instruction == same, f"it is the text of two instructions: {same!r} and {instruction!r}", text)
        require(step == before, f"{instruction!r} leads to {before} at first, and later to {step}", text)
    for text, (instruction, step) in reversed(rules.items()):
        again = subject.domain.expand(instruction)
        require(again == step, f"{instruction!r} leads to {step} at first, and later to {again}", text)


@needs("each_text_has_one_rule")
def instructions_round_trip(subject: DomainSubject) -> None:
    """Every instruction that the policy writes is read back from its text.

    Compare `parse` and `format` of the codecs in `instructions`: the memory holds the text alone.
    """
    for instruction in subject.instructions():
        round_trip(subject.domain.instructions, instruction)


@needs("policy_is_deterministic")
def actions_and_notes_round_trip(subject: DomainSubject) -> None:
    """Every action and note of a run is read back from its text.

    Compare `parse` and `format` of the codecs in `actions` and `notes`.
    """
    domain = subject.domain
    for _, step in subject.policy():
        for emitted in step.emits:
            round_trip(domain.actions if emitted in domain.actions else domain.notes, emitted)


@needs("instructions_round_trip", "actions_and_notes_round_trip")
def names_are_interchangeable(subject: DomainSubject) -> None:
    """Names that change places in an instruction change places in its step, and nothing else changes.

    This holds for the names that the domain declares in `interchangeable_names`. A model may be trained with them
    permuted, which is right only if `expand` never asks what a thing is called.
    """
    domain, rng = subject.domain, random.Random(0)
    for instruction, step in subject.policy() if domain.interchangeable_names else ():
        texts = _texts(domain, instruction, step)
        permuted = dict[str, str]()
        for letters in sorted(domain.interchangeable_names):
            names = sorted({name for text in texts for name in names_in(text, {letters})})
            permuted |= zip(names, rng.sample(names, len(names)), strict=True)
        prompt, *expected = (rename(text, permuted) for text in texts)
        with trying(prompt):
            other = domain.instructions.parse(prompt)
            _, *found = _texts(domain, other, domain.expand(other))
        same = found == expected
        require(same, f"with other names this leads to {found}, where {texts[0]!r} leads to {texts[1:]}", prompt)


def _texts(domain: Domain[Any, Any, Any, Any], instruction: Any, step: Step[Any, Any]) -> list[str]:
    """The texts of an instruction and of all that its step writes."""
    actions = [(domain.actions if each in domain.actions else domain.notes).format(each) for each in step.emits]
    then = (*step.then, *([] if step.last is None else [step.last]))
    return [domain.instructions.format(instruction), *actions, *map(domain.instructions.format, then)]
