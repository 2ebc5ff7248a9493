"""The domains of coc in PDDL: a model for each."""

from coc_planning.models.base import Action, PlanningModel, Reading, renamed
from coc_planning.models.blocks import BlocksModel, MovedBlocksModel, TowersModel
from coc_planning.models.hanoi import HanoiModel
from coc_planning.models.pancake import PancakeModel

MODELS: tuple[PlanningModel, ...] = (
    BlocksModel(),
    MovedBlocksModel(),
    HanoiModel("hanoi", 3),
    PancakeModel(),
    TowersModel("blocksworld"),
    TowersModel("blocksworld-extended"),
)
"""Every model. Of several that can read a problem, the first one does."""

__all__ = ["MODELS", "Action", "PlanningModel", "Reading", "renamed"]
