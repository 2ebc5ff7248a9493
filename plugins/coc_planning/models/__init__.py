"""The domains of coc in PDDL: a model for each."""

from coc_planning.models.base import Action, PlanningModel, Reading, renamed
from coc_planning.models.blocks import BlocksModel, MovedBlocksModel
from coc_planning.models.hanoi import HanoiModel
from coc_planning.models.pancake import PancakeModel
from coc_planning.models.river import RiverModel
from coc_planning.models.stacks import StacksModel
from coc_planning.models.towers import TowersByHandModel, TowersModel

MODELS: tuple[PlanningModel, ...] = (
    BlocksModel(),
    MovedBlocksModel(),
    HanoiModel("hanoi", 3),
    HanoiModel("hanoi-4", 4),
    PancakeModel(),
    RiverModel(),
    StacksModel(),
    TowersModel("blocksworld", several=False),
    TowersModel("blocksworld-extended", several=True),
    TowersByHandModel("blocksworld", several=False),
    TowersByHandModel("blocksworld-extended", several=True),
)
"""Every model. Of several that can read a problem, the first one does; of several of a domain, the first one writes."""

__all__ = ["MODELS", "Action", "PlanningModel", "Reading", "renamed"]
