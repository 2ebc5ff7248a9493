"""A domain whose runs are deep, wide or long, so that a memory can be tried beyond small problems."""

import random
from functools import partial

from attrs import frozen

from coc_core.domain import Domain
from coc_core.text import Codec, Form, Forms
from coc_core.types import Step


@frozen
class Grow:
    """The problem and an instruction: a run of this shape and size; or the mark that an action makes."""

    shape: str
    n: int


_SHAPE = Codec(str)
_mark = partial(Grow, "mark")


class Drill(Domain[Grow, Grow, Grow, int]):
    """Marks are made in an order that the shape gives; a state is how many have been made.

    deep   n windows wait, one above the other, before the first is run
    wide   one step writes n windows
    comb   steps write four windows each, n deep
    twins  the same windows come again and again: 2^(n+1) - 1 steps
    long   a window has a text of n letters
    """

    name = "drill"
    sizes = range(1_000_000)
    problems = Forms(Form.of(Grow, "{shape} n={n}", shape=_SHAPE))
    instructions = Forms(Form.of(Grow, "GROW {shape} n={n}", shape=_SHAPE))
    actions = Forms(Form.of(Grow, "Make {shape} {n}", shape=_SHAPE))

    def _problem(self, n: int, rng: random.Random) -> Grow:
        return Grow("deep", n)

    def size(self, problem: Grow) -> int:
        return problem.n

    def start(self, problem: Grow) -> Grow:
        return problem

    def expand(self, instruction: Grow) -> Step[Grow, Grow]:
        match instruction:
            case Grow("wide", n):
                return Step(then=tuple(map(_mark, range(1, n + 1))))
            case Grow("long", n):
                return Step(then=(Grow(n * "x", n), _mark(n)))
            case Grow("deep", n) if n:
                return Step(then=(Grow("deep", n - 1), _mark(n)))
            case Grow("comb", n) if n:
                return Step(then=(_mark(3 * n), Grow("comb", n - 1), _mark(3 * n + 1), _mark(3 * n + 2)))
            case Grow("twins", n) if n:
                return Step(then=2 * (Grow("twins", n - 1),))
            case _:
                return Step((instruction,))

    def initial(self, problem: Grow) -> int:
        return 0

    def apply(self, state: int, action: Grow) -> int:
        return state + 1

    def is_goal(self, problem: Grow, state: int) -> bool:
        return True  # the whole plan is compared
