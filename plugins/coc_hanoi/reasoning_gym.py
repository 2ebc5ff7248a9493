"""The plan format of reasoning-gym's tower_of_hanoi: what its scorer takes as an answer."""

from collections.abc import Sequence
from typing import Any

from coc_core.domain import LineFormat
from coc_core.text import Form, Forms
from coc_hanoi.instructions import Move

_MOVES: Forms[Move] = Forms(Form.of(Move, "Move disk {disk} from Peg {src} to Peg {dst}"))


class ReasoningGymPlan(LineFormat[Any, Move, Any]):
    """Lines such as `Move disk 3 from Peg 1 to Peg 3`."""

    def _line(self, state: Any, action: Move) -> str:
        return _MOVES.format(action)

    def read(self, state: Any, entry: str) -> Sequence[Move]:
        return (_MOVES.parse(entry),)
