"""How much faster two workers are than one, and that they give the same.

    python benchmarks/workers.py [--jobs 2] [--instances 50] [--n 5-40] [--only eval reproduce]

Two loads, each with one worker and with several: an evaluation of new problems, and trainings by `coc reproduce`. Every
worker has one thread for its matrices, so that one worker has one core. Nothing else should run meanwhile.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from coc_problems import parse_sizes

LOADS = "eval", "reproduce"


def run(words: list[str]) -> tuple[float, str]:
    """The seconds that a command takes, and what it prints."""
    started = time.perf_counter()
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "coc_core", *words, "-q"], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode > 1:
        raise SystemExit(done.stderr)
    return time.perf_counter() - started, done.stdout


def without_seconds(value: object) -> object:
    """The document without what differs from run to run."""
    if isinstance(value, dict):
        return {key: without_seconds(each) for key, each in value.items() if key not in ("seconds", "report")}
    return [without_seconds(each) for each in value] if isinstance(value, list) else value


def compare(name: str, words: list[list[str]]) -> bool:
    """Print a line about a load, with one worker and with several; whether both gave the same."""
    (one, first), (several, second) = map(run, words)
    same = without_seconds(json.loads(first)) == without_seconds(json.loads(second))
    print(f"{name:<28}{one:>9.1f} s{several:>9.1f} s{one / several:>8.2f} times   {'same' if same else 'DIFFERENT'}")
    return same


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--instances", type=int, default=50)
    parser.add_argument("--n", default="5-40", help="the sizes of the problems")
    parser.add_argument("--only", nargs="+", choices=LOADS, default=LOADS, help="the loads")
    chosen = parser.parse_args()
    same = True
    print(f"{'':<28}{'one':>11}{f'{chosen.jobs} workers':>11}")
    if "eval" in chosen.only:
        evaluate = ["eval", "-d", "blocksworld", "-n", chosen.n, "--instances", f"{chosen.instances}", "--json"]
        problems = chosen.instances * len(parse_sizes(chosen.n))
        same &= compare(f"coc eval, {problems:,} problems", [[*evaluate, "--jobs", str(n)] for n in (1, chosen.jobs)])
    if "reproduce" in chosen.only:
        with tempfile.TemporaryDirectory() as folder:
            reproduce = [
                ["reproduce", "holdout", "--json", "--out", str(Path(folder) / str(n)), "--jobs", str(n)]
                for n in (1, chosen.jobs)
            ]
            same &= compare("coc reproduce, 2 trainings", reproduce)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
