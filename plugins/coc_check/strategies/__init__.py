"""Strategies of hypothesis for the tests of a plugin. What is drawn shrinks to the smallest case that still fails.

Example:
    >>> from hypothesis import given
    >>> from coc_core.plugin import DomainSpec, Registry
    >>> from coc_check import strategies
    >>> hanoi = Registry.installed().create(DomainSpec, "hanoi")
    >>> @given(strategies.legal_actions(hanoi))
    ... def test_each_move_has_words(drawn):
    ...     state, action = drawn
    ...     assert hanoi.effect(state, action) == hanoi.actions.format(action)
    >>> test_each_move_has_words()
"""

from coc_check.strategies.domains import illegal_actions, instructions, legal_actions, problems, states
from coc_check.strategies.flawed import flawed_models, models, settings
from coc_check.strategies.memories import PlainMemory, memory_machine

__all__ = [
    "PlainMemory",
    "flawed_models",
    "illegal_actions",
    "instructions",
    "legal_actions",
    "memory_machine",
    "models",
    "problems",
    "settings",
    "states",
]
