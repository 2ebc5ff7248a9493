"""Checks of a domain's problems and of its policy, in every setting."""

import re
from collections.abc import Callable
from functools import partial
from itertools import islice, product
from typing import Any

from coc_core.domain import NearGoal, judge, near_goal_problem, policy_steps, validate
from coc_core.errors import UsageError
from coc_core.testing.check import require, trying
from coc_core.testing.domain.subject import SEEDS, SIZES, Subject
from coc_core.text import find_unprintable, quoted
from coc_core.types import Step

LISTED = 200  # problems of an enumeration
ROOM = 64  # characters that a prompt may have more than twice the first one

_PLAIN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)


def names_are_plain(subject: Subject) -> None:
    """The domain is called what it is offered as, in lower-case letters, digits and dashes; its summary is one line.

    Run files and checkpoints name a domain by `Domain.name` and find it by the name in its `DomainSpec`.
    """
    own, given, summary = subject.domain.name, subject.spec.name, subject.spec.summary
    require(own == given, f"the domain is called {quoted(own)}, and it is offered as {quoted(given)}")
    require(bool(_PLAIN.fullmatch(own)), f"the name {quoted(own)} is not of lower-case letters, digits and dashes")
    one_line = bool(summary.strip()) and find_unprintable(summary) is None and "\n" not in summary
    require(one_line, f"the summary {quoted(summary)} is not one line of printable ASCII")


def seeds_decide(subject: Subject) -> None:
    """A size and a seed always draw the same problem, of that size, whatever was drawn before.

    Take every random choice from the generator that `_problem` is given, and `near_goal_problem` where there is one,
    and keep nothing from one call to the next.
    """
    ways: list[Callable[[int, int], Any]] = [subject.domain.problem]
    if isinstance(subject.domain, NearGoal):
        ways.append(partial(near_goal_problem, subject.domain))
    for n, draw in product(subject.domain.sizes[:SIZES], ways):
        first = [draw(n, seed) for seed in range(SEEDS)]
        again = [draw(n, seed) for seed in reversed(range(SEEDS))]
        for seed, (one, other) in enumerate(zip(first, again[::-1], strict=True)):
            where = f"n={n}, seed={seed}"
            require(one == other, f"it gives another problem when it is asked again: {one!r} and {other!r}", where)
            size = subject.domain.size(one)
            require(size == n, f"the problem {one!r} has the size {size}", where)


def bad_sizes_are_refused(subject: Subject) -> None:
    """A size that the domain does not list is a UsageError.

    `Domain.problem` and `Domain.every_problem` see to it as long as nobody overrides them or `check_size`.
    """
    sizes = subject.domain.sizes
    for n in (sizes[0] - 1, sizes[-1] + 1):
        for ask in (subject.domain.problem, subject.domain.every_problem):
            try:
                ask(n)
            except UsageError:
                continue
            require(False, f"size {n} is accepted, although the sizes are {sizes}", f"n={n}")


def problems_are_listed_once(subject: Subject) -> None:
    """Every problem of a size is listed once, always in the same order, and has that size.

    Look at `_every_problem`: a set has no order of its own, and two paths may lead to one problem.
    """
    domain = subject.domain
    for n in domain.sizes[:SIZES]:
        listed = list(islice(domain.every_problem(n), LISTED))
        require(bool(listed), f"no problem of size {n} is listed", f"n={n}")
        seen = set[str]()
        for problem in listed:
            text = domain.problems.format(problem)
            require(text not in seen, f"a problem of size {n} is listed twice", text)
            require(domain.size(problem) == n, f"a problem listed for {n} has the size {domain.size(problem)}", text)
            seen.add(text)
        require(listed == list(islice(domain.every_problem(n), LISTED)), f"size {n} is listed in two ways", f"n={n}")


def policy_is_deterministic(subject: Subject) -> None:
    """An instruction always gets the same step, and a problem the same start.

    Look in `expand` for random choices, for sets that are iterated, and for whatever is not in the instruction.
    """
    domain, convention = subject.domain, subject.settings[0].convention
    for run in subject.runs():
        problem = run.problem
        require(
            domain.initial(problem) == domain.initial(problem), "a problem has two first states", subject.named(problem)
        )
        for prompt in run.prompts:
            instruction = convention.parse_prompt(prompt)[0]
            text = domain.instructions.format(instruction)
            step: Step[object, object] = domain.expand(instruction)
            require(step == domain.expand(instruction), f"{instruction!r} has two steps", text)
            if domain.continuation == "chain":
                successors = len(step.then)
                require(successors <= 1, f"{instruction!r} has {successors} successors, a chain has one", text)


