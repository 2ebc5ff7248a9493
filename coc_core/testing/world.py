"""Checks of a domain's states and actions."""

import copy
from typing import Any

from coc_core.errors import ActionFault, UsageError
from coc_core.plan import validate
from coc_core.search import optimum
from coc_core.testing.check import require
from coc_core.testing.subject import Subject
from coc_core.text import unprintable

WIDTHS = (1, 20, 80, 400)  # columns of a terminal
STATES, ACTIONS = 8, 64  # of a run, at most, that are tried with each other
MOST_STATES = 5_000  # to search for a shortest plan


def states_are_values(subject: Subject) -> None:
    """An action makes a new state, always the same, and leaves the old one as it was; equal states hash alike."""
    for before, action, after in subject.transitions():
        again = _tried(subject, before, action)
        require(again == after, f"{action!r} leads from one state to two others: {after!r} and {again!r}")
        require(hash(again) == hash(after), f"equal states have different hashes: {after!r}")


def illegal_actions_change_nothing(subject: Subject) -> None:
    """Any action in any state is legal or an ActionFault, and the state it was tried in stays the same."""
    plans = [run.plan for run in subject.runs()] + [case.plan for case in subject.domain.cases()]
    actions = {subject.domain.actions.format(action): action for plan in plans for action in plan}
    for run in subject.runs():
        for state in run.states[:: len(run.states) // STATES + 1]:
            for action in list(actions.values())[:ACTIONS]:
                _tried(subject, state, action)


def _tried(subject: Subject, state: Any, action: Any) -> Any:
    """The state after `action`, or None if it is illegal; Nonconforming if `state` does not stay as it was."""
    kept = copy.deepcopy(state)
    after = None
    try:
        after = subject.domain.apply(state, action)
    except ActionFault as fault:
        require(bool(fault.message), f"the fault of {action!r} gives no reason")
    require(state == kept, f"{action!r} changes the state that it is tried in: {kept!r} became {state!r}")
    return after


def effects_tell_what_changes(subject: Subject) -> None:
    """An action's effect is None just when the picture stays the same, and is else one line of text."""
    for before, action, after in subject.transitions():
        effect = subject.domain.effect(before, action)
        same = subject.picture(before) == subject.picture(after)
        require((effect is None) == same, f"the effect of {action!r} is {effect!r}; the picture stays: {same}")
        if effect is not None:
            require(
                bool(effect) and unprintable(effect) is None and "\n" not in effect,
                f"the effect of {action!r} is not one line of printable ASCII: {effect!r}",
            )


def moves_are_by_the_rules(subject: Subject) -> None:
    """What an action changes is a physical move that `neighbours` knows."""
    for before, action, after in subject.transitions():
        if subject.domain.effect(before, action) is not None:
            pictures = map(subject.picture, subject.domain.neighbours(before))
            require(subject.picture(after) in pictures, f"{action!r} does what no physical move does")


def no_plan_beats_the_optimum(subject: Subject) -> None:
    """The shortest plan that a search finds is not longer than the policy's."""
    for run in subject.runs():
        try:
            shortest = optimum(subject.domain, run.problem, MOST_STATES)
        except UsageError:  # too large to search
            continue
        moves = validate(subject.domain, run.problem, run.plan).moves
        text = subject.domain.problems.format(run.problem)
        require(shortest is not None, f"no physical moves solve {text}, but the policy does")
        require(shortest is None or shortest <= moves, f"the optimum of {text} is {shortest}, the policy takes {moves}")


def pictures_can_be_drawn(subject: Subject) -> None:
    """Every state can be drawn at any width, the same way each time."""
    for run in subject.runs():
        for state in run.states:
            for width in WIDTHS:
                picture = subject.domain.render(state, width)
                require(bool(picture.strip()), f"the picture of {state!r} at width {width} is empty")
                require(picture == subject.domain.render(state, width), f"{state!r} is drawn in two ways")
                bad = [character for character in picture if not (character.isprintable() or character == "\n")]
                require(not bad, f"the picture of {state!r} holds {bad[:1]!a}")
