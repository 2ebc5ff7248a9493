"""Compare cells with a tape, on Hanoi with inline arithmetic: how large do the memory and its addresses become?

The arguments are numbers of disks, by default 4, 8 and 12.
"""

import sys

from coc_core.execution import Cached, StepRecord
from coc_core.plugin import Registry
from coc_core.setting import Setting


def measure(registry: Registry, memory: str, disks: int) -> tuple[int, int, int, int]:
    """Return one run's steps, its windows at the end, its largest PTR, and its distinct prompts."""
    setting = Setting.of(registry, "hanoi", memory, "inline")
    largest = 0

    def listen(record: StepRecord) -> None:
        nonlocal largest
        largest = max(largest, record.pointer)

    machine = setting.machine(setting.domain.problem(disks), [listen])
    (outcome,) = Cached().run([machine], setting.model("reference"))
    assert outcome.status == "solved", outcome
    return outcome.steps, len(machine.windows), largest, outcome.model_calls


def main() -> None:
    """Print a line for each number of disks and each memory."""
    registry = Registry.installed()
    print(f"{'disks':>5}  {'memory':6}  {'steps':>9}  {'windows':>9}  {'largest PTR':>11}  {'distinct prompts':>16}")
    for disks in map(int, sys.argv[1:] or (4, 8, 12)):
        for memory in ("tape", "cells"):
            steps, windows, largest, prompts = measure(registry, memory, disks)
            print(f"{disks:>5}  {memory:6}  {steps:>9,}  {windows:>9,}  {largest:>11,}  {prompts:>16,}")


if __name__ == "__main__":
    main()
