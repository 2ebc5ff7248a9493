"""Checks of a domain's states, actions, operators and plans."""

import copy
import random
from collections.abc import Iterable, Iterator
from itertools import chain, islice, product
from typing import Any

from coc_check.check import WARNING, needs, one_line, require
from coc_check.domain.subject import DomainSubject, Run, with_mistakes
from coc_core.domain import HasOperators, compose
from coc_core.errors import ActionFault, UsageError
from coc_core.text import format_sizes
from coc_problems import optimum, validate

WIDTHS = (1, 20, 80, 400)  # columns of a terminal
NEEDS = ("states_are_values",)
STATES, ACTIONS = 8, 64  # of a run, at most, that are tried with each other
RANDOM = 200  # states in which actions are tried that no policy takes there
WALKS, MOVES = 4, 6  # random walks of each run, and physical moves of a walk
NAMED = 200  # actions of a state, or states after one, of which there may be very many
MOST_STATES = 5_000  # to search for a shortest plan
FAR = 2  # times the shortest plan's length, from which on a plan's is pointed out


@needs("goal_is_reached")
def states_are_values(subject: DomainSubject) -> None:
    """An action makes a new state, always the same, and leaves the old one as it was; equal states hash alike.

    Make the state's class `attrs.frozen`, its fields tuples or frozensets, and build a new one in `apply`.
    """
    for before, action, after in subject.transitions():
        again = _attempt(subject, before, action)
        require(again == after, f"it leads from one state to two others: {after!r} and {again!r}")
        require(hash(again) == hash(after), f"equal states have different hashes: {after!r}")


