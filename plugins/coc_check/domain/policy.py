"""Checks of a domain's policy, of its runs in every setting, and of the problems that the domain lists."""

import random
from collections.abc import Iterator, Mapping
from itertools import islice, permutations
from string import digits
from typing import Any

from coc_check.check import require
from coc_check.domain.subject import LONGEST_RUN, AnyDomain, DomainSubject, Run, length
from coc_core.domain import StoresRecords
from coc_core.text import counted, find_unprintable, format_sizes, letters_in, names_in, number_names, rename
from coc_core.types import Expectation, Step
from coc_problems import closure, has_few_kinds, policy_actions, policy_steps, validate
from coc_programs import Ended, Program, Record, interpret

SEEDS = 2  # problems of each size whose runs are counted
PLACES = (*range(32), *(32 * 4**more // 3**more for more in range(99)))  # of these sizes in a domain's list
ROOM = 64  # characters that a prompt may have more than twice the first one
SIZES, FEW, DRAWS = 8, 5, 60  # the smallest ones whose problems are listed, or drawn, and problems of each
LISTED, MOST = 200, 1_000  # problems of a list: those that are read, and those that are searched
NAMES = 5  # that are tried in every order


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
    """The policy solves every problem in every setting.

    Look at the first illegal action, or at what `is_goal` says of the last state. `then` is in execution order.
    """
    for setting in subject.settings:
        for run in subject.runs(setting):
            found = validate(subject.domain, run.problem, run.plan)
            require(found.verdict == "complete", f"the plan is {found}")


def settings_agree(subject: DomainSubject) -> None:
    """Every memory and every arithmetic gives the same plan, and a program does what it does in Python.

    A policy that depends on the instruction alone does that; a surface of the domain's own may lose a part of it. Look
    in a program for what helper functions change or draw at random.
    """
    for setting in subject.settings:
        for one, other in zip(subject.runs(), subject.runs(setting), strict=True):
            if isinstance(setting.domain, Program):
                _as_in_python(setting.domain, other)
            first = subject.named(one.problem, subject.settings[0])
            require(one.plan == other.plan, f"this gives another plan than {first}")


def _as_in_python(domain: Program[Any, Any, Any], run: Run) -> None:
    """Compare a run of a compiled program with that of its generator functions."""
    emits = [each for _, step in policy_steps(domain, run.problem) for each in step.emits if type(each) is not Ended]
    records = list[Any]()

    def python() -> Iterator[Any]:
        records.extend((yield from interpret(*domain.begin(run.problem)))[1])

    told = list(islice(python(), len(emits) + 1))
    require(told == emits, f"the compiled program gives {emits}, and Python {told}"[:400])
    written = [domain.instructions.format(domain.compiled.written(each, each.fields)) for each in records]
    same = not run.records or {*run.records} <= {*written}  # some may have been dropped
    require(same, f"the run ends with {run.records}, and Python with {written}"[:400])


def expectation_holds(subject: DomainSubject) -> None:
    """Where the length of a run is known in closed form, the run has it.

    Compare `expect` with small runs by hand: it counts every action and every window that is read. Runs of large
    problems are counted without taking each step.
    """
    domain, known = subject.domain, set[int]()
    for setting in subject.settings:
        for run in subject.runs(setting):
            _as_expected(subject, setting.convention.expect(run.problem), (len(run.plan), len(run.steps)))
    sizes = dict.fromkeys((*(domain.sizes[place] for place in PLACES if place < len(domain.sizes)), domain.sizes[-1]))
    for problem in (domain.problem(n, seed) for n in sizes for seed in range(SEEDS)):
        subject.at, expected = subject.named(problem), domain.expect(problem)
        if expected is not None and (found := length(domain, problem)):
            known.add(domain.size(problem))
            _as_expected(subject, expected, found)
    if known:
        subject.tried["lengths of runs"] = f"n = {format_sizes(known)}"


def _as_expected(subject: DomainSubject, expected: Expectation | None, found: tuple[int, int]) -> None:
    known = found if expected is None else (expected.actions, expected.steps)
    require(found == known, f"it takes (actions, steps) {found}, not {known}", where=subject.where("expect"))


def steps_are_short_and_clean(subject: DomainSubject) -> None:
    """Every target says something, in printable ASCII, and is read back; no prompt grows with the steps taken.

    A step has to have an action, a note or a successor; templates of a surface need literals between their fields. An
    instruction holds what is still to do, not what was done: leave out the history.
    """
    for setting in subject.settings:
        domain, convention = setting.domain, setting.convention
        is_finite = isinstance(domain, StoresRecords) and domain.finitely_many_kinds  # as `kinds_are_few` checks
        for run in subject.runs(setting):
            first, most = run.steps[0].prompt, 2 * len(run.steps[0].prompt) + ROOM
            for step in run.steps:
                subject.at, target = step.prompt, step.target
                clean = bool(target) and find_unprintable(target) is None
                require(clean, f"the target is empty or unprintable: {target!a}")
                again = convention.format(convention.parse(target).target)
                require(again == target, f"{target!r} is written again as {again!r}")
                size = len(number_names(step.prompt, domain.interchangeable_names)[0])
                short = convention.growing_prompts or is_finite or size <= most
                require(short, f"a prompt has {size} characters, more than {most}, on the way from {first}")


def kinds_are_few(subject: DomainSubject) -> None:
    """Where the domain says so, all prompts with names numbered in their order can be listed, and runs have no others.

    A field with a number or a list makes ever more of them. `expand` has to deal with each instruction and each record
    together, also where no run has them together.
    """
    for setting in subject.settings:
        if has_few_kinds(setting.convention):
            subject.at = f"{setting.domain.name} on {setting.memory.name}"
            listed = dict(closure(setting.convention, subject.problems))
            for step in (step for run in subject.runs(setting) for step in run.steps):
                subject.at, found = step.prompt, listed.get(step.prompt)
                require(found == step.target, f"the list has {found!r} where a run has {step.target!r}")


def problems_are_listed(subject: DomainSubject) -> None:
    """Every problem of a size is listed once, always in the same order, and what is drawn is listed, but for names.

    Look at `_every_problem`: a set has no order of its own, two paths may lead to one problem, and a kind may be
    missing; or at `_problem`, if it always draws the same one. A problem counts as listed if a listed one has the same
    start, and the run's last state as a goal.
    """
    domain, drawn = subject.domain, set[int]()
    for n in domain.sizes[:SIZES] if domain._every_problem(domain.sizes[0]) is not None else ():
        subject.at, listed, texts = f"n={n}", subject.listed(n, MOST + 1), set[str]()
        require(bool(listed), f"no problem of size {n} is listed")
        require(listed[:LISTED] == subject.listed(n, LISTED), f"size {n} is listed in two ways")
        for problem in listed[:LISTED]:
            text = subject.at = domain.problems.format(problem)
            require(text not in texts, f"a problem of size {n} is listed twice")
            require(domain.size(problem) == n, f"a problem listed for {n} has the size {domain.size(problem)}")
            texts.add(text)
        if len(listed) <= MOST and len(drawn) < FEW:
            _are_listed(subject, n, listed)
            drawn.add(n)
            subject.tried["problems that are drawn and listed"] = f"n = {format_sizes(drawn)}, {DRAWS} seeds each"


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
