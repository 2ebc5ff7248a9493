"""The domains of coc in PDDL: a model for each."""

from collections.abc import Sequence
from typing import Any

from coc_core.domain import Domain
from coc_core.errors import UnsupportedError
from coc_planning.models.base import Action, HasPlanningModel, PlanningModel, Reading, renamed
from coc_planning.models.blocks import BlocksModel, TowersModel
from coc_planning.models.hanoi import HanoiAnyModel, HanoiModel

MODELS: tuple[PlanningModel, ...] = (
    BlocksModel(hand=True),
    BlocksModel(hand=False),
    HanoiModel("hanoi", 3),
    HanoiModel("hanoi-4", 4),
    TowersModel("blocksworld", several=False, hand=False),
    TowersModel("blocksworld-extended", several=True, hand=False),
    TowersModel("blocksworld", several=False, hand=True),
    TowersModel("blocksworld-extended", several=True, hand=True),
    HanoiAnyModel(),
    HanoiAnyModel(by_target=True),
    HanoiAnyModel(by_source=True, by_target=True),
)
"""The models of domains that have none of their own. Of several that can read a problem, the first one does; of several
of a domain, the first one writes."""


def models_of(domain: Domain[Any, Any, Any, Any]) -> Sequence[PlanningModel]:
    """Return the models of a domain: its own, or those that are here; UnsupportedError if it has none."""
    if isinstance(domain, HasPlanningModel):
        return (domain.planning_model,)
    if found := [model for model in MODELS if model.domain == domain.name]:
        return found
    raise UnsupportedError(f"{domain.name} does not say what it is in PDDL", remedy="state its actions as operators")


__all__ = ["MODELS", "Action", "HasPlanningModel", "PlanningModel", "Reading", "models_of", "renamed"]
