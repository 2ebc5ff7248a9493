"""Damage recordings, checkpoints, datasets and snapshots, use them, and see whether anything wrong is believed.

    python benchmarks/damage.py [--flips 10000] [--edits 10000] [--seed 0] [--seconds T] [--processes 2]
                                      [--only KIND]

A flip changes one random bit of one file. An edit is one that an attacker would make who knows the format: another value
in the JSON, swapped or repeated chunks, steps, rows and tensors, the files of another artefact, a cut or longer file; in
most of them all sums and digests are made right again, since they have no key.

Then everything that reads such an artefact reads it, in this process: `coc replay`, `view`, `diff`, `run --resume` and
`coc.load_run`; opening, calling and running a checkpoint; `coc data verify`, `show` and what `coc train` reads; resuming
a training. `tests/support/damage_verdicts.py` says what the verdicts mean. Prints a table of them, and the number of results that
were silently wrong. Exits with 1 if there is one, or if anything broke.
"""

import argparse
import os
import random
import shutil
import sys
import time
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ["OMP_NUM_THREADS"] = "1"
from tests.support import damage_verdicts, damaged_checkpoints, damaged_datasets, damaged_recordings, damaged_snapshots
from tests.support.cached_registry import remembered_plugins

WORKS = {work.NAME: work for work in (damaged_recordings, damaged_checkpoints, damaged_datasets, damaged_snapshots)}


def attempt(genuines, scratch, seed, task):
    """One case: a damage of this kind, of an artefact of this kind."""
    damage, name, number = task
    folder = Path(scratch) / f"{damage}{number}"
    folder.mkdir()
    try:
        rng = random.Random(f"damage {seed} {damage} {name} {number}")
        return damage_verdicts.judged(WORKS[name], genuines[name], damage, folder, rng)
    finally:
        shutil.rmtree(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flips", type=int, default=10_000)
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", choices=WORKS, help="damage this kind of artefact only")
    options = parser.parse_args()
    names = [options.only] if options.only else list(WORKS)
    cases, begun = [], time.perf_counter()
    with TemporaryDirectory(prefix="coc-damage-") as scratch, remembered_plugins():
        genuines = {}
        for name in names:
            (Path(scratch) / name).mkdir()
            genuines[name] = WORKS[name].make(Path(scratch) / name)
        tasks = [
            (damage, names[number % len(names)], number)
            for damage, count in (("flip", options.flips), ("edit", options.edits))
            for number in range(count)
        ]
        random.Random(options.seed).shuffle(tasks)  # so that a part of them is a fair sample
        with get_context("fork").Pool(options.processes) as pool:
            for case in pool.imap_unordered(partial(attempt, genuines, scratch, options.seed), tasks):
                cases.append(case)
                if len(cases) % 50 == 0:
                    bad = len(damage_verdicts.bad(cases))
                    print(f"\r{len(cases):,} of {len(tasks):,}, {bad} bad", end="", file=sys.stderr, flush=True)
                if time.perf_counter() - begun > options.seconds:
                    break
    print(file=sys.stderr)
    print(damage_verdicts.table(cases))
    print(f"{len(cases):,} damages, seed {options.seed}, in {time.perf_counter() - begun:,.0f} s")
    for case in cases:
        if case.verdict in damage_verdicts.BAD:
            print(f"  {case.verdict}: {case.damage} of {case.file}: {case.text}\n    {case.reason}")
    print(f"broken: {sum(case.verdict == 'BROKEN' for case in cases)}")
    print(f"results that are silently wrong: {sum(case.verdict == 'WRONG' for case in cases)}")
    return 1 if any(case.verdict in damage_verdicts.BAD for case in cases) else 0


if __name__ == "__main__":
    sys.exit(main())
