"""A domain whose runs are deep, wide or long, so that a memory can be tried beyond small problems."""

import random
from collections.abc import Iterable

from attrs import frozen

from coc_core.domain import Domain
from coc_core.text import Codec, Form, Forms, Word
from coc_core.types import Expectation, Step

SHAPES = ("deep", "wide", "comb", "twins", "long")
_SHAPE = Codec(Word(words=tuple(SHAPES)).read)


@frozen
class Grow:
    """The problem and an instruction: a run of this shape and size."""

    shape: str
    n: int


@frozen
class Mark:
    """An instruction and the action: make a mark with a number."""

    number: int


@frozen
class Spell:
    """An instruction with a long text."""

    word: str


class Drill(Domain[Grow, Grow | Mark | Spell, Mark, int]):
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
    instructions = Forms(
        Form.of(Grow, "GROW {shape} n={n}", shape=_SHAPE),
        Form.of(Mark, "MARK {number}"),
        Form.of(Spell, "SPELL {word}", word=Codec(str)),
    )
    actions = Forms(Form.of(Mark, "Mark {number}"))

    def _problem(self, n: int, rng: random.Random) -> Grow:
        return Grow(rng.choice(SHAPES), n)

    def _every_problem(self, n: int) -> Iterable[Grow]:
        return (Grow(shape, n) for shape in SHAPES)

    def size(self, problem: Grow) -> int:
        return problem.n

    def start(self, problem: Grow) -> Grow:
        return problem

    def expand(self, instruction: Grow | Mark | Spell) -> Step[Grow | Mark | Spell, Mark]:
        match instruction:
            case Grow("wide", n):
                return Step(then=tuple(map(Mark, range(1, n + 1))))
            case Grow("long", n):
                return Step(then=(Spell(n * "x"), Mark(n)))
            case Spell(word):
                return Step((Mark(len(word)),))
            case Mark(n) | Grow(_, 0 as n):
                return Step((Mark(n),))
            case Grow("deep", n):
                return Step(then=(Grow("deep", n - 1), Mark(n)))
            case Grow("comb", n):
                return Step(then=(Mark(3 * n), Grow("comb", n - 1), Mark(3 * n + 1), Mark(3 * n + 2)))
            case Grow(shape, n):
                return Step(then=2 * (Grow(shape, n - 1),))

    def initial(self, problem: Grow) -> int:
        return 0

    def apply(self, state: int, action: Mark) -> int:
        return state + 1

    def is_goal(self, problem: Grow, state: int) -> bool:
        return state == self.expect(problem).actions

    def expect(self, problem: Grow) -> Expectation:
        n = problem.n
        actions, steps = {
            "deep": (n + 1, 2 * n + 1),
            "wide": (n, n + 1),
            "comb": (3 * n + 1, 4 * n + 1),
            "twins": (2**n, 2 ** (n + 1) - 1),
            "long": (2, 3),
        }[problem.shape]
        return Expectation(actions, steps)
