"""The operations that a procedure's body is made of."""

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from coc_programs.kinds import PARTS, hints_of_results
from coc_programs.language import Procedure
from coc_programs.record import Record
from coc_programs.syntax.source import Expression


@define
class Assign:
    """Give variables values, all at once."""

    line: int
    values: dict[str, Expression]


@define
class Jump:
    """Go on at another operation."""

    line: int
    to: int = -1


@define
class Branch:
    """Go on with the next operation if a test holds, else at another."""

    line: int
    test: Expression
    otherwise: int = -1


@define
class Emit:
    """Take an action, or write a note, of the class `made`; None if it does not show of which."""

    line: int
    value: Expression
    made: type[Any] | None = None


@define
class Store:
    """Change fields of a record."""

    line: int
    record: Expression
    fields: dict[str, Expression]


@define
class Return:
    """End the procedure, with a result or None; or with several."""

    line: int
    values: tuple[Expression | None, ...] = (None,)


@define
class Wait:
    """End the step: what comes next is up to what the next step is given.

    Attributes:
        target: The variable that takes what is given; None if nothing does.
        label: The number of the place in the procedure, from 1.
    """

    line: int
    target: str | None
    label: int = field(init=False, default=0)


@define
class ReadRecord(Wait):
    """Read a record."""

    record: Expression


@define
class MakeRecord(Wait):
    """Make a record."""

    kind: type[Record]
    fields: dict[str, Expression]


@define
class CallProcedure(Wait):
    """Call a procedure."""

    procedure: Procedure
    arguments: tuple[Expression, ...]

    @property
    def parts(self) -> Sequence[str]:
        """The variables that take several results; none if there are fewer."""
        several = len(hints_of_results(self.procedure.function))
        return [f"{self.target}.{part}" for part in PARTS[:several]] if self.target and several > 1 else []


Operation = Assign | Jump | Branch | Emit | Store | Return | ReadRecord | MakeRecord | CallProcedure
