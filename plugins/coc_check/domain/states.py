"""Checks of a domain's states, actions, operators and plans."""

import copy
import random
from itertools import chain, product
from typing import Any

from coc_check.check import one_line, require
from coc_check.domain.subject import ACTIONS, DomainSubject
from coc_core.domain import HasOperators, compose
from coc_core.errors import ActionFault, UsageError
from coc_problems import optimum, validate

WIDTHS = (1, 20, 80, 400)  # columns of a terminal
STATES = 8  # of a run, at most, in which all actions are tried
MOST_STATES = 5_000  # to search for a shortest plan
FAR = 2  # times the shortest plan's length, from which on a plan's is pointed out


def actions_make_new_states(subject: DomainSubject) -> None:
    """Any action in any state makes a new state, always the same, or is an ActionFault; the old state stays as it was.

    Make the state's class `attrs.frozen`, its fields tuples or frozensets, and build a new one in `apply`, which has to
    look before it leaps: a model may name a place that does not exist. Equal states hash alike.
    """
    for before, action, after in subject.transitions():
        again = _attempt(subject, before, action)
        require(again == after, f"it leads from one state to two others: {after!r} and {again!r}")
        require(hash(again) == hash(after), f"equal states have different hashes: {after!r}")
    for _, run in subject.runs():
        for state, action in product(run.states[:: len(run.states) // STATES + 1], subject.actions[:ACTIONS]):
            _attempt(subject, state, action)


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


def effects_match_changes(subject: DomainSubject) -> None:
    """An action's effect is None just when the picture stays the same, and is else one line that tells moves apart.

    Compare `effect` with `apply`, and see that `render` shows where everything lies. An effect names what is moved,
    from where and to where: two moves that lead from one state to different ones have different effects.
    """
    moves: dict[Any, dict[str, tuple[Any, str]]] = {}
    for before, action, after in subject.transitions(foreign=True):
        effect, drawn, picture = subject.domain.effect(before, action), subject.picture(before), subject.picture(after)
        same = drawn == picture
        require((effect is None) == same, f"the effect is {effect!r}; the picture stays: {same}")
        if effect is not None:
            require(one_line(effect), f"the effect is not one line of printable ASCII: {effect!r}")
            other, seen = moves.setdefault((before, drawn), {}).setdefault(effect, (action, picture))
            complaint = f"the effect of {action!r} is {effect!r}, as is that of {other!r}, which leads elsewhere"
            require(picture == seen, complaint, where=subject.where("effect"))


def pictures_can_be_drawn(subject: DomainSubject) -> None:
    """Every state can be drawn at any width, the same way each time.

    `render` draws less where there is less room, down to a single column.
    """
    for state, width in product(chain.from_iterable(run.states for _, run in subject.runs()), WIDTHS):
        subject.at = f"{state!r} at width {width}"
        picture = subject.domain.render(state, width)
        require(bool(picture.strip()), f"the picture at width {width} is empty")
        require(picture == subject.domain.render(state, width), "the state is drawn in two ways")
        bad = [character for character in picture if not (character.isprintable() or character == "\n")]
        require(not bad, f"the picture holds {bad[:1]!a}")


def moves_are_by_the_rules(subject: DomainSubject) -> None:
    """What an action changes, be it the policy's or not, is a physical move that `neighbours` knows and `render` shows.

    Either `apply` forgets a rule, so that it allows too much, or `neighbours` leaves a move out. What a state remembers
    beside the places of things does not count. Two neighbours have different pictures, given enough room.
    """
    known: dict[Any, dict[str, Any]] = {}
    for before, action, after in subject.transitions(small=True, foreign=True):
        neighbours = subject.domain.neighbours(before)
        if neighbours is None or subject.domain.effect(before, action) is None:
            continue
        if (drawn := (before, subject.picture(before))) not in known:
            known[drawn] = {}
            for state in neighbours:
                other = known[drawn].setdefault(subject.picture(state), state)
                require(other == state, f"{other!r} and {state!r} have the same picture", where=subject.where("render"))
        by_rule = subject.picture(after) in known[drawn]
        require(by_rule, f"{action!r} does what no physical move does", where=subject.where("apply"))


def no_plan_beats_the_optimum(subject: DomainSubject) -> None:
    """The shortest plan that a search finds is not longer than the policy's, and as long as `expect` says it is.

    `neighbours` leaves out a move that the policy makes, or has one that nobody can make; `effect` takes a move for
    nothing; or `is_goal` is met too early. A plan of twice the optimum is legal, but may show that `apply` lost a rule.
    """
    domain = subject.domain
    for problem, run in subject.runs(small=True):
        text = subject.at = subject.named(problem)
        try:
            shortest = optimum(domain, problem, MOST_STATES)
        except UsageError:  # too large to search, or no moves are stated
            continue
        moves, expected = validate(domain, problem, run.plan).moves, domain.expect(problem)
        require(shortest is not None, f"no physical moves solve {text}, but the policy does")
        assert shortest is not None
        require(shortest <= moves, f"the optimum of {text} is {shortest}, the policy takes {moves}")
        claimed = expected is not None and bool(expected.optimum)
        complaint = f"`expect` says that no plan is shorter than the policy's, of {moves} moves; one has {shortest}"
        require(not claimed or shortest == moves, complaint, where=subject.where("expect"))
        if moves >= FAR * max(shortest, 1):
            found = f"the policy's plan has {moves} moves for {text}, and a search finds {shortest}"
            subject.tried.setdefault("warning", f"{found}; if it should be shortest, `apply` lost a rule")


def operators_match_actions(subject: DomainSubject) -> None:
    """An operator is applicable exactly where its action is legal, leads to the same state, and composes with others.

    Compare `operator` with `apply`: it has to need whatever could make the action illegal, and to set whatever changes.
    `assign` gets any number of values at once, and nothing else may be kept of the state than what is no variable.
    """
    domain, rng = subject.domain, random.Random(0)
    if not isinstance(domain, HasOperators):
        return
    for state in subject.random_states(rng):
        for action in rng.sample(subject.actions, min(ACTIONS, len(subject.actions))):
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
    for problem, run in subject.runs():
        first, last = sorted(rng.choices(range(len(run.states)), k=2))
        for start, stop in ((0, len(run.plan)), (first, last)):
            subject.at = f"actions {start + 1} to {stop} of {subject.named(problem)}"
            operator = compose(filter(None, map(domain.operator, run.plan[start:stop])))
            applicable = operator is not None and operator.applicable(domain.variables(run.states[start]))
            require(applicable, f"together they are {operator}, which is not applicable")
            found = domain.assign(run.states[start], operator.sets if operator else {})
            require(found == run.states[stop], f"they lead to {found!r}, not to {run.states[stop]!r}")
