"""Kill runs, trainings and builds of datasets at random moments, let them go on, and compare what they come to.

    python benchmarks/kills.py [--kills 10000] [--seed 0] [--seconds T] [--processes 2]

Each piece of work is cut off one to three times: by SIGKILL at some moment, before, after or inside a write, by Ctrl-C,
by a disk that is full or broken. Then it is resumed, or done again, to its end. At each moment what is in place must be
whole, at the end the result must be that of work that nobody cut off, and nothing else may be left in its folder.

A third of the cuts is each of: recorded runs (`coc run --save`, then `--resume`) in several settings, whose digests are
compared; trainings (`coc train`, then `--resume`), and builds of datasets (`coc data build`), whose files are compared
byte by byte, in checkpoints except for the seconds that they name. Prints a table of how the work was cut and ended, and
the number of results that differed. Exits with 1 if there is one.
"""

import argparse
import os
import shutil
import sys
import time
from functools import partial
from itertools import accumulate, count
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ["OMP_NUM_THREADS"] = "1"
from tests.support import forked_commands, interrupted_builds, interrupted_runs, interrupted_trainings
from tests.support.cached_registry import remembered_plugins

WORKS = (interrupted_runs, interrupted_trainings, interrupted_builds)


def attempt(scratch, seed, number):
    """The cuts of a piece of work, and what was wrong about it, if anything was."""
    work = WORKS[number % len(WORKS)]
    place = work.PLACES[number // len(WORKS) % len(work.PLACES)]
    folder = Path(scratch) / f"{work.NAME}{number}"
    folder.mkdir()
    try:
        return forked_commands.survive(work, place, folder / "result", forked_commands.seeded(f"{seed} {number}")), None
    except AssertionError as error:
        return [], f"{work.NAME} {number}: {error}"
    finally:
        shutil.rmtree(folder)


def enough(kills, seed):
    """The fewest first pieces of work that are cut off so many times together."""
    planned = accumulate(forked_commands.times(forked_commands.seeded(f"{seed} {number}")) for number in count())
    return 1 + next(number for number, total in enumerate(planned) if total >= kills)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    cuts, wrong, begun, pieces = [], [], time.perf_counter(), enough(options.kills, options.seed)
    interrupted_trainings.warm()
    with (
        remembered_plugins(),
        TemporaryDirectory(prefix="coc-kills-") as scratch,
        get_context("fork").Pool(options.processes) as pool,
    ):
        done_pieces = 0
        for done, failure in pool.imap_unordered(partial(attempt, scratch, options.seed), range(pieces)):
            cuts += done
            wrong += [failure] if failure else []
            done_pieces += 1
            print(f"\r{len(cuts):,} cuts, {len(wrong)} wrong", end="", file=sys.stderr, flush=True)
            if time.perf_counter() - begun > options.seconds:
                break
    print(file=sys.stderr)
    print(forked_commands.table(cuts))
    seconds = time.perf_counter() - begun
    print(f"{len(cuts):,} cuts of {done_pieces:,} pieces of work, seed {options.seed}, in {seconds:,.0f} s")
    print(f"results that differ: {len(wrong)}")
    for failure in wrong:
        print(f"  {failure}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
