"""Domains that are stated as STRIPS operators: their rules, the texts of their actions, and PDDL follow from these.

Inherit from `StripsDomain`, and make each class of actions with `action`.
"""

from coc_planning.lifted import Facts
from coc_planning.strips.domain import NAME, State, StripsDomain, action
from coc_planning.strips.drawing import Drawing

__all__ = ["NAME", "Drawing", "Facts", "State", "StripsDomain", "action"]
