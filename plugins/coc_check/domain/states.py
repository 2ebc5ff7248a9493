"""Checks of a domain's states, actions and plans."""

import copy
from itertools import chain, pairwise, product
from operator import itemgetter
from typing import Any

from coc_check.check import WARNING, needs, one_line, require, trying
from coc_check.domain.foreign import attempt, foreign_moves, here, known_actions
from coc_check.domain.sharing import shared
from coc_check.domain.subject import DomainSubject
from coc_check.results import definition
from coc_core.errors import UsageError
from coc_core.text import format_sizes
from coc_problems import optimum, validate

WIDTHS = (1, 20, 80, 400)  # columns of a terminal
NEEDS = ("states_are_values",)
STATES, ACTIONS = 8, 64  # of a run, at most, that are tried with each other
MOST_STATES = 5_000  # to search for a shortest plan
FAR = 2  # times the shortest plan's length, from which on a plan's is pointed out


@needs("goal_is_reached")
def states_are_values(subject: DomainSubject) -> None:
    """An action makes a new state, always the same, and leaves the old one as it was; equal states hash alike.

    Make the state's class `attrs.frozen`, its fields tuples or frozensets, and build a new one in `apply`.
    """
    for before, action, after in subject.transitions():
        where = here(subject, before, action)
        again = attempt(subject, before, action)
        require(again == after, f"it leads from one state to two others: {after!r} and {again!r}", where)
        require(hash(again) == hash(after), f"equal states have different hashes: {after!r}", where)


def states_share_nothing(subject: DomainSubject) -> None:
    """What `initial` and `apply` give shares nothing that can change with any other state or with the problem.

    A list or dictionary was handed on where it should have been copied. Tuples and frozensets can be shared.
    """
    domain = subject.domain
    for run in subject.runs():
        text = subject.named(run.problem)
        kept = [domain.initial(run.problem)]
        copies = [copy.deepcopy(kept[0])]
        _apart(run.problem, kept[0], "a problem and its first state", text)
        _apart(kept[0], domain.initial(run.problem), "two first states of a problem", text)
        for action in run.plan:
            kept.append(domain.apply(kept[-1], action))
            copies.append(copy.deepcopy(kept[-1]))
        for (before, after), action in zip(pairwise(kept), run.plan, strict=True):
            _apart(before, after, "a state and the one after it", here(subject, before, action))
        for state, as_it_was in zip(kept, copies, strict=True):
            require(state == as_it_was, f"a later step changed the state {as_it_was!r} to {state!r}", text)


def _apart(one: Any, other: Any, which: str, where: str) -> None:
    part = shared(one, other)
    require(part is None, f"{which} share {part!r}", where)


