"""Pictures of the river: in plain text, and as a scene."""

from coc_core.domain import Column, Item, Scene
from coc_river.people import pairs
from coc_river.records import OTHER
from coc_river.river import River

BOAT = r"\__/"
WIDEST = 16  # characters of water


def render(state: River, width: int) -> str:
    """Draw a row for each pair, its people on their banks, and one for the boat. The river is narrow in little room."""
    cell = len(f"A{state.problem.pairs}")
    water = max(len(BOAT), min(WIDEST, width - 2 * (2 * cell + 2)))
    rows = []
    for pair in range(1, state.problem.pairs + 1):
        left, right = (
            " ".join((str(person) if person in state.on(bank) else "").ljust(cell) for person in pairs(pair, pair))
            for bank in OTHER
        )
        rows.append(f"{left} {'~' * water} {right}")
    afloat = BOAT.ljust(water, "~") if state.boat == "left" else BOAT.rjust(water, "~")
    return "\n".join(row.rstrip() for row in (*rows, f"{' ' * (2 * cell + 2)}{afloat}"))


def scene(state: River) -> Scene:
    """Make a scene of the two banks. The boat is at the bottom of the bank where it is."""
    return Scene(
        tuple(
            Column(
                f"{bank} bank",
                (
                    *((Item("boat", "boat"),) if state.boat == bank else ()),
                    *(Item(str(person), str(person), 0.5) for person in sorted(state.on(bank), reverse=True)),
                ),
            )
            for bank in OTHER
        )
    )
