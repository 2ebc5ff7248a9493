"""Checks of what a domain reads and writes."""

import random
from collections.abc import Sequence
from typing import Any

from coc_core.domain import parse_problem
from coc_core.errors import UsageError
from coc_core.testing.check import require, trying
from coc_core.testing.domain.subject import Subject
from coc_core.text import Forms, find_unprintable, quoted

MUTATIONS = 300


def problems_round_trip(subject: Subject) -> None:
    """The text of a problem is read back as the same problem.

    Compare `parse` and `format` of the codecs in `problems`: a list where the record holds a tuple is enough.
    """
    for problem in subject.problems:
        _round_trip(subject.domain.problems, problem)
        text = subject.domain.problems.format(problem)
        with trying(text):
            require(parse_problem(subject.domain, text) == problem, f"{text} is read as another one", text)


def instructions_round_trip(subject: Subject) -> None:
    """Every instruction that the policy writes is read back from its text.

    Compare `parse` and `format` of the codecs in `instructions`: the memory holds the text alone.
    """
    for instruction in subject.instructions():
        _round_trip(subject.domain.instructions, instruction)


def emissions_round_trip(subject: Subject) -> None:
    """Every action and note of a run is read back from its text.

    Compare `parse` and `format` of the codecs in `actions` and `notes`.
    """
    for step in subject.steps():
        for emitted in step.emits:
            action = emitted in subject.domain.actions
            _round_trip(subject.domain.actions if action else subject.domain.notes, emitted)


def equal_values_hash_alike(subject: Subject) -> None:
    """Problems, instructions and actions of one text are equal and hash alike, those of two texts are not equal.

    They are kept in dictionaries. Make their records `attrs.frozen`, and their fields tuples, not lists.
    """
    domain = subject.domain
    _told_apart(domain.problems, subject.problems)
    _told_apart(domain.instructions, list(subject.instructions()))
    _told_apart(domain.actions, [action for run in subject.runs() for action in run.plan])


def malformed_problems_are_refused(subject: Subject) -> None:
    """Whatever text a person types is a problem or a UsageError.

    A codec's `parse` may raise nothing but ValueError, and `size` has to work for whatever is read.
    """
    rng = random.Random("malformed problems")
    for text in _mutations(list(map(subject.domain.problems.format, subject.problems)), rng):
        with trying(text):
            try:
                parse_problem(subject.domain, text)
            except UsageError as error:
                require("\n" not in str(error), f"the complaint is more than one line: {error}", text)


def malformed_texts_are_value_errors(subject: Subject) -> None:
    """Whatever a model writes where an instruction or an action belongs is one, or a ValueError.

    A codec's `parse` may raise nothing else, so a name that it looks up in a table has to be tested first.
    """
    rng = random.Random("malformed texts")
    domain = subject.domain
    run = max(subject.runs(), key=lambda run: run.steps)
    instructions = [domain.instructions.format(domain.start(problem)) for problem in subject.problems]
    actions = [domain.actions.format(action) for action in run.plan]
    for forms, texts in ((domain.instructions, instructions), (domain.actions, actions)):
        for text in _mutations(texts, rng):
            with trying(text):
                try:
                    value = forms.parse(text)
                except ValueError:
                    continue
                require(forms.format(value) == text, f"it is read as {value!r}, which is written differently", text)


def _round_trip(forms: Forms[Any], value: Any) -> None:
    with trying(repr(value)):
        text = forms.format(value)
        require(
            find_unprintable(text) is None and "\n" not in text, f"{quoted(text)} is not one line of printable ASCII"
        )
        require(forms.parse(text) == value, f"{value!r} is written as {quoted(text)}, which is read as another", text)


def _told_apart(forms: Forms[Any], values: Sequence[Any]) -> None:
    seen: dict[Any, str] = {}
    for text in dict.fromkeys(map(forms.format, values)):
        with trying(text):
            one, other = forms.parse(text), forms.parse(text)
            require(one == other, f"{one!r} does not equal itself when it is read again", text)
            require(hash(one) == hash(other), f"{one!r} and its equal have different hashes", text)
            before = seen.setdefault(one, text)
            require(before == text, f"{one!r} is also what {quoted(before)} is read as", text)


def _mutations(texts: Sequence[str], rng: random.Random) -> list[str]:
    """Some of the texts with small mistakes, short ones first."""
    return sorted((_mutated(rng.choice(texts), rng) for _ in range(MUTATIONS)), key=lambda text: (len(text), text))


def _mutated(text: str, rng: random.Random) -> str:
    """`text` with one to three characters dropped, or replaced by one or two others that it holds."""
    characters = list(text)
    for _ in range(rng.randint(1, 3)):
        place = rng.randint(0, len(characters))
        characters[place : place + 1] = rng.choices(text, k=rng.randint(0, 2))
    return "".join(characters)
