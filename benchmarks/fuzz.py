"""Fuzzes the machine with model texts: each is a step or a fault that changed nothing, and takes at most 50 ms.

    python benchmarks/fuzz.py [--texts 10000000] [--seed S] [--seconds T] [--processes 2]

Every domain that is installed, on every memory, with every arithmetic. Prints what the texts came to, the slowest and
the rate. At the first broken promise it stops, exits with 1 and prints the text that breaks it.
"""

import argparse
import random
import sys
import time
from multiprocessing import Pool

from tests.support.hostile_texts import Tally, every_setting, fuzz, right_target, setting

CHUNK = 10_000  # texts
_shared: list = []  # of one process: its settings, and a right target of each


def begin():
    found = [setting(*names) for names in every_setting()]
    _shared[:] = [found, [right_target(each) for each in found]]


def chunk(task):
    seed, index, count = task
    found, foreign = _shared
    return fuzz(found[index % len(found)], random.Random(f"fuzz {seed} {index}"), count, foreign)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    total, begun = Tally(), time.perf_counter()
    tasks = [
        (options.seed, index, min(CHUNK, options.texts - start))
        for index, start in enumerate(range(0, options.texts, CHUNK))
    ]
    with Pool(options.processes, begin) as pool:
        for done in pool.imap_unordered(chunk, tasks):
            total.add(done)
            seconds = time.perf_counter() - begun
            print(f"\r{total.kinds.total():,} texts in {seconds:,.0f} s", end="", file=sys.stderr, flush=True)
            if total.findings or seconds > options.seconds:
                break
    print(file=sys.stderr)
    tried, (slowest, where, length, head) = total.kinds.total(), total.slowest
    print(f"{tried:,} texts, seed {options.seed}, {tried / total.seconds:,.0f} for each second of a process")
    for kind, count in total.kinds.most_common():
        print(f"  {kind:<11} {count:>11,}")
    print(f"slowest: {1000 * slowest:.1f} ms, {where}, {length:,} characters: {head!a}")
    print(f"broken promises: {len(total.findings)}")
    for finding in total.findings:
        print(f"\nBROKEN: {finding.error}\n  at {finding.where}\n  after {finding.path!a}\n  {finding.text!a}")
    return 1 if total.findings else 0


if __name__ == "__main__":
    sys.exit(main())
