"""A small program with records that are compared and made, results, a table, a helper function, actions and notes."""

from typing import Annotated, Any, Literal, cast

from attrs import evolve, frozen

from coc_core.plugin import DomainSpec, Registry, hookimpl
from coc_core.setting import Setting
from coc_core.text import Codec, Form, Forms, item_codec
from coc_programs import Program, Record, Steps, new, procedure, read, write
from coc_programs.heap.convention import HeapConvention

Colour = Literal["red", "green"]
Beat = Annotated[int, range(3)]
AFTER = {"red": "green", "green": "red"}


def following(beat: Beat) -> Beat:
    return (beat + 1) % 3


class Cell(Record):
    next: "Cell | None" = None
    colour: Colour = "red"


@frozen
class Paint:
    cell: int
    colour: str
    beat: int


@frozen
class Copied:
    first: Any


@frozen
class Row:
    """The problem: as many cells, linked in a ring."""

    cells: int


@procedure
def turn(at: Cell, last: Cell, beat: Beat) -> None:
    """Change the colour of each cell up to the last."""
    x = yield read(at)
    yield Paint(at.number, AFTER[x.colour], beat)
    yield write(at, colour=AFTER[x.colour])
    if at != last:
        yield turn(cast(Cell, x.next), last, following(beat))


@procedure
def copy(at: Cell, last: Cell) -> Steps[Cell | None]:
    """Copy the cells up to the last one, without the link back."""
    x = yield read(at)
    rest = None
    if at != last and isinstance(x.next, Cell):
        rest = yield copy(x.next, last)
    made = yield new(Cell, next=rest, colour=x.colour)
    if not rest:
        yield write(made, colour="green")
    return made


@procedure
def both(first: Cell, last: Cell) -> None:
    """Turn the cells, then copy them."""
    yield turn(first, last, 0)
    copied = yield copy(first, last)
    yield Copied(copied)


class Cells(Program[Row, Paint, int]):
    """Turn the cells of a ring."""

    name = "cells"
    sizes = range(1, 10)
    problems = Forms(Row)
    actions = Forms(Form.of(Paint, "Paint {cell} {colour} on {beat}", cell=item_codec("C", "cell"), colour=Codec(str)))
    notes = Forms(Form.of(Copied, "The copy begins with {first}.", first=Cell.codec()))
    main = both

    def _problem(self, n: int, rng: Any) -> Row:
        return Row(n)

    def size(self, problem: Row) -> int:
        return problem.cells

    def begin(self, problem: Row) -> Any:
        cells = [Cell(colour="green" if number % 3 else "red") for number in range(problem.cells)]
        for one, other in zip(cells, [*cells[1:], cells[0]], strict=True):
            one.next = other
        return both(cells[0], cells[-1]), cells

    def initial(self, problem: Row) -> int:
        return problem.cells

    def apply(self, state: int, action: Paint) -> int:
        return state - 1

    def is_goal(self, problem: Row, state: int) -> bool:
        return state == 0


def setting_of(domain: Any) -> Setting:
    """A domain on a heap, with names numbered in their order."""
    other = Setting.of(Registry.installed(), "blocks", "heap", "symbolic")
    return evolve(other, domain=domain, convention=HeapConvention(domain, "symbolic"))


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [DomainSpec("cells", factory="tests.support.cells_program:Cells", summary="a ring", memories=("heap",))]
