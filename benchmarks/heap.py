"""What a long run with records takes, on Linux: `python benchmarks/heap.py RECORDS STEPS`.

A program goes through a chain of records and gives each a new record in place of the one that it had, again and again.
"""

import resource
import sys
import time
from functools import cache

from coc_algorithms.sort import MergeSort, Numbers
from coc_core.arithmetic import Symbolic
from coc_core.execution import Machine
from coc_core.types import Limits
from coc_programs import Record, new, procedure, read, write
from coc_programs.heap.convention import HeapConvention
from coc_programs.heap.memory import Heap


class Kept(Record):
    next: "Kept | None" = None
    other: "Kept | None" = None


@procedure
def renew(first: Kept) -> None:
    at = first
    while at:
        x = yield read(at)
        made = yield new(Kept)
        yield write(at, other=made)
        at = x.next or first


class Renew(MergeSort):
    main = renew

    def begin(self, problem):
        chain = [Kept()]
        for _ in range(1, len(problem.keys) // 2):
            chain.append(Kept(next=chain[-1]))
        return renew(chain[-1]), chain


domain, limits = Renew(), Limits(stack_depth=10**8)
convention = HeapConvention(domain, "symbolic", limits)
machine = Machine(domain, Numbers((0,) * int(sys.argv[1])), Heap(limits), convention, Symbolic(), limits=limits)
begun = time.process_time()
machine.run(cache(convention.target_for), int(sys.argv[2]))
speed = machine.steps / (time.process_time() - begun)
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
print(f"{machine.steps:,} steps, {speed:,.0f} a second of CPU time, {memory} MB at most")
