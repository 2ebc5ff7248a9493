"""Checks of a domain's types, problems and texts, of its policy, and of its runs in every setting."""

import random
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from itertools import islice, permutations
from string import digits
from typing import Any

from coc_check.check import PLAIN_NAME, one_line, require, shown
from coc_check.domain.subject import LONGEST_RUN, AnyDomain, DomainSubject, length
from coc_check.hostile import small_mistakes
from coc_check.plain import Trace
from coc_core.domain import StoresRecords, parse_problem, split_record
from coc_core.errors import UsageError
from coc_core.text import Forms, counted, letters_in, names_in, number_names, quoted, rename
from coc_core.types import Expectation, Step
from coc_problems import closure, has_few_kinds, policy_actions, policy_steps, validate
from coc_programs import Ended, Program, Record, interpret

SIZES, SEEDS = 8, 2  # the smallest ones whose problems are drawn twice or listed, and problems of each
PLACES = (*range(32), *(32 * 4**more // 3**more for more in range(99)))  # sizes, in a domain's list, of counted runs
ROOM = 64  # characters that a prompt may have more than twice the first one
FEW, DRAWS = 5, 60  # sizes of which problems are drawn and looked up in the list, and problems of each
LISTED, MOST = 200, 1_000  # problems of a list: those that are read, and those that are searched
NAMES = 5  # that are tried in every order

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

    Take every random choice from the generator that `_problem` is given, and keep nothing from one call to the next.
    """
    domain = subject.domain
    for n in domain.sizes[:SIZES]:
        for seed, one in reversed([(seed, domain.problem(n, seed)) for seed in range(SEEDS)]):
            subject.at = f"n={n}, seed={seed}"
            other, size = domain.problem(n, seed), domain.size(one)
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
    """Every problem, instruction, action and note of the policy is read back from its text; no other text is one.

    Compare `parse` and `format` of the codecs in `problems`, `instructions`, `actions` and `notes`: a list where the
    record holds a tuple is enough. The memory holds the text alone. A codec's `parse` may raise nothing but a
    ValueError, so a name that it looks up in a table has to be tested first. `size` has to work for whatever is read.
    """
    domain, steps = subject.domain, list(subject.policy())
    emitted = [each for _, step in steps for each in step.emits]
    last = [step.last for _, step in steps if step.last is not None]
    for forms, values in (
        (domain.problems, subject.problems),
        (domain.instructions, [*(instruction for instruction, _ in steps), *last]),
        (domain.actions, [each for each in emitted if each in domain.actions]),
        (domain.notes, [each for each in emitted if each not in domain.actions]),
    ):
        read = partial(parse_problem, domain) if forms is domain.problems else forms.parse
        texts = dict[str, Any]()
        for value in values:
            subject.at = repr(value)
            text = forms.format(value)
            texts[text] = value
            require(one_line(text), f"{quoted(text)} is not one line of printable ASCII")
            require(read(text) == value, f"{value!r} is written as {quoted(text)}, which is read as another", text)
        for text in small_mistakes([*texts]):
            subject.at = text
            try:
                found = read(text)
            except UsageError as error:
                require("\n" not in str(error), f"the message is more than one line: {error}")
            except ValueError:
                continue
            else:  # a problem may be given in other words
                same = forms is domain.problems or forms.format(found) == text
                require(same, f"it is read as {found!r}, which is written differently")


def names_are_interchangeable(subject: DomainSubject) -> None:
    """Names that change places in an instruction change places in its step, and nothing else changes.

    This holds for the names that the domain declares in `interchangeable_names`. A model may be trained with them
    permuted, which is right only if `expand` never asks what a thing is called.
    """
    domain, rng = subject.domain, random.Random(0)
    for instruction, step in subject.policy() if domain.interchangeable_names else ():
        texts, permuted = _texts(domain, instruction, step), dict[str, str]()
        groups = [{letters} for letters in sorted(domain.interchangeable_names)]
        for letters in [{*domain.interchangeable_names}] if {Record.letters} in groups else groups:
            names = {name: name.rstrip(digits) for text in texts for name in names_in(text, letters)}
            numbers = sorted({name.removeprefix(before) for name, before in names.items()})
            others = dict(zip(numbers, rng.sample(numbers, len(numbers)), strict=True))
            permuted |= {name: before + others[name.removeprefix(before)] for name, before in names.items()}
        subject.at, *expected = (rename(text, permuted) for text in texts)
        other = domain.instructions.parse(subject.at)
        _, *found = _texts(domain, other, domain.expand(other))
        require(found == expected, f"with other names this leads to {found}, where {texts[0]!r} leads to {texts[1:]}")


def _texts(domain: AnyDomain, instruction: Any, step: Step[Any, Any]) -> list[str]:
    """Return the texts of an instruction and of all that its step writes."""
    actions = [(domain.actions if each in domain.actions else domain.notes).format(each) for each in step.emits]
    then = (*step.then, *([] if step.last is None else [step.last]))
    return [domain.instructions.format(instruction), *actions, *map(domain.instructions.format, then)]


def goal_is_reached(subject: DomainSubject) -> None:
    """The policy solves every problem in every setting, with the same plan; a program does what it does in Python.

    Look at the first illegal action, or at what `is_goal` says of the last state: if it holds everywhere, any model
    looks right. `then` is in execution order. A policy that depends on the instruction alone has one plan; a surface of
    the domain's own may lose a part of it. Look in a program for what helper functions change or draw at random.
    """
    domain, moved = subject.domain, False
    for setting in subject.settings:
        for (problem, one), (_, other) in zip(subject.runs(), subject.runs(setting), strict=True):
            found = validate(domain, problem, other.plan)
            require(found.verdict == "complete", f"the plan is {found}")
            if isinstance(setting.domain, Program):
                _as_in_python(setting.domain, problem, other)
            first = subject.named(problem, subject.settings[0])
            require(one.plan == other.plan, f"this gives another plan than {first}")
            before = next((state for state in one.states[::-1] if state != one.states[-1]), None)
            moved |= before is not None and not domain.is_goal(problem, before)
    subject.at, complaint = "", "every problem is solved at its start, or before the last move of its plan"
    require(moved, complaint, where=subject.where("is_goal"))


def _as_in_python(domain: Program[Any, Any, Any], problem: Any, run: Trace) -> None:
    """Compare a run of a compiled program with that of its generator functions."""
    emits = [each for _, step in policy_steps(domain, problem) for each in step.emits if type(each) is not Ended]
    records = list[Any]()

    def python() -> Iterator[Any]:
        records.extend((yield from interpret(*domain.begin(problem)))[1])

    told = list(islice(python(), len(emits) + 1))
    require(told == emits, f"the compiled program gives {emits}, and Python {told}"[:400])
    written = [domain.instructions.format(domain.compiled.written(each, each.fields)) for each in records]
    kept = tuple(filter(split_record, run.windows)) if "records" in domain.needs else ()
    same = not kept or {*kept} <= {*written}  # some may have been dropped
    require(same, f"the run ends with {kept}, and Python with {written}"[:400])


def expectation_holds(subject: DomainSubject) -> None:
    """Where the length of a run is known in closed form, the run has it.

    Compare `expect` with small runs by hand: it counts every action and every window that is read. Runs of large
    problems are counted without taking each step.
    """
    domain = subject.domain
    for setting in subject.settings:
        for problem, run in subject.runs(setting):
            _as_expected(subject, setting.convention.expect(problem), (len(run.plan), len(run.steps)))
    sizes = dict.fromkeys((*(domain.sizes[place] for place in PLACES if place < len(domain.sizes)), domain.sizes[-1]))
    for problem in (domain.problem(n, seed) for n in sizes for seed in range(SEEDS)):
        subject.at, expected = subject.named(problem), domain.expect(problem)
        if expected is not None and (found := length(domain, problem)):
            _as_expected(subject, expected, found)


def _as_expected(subject: DomainSubject, expected: Expectation | None, found: tuple[int, int]) -> None:
    known = found if expected is None else (expected.actions, expected.steps)
    require(found == known, f"it takes (actions, steps) {found}, not {known}", where=subject.where("expect"))


def prompts_are_short(subject: DomainSubject) -> None:
    """No prompt grows with the steps taken; where the domain says that all prompts can be listed, runs have no others.

    An instruction holds what is still to do, not what was done: leave out the history. A field with a number or a list
    makes ever more prompts, and `expand` has to deal with each instruction and each record together, also where no run
    has them together.
    """
    for setting in subject.settings:
        domain, convention = setting.domain, setting.convention
        subject.at = f"{domain.name} on {setting.memory.name}"
        listed = dict(closure(convention, subject.problems)) if has_few_kinds(convention) else None
        is_finite = isinstance(domain, StoresRecords) and domain.finitely_many_kinds
        for _, run in subject.runs(setting):
            first, most = run.steps[0].prompt, 2 * len(run.steps[0].prompt) + ROOM
            for step in run.steps:
                subject.at, target = step.prompt, step.target
                size = len(number_names(step.prompt, domain.interchangeable_names)[0])
                short = convention.growing_prompts or is_finite or size <= most
                require(short, f"a prompt has {size} characters, more than {most}, on the way from {first}")
                found = target if listed is None else listed.get(step.prompt)
                require(found == target, f"the list has {found!r} where a run has {target!r}")


def problems_are_listed(subject: DomainSubject) -> None:
    """Every problem of a size is listed once, always in the same order, and what is drawn is listed, but for names.

    Look at `_every_problem`: a set has no order of its own, two paths may lead to one problem, and a kind may be
    missing; or at `_problem`, if it always draws the same one. A problem counts as listed if a listed one has the same
    start, and the run's last state as a goal.
    """
    domain, compared = subject.domain, 0
    for n in domain.sizes[:SIZES] if domain._every_problem(domain.sizes[0]) is not None else ():
        subject.at, listed, texts = f"n={n}", list(islice(domain._every_problem(n) or (), MOST + 1)), set[str]()
        require(bool(listed), f"no problem of size {n} is listed")
        again = list(islice(domain._every_problem(n) or (), LISTED))
        require(listed[:LISTED] == again, f"size {n} is listed in two ways")
        for problem in listed[:LISTED]:
            text = subject.at = domain.problems.format(problem)
            require(text not in texts, f"a problem of size {n} is listed twice")
            require(domain.size(problem) == n, f"a problem listed for {n} has the size {domain.size(problem)}")
            texts.add(text)
        if len(listed) <= MOST and compared < FEW:
            _are_listed(subject, n, listed)
            compared += 1


def _are_listed(subject: DomainSubject, n: int, listed: list[Any]) -> None:
    """Nonconforming unless the problems that are drawn of a size are various, and listed."""
    domain, starts = subject.domain, dict[Any, list[Any]]()
    for problem in listed:
        starts.setdefault(domain.initial(problem), []).append(problem)
    drawn = dict.fromkeys(domain.problems.format(domain.problem(n, seed)) for seed in range(DRAWS))
    subject.at = next(iter(drawn))
    same = f"{DRAWS} seeds draw the same one of {counted(len(listed), 'problem')} of size {n}"
    require(len(drawn) > 1 or len(listed) == 1, same, where=subject.where("_problem"))
    complaint = f"it is drawn, and not among the listed problems of size {n}, which are {len(listed)}"
    for text in drawn:
        found = any(_is_listed(domain, starts, problem) for problem in _renamed(domain, text))
        require(found, complaint, text, where=subject.where("_every_problem"))


def _is_listed(domain: AnyDomain, starts: Mapping[Any, list[Any]], problem: Any) -> bool:
    """Return whether a listed problem has the same start, and a goal that the policy's run of this one reaches."""
    state = domain.initial(problem)
    same = starts.get(state, [])
    if same and problem not in same:
        for action in islice(policy_actions(domain, problem), LONGEST_RUN):
            state = domain.apply(state, action)
    return any(one == problem or domain.is_goal(one, state) for one in same)


def _renamed(domain: AnyDomain, text: str) -> Iterator[Any]:
    """Yield the problem with its names in every order, if they are few."""
    names = sorted(names_in(text, domain.interchangeable_names or letters_in(text)))
    for order in permutations(names) if len(names) <= NAMES else [names]:
        try:
            yield domain.problems.parse(rename(text, dict(zip(names, order, strict=True))))
        except ValueError:  # these names don't fit
            continue
