"""The check that comes before all others of a memory: the types of what its methods and its convention's give."""

from coc_check.check import require, trying
from coc_check.memory.drill import Grow
from coc_check.memory.subject import MemorySubject
from coc_check.memory.walk import Walk
from coc_check.results import definition, shown
from coc_core.memories import Memory

RUN = Grow("comb", 2)


def types_are_right(subject: MemorySubject) -> None:
    """Whatever the methods of the memory and its convention return has the type that the interface names.

    A method without `return` gives None, a tuple of one needs its comma, and a class is not one of its objects.
    """
    for stage in subject.drills:
        walk = Walk.of(stage, RUN)
        where = definition(type(walk.memory))
        right = isinstance(walk.memory, Memory)
        require(right, f"the factory {subject.spec.factory} returned {shown(walk.memory)}, not a Memory", where=where)
        read = definition(type(walk.memory), "read")
        require(not walk.halted, "`read` returned None, which means halted, before the first step", where=read)
        with trying(str(walk)):
            while not walk.halted:
                _ = walk.memory.windows(walk.contents), walk.memory.key(walk.contents)
                walk.go(1)
