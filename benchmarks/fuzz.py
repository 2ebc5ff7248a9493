"""Fuzzes the machine with model texts: each is a step or a fault that changed nothing, and takes at most 50 ms.

    python benchmarks/fuzz.py [--texts 10000000] [--seed S] [--seconds T] [--processes 2] [--log FILE]

Every domain that is installed, on every memory, with every arithmetic. Prints what the texts came to, the slowest and
the rate. At the first broken promise it stops, exits with 1 and prints the smallest text that breaks it, with a test.
With a log, what was tried is not tried again when the same command is given once more, as long as the code is the same.
"""

import argparse
import json
import os
import random
import sys
import time
from collections import Counter
from hashlib import sha256
from multiprocessing import Pool
from pathlib import Path

from tests.support.hostile_texts import Tally, every_setting, fuzz, right_target, setting

ROOT = Path(__file__).resolve().parents[1]
CHUNK = 10_000  # texts
_shared: list = []  # of one process: its settings, and a right target of each


def begin():
    found = [setting(*names) for names in every_setting()]
    _shared[:] = [found, [right_target(each) for each in found]]


def chunk(task):
    seed, index, count = task
    found, foreign = _shared
    return index, fuzz(found[index % len(found)], random.Random(f"fuzz {seed} {index}"), count, foreign)


def code():
    """The SHA-256 of all code whose faults would be found."""
    total = sha256()
    for path in sorted(
        [*ROOT.glob("coc_core/**/*.py"), *ROOT.glob("plugins/**/*.py"), *ROOT.glob("tests/support/fuzz*.py")]
    ):
        total.update(path.read_bytes())
    return total.hexdigest()


def read(log, head, total):
    """Add what a log says was tried; the indices of these chunks."""
    lines = log.read_text().splitlines() if log.exists() else [head]
    if lines[0] != head:
        sys.exit(f"{log} is of another seed, or of other code")
    for line in lines[1:]:
        _, kinds, slowest, seconds = json.loads(line)
        total.add(Tally(Counter(kinds), tuple(slowest), seconds))
    return {json.loads(line)[0] for line in lines[1:]}


def regression(finding):
    name, n, seed, steps = finding.where
    return f"""
def test_{"_".join(name.replace("-", " ").split())}_keeps_its_promise():
    walk = Walk(setting({", ".join(map(repr, name.split()))}), n={n}, seed={seed}, steps={steps})
    for text in {finding.path!a}:
        assert walk.try_text(text) == STEP
    assert walk.try_text({finding.text!a}) in KINDS  # was: {finding.error}
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--log", type=Path)
    options = parser.parse_args()
    total, begun = Tally(), time.perf_counter()
    head = json.dumps([options.seed, code()])
    known = read(options.log, head, total) if options.log else set()
    tasks = [
        (options.seed, index, min(CHUNK, options.texts - start))
        for index, start in enumerate(range(0, options.texts, CHUNK))
        if index not in known
    ]
    before, seconds = total.kinds.total(), 1e-9
    with Pool(options.processes, begin) as pool, (options.log or Path(os.devnull)).open("a") as log:
        if not known:
            print(head, file=log)
        for index, done in pool.imap_unordered(chunk, tasks):
            total.add(done)
            if not done.findings:
                print(json.dumps([index, done.kinds, done.slowest, done.seconds]), file=log, flush=True)
            tried, seconds = total.kinds.total(), time.perf_counter() - begun
            rate = (tried - before) / seconds
            print(f"\r{tried:,} texts, {rate:,.0f} a second", end="", file=sys.stderr, flush=True)
            if total.findings or seconds > options.seconds:
                break
    print(file=sys.stderr)
    tried, (slowest, where, length, head) = total.kinds.total(), total.slowest
    print(f"{tried:,} texts, seed {options.seed}, {tried - before:,} of them now, in {seconds:.0f} s; ", end="")
    print(f"{tried / total.seconds:,.0f} for each second of a process")
    for kind, count in total.kinds.most_common():
        print(f"  {kind:<11} {count:>11,}")
    print(f"slowest: {1000 * slowest:.1f} ms, {where}, {length:,} characters: {head!a}")
    print(f"broken promises: {len(total.findings)}")
    for finding in total.findings:
        print(f"\nBROKEN: {finding.error}\n  at {finding.where}\n  after {finding.path!a}\n  {finding.text!a}")
        print(regression(finding))
    return 1 if total.findings else 0


if __name__ == "__main__":
    sys.exit(main())
