"""The checks that a list has all: that of a size's problems, and that of the prompts of records."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, permutations
from typing import Any

from coc_check.check import needs, require, trying
from coc_check.domain.subject import LONGEST_RUN, DomainSubject
from coc_check.results import definition
from coc_core.domain import Domain
from coc_core.text import counted, format_sizes, letters_in, names_in, rename
from coc_problems import closure, has_few_kinds, policy_steps

SIZES, DRAWS = 5, 60  # the smallest sizes, and seeds of each
MOST = 1_000  # problems of a size that are listed
NAMES = 5  # that are tried in every order


@needs("goal_is_reached", "problems_are_listed_once")
def every_problem_is_listed(subject: DomainSubject) -> None:
    """Each problem that is drawn is among those of its size that `every_problem` lists, but for names.

    Some listed problem has the same start, and the run's last state as a goal. Look at `_every_problem` for the kind
    that is missing; or at `_problem`, if it always draws the same one.
    """
    domain, seen = subject.domain, set[int]()
    kind = type(domain)
    for n in domain.sizes[:SIZES]:
        listed = subject.listed(n, MOST + 1)
        if not listed or len(listed) > MOST:
            break
        starts: dict[Any, list[Any]] = {}
        for problem in listed:
            starts.setdefault(domain.initial(problem), []).append(problem)
        drawn = {domain.problems.format(problem): problem for problem in (domain.problem(n, k) for k in range(DRAWS))}
        same = f"{DRAWS} seeds draw the same one of {counted(len(listed), 'problem')} of size {n}"
        require(len(drawn) > 1 or len(listed) == 1, same, next(iter(drawn)), definition(kind, "_problem"))
        for text in drawn:
            with trying(text):
                found = any(_is_listed(domain, starts, problem) for problem in _renamed(domain, text))
            complaint = f"it is drawn, and not among the listed problems of size {n}, which are {len(listed)}"
            require(found, complaint, text, definition(kind, "_every_problem"))
        seen.add(n)
        subject.tried["draws that are listed"] = f"n = {format_sizes(seen)}, {DRAWS} seeds each"


def _is_listed(domain: Domain[Any, Any, Any, Any], starts: Mapping[Any, Sequence[Any]], problem: Any) -> bool:
    """Whether a listed problem has the same start, and a goal that the policy's run of this one reaches."""
    state = domain.initial(problem)
    same = starts.get(state, ())
    if same and problem not in same:
        for _, step in islice(policy_steps(domain, problem), LONGEST_RUN):
            for action in filter(domain.actions.__contains__, step.emits):
                state = domain.apply(state, action)
    return any(one == problem or domain.is_goal(one, state) for one in same)


def _renamed(domain: Domain[Any, Any, Any, Any], text: str) -> Iterator[Any]:
    """The problem with its names in every order, if they are few."""
    names = sorted(names_in(text, domain.interchangeable_names or letters_in(text)))
    for order in permutations(names) if len(names) <= NAMES else [names]:
        try:
            yield domain.problems.parse(rename(text, dict(zip(names, order, strict=True))))
        except ValueError:  # these names don't fit
            continue


@needs("settings_agree")
def kinds_are_few(subject: DomainSubject) -> None:
    """Where the domain says so, all prompts with names by place can be listed, and runs have no others.

    A field with a number or a list makes ever more of them. `expand` has to deal with each instruction and each record
    together, also where no run has them together.
    """
    for setting in subject.settings:
        if has_few_kinds(setting.convention):
            with trying(f"{setting.domain.name} on {setting.memory.name}"):
                listed = dict(closure(setting.convention, subject.problems))
            for run in subject.runs(setting):
                for prompt, target in zip(run.prompts, run.targets, strict=True):
                    found = listed.get(prompt)
                    require(found == target, f"the list has {found!r} where a run has {target!r}", prompt)
