"""Kill recorded runs at random moments, resume them, and compare what they come to with runs that nobody killed.

    python tests/benchmarks/kills.py [--kills 1000] [--seed 0]

Each run is cut off one to three times: by SIGKILL at some moment, before, after or inside a write, by Ctrl-C, by a disk
that is full or broken. Then it is resumed to its end. Prints a table of how the runs were cut and ended; stops at the
first run that differs.
"""

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import cutting


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    found: Counter[tuple[str, int]] = Counter()
    runs = 0
    scratch = Path(tempfile.mkdtemp(prefix="coc-kills-"))
    try:
        while found.total() < arguments.kills:
            rng = cutting.seeded(f"{arguments.seed} {runs}")
            place = cutting.PLACES[runs % len(cutting.PLACES)]
            found.update(cutting.survive(place, scratch / f"run{runs}", rng))
            runs += 1
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{found.total():,} cuts of {runs:,} runs in {len(cutting.PLACES)} settings; every digest was the same")
    for (way, end), count in sorted(found.items()):
        print(f"  {way:<14} ended with {end:>4}  {count:>5} times")


if __name__ == "__main__":
    main()
