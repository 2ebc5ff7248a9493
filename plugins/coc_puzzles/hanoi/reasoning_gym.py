"""The plan format of reasoning-gym's tower_of_hanoi: what its scorer takes as an answer."""

import re
from collections.abc import Sequence
from typing import Any

from coc_core.domain import LineFormat

_MOVE = re.compile(r"(Move disk [0-9]+ from )Peg ([0-9]+ to )Peg ([0-9]+)")


class ReasoningGymPlan(LineFormat[Any, Any, Any]):
    """Lines such as `Move disk 3 from Peg 1 to Peg 3`: the texts of the actions, with the word `Peg`."""

    def _line(self, state: Any, action: Any) -> str:
        text: str = self.domain.actions.format(action)
        return text.replace("from ", "from Peg ").replace("to ", "to Peg ")

    def read(self, state: Any, entry: str) -> Sequence[Any]:
        found = _MOVE.fullmatch(entry)
        if found is None:
            raise ValueError("it is not of the form 'Move disk {disk} from Peg {src} to Peg {dst}'")
        return (self.domain.actions.parse("".join(found.groups())),)
