"""Checks of a domain's policy: by itself, and of its runs in every setting."""

import random
from itertools import product
from string import digits
from typing import Any

from coc_check.check import needs, require
from coc_check.domain.subject import AnyDomain, DomainSubject, Run, length
from coc_check.hostile import small_mistakes
from coc_core.domain import StoresRecords
from coc_core.text import find_unprintable, format_sizes, names_in, number_names, rename
from coc_core.types import Expectation, Step
from coc_problems import policy_steps, validate
from coc_programs import Ended, Program, Record, interpret

NEEDS = ("goal_is_reached",)
SEEDS = 2  # problems of each size whose runs are counted
PLACES = (*range(32), *(32 * 4**more // 3**more for more in range(99)))  # of these sizes in a domain's list
ROOM = 64  # characters that a prompt may have more than twice the first one


@needs("problems_round_trip")
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
        require(step == domain.expand(instruction), f"{instruction!r} has two steps")
        same, before = rules.setdefault(text, (instruction, step))
        require(instruction == same, f"it is the text of two instructions: {same!r} and {instruction!r}")
        require(step == before, f"{instruction!r} leads to {before} at first, and later to {step}")
        chained = domain.continuation != "chain" or len(step.then) <= 1
        require(chained, f"{instruction!r} has {len(step.then)} successors, a chain has one")
    for text, (instruction, step) in reversed(rules.items()):
        subject.at = text
        again = domain.expand(instruction)
        require(again == step, f"{instruction!r} leads to {step} at first, and later to {again}")


@needs("policy_is_deterministic")
def instructions_round_trip(subject: DomainSubject) -> None:
    """Every instruction that the policy writes is read back from its text.

    Compare `parse` and `format` of the codecs in `instructions`: the memory holds the text alone.
    """
    for instruction, step in subject.policy():
        for each in (instruction, *([] if step.last is None else [step.last])):
            subject.round_trip(subject.domain.instructions, each)


@needs("policy_is_deterministic")
def actions_and_notes_round_trip(subject: DomainSubject) -> None:
    """Every action and note of a run is read back from its text.

    Compare `parse` and `format` of the codecs in `actions` and `notes`.
    """
    domain = subject.domain
    for _, step in subject.policy():
        for emitted in step.emits:
            subject.round_trip(domain.actions if emitted in domain.actions else domain.notes, emitted)


@needs("instructions_round_trip", "actions_and_notes_round_trip")
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


@needs("instructions_round_trip", "actions_and_notes_round_trip")
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
        domain = setting.domain
        if isinstance(domain, Program):
            for run in subject.runs(setting):
                _as_in_python(domain, run)
    for setting in subject.settings[1:]:
        for one, other in zip(subject.runs(), subject.runs(setting), strict=True):
            first = subject.named(one.problem, subject.settings[0])
            require(one.plan == other.plan, f"this gives another plan than {first}")


def _as_in_python(domain: Program[Any, Any, Any], run: Run) -> None:
    """Compare a run of a compiled program with that of its generator functions."""
    emits = [each for _, step in policy_steps(domain, run.problem) for each in step.emits if type(each) is not Ended]
    python, told, records = interpret(*domain.begin(run.problem)), list[Any](), list[Any]()
    while len(told) <= len(emits):
        try:
            told.append(next(python))
        except StopIteration as stop:
            _, records = stop.value
            break
    require(told == emits, f"the compiled program gives {emits}, and Python {told}"[:400])
    actions = tuple(each for each in emits if each in domain.actions)
    require(run.plan == actions, f"the run takes {run.plan}, and Python {actions}"[:400])
    written = [domain.instructions.format(domain.compiled.written(each, each.fields)) for each in records]
    same = not run.records or {*run.records} <= {*written}  # some may have been dropped
    require(same, f"the run ends with {run.records}, and Python with {written}"[:400])


def expectation_holds(subject: DomainSubject) -> None:
    """Where the length of a run is known in closed form, the run has it.

    Compare `expect` with small runs by hand: it counts every action and every window that is read. Runs of large
    problems are counted without taking each step.
    """
    domain, counted = subject.domain, set[int]()
    for setting in subject.settings:
        for run in subject.runs(setting):
            _as_expected(subject, setting.convention.expect(run.problem), (len(run.plan), len(run.steps)))
    sizes = dict.fromkeys((*(domain.sizes[place] for place in PLACES if place < len(domain.sizes)), domain.sizes[-1]))
    for n, seed in product(sizes, range(SEEDS)):
        problem = domain.problem(n, seed)
        subject.at, expected = subject.named(problem), domain.expect(problem)
        found = None if expected is None else length(domain, problem)
        if found is not None:
            counted.add(n)
            _as_expected(subject, expected, found)
    if counted:
        subject.tried["lengths of runs"] = f"n = {format_sizes(counted)}"


def _as_expected(subject: DomainSubject, expected: Expectation | None, found: tuple[int, int]) -> None:
    known = found if expected is None else (expected.actions, expected.steps)
    require(found == known, f"it takes (actions, steps) {found}, not {known}", where=subject.where("expect"))


@needs("effects_match_changes")
def goals_are_not_everywhere(subject: DomainSubject) -> None:
    """Some problem is not solved at its start, nor just before the last move that its plan makes.

    Compare `is_goal` with `initial`: a goal that holds everywhere makes any model look right.
    """
    for run in subject.runs():
        pairs = zip(run.states, run.plan, strict=False)
        moved = [state for state, action in pairs if subject.domain.effect(state, action)]
        if moved and not subject.domain.is_goal(run.problem, moved[-1]):
            return
    subject.at = ""
    complaint = "every problem is solved at its start, or before the last move of its plan"
    require(False, complaint, where=subject.where("is_goal"))


def targets_are_clean(subject: DomainSubject) -> None:
    """Every target says something, in printable ASCII, and is read back as it was written.

    A step has to have an action, a note or a successor; templates of a surface need literals between their fields.
    """
    for setting in subject.settings:
        for step in (step for run in subject.runs(setting) for step in run.steps):
            subject.at, target = step.prompt, step.target
            clean = bool(target) and find_unprintable(target) is None
            require(clean, f"the target is empty or unprintable: {target!a}")
            again = setting.convention.format(setting.convention.parse(target).target)
            require(again == target, f"{target!r} is written again as {again!r}")


def prompts_stay_short(subject: DomainSubject) -> None:
    """No prompt grows with the number of steps taken, unless the convention says that its prompts do.

    An instruction holds what is still to do, not what was done: leave out the history.
    """
    for setting in subject.settings:
        domain = setting.domain
        is_finite = isinstance(domain, StoresRecords) and domain.finitely_many_kinds  # as `kinds_are_few` checks
        for run in () if setting.convention.growing_prompts or is_finite else subject.runs(setting):
            first, most = run.steps[0].prompt, 2 * len(run.steps[0].prompt) + ROOM
            by_place = (number_names(step.prompt, domain.interchangeable_names)[0] for step in run.steps)
            longest = subject.at = max(by_place, key=len)
            complaint = f"a prompt has {len(longest)} characters, more than {most}, on the way from {first}"
            require(len(longest) <= most, complaint)


def malformed_texts_are_value_errors(subject: DomainSubject) -> None:
    """Whatever a model writes where an instruction or an action belongs is one, or a ValueError.

    A codec's `parse` may raise nothing else, so a name that it looks up in a table has to be tested first.
    """
    domain, run = subject.domain, max(subject.runs(), key=lambda run: len(run.steps))
    instructions = [domain.instructions.format(domain.start(problem)) for problem in subject.problems]
    actions = [domain.actions.format(action) for action in run.plan]
    for forms, texts in ((domain.instructions, instructions), (domain.actions, actions)):
        for text in small_mistakes(texts):
            subject.at = text
            try:
                value = forms.parse(text)
            except ValueError:
                continue
            require(forms.format(value) == text, f"it is read as {value!r}, which is written differently")
