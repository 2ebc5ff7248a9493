"""The instructions, actions and problems of Hanoi, and their text forms."""

from attrs import field, frozen, validators

from coc_core.text import Form, Forms

MOST_DISKS = 64
PEGS = (1, 2, 3)

DISK = validators.and_(validators.ge(1), validators.le(MOST_DISKS))
_peg = validators.in_(PEGS)


def check_distinct(*pegs: int) -> None:
    """ValueError if two of the pegs are the same."""
    if len(set(pegs)) != len(pegs):
        raise ValueError(f"the pegs must differ, not be {', '.join(map(str, pegs))}")


@frozen
class Tower:
    """A problem: move n disks from peg `src` to peg `dst`."""

    n: int = field(validator=DISK)
    src: int = field(default=1, validator=_peg)
    dst: int = field(default=3, validator=_peg)

    def __attrs_post_init__(self) -> None:
        check_distinct(self.src, self.dst)


@frozen
class Call:
    """Move the n smallest disks from `src` to `dst`, by way of `aux`."""

    n: int = field(validator=DISK)
    src: int = field(validator=_peg)
    dst: int = field(validator=_peg)
    aux: int = field(validator=_peg)

    def __attrs_post_init__(self) -> None:
        check_distinct(self.src, self.dst, self.aux)


@frozen
class Transfer:
    """Move disk `d` alone."""

    d: int = field(validator=DISK)
    src: int = field(validator=_peg)
    dst: int = field(validator=_peg)

    def __attrs_post_init__(self) -> None:
        check_distinct(self.src, self.dst)


@frozen(cache_hash=True)
class Move:
    """The action: move the top disk of `src` to `dst`."""

    disk: int = field(validator=DISK)
    src: int = field(validator=_peg)
    dst: int = field(validator=_peg)

    def __attrs_post_init__(self) -> None:
        check_distinct(self.src, self.dst)


PROBLEMS: Forms[Tower] = Forms(Form.of(Tower, "n={n} src={src} dst={dst}"))
INSTRUCTIONS: Forms[Call | Transfer] = Forms(
    Form.of(Call, "CALL n={n} src={src} dst={dst} aux={aux}"),
    Form.of(Transfer, "MOVE d={d} src={src} dst={dst}"),
)
ACTIONS: Forms[Move] = Forms(Form.of(Move, "Move disk {disk} from {src} to {dst}"))
