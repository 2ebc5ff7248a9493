"""The instructions, actions and problems of Hanoi on four pegs, and their text forms."""

from attrs import field, frozen, validators

from coc_core.text import Form, Forms
from coc_hanoi import instructions as three
from coc_hanoi.instructions import DISK, check_distinct

PEGS = (1, 2, 3, 4)

_peg = validators.in_(PEGS)


@frozen
class Tower(three.Tower):
    """A problem: move n disks from peg `src` to peg `dst`."""

    src: int = field(default=1, validator=_peg)
    dst: int = field(default=4, validator=_peg)


@frozen
class OnFour:
    """Move the n smallest disks from `src` to `dst`, by way of the other two pegs; most of them wait on `aux`."""

    n: int = field(validator=DISK)
    src: int = field(validator=_peg)
    dst: int = field(validator=_peg)
    aux: int = field(validator=_peg)
    spare: int = field(validator=_peg)

    def __attrs_post_init__(self) -> None:
        check_distinct(self.src, self.dst, self.aux, self.spare)


@frozen
class OnThree:
    """Move `count` disks, of which disk n is the largest, from `src` to `dst`, by way of `aux` alone."""

    n: int = field(validator=DISK)
    count: int = field(validator=DISK)
    src: int = field(validator=_peg)
    dst: int = field(validator=_peg)
    aux: int = field(validator=_peg)

    def __attrs_post_init__(self) -> None:
        check_distinct(self.src, self.dst, self.aux)
        if self.count > self.n:
            raise ValueError(f"there are only {self.n} disks up to disk {self.n}, not {self.count}")


@frozen
class Transfer(three.Transfer):
    """Move disk `d` alone."""

    src: int = field(validator=_peg)
    dst: int = field(validator=_peg)


@frozen
class Move(three.Move):
    """The action: move the top disk of `src` to `dst`."""

    src: int = field(validator=_peg)
    dst: int = field(validator=_peg)


PROBLEMS: Forms[Tower] = Forms(Form.of(Tower, "n={n} src={src} dst={dst}"))
INSTRUCTIONS: Forms[OnFour | OnThree | Transfer] = Forms(
    Form.of(OnFour, "CALL pegs=4 n={n} src={src} dst={dst} aux={aux} spare={spare}"),
    Form.of(OnThree, "CALL pegs=3 n={n} count={count} src={src} dst={dst} aux={aux}"),
    Form.of(Transfer, "MOVE d={d} src={src} dst={dst}"),
)
ACTIONS: Forms[Move] = Forms(Form.of(Move, "Move disk {disk} from {src} to {dst}"))
