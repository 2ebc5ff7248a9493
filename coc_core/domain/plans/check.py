"""Whether a plan from any source solves a problem. No model and no memory is involved."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import IO, Any, Literal

from attrs import frozen

from coc_core.domain.plans.format import LONGEST, PlanFormat, has_entry
from coc_core.errors import ActionFault, ArtefactError


@frozen
class PlanCheck:
    """Whether a plan solves its problem.

    Attributes:
        verdict: `solved`, `unsolved` if all actions are legal but the goal is not reached, or `illegal`.
        actions: How many actions are legal, up to the first one that is not.
        moves: How many of these moved something.
        at: The number of the first illegal action in the file, counted from 1; None if all are legal.
        action: Its text.
        reason: Why it is illegal.
    """

    verdict: Literal["solved", "unsolved", "illegal"]
    actions: int
    moves: int
    at: int | None = None
    action: str = ""
    reason: str = ""


def check_plan(form: PlanFormat[Any, Any, Any], lines: Iterable[str]) -> PlanCheck:
    """Take each action of a plan with the rules of the domain, and look whether the last state is a goal.

    The plan is read once and not stored; reading ends at the first illegal action.

    Args:
        form: The format of the plan, which knows the domain and the problem.
        lines: The lines of the file, as `PlanFormat.entries` takes them.

    Raises:
        ArtefactError: What is read is not a plan of this format, or is one for another domain or problem.
    """
    domain, actions, moves = form.domain, 0, 0
    state = domain.initial(form.problem)
    for number, entry in enumerate(_entries(form, lines), 1):
        try:
            for action in _actions(form, state, entry, number):
                after = domain.apply(state, action)
                actions, moves = actions + 1, moves + (domain.effect(state, action) is not None)
                state = after
        except ActionFault as fault:
            return PlanCheck("illegal", actions, moves, number, entry, fault.message)
    return PlanCheck("solved" if domain.is_goal(form.problem, state) else "unsolved", actions, moves)


def recognised(
    forms: Sequence[PlanFormat[Any, Any, Any]], lines: Iterable[str]
) -> tuple[PlanFormat[Any, Any, Any] | None, str, Iterator[str]]:
    """Find the format of a plan by its first line that is neither blank nor a comment.

    Args:
        forms: The formats that it may have; of several that fit, the first one is taken.
        lines: The lines of the file.

    Returns:
        The format, None if no one fits; that line, empty if there is none; and all the lines again.
    """
    remaining = iter(lines)
    for line in remaining:
        if has_entry(line):
            return next((form for form in forms if form.begins(line)), None), line, chain([line], remaining)
    return forms[0], "", iter(())


def lines_of(file: IO[str]) -> Iterator[str]:
    """The lines of a file, those of more than `LONGEST` characters in parts; ArtefactError if it is not text."""
    try:
        while line := file.readline(LONGEST):
            yield line
    except UnicodeDecodeError:
        raise ArtefactError("the plan is not text") from None


def _entries(form: PlanFormat[Any, Any, Any], lines: Iterable[str]) -> Iterator[str]:
    try:
        yield from form.entries(lines)
    except ValueError as error:
        raise ArtefactError(f"the plan can't be read: {error}") from None


def _actions(form: PlanFormat[Any, Any, Any], state: Any, entry: str, number: int) -> Sequence[Any]:
    try:
        return form.read(state, entry)
    except ValueError as error:
        raise ArtefactError(f"action {number:,} of the plan is none of {form.domain.name}: {error}") from None