def illegal_actions_change_nothing(subject: DomainSubject) -> None:
    """Any action in any state is legal or an ActionFault, and the state it was tried in stays the same.

    `apply` has to look before it leaps: a model may name a place that does not exist.
    """
    actions = list(_known_actions(subject, subject.runs()).values())[:ACTIONS]
    for run in subject.runs():
        for state, action in product(run.states[:: len(run.states) // STATES + 1], actions):
            _attempt(subject, state, action)


@needs("states_are_values", "malformed_texts_are_value_errors", "illegal_actions_change_nothing")
def effects_match_changes(subject: DomainSubject) -> None:
    """An action's effect is None just when the picture stays the same, and is else one line of text.

    Compare `effect` with `apply`, and see that `render` shows where everything lies.
    """
    for before, action, after in chain(subject.transitions(), _foreign_moves(subject)):
        effect = subject.domain.effect(before, action)
        same = subject.picture(before) == subject.picture(after)
        require((effect is None) == same, f"the effect is {effect!r}; the picture stays: {same}")
        plain = effect is None or one_line(effect)
        require(plain, f"the effect is not one line of printable ASCII: {effect!r}")


@needs("effects_match_changes")
def effects_tell_moves_apart(subject: DomainSubject) -> None:
    """Two moves that lead from one state to different ones have different effects.

    An effect names all places: what is moved, from where and to where.
    """
    moves: dict[Any, dict[str, tuple[Any, str]]] = {}
    for before, action, after in chain(subject.transitions(small=True), _foreign_moves(subject)):
        effect = subject.domain.effect(before, action)
        if effect is not None:
            picture = subject.picture(after)
            other, seen = moves.setdefault(before, {}).setdefault(effect, (action, picture))
            complaint = f"the effect of {action!r} is {effect!r}, as is that of {other!r}, which leads elsewhere"
            require(picture == seen, complaint, where=subject.where("effect"))


@needs("effects_match_changes")
def pictures_tell_states_apart(subject: DomainSubject) -> None:
    """Two states that are a move away from one state, and differ, have different pictures.

    `render` has to show where everything lies, given enough room.
    """
    for before, _, _ in subject.transitions(small=True):
        subject.at, seen = repr(before), dict[str, Any]()
        for state in subject.domain.neighbours(before) or ():
            other = seen.setdefault(subject.picture(state), state)
            require(other == state, f"{other!r} and {state!r} have the same picture", where=subject.where("render"))


@needs("effects_match_changes", "illegal_actions_change_nothing")
def moves_are_by_the_rules(subject: DomainSubject) -> None:
    """What an action changes, be it the policy's or not, is a physical move that `neighbours` knows.

    Either `apply` forgets a rule, so that it allows too much, or `neighbours` leaves a move out. What a state remembers
    beside the places of things does not count.
    """
    known: dict[Any, set[str]] = {}
    for before, action, after in chain(subject.transitions(small=True), _foreign_moves(subject)):
        neighbours = subject.domain.neighbours(before)
        if neighbours is not None and subject.domain.effect(before, action) is not None:
            if before not in known:
                known[before] = set(map(subject.picture, neighbours))
            by_rule = subject.picture(after) in known[before]
            require(by_rule, f"{action!r} does what no physical move does", where=subject.where("apply"))


@needs("moves_are_by_the_rules")
def no_plan_beats_the_optimum(subject: DomainSubject) -> None:
    """The shortest plan that a search finds is not longer than the policy's, and as long as `expect` says it is.

    `neighbours` leaves out a move that the policy makes, or has one that nobody can make; `effect` takes a move for
    nothing; or `is_goal` is met too early. A plan of twice the optimum is legal, but may show that `apply` lost a rule.
    """
    domain, searched, worst = subject.domain, set[int](), 0.0
    for run in subject.runs(small=True):
        text = subject.at = subject.named(run.problem)
        try:
            shortest = optimum(domain, run.problem, MOST_STATES)
        except UsageError:  # too large to search, or no moves are stated
            continue
        searched.add(domain.size(run.problem))
        moves, expected = validate(domain, run.problem, run.plan).moves, domain.expect(run.problem)
        if shortest is None:
            require(False, f"no physical moves solve {text}, but the policy does")
            continue
        require(shortest <= moves, f"the optimum of {text} is {shortest}, the policy takes {moves}")
        claimed = expected is not None and bool(expected.optimum)
        complaint = f"`expect` says that no plan is shorter than the policy's, of {moves} moves; one has {shortest}"
        require(not claimed or shortest == moves, complaint, where=subject.where("expect"))
        ratio = moves / max(shortest, 1)
        if ratio >= FAR and ratio > worst:
            worst, found = ratio, f"{moves} moves for {text}, and a search finds {shortest}"
            subject.tried[WARNING] = f"the policy's plan has {found}; if it should be shortest, `apply` lost a rule"
    if searched:
        subject.tried["searches for a shorter plan"] = f"n = {format_sizes(searched)}"


@needs("goal_is_reached")
def pictures_can_be_drawn(subject: DomainSubject) -> None:
    """Every state can be drawn at any width, the same way each time.

    `render` draws less where there is less room, down to a single column.
    """
    for state, width in product(chain.from_iterable(run.states for run in subject.runs()), WIDTHS):
        subject.at = f"{state!r} at width {width}"
        picture = subject.domain.render(state, width)
        require(bool(picture.strip()), f"the picture at width {width} is empty")
        require(picture == subject.domain.render(state, width), "the state is drawn in two ways")
        bad = [character for character in picture if not (character.isprintable() or character == "\n")]
        require(not bad, f"the picture holds {bad[:1]!a}")


@needs("illegal_actions_change_nothing")
def operators_match_actions(subject: DomainSubject) -> None:
    """An operator is applicable in a random state exactly where its action is legal there, and leads to the same state.

    Compare `operator` with `apply`: it has to need whatever could make the action illegal, and to set whatever changes.
    """
    domain, rng = subject.domain, random.Random(0)
    if isinstance(domain, HasOperators):
        actions = _some_actions(subject)
        for state in _random_states(subject, rng):
            for action in rng.sample(actions, min(ACTIONS, len(actions))):
                subject.tries(state, action)
                operator, variables = domain.operator(action), domain.variables(state)
                applicable = operator is not None and operator.applicable(variables)
                try:
                    after = domain.apply(state, action)
                except ActionFault as fault:
                    require(not applicable, f"{operator} is applicable, and the action is illegal: {fault}")
                    continue
                require(applicable, f"{operator} is not applicable, and the action is legal")
                assert operator is not None
                found, changed = domain.assign(state, operator.sets), domain.variables(after)
                require(found == after, f"{operator} leads to {found!r}, and the action to {after!r}")
                same = dict(changed) == {**variables, **operator.sets}
                require(same, f"the variables become {changed!r}, and {operator} sets others")


@needs("operators_match_actions")
def operators_compose(subject: DomainSubject) -> None:
    """The operators of a part of a plan are one operator, which leads from its first state to its last one.

    `assign` gets any number of values at once, and nothing else may be kept of the state than what is no variable.
    """
    domain: Any = subject.domain
    rng = random.Random(0)
    for run in subject.runs() if isinstance(domain, HasOperators) else ():
        first, last = sorted(rng.choices(range(len(run.states)), k=2))
        for start, stop in ((0, len(run.plan)), (first, last)):
            subject.at = f"actions {start + 1} to {stop} of {subject.named(run.problem)}"
            operator = compose(filter(None, map(domain.operator, run.plan[start:stop])))
            applicable = operator is not None and operator.applicable(domain.variables(run.states[start]))
            require(applicable, f"together they are {operator}, which is not applicable")
            assert operator is not None
            found = domain.assign(run.states[start], operator.sets)
            require(found == run.states[stop], f"they lead to {found!r}, not to {run.states[stop]!r}")


def _known_actions(subject: DomainSubject, runs: Iterable[Run]) -> dict[str, Any]:
    """Return the actions of these runs, and those that the domain names in their first states, by their texts."""
    found = dict[str, Any]()
    for run in runs:
        named = islice(subject.domain.every_action(run.states[0]) or (), NAMED)
        found |= {subject.domain.actions.format(action): action for action in (*run.plan, *named)}
    return found


def _some_actions(subject: DomainSubject) -> list[Any]:
    """Return the known actions of small runs, and others that are nearly like them."""
    return with_mistakes(subject.domain.actions, _known_actions(subject, subject.runs(small=True)))


def _random_states(subject: DomainSubject, rng: random.Random) -> Iterator[Any]:
    """Yield states of the runs, and those that physical moves lead to from there."""
    for run in subject.runs(small=True):
        for _ in range(WALKS):
            state = rng.choice(run.states)
            yield state
            for _ in range(MOVES):
                state = rng.choice([state, *islice(subject.domain.neighbours(state) or (), NAMED)])
                yield state


def _foreign_moves(subject: DomainSubject) -> Iterator[tuple[Any, Any, Any]]:
    """Yield legal (state, action, state after it) that no policy takes: known actions and variants, anywhere."""
    if not subject.foreign:
        rng, actions = random.Random("foreign moves"), _some_actions(subject)
        states = list(_random_states(subject, rng))
        for state in rng.sample(states, min(RANDOM, len(states))):
            for action in rng.sample(actions, min(ACTIONS, len(actions))):
                after = _attempt(subject, state, action)
                if after is not None:
                    subject.foreign.append((state, action, after))
        subject.tried["actions that no policy takes"] = f"{len(subject.foreign)} legal ones in {len(states)} states"
    for state, action, after in subject.foreign:
        subject.tries(state, action)
        yield state, action, after


def _attempt(subject: DomainSubject, state: Any, action: Any) -> Any:
    """Return the state after `action`, or None if it is illegal; Nonconforming if `state` does not stay as it was."""
    subject.tries(state, action)
    kept, after = copy.deepcopy(state), None
    try:
        after = subject.domain.apply(state, action)
    except ActionFault as fault:
        require(bool(fault.message), f"the fault of {action!r} gives no reason")
    require(state == kept, f"{action!r} changes the state that it is tried in: {kept!r} became {state!r}")
    return after