def each_text_has_one_rule(subject: Subject) -> None:
    """No two instructions have one text, and a text leads to one step, whatever ran before it.

    An instruction's text is all that the model reads. What `expand` depends on has to be in the instruction, and no
    codec may leave out a part of it.
    """
    rules: dict[str, tuple[Any, Any]] = {}
    for run in subject.runs():
        for instruction, step in islice(policy_steps(subject.domain, run.problem), run.steps + 1):
            text = subject.domain.instructions.format(instruction)
            same, before = rules.setdefault(text, (instruction, step))
            require(instruction == same, f"it is the text of two instructions: {same!r} and {instruction!r}", text)
            require(step == before, f"{instruction!r} leads to {before} at first, and later to {step}", text)
    for text, (instruction, step) in reversed(rules.items()):
        again = subject.domain.expand(instruction)
        require(again == step, f"{instruction!r} leads to {step} at first, and later to {again}", text)


def goal_is_reached(subject: Subject) -> None:
    """The policy solves every problem in every setting.

    Look at the first illegal action, or at what `is_goal` says of the last state. `then` is in execution order.
    """
    for setting in subject.settings:
        for run in subject.runs(setting):
            found = validate(subject.domain, run.problem, run.plan)
            require(found.verdict == "complete", f"the plan is {found}", subject.named(run.problem, setting))


def settings_agree(subject: Subject) -> None:
    """Every memory and every arithmetic gives the same plan.

    A policy that depends on the instruction alone does that; a surface of the domain's own may lose a part of it.
    """
    for setting in subject.settings[1:]:
        for one, other in zip(subject.runs(), subject.runs(setting), strict=True):
            where = subject.named(one.problem, setting)
            first = subject.named(one.problem, subject.settings[0])
            require(one.plan == other.plan, f"this gives another plan than {first}", where)


def expectation_holds(subject: Subject) -> None:
    """Where the length of a run is known in closed form, the run has it.

    Compare `expect` with small runs by hand: it counts every action and every window that is read.
    """
    for setting in subject.settings:
        for run in subject.runs(setting):
            expected = subject.domain.expect(run.problem)
            if expected is not None:
                known, seen = (expected.actions, expected.steps), (len(run.plan), run.steps)
                complaint = f"it takes (actions, steps) {seen}, not {known}"
                require(seen == known, complaint, subject.named(run.problem, setting))


def targets_are_clean(subject: Subject) -> None:
    """Every target says something, in printable ASCII, and is read back as it was written.

    A step has to have an action, a note or a successor; templates of a surface need literals between their fields.
    """
    for setting in subject.settings:
        for run in subject.runs(setting):
            for prompt, target in zip(run.prompts, run.targets, strict=True):
                clean = bool(target) and find_unprintable(target) is None
                require(clean, f"the target is empty or unprintable: {target!a}", prompt)
                again = setting.convention.format(setting.convention.parse(target).target)
                require(again == target, f"{target!r} is written again as {again!r}", prompt)


def prompts_stay_short(subject: Subject) -> None:
    """No prompt grows with the number of steps taken.

    An instruction holds what is still to do, not what was done: leave out the history.
    """
    for setting in subject.settings:
        for run in subject.runs(setting):
            most = 2 * len(run.prompts[0]) + ROOM
            longest = max(run.prompts, key=len)
            complaint = f"a prompt has {len(longest)} characters, more than {most}, on the way from {run.prompts[0]}"
            require(len(longest) <= most, complaint, longest)


def cases_are_judged(subject: Subject) -> None:
    """The domain ships plans of every verdict that its plans can get, and each gets its verdict, for its reason.

    Look at `cases`: `at` counts from 0, `reason` is a part of the message, optimal is the shortest by `neighbours`.
    """
    cases = list(subject.domain.cases())
    # Where no move can be taken back or repeated, no complete plan is longer than another.
    missing = {"optimal", "incomplete", "illegal"} - {case.verdict for case in cases}
    require(not missing, f"no case is {' or '.join(sorted(missing))}")
    for case in cases:
        where = str(case)
        with trying(where):
            verdict, found = judge(subject.domain, case.problem, case.plan)
        require(verdict == case.verdict, f"it is judged {verdict}: {found}", where)
        if verdict == "illegal":
            require(found.at == case.at, f"it fails at action {found.at}", where)
            require(case.reason in found.reason, f"it fails because {found.reason}", where)
