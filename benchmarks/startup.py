"""How long `coc` takes to start, compared with importing the libraries that it needs.

    python benchmarks/startup.py [--repeat 15] [--only help run]

Each command and the bare import that it is compared with are run by turns, so that whatever else the machine does
slows down both. Times are wall-clock seconds, the median of the runs.
"""

import argparse
import subprocess
import sys
import time
from statistics import median

COMPARED = {
    "help": (("-m", "coc_core", "--help"), ("-c", "import typer, rich.console"), 2.0),
    "run": (
        ("-m", "coc_core", "run", "-d", "hanoi", "-n", "8"),
        ("-c", "import numpy, rich.console, tokenizers, typer"),
        2.4,
    ),
}
"""By name, a command, the import that it is compared with, and the largest ratio that is allowed."""


def seconds(arguments: tuple[str, ...]) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--only", nargs="+", choices=COMPARED, default=list(COMPARED), help="the commands")
    options = parser.parse_args()
    print(f"{'command':<24} {'seconds':>8}   {'compared with':<46} {'seconds':>8} {'ratio':>6} {'goal':>5}")
    for command, imports, goal in map(COMPARED.__getitem__, options.only):
        for arguments in (command, imports):
            seconds(arguments)  # once without being counted, so that all files are in memory
        times = [(seconds(command), seconds(imports)) for _ in range(options.repeat)]
        took, bare = (median(column) for column in zip(*times, strict=True))
        shown = "coc " + " ".join(command[2:])
        print(f"{shown:<24} {took:>8.3f}   {imports[1]:<46} {bare:>8.3f} {took / bare:>6.2f} {goal:>5}")


if __name__ == "__main__":
    main()
