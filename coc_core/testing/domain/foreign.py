"""States and actions beyond those of the policy's runs."""

import random
from collections.abc import Iterator
from typing import Any

from coc_core.testing.domain.subject import DomainSubject
from coc_core.testing.domain.writing import small_mistakes

WALKS, MOVES = 4, 6  # random walks of each run, and physical moves of a walk


def some_actions(subject: DomainSubject) -> list[Any]:
    """The actions of runs and cases, and others that are nearly like them."""
    forms = subject.domain.actions
    plans = [run.plan for run in subject.small_runs()] + [case.plan for case in subject.domain.cases()]
    texts = {forms.format(action): action for plan in plans for action in plan}
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
                state = rng.choice([state, *subject.domain.neighbours(state)])
                yield state