def illegal_actions_change_nothing(subject: DomainSubject) -> None:
    """Any action in any state is legal or an ActionFault, and the state it was tried in stays the same.

    `apply` has to look before it leaps: a model may name a place that does not exist.
    """
    actions = list(known_actions(subject, subject.runs()).values())[:ACTIONS]
    for run in subject.runs():
        for state in run.states[:: len(run.states) // STATES + 1]:
            for action in actions:
                attempt(subject, state, action)


@needs("states_are_values", "malformed_texts_are_value_errors", "illegal_actions_change_nothing")
def effects_match_changes(subject: DomainSubject) -> None:
    """An action's effect is None just when the picture stays the same, and is else one line of text.

    Compare `effect` with `apply`, and see that `render` shows where everything lies.
    """
    for before, action, after in chain(subject.transitions(), foreign_moves(subject)):
        where = here(subject, before, action)
        with trying(where):
            effect = subject.domain.effect(before, action)
            same = subject.picture(before) == subject.picture(after)
        require((effect is None) == same, f"the effect is {effect!r}; the picture stays: {same}", where)
        if effect is not None:
            require(one_line(effect), f"the effect is not one line of printable ASCII: {effect!r}", where)


@needs("effects_match_changes")
def effects_tell_moves_apart(subject: DomainSubject) -> None:
    """Two moves that lead from one state to different ones have different effects.

    An effect names all places: what is moved, from where and to where.
    """
    moves: dict[Any, dict[str, tuple[Any, str]]] = {}
    for before, action, after in chain(subject.transitions(small=True), foreign_moves(subject)):
        effect = subject.domain.effect(before, action)
        if effect is not None:
            picture = subject.picture(after)
            other, seen = moves.setdefault(before, {}).setdefault(effect, (action, picture))
            complaint = f"the effect of {action!r} is {effect!r}, as is that of {other!r}, which leads elsewhere"
            require(picture == seen, complaint, here(subject, before, action), _where(subject, "effect"))


@needs("effects_match_changes")
def pictures_tell_states_apart(subject: DomainSubject) -> None:
    """Two states that are a move away from one state, and differ, have different pictures.

    `render` has to show where everything lies, given enough room.
    """
    for before, _, _ in subject.transitions(small=True):
        seen: dict[str, Any] = {}
        for state in subject.domain.neighbours(before) or ():
            other = seen.setdefault(subject.picture(state), state)
            complaint = f"{other!r} and {state!r} have the same picture"
            require(other == state, complaint, repr(before), _where(subject, "render"))


@needs("effects_match_changes", "illegal_actions_change_nothing")
def moves_are_by_the_rules(subject: DomainSubject) -> None:
    """What an action changes, be it the policy's or not, is a physical move that `neighbours` knows.

    Either `apply` forgets a rule, so that it allows too much, or `neighbours` leaves a move out. What a state remembers
    beside the places of things does not count.
    """
    known: dict[Any, set[str]] = {}
    for before, action, after in chain(subject.transitions(small=True), foreign_moves(subject)):
        neighbours = subject.domain.neighbours(before)
        if neighbours is not None and subject.domain.effect(before, action) is not None:
            if before not in known:
                known[before] = set(map(subject.picture, neighbours))
            by_rule = subject.picture(after) in known[before]
            complaint = f"{action!r} does what no physical move does"
            require(by_rule, complaint, here(subject, before, action), _where(subject, "apply"))


@needs("moves_are_by_the_rules")
def no_plan_beats_the_optimum(subject: DomainSubject) -> None:
    """The shortest plan that a search finds is not longer than the policy's, and as long as `expect` says it is.

    `neighbours` leaves out a move that the policy makes, or has one that nobody can make; `effect` takes a move for
    nothing; or `is_goal` is met too early. A plan of twice the optimum is legal, but may show that `apply` lost a rule.
    """
    searched, worst = set[int](), (0.0, "")
    for run in subject.small_runs():
        try:
            shortest = optimum(subject.domain, run.problem, MOST_STATES)
        except UsageError:  # too large to search, or no moves are stated
            continue
        searched.add(subject.domain.size(run.problem))
        moves = validate(subject.domain, run.problem, run.plan).moves
        text = subject.named(run.problem)
        require(shortest is not None, f"no physical moves solve {text}, but the policy does", text)
        complaint = f"the optimum of {text} is {shortest}, the policy takes {moves}"
        require(shortest is None or shortest <= moves, complaint, text)
        expected = subject.domain.expect(run.problem)
        claimed = expected is not None and bool(expected.optimum)
        complaint = f"`expect` says that no plan is shorter than the policy's, of {moves} moves; one has {shortest}"
        require(not claimed or shortest == moves, complaint, text, _where(subject, "expect"))
        found = moves / max(shortest or 0, 1), f"{moves} moves for {text}, and a search finds {shortest}"
        worst = max(worst, found, key=itemgetter(0))
    if searched:
        subject.tried["searches for a shorter plan"] = f"n = {format_sizes(searched)}"
    if worst[0] >= FAR:
        subject.tried[WARNING] = f"the policy's plan has {worst[1]}; if it should be shortest, `apply` lost a rule"


@needs("goal_is_reached")
def pictures_can_be_drawn(subject: DomainSubject) -> None:
    """Every state can be drawn at any width, the same way each time.

    `render` draws less where there is less room, down to a single column.
    """
    for state, width in product(chain.from_iterable(run.states for run in subject.runs()), WIDTHS):
        where = f"{state!r} at width {width}"
        with trying(where):
            picture = subject.domain.render(state, width)
            require(bool(picture.strip()), f"the picture at width {width} is empty", where)
            require(picture == subject.domain.render(state, width), "the state is drawn in two ways", where)
            bad = [character for character in picture if not (character.isprintable() or character == "\n")]
            require(not bad, f"the picture holds {bad[:1]!a}", where)


def _where(subject: DomainSubject, method: str) -> str:
    return definition(type(subject.domain), method)
