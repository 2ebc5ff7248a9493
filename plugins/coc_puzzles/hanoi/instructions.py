"""The problems, instructions and actions of Hanoi, and their text forms."""

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen, validators

from coc_core.text import Codec, Form, Forms, parse_decimal

MOST_DISKS = 64

PEGS = ("src", "dst", "aux", "spare")
DISK = validators.and_(validators.ge(1), validators.le(MOST_DISKS))


def distinct(record: Any, attribute: Any, value: int) -> None:
    """Raise ValueError if two of a record's pegs are the same: the validator of the last one."""
    pegs = [getattr(record, name) for name in PEGS if hasattr(record, name)]
    if len(set(pegs)) != len(pegs):
        raise ValueError(f"the pegs must differ, not be {', '.join(map(str, pegs))}")


@frozen
class Tower:
    """A problem: move n disks from peg `src` to peg `dst`."""

    n: int = field(validator=DISK)
    src: int = 1
    dst: int = field(default=3, validator=distinct)


@frozen(cache_hash=True)
class Move:
    """Move the top disk of `src`, which is `disk`, to `dst`."""

    disk: int = field(validator=DISK)
    src: int
    dst: int = field(validator=distinct)


@frozen
class Call:
    """Move the n smallest disks from `src` to `dst`, by way of `aux`."""

    n: int = field(validator=DISK)
    src: int
    dst: int
    aux: int = field(validator=distinct)


def forms(*pegs: int, calls: Mapping[type[Any], str]) -> tuple[Forms[Tower], Forms[Any], Forms[Move]]:
    """Return the forms of problems, instructions and actions on these pegs; each class of calls has its template."""

    def parse(text: str) -> int:
        if (peg := parse_decimal(text)) not in pegs:
            raise ValueError(f"{peg} is not one of the pegs {', '.join(map(str, pegs))}")
        return peg

    def form(record: type[Any], template: str) -> Form[Any]:
        peg = Codec(parse, pattern=f"(?:{'|'.join(map(str, pegs))})")
        return Form.of(record, template, **dict.fromkeys(PEGS, peg))

    move = form(Move, "MOVE d={disk} src={src} dst={dst}")
    return (
        Forms(form(Tower, "n={n} src={src} dst={dst}")),
        Forms(*(form(call, template) for call, template in calls.items()), move),
        Forms(form(Move, "Move disk {disk} from {src} to {dst}")),
    )
