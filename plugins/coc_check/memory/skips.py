"""The check of a memory that can skip what its next window leads to (`coc_core.memories.Pushdown`)."""

from attrs import evolve, frozen

from coc_check.check import needs, require
from coc_check.memory.drill import Grow
from coc_check.memory.subject import MemorySubject
from coc_check.memory.walk import Walk
from coc_check.stage import Stage
from coc_core.errors import LimitFault
from coc_core.memories import Pushdown
from coc_core.types import Limits

RUNS = (Grow("deep", 20), Grow("comb", 6), Grow("wide", 7), Grow("twins", 4))
PLACES = 12  # of each run, where its next window is skipped


@frozen
class Subtree:
    """What the next window leads to: the steps, the most windows on the way, and the most that one step writes."""

    steps: int
    depth: int
    width: int


@needs("long_runs_are_right", "rollback_restores_the_verdict")
def skips_are_steps(subject: MemorySubject) -> None:
    """To skip a window leaves what its steps would, and is refused where one of them would exceed a limit.

    `depth` counts from the next window up; `Limits.stack_depth` is of the whole stack. A refused skip changes nothing.
    """
    for stage in subject.drills:
        if not isinstance(Walk.of(stage, RUNS[0]).memory, Pushdown) or stage.setting.convention.max_writes == 0:
            continue
        for run in RUNS:
            steps = stage.setting.convention.expect(run)
            assert steps is not None
            for place in range(0, steps.steps, steps.steps // PLACES + 1):
                _skip(stage, run, place)


def _skip(stage: Stage, run: Grow, place: int) -> None:
    stepped, skipped = _watched(stage, run, place), _watched(stage, run, place)
    below = len(skipped.memory.windows()) - 1
    tree = _taken(stepped, below)
    where = f"{tree}, after {place} steps of {stepped}"
    _skipped(skipped, tree, where, fits=True)
    require(skipped.view() == stepped.view(), f"a skip leaves {skipped.view()}, its steps {stepped.view()}", where)
    while not stepped.memory.halted:
        said = [walk.memory.repeats() for walk in (stepped, skipped)]
        require(not any(said), "after a skip, the rest of the run is said never to halt", where)
        stepped.go(1)
        skipped.go(1)
    if tree.width > 1:
        enough = Limits(stack_depth=below + tree.depth, windows_per_step=tree.width)
        for limits in (enough, evolve(enough, stack_depth=below + tree.depth - 1), evolve(enough, windows_per_step=1)):
            try:
                tight = _watched(stage, run, place, limits)
            except LimitFault:  # on the way there
                continue
            _skipped(tight, tree, f"{limits}, {where}", fits=limits == enough)


def _watched(stage: Stage, run: Grow, place: int, limits: Limits | None = None) -> Walk:
    """A walk after so many steps, each of which was looked at for a loop."""
    walk = Walk.of(stage, run, limits)
    for _ in range(place):
        walk.memory.repeats()
        walk.go(1)
    return walk


def _taken(walk: Walk, below: int) -> Subtree:
    """Take the steps that the next window leads to, above so many other windows."""
    steps, depth, width = 0, 1, 0
    while (held := len(walk.memory.windows())) > below:
        width = max(width, len(walk.convention.parse(walk.target()).windows))
        steps, depth = steps + 1, max(depth, held - below)
        walk.memory.repeats()
        walk.go(1)
    return Subtree(steps, depth, width)


def _skipped(walk: Walk, tree: Subtree, where: str, *, fits: bool) -> None:
    memory, before = walk.memory, walk.view()
    assert isinstance(memory, Pushdown)
    memory.repeats()
    done = memory.skip(tree.steps, tree.depth, tree.width)
    said, should = ("done" if each else "refused" for each in (done, fits))
    require(done == fits, f"a skip is {said}, it should be {should}", where)
    require(done or walk.view() == before, f"a refused skip leaves {walk.view()}, there was {before}", where)
