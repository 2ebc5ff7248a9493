"""Checks of a domain's problems and of its policy, in every setting."""

from itertools import islice

from coc_core.errors import UsageError
from coc_core.plan import judge, validate
from coc_core.testing.check import require
from coc_core.testing.subject import SEEDS, SIZES, Subject
from coc_core.text import unprintable
from coc_core.types import Step

LISTED = 200  # problems of an enumeration
ROOM = 64  # characters that a prompt may have more than twice the first one


def seeds_decide(subject: Subject) -> None:
    """A size and a seed always draw the same problem, of that size, whatever was drawn before."""
    for n in subject.domain.sizes[:SIZES]:
        first = [subject.domain.problem(n, seed) for seed in range(SEEDS)]
        again = [subject.domain.problem(n, seed) for seed in reversed(range(SEEDS))]
        require(first == again[::-1], f"size {n} gives other problems when it is asked again")
        require(all(subject.domain.size(problem) == n for problem in first), f"a problem of size {n} has another size")


def bad_sizes_are_refused(subject: Subject) -> None:
    """A size that the domain does not list is a UsageError."""
    sizes = subject.domain.sizes
    for n in (sizes[0] - 1, sizes[-1] + 1):
        for ask in (subject.domain.problem, subject.domain.every_problem):
            try:
                ask(n)
            except UsageError:
                continue
            require(False, f"size {n} is accepted, although the sizes are {sizes}")


def problems_are_listed_once(subject: Subject) -> None:
    """Every problem of a size is listed once, always in the same order, and has that size."""
    domain = subject.domain
    for n in domain.sizes[:SIZES]:
        listed = list(islice(domain.every_problem(n), LISTED))
        texts = list(map(domain.problems.format, listed))
        require(bool(texts), f"no problem of size {n} is listed")
        require(len(set(texts)) == len(texts), f"a problem of size {n} is listed twice")
        require(listed == list(islice(domain.every_problem(n), LISTED)), f"size {n} is listed in two ways")
        require(all(domain.size(problem) == n for problem in listed), f"a problem listed for {n} has another size")


def policy_is_deterministic(subject: Subject) -> None:
    """An instruction always gets the same step, and a problem the same start."""
    convention = subject.settings[0].convention
    for run in subject.runs():
        require(
            subject.domain.initial(run.problem) == subject.domain.initial(run.problem), "a problem has two first states"
        )
        for prompt in run.prompts:
            instruction = convention.recall(prompt)[0]
            step: Step[object, object] = subject.domain.expand(instruction)
            require(step == subject.domain.expand(instruction), f"{instruction!r} has two steps")
            if subject.domain.continuation == "chain":
                require(len(step.then) <= 1, f"{instruction!r} has {len(step.then)} successors, a chain has one")


def goal_is_reached(subject: Subject) -> None:
    """The policy solves every problem in every setting."""
    for setting in subject.settings:
        for run in subject.runs(setting):
            found = validate(subject.domain, run.problem, run.plan)
            require(found.verdict == "complete", f"the plan of {run.problem!r} is {found}")


def settings_agree(subject: Subject) -> None:
    """Every memory and every arithmetic gives the same plan."""
    first = [run.plan for run in subject.runs()]
    for setting in subject.settings[1:]:
        same = [run.plan for run in subject.runs(setting)] == first
        require(same, f"{setting.memory.name} with {setting.arithmetic.name} arithmetic gives another plan")


def expectation_holds(subject: Subject) -> None:
    """Where the length of a run is known in closed form, the run has it."""
    for setting in subject.settings:
        for run in subject.runs(setting):
            expected = subject.domain.expect(run.problem)
            if expected is not None:
                known, seen = (expected.actions, expected.steps), (len(run.plan), run.steps)
                require(seen == known, f"{run.problem!r} takes (actions, steps) {seen}, not {known}")


def targets_are_clean(subject: Subject) -> None:
    """Every target says something, in printable ASCII, and is read back as it was written."""
    for setting in subject.settings:
        for run in subject.runs(setting):
            for target in run.targets:
                require(bool(target) and unprintable(target) is None, f"a target is empty or unprintable: {target!a}")
                again = setting.convention.format(setting.convention.parse(target).target)
                require(again == target, f"{target!r} is written again as {again!r}")


def prompts_stay_short(subject: Subject) -> None:
    """No prompt grows with the number of steps taken."""
    for setting in subject.settings:
        for run in subject.runs(setting):
            most = 2 * len(run.prompts[0]) + ROOM
            longest = max(run.prompts, key=len)
            require(len(longest) <= most, f"a prompt has {len(longest)} characters, more than {most}: {longest}")


def cases_are_judged(subject: Subject) -> None:
    """The domain ships plans of every verdict that its plans can get, and each gets its verdict, for its reason."""
    cases = list(subject.domain.cases())
    # Where no move can be taken back or repeated, no complete plan is longer than another.
    missing = {"optimal", "incomplete", "illegal"} - {case.verdict for case in cases}
    require(not missing, f"no case is {' or '.join(sorted(missing))}")
    for case in cases:
        verdict, found = judge(subject.domain, case.problem, case.plan)
        require(verdict == case.verdict, f"{case} is judged {verdict}: {found}")
        if verdict == "illegal":
            require(found.at == case.at, f"{case} fails at action {found.at}")
            require(case.reason in found.reason, f"{case} fails because {found.reason}")
