"""States and actions beyond those of the policy's runs."""

import copy
import random
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from coc_check.check import require, trying
from coc_check.domain.subject import DomainSubject, Run
from coc_check.domain.writing import small_mistakes
from coc_core.errors import ActionFault

WALKS, MOVES = 4, 6  # random walks of each run, and physical moves of a walk
NAMED = 200  # actions of a state, or states after one, of which there may be very many
STATES, ACTIONS = 200, 64  # states in which actions are tried that no policy takes there, and actions in each


def known_actions(subject: DomainSubject, runs: Iterable[Run]) -> dict[str, Any]:
    """The actions of these runs, and those that the domain names in their first states, by their texts."""
    found = dict[str, Any]()
    for run in runs:
        named = islice(subject.domain.every_action(run.states[0]) or (), NAMED)
        found |= {subject.domain.actions.format(action): action for action in (*run.plan, *named)}
    return found


def some_actions(subject: DomainSubject) -> list[Any]:
    """The known actions of small runs, and others that are nearly like them."""
    forms, texts = subject.domain.actions, known_actions(subject, subject.small_runs())
    for text in small_mistakes(list(texts)):
        try:
            texts.setdefault(text, forms.parse(text))
        except ValueError:
            continue
    return list(texts.values())


def random_states(subject: DomainSubject, rng: random.Random) -> Iterator[Any]:
    """States of the runs, and those that physical moves lead to from there."""
    for run in subject.small_runs():
        for _ in range(WALKS):
            state = rng.choice(run.states)
            yield state
            for _ in range(MOVES):
                state = rng.choice([state, *islice(subject.domain.neighbours(state) or (), NAMED)])
                yield state


def foreign_moves(subject: DomainSubject) -> Iterator[tuple[Any, Any, Any]]:
    """Legal (state, action, state after it) that no policy takes: known actions and variants of them, anywhere."""
    if not subject.foreign:
        rng, actions = random.Random("foreign moves"), some_actions(subject)
        states = list(random_states(subject, rng))
        for state in rng.sample(states, min(STATES, len(states))):
            for action in rng.sample(actions, min(ACTIONS, len(actions))):
                after = attempt(subject, state, action)
                if after is not None:
                    subject.foreign.append((state, action, after))
        subject.tried["actions that no policy takes"] = f"{len(subject.foreign)} legal ones in {len(states)} states"
    yield from subject.foreign


def attempt(subject: DomainSubject, state: Any, action: Any) -> Any:
    """The state after `action`, or None if it is illegal; Nonconforming if `state` does not stay as it was."""
    kept = copy.deepcopy(state)
    where = here(subject, kept, action)
    after = None
    with trying(where):
        try:
            after = subject.domain.apply(state, action)
        except ActionFault as fault:
            require(bool(fault.message), f"the fault of {action!r} gives no reason", where)
    require(state == kept, f"{action!r} changes the state that it is tried in: {kept!r} became {state!r}", where)
    return after


def here(subject: DomainSubject, state: Any, action: Any) -> str:
    """An action in a state, for a person."""
    return f"{subject.domain.actions.format(action)} in {state!r}"
