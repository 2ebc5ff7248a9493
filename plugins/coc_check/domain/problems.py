"""Checks of a domain's types, name and problems, and of the texts that stand for what it has."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from itertools import product
from typing import Any

from coc_check.check import PLAIN_NAME, one_line, require
from coc_check.domain.subject import DomainSubject
from coc_check.hostile import small_mistakes
from coc_check.results import shown
from coc_core.domain import NearGoal, parse_problem
from coc_core.errors import UsageError
from coc_core.text import Forms, quoted
from coc_problems import near_goal_problem

SIZES, SEEDS = 8, 2  # the smallest ones that the domain accepts, and problems of each that are drawn twice

ATTRIBUTES: dict[str, tuple[type, str]] = {
    "name": (str, "a text"),
    "sizes": (range, "a range"),
    **dict.fromkeys(("problems", "instructions", "actions", "notes"), (Forms, "Forms")),
    "interchangeable_names": (Collection, "a frozenset"),
    "surfaces": (Mapping, "a mapping"),
}
"""The type of each attribute of a domain, and what it is called."""


def attributes_are_right(subject: DomainSubject) -> None:
    """Each attribute has the type that the interface names; name and summary are as the domain is offered, and plain.

    Run files and checkpoints name a domain by `Domain.name` and find it by the name in its `DomainSpec`. A name is of
    lower-case letters, digits and dashes, a summary one line.
    """
    domain, where = subject.domain, subject.where()
    for name, (kind, words) in ATTRIBUTES.items():
        value = getattr(domain, name, None)
        require(isinstance(value, kind), f"the attribute `{name}` is {shown(value)}, not {words}", where=where)
    require(len(domain.sizes) > 0, "the attribute `sizes` is empty", where=where)
    known = domain.continuation in ("linked", "chain")
    require(known, f"the attribute `continuation` is {domain.continuation!r}, not 'linked' or 'chain'", where=where)
    own, given, summary = domain.name, subject.spec.name, subject.spec.summary
    require(own == given, f"the domain is called {quoted(own)}, and it is offered as {quoted(given)}")
    require(bool(PLAIN_NAME.fullmatch(own)), f"the name {quoted(own)} is not of lower-case letters, digits and dashes")
    require(one_line(summary), f"the summary {quoted(summary)} is not one line of printable ASCII")
    first = domain.problem(domain.sizes[0])
    expected = domain.expect(first)
    optional = {
        "problems of a size (`_every_problem`)": domain._every_problem(domain.sizes[0]),
        "moves (`every_action`)": domain.neighbours(domain.initial(first)),
        "lengths of runs (`expect`)": expected,
        "the optimum (`Expectation.optimum`)": not expected or expected.optimum or None,
    }
    if missing := [words for words, value in optional.items() if value is None]:
        subject.tried["not stated"] = ", ".join(missing)


def seeds_decide(subject: DomainSubject) -> None:
    """A size and a seed always draw the same problem, of that size, whatever was drawn before.

    Take every random choice from the generator that `_problem` is given, and `near_goal_problem` where there is one,
    and keep nothing from one call to the next.
    """
    ways: list[Callable[[int, int], Any]] = [subject.domain.problem]
    if isinstance(subject.domain, NearGoal):
        ways.append(partial(near_goal_problem, subject.domain))
    for n, draw in product(subject.domain.sizes[:SIZES], ways):
        for seed, one in reversed([(seed, draw(n, seed)) for seed in range(SEEDS)]):
            subject.at = f"n={n}, seed={seed}"
            other, size = draw(n, seed), subject.domain.size(one)
            require(one == other, f"it draws another problem the second time: {one!r} and {other!r}")
            require(size == n, f"the problem {one!r} has the size {size}")


def policy_is_deterministic(subject: DomainSubject) -> None:
    """The text of an instruction always leads to the same step, whatever ran before it, and a problem has one start.

    Look in `expand` for random choices, for sets that are iterated, and for whatever is not in the instruction.
    Its text is all that the model reads: no codec may leave out a part of it.
    """
    domain, rules = subject.domain, dict[str, tuple[Any, Any]]()
    for problem in subject.problems:
        subject.at = subject.named(problem)
        require(domain.initial(problem) == domain.initial(problem), "a problem has two first states")
    for instruction, step in subject.policy():
        text = subject.at = domain.instructions.format(instruction)
        same, before = rules.setdefault(text, (instruction, step))
        require(instruction == same, f"it is the text of two instructions: {same!r} and {instruction!r}")
        require(step == before, f"{instruction!r} leads to {before} at first, and later to {step}")
        chained = domain.continuation != "chain" or len(step.then) <= 1
        require(chained, f"{instruction!r} has {len(step.then)} successors, a chain has one")
    for text, (instruction, step) in reversed(rules.items()):
        subject.at = text
        again = domain.expand(instruction)
        require(again == step, f"{instruction!r} leads to {step} at first, and later to {again}")


def texts_round_trip(subject: DomainSubject) -> None:
    """Every problem, and every instruction, action and note of the policy, is read back from its text.

    Compare `parse` and `format` of the codecs in `problems`, `instructions`, `actions` and `notes`: a list where the
    record holds a tuple is enough. The memory holds the text alone.
    """
    domain = subject.domain
    subject.round_trip(domain.problems, subject.problems)
    for problem in subject.problems:
        text = subject.at = domain.problems.format(problem)
        require(parse_problem(domain, text) == problem, f"{text} is read as another one")
    for instruction, step in subject.policy():
        subject.round_trip(domain.instructions, (instruction, *([] if step.last is None else [step.last])))
        for emitted in step.emits:
            subject.round_trip(domain.actions if emitted in domain.actions else domain.notes, [emitted])


def malformed_texts_are_refused(subject: DomainSubject) -> None:
    """Whatever is written where a problem, an instruction or an action belongs is one, or a ValueError.

    A codec's `parse` may raise nothing else, so a name that it looks up in a table has to be tested first. `size` has
    to work for whatever problem is read.
    """
    domain = subject.domain
    actions = [each for _, step in subject.policy() for each in step.emits if each in domain.actions]
    texts = (domain.problems, subject.problems), (domain.instructions, map(domain.start, subject.problems))
    for forms, values in (*texts, (domain.actions, actions)):
        for text in small_mistakes([*dict.fromkeys(map(forms.format, values))]):
            subject.at = text
            try:
                if forms is domain.problems:
                    parse_problem(domain, text)
                    continue
                value = forms.parse(text)
            except UsageError as error:
                require("\n" not in str(error), f"the message is more than one line: {error}")
            except ValueError:
                continue
            else:
                require(forms.format(value) == text, f"it is read as {value!r}, which is written differently")
