"""Long runs: how much time and memory they take, and whether the last steps cost what the first ones did.

    python benchmarks/scale.py [--disks 20 25] [--tape 17 20] [--tenths 20]

Tower of Hanoi with the reference model, each action validated as it comes, each run in a process of its own.
Without sizes, an option leaves its part out. Exits with 1 if a promise is broken:

    --disks   on a stack, and again with its plan written: each run takes at most 50 MB more than the first one, and
              without a plan at most 100 s
    --tape    on a tape, which keeps all windows: the bytes that each step adds to the process
    --tenths  on both memories: the last tenth of the steps takes at most 1.1 times as long as the first
"""

import argparse
import resource
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from coc_core.api import plan_file
from coc_core.execution import Cached
from coc_core.memories import Reference
from coc_core.plugin import Registry, open_format
from coc_core.setting import Setting

MORE = 50  # MB
LONGEST = 100  # seconds
SLOWER = 1.1
REPEAT = 3


def megabytes():
    """The most memory that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def tower(memory, disks):
    setting = Setting.of(Registry.installed(), "hanoi", memory, "symbolic")
    problem = setting.domain.problem(disks)
    return setting, problem, setting.domain.expect(problem)


def run(memory, disks, plan):
    """Prints the steps, the seconds of the loop, the peak in MB, and how much of it the run has added."""
    setting, problem, expected = tower(memory, disks)
    empty = megabytes()
    if plan == "plan":
        form = open_format(setting.registry, "text", setting.domain, problem)
        with TemporaryDirectory() as folder, plan_file(Path(folder) / "plan", form) as listener:
            (outcome,) = Cached().run([setting.machine(problem, [listener])], Reference(setting.convention))
    else:
        (outcome,) = Cached().run([setting.machine(problem)], Reference(setting.convention))
    assert (outcome.status, outcome.steps, outcome.actions) == ("solved", expected.steps, expected.actions)
    print(outcome.steps, outcome.seconds, megabytes(), megabytes() - empty)


def tenths(memory, disks):
    """Prints the least processor time of the first and of the last tenth of the steps, all answers known."""
    setting, problem, expected = tower(memory, disks)
    answer = cache(setting.convention.target_for)
    (least_first, least_last), tenth = (float("inf"), float("inf")), expected.steps // 10
    for _ in range(REPEAT + 1):  # the first time round, the answers are not known yet
        machine = setting.machine(problem)
        begun = time.process_time()
        machine.run(answer, tenth)
        first = time.process_time() - begun
        machine.run(answer, expected.steps - 2 * tenth)
        begun = time.process_time()
        machine.run(answer, tenth)
        last = time.process_time() - begun
        assert (machine.status, machine.steps) == ("solved", expected.steps)
        least_first, least_last = min(least_first, first), min(least_last, last)
    print(least_first, least_last)


def measured(*case):
    """What this script prints for one case, in a process of its own."""
    command = [sys.executable, __file__, "--case", *map(str, case)]
    return list(map(float, subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--disks", type=int, nargs="*", default=[20, 25])
    parser.add_argument("--tape", type=int, nargs="*", default=[17, 20])
    parser.add_argument("--tenths", type=int, nargs="*", default=[20])
    parser.add_argument("--case", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    match options.case:
        case ["run", memory, disks, plan]:
            run(memory, int(disks), plan)
            return 0
        case ["tenths", memory, disks]:
            tenths(memory, int(disks))
            return 0
    broken, start = False, 0.0
    for memory, sizes, plans in (("pda", options.disks, ("no plan", "plan")), ("tape", options.tape, ("no plan",))):
        for disks in sizes:
            for plan in plans:
                steps, seconds, peak, added = measured("run", memory, disks, plan)
                print(f"{memory:<4} n={disks} {plan:<7} {int(steps):>10,} steps {seconds:>6.1f} s", end=" ")
                print(f"{steps / seconds:>9,.0f} steps/s {peak:>6.0f} MB, {2**20 * added / steps:.1f} bytes a step")
                if memory == "pda":
                    start = start or peak
                    broken |= peak > start + MORE or (plan == "no plan" and seconds > LONGEST)
    for memory in ("pda", "tape"):
        for disks in options.tenths:
            first, last = measured("tenths", memory, disks)
            print(f"{memory:<4} n={disks} first tenth {first:.2f} s, last tenth {last:.2f} s: {last / first:.2f}x")
            broken |= last > SLOWER * first
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
