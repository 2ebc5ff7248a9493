"""Checks of what a domain reads and writes."""

import random
from typing import Any

from coc_core.errors import UsageError
from coc_core.problems import parse_problem
from coc_core.testing.check import require
from coc_core.testing.subject import Subject
from coc_core.text import Forms, shown, unprintable

MUTATIONS = 300


def problems_round_trip(subject: Subject) -> None:
    """The text of a problem is read back as the same problem."""
    for problem in subject.problems:
        _round_trip(subject.domain.problems, problem)
        text = subject.domain.problems.format(problem)
        require(parse_problem(subject.domain, text) == problem, f"the problem {text} is read as another one")


def instructions_round_trip(subject: Subject) -> None:
    """Every instruction that the policy writes is read back from its text."""
    for problem in subject.problems:
        _round_trip(subject.domain.instructions, subject.domain.start(problem))
    for step in subject.steps():
        for instruction in (*step.then, *([] if step.last is None else [step.last])):
            _round_trip(subject.domain.instructions, instruction)


def emissions_round_trip(subject: Subject) -> None:
    """Every action and note of a run is read back from its text."""
    for step in subject.steps():
        for emitted in step.emits:
            action = emitted in subject.domain.actions
            _round_trip(subject.domain.actions if action else subject.domain.notes, emitted)


def malformed_problems_are_refused(subject: Subject) -> None:
    """Whatever text a person types is a problem or a UsageError."""
    rng = random.Random("malformed problems")
    for _ in range(MUTATIONS):
        text = _mutated(subject.domain.problems.format(rng.choice(subject.problems)), rng)
        try:
            parse_problem(subject.domain, text)
        except UsageError as error:
            require("\n" not in str(error), f"the complaint about {shown(text)} is more than one line: {error}")


def malformed_texts_are_value_errors(subject: Subject) -> None:
    """Whatever a model writes where an instruction or an action belongs is one, or a ValueError."""
    rng = random.Random("malformed texts")
    domain = subject.domain
    run = max(subject.runs(), key=lambda run: run.steps)
    instructions = [domain.instructions.format(domain.start(problem)) for problem in subject.problems]
    actions = [domain.actions.format(action) for action in run.plan]
    for forms, texts in ((domain.instructions, instructions), (domain.actions, actions)):
        for _ in range(MUTATIONS):
            text = _mutated(rng.choice(texts), rng)
            try:
                value = forms.parse(text)
            except ValueError:
                continue
            require(forms.format(value) == text, f"{shown(text)} is read as {value!r}, which is written differently")


def _round_trip(forms: Forms[Any], value: Any) -> None:
    text = forms.format(value)
    require(unprintable(text) is None and "\n" not in text, f"{shown(text)} is not one line of printable ASCII")
    require(forms.parse(text) == value, f"{value!r} is written as {shown(text)}, which is read as another")


def _mutated(text: str, rng: random.Random) -> str:
    """`text` with one to three characters dropped, or replaced by one or two others that it holds."""
    characters = list(text)
    for _ in range(rng.randint(1, 3)):
        place = rng.randint(0, len(characters))
        characters[place : place + 1] = rng.choices(text, k=rng.randint(0, 2))
    return "".join(characters)
