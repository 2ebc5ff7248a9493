"""Tower of Hanoi as programs: with calls and moves alone, with results, and with records."""

from typing import Annotated, Literal

from coc_core.domain import Domain
from coc_core.plugin import DomainSpec, hookimpl
from coc_programs import Program, Record, procedure, read, write
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Move

Disks = Annotated[int, range(1, 65)]
Peg = Literal[1, 2, 3]


@procedure
def tower(n: Disks, src: Peg, dst: Peg, aux: Peg) -> None:
    """Move a tower, with calls and moves alone."""
    if n > 1:
        yield tower(n - 1, src, aux, dst)
    yield Move(n, src, dst)
    if n > 1:
        yield tower(n - 1, aux, dst, src)


@procedure
def counted(n: Disks, src: Peg, dst: Peg) -> bool:
    """Move a tower; the result says whether it took an even number of calls of this procedure."""
    aux = 6 - src - dst
    if n == 1:
        yield Move(1, src, dst)
        return False
    first = yield counted(n - 1, src, aux)
    yield Move(n, src, dst)
    second = yield counted(n - 1, aux, dst)
    return not (first ^ second)


class Disk(Record):
    """A disk, and the next smaller one."""

    size: Disks
    peg: Peg
    smaller: "Disk | None"


@procedure
def lifted(disk: Disk | None, to: Peg) -> None:
    """Move a disk and all smaller ones, from where they are."""
    if not disk:
        return
    x = yield read(disk)
    if x.peg == to:
        yield lifted(x.smaller, to)
        return
    yield lifted(x.smaller, 6 - x.peg - to)
    yield Move(x.size, x.peg, to)
    yield write(disk, peg=to)
    yield lifted(x.smaller, to)


class OfCalls(Program, Hanoi):
    """With calls and moves alone."""

    name = "hanoi-calls"
    main = tower
    expect = Domain.expect

    def begin(self, problem):
        return tower(problem.n, problem.src, problem.dst, 6 - problem.src - problem.dst), []


class OfResults(OfCalls):
    """With results."""

    name = "hanoi-results"
    main = counted

    def begin(self, problem):
        return counted(problem.n, problem.src, problem.dst), []


class OfRecords(OfCalls):
    """With records."""

    name = "hanoi-records"
    main = lifted

    def begin(self, problem):
        disks, smaller = [], None
        for size in range(1, problem.n + 1):
            smaller = Disk(size=size, peg=problem.src, smaller=smaller)
            disks.append(smaller)
        return lifted(smaller, problem.dst), disks


@hookimpl
def coc_domains():
    """The three, with the memory that suits them."""
    return [
        DomainSpec("hanoi-calls", "tests.support.hanoi_programs:OfCalls", "Hanoi with calls and moves alone"),
        DomainSpec("hanoi-results", "tests.support.hanoi_programs:OfResults", "Hanoi with results"),
        DomainSpec("hanoi-records", "tests.support.hanoi_programs:OfRecords", "Hanoi with records", memory="heap"),
    ]
