"""Make certificates and check them, and print how long both take.

    python benchmarks/certificates.py [--only NAME ...] [--size 8] [--instances 1000] [--out FOLDER]

The checker runs without coc: Python is isolated from this environment, and finds numpy alone beside its own library.
For each setting: the numbers of problems and prompts, the verdict, the smallest margin, the smallest ratio of a margin
and its bound, the size of the file, and the processor time of making and of checking it. Exits with 1 if the checker
refuses one.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.bare_python import run_bare

ROOT = Path(__file__).resolve().parents[1]
CHECKER, HEAP_CHECKER = (ROOT / "examples" / f"check_{kind}certificate.py" for kind in ("", "heap_"))
HANOI, PANCAKE, BLOCKSWORLD = (f"coc_puzzles/{name}" for name in ("hanoi", "pancake", "blocksworld"))
EVERY, DRAWN = ["--exhaustive", "--no-bounds"], ["--n", "40", "--no-bounds"]
ON_HEAP = {
    "blocks": f"{BLOCKSWORLD}/checkpoints/blocks",
    "blocksworld": f"{BLOCKSWORLD}/checkpoints/blocksworld-heap",
    "blocksworld-extended": f"{BLOCKSWORLD}/checkpoints/blocksworld-extended-heap",
    "pancake": f"{PANCAKE}/checkpoints/pancake-heap",
}
SETTINGS = {
    "hanoi-pda": (f"{HANOI}/checkpoints/pda", ["--domain", "hanoi", "--n", "1-64"]),
    "hanoi-tape": (f"{HANOI}/checkpoints/tape-symbolic", ["--domain", "hanoi", "--memory", "tape", "--n", "1-5"]),
    "pancake": (f"{PANCAKE}/checkpoints/pancake", ["--domain", "pancake", *EVERY]),
    "blocksworld": (f"{BLOCKSWORLD}/checkpoints/blocksworld", ["--domain", "blocksworld", *EVERY]),
    "pancake-40": (f"{PANCAKE}/checkpoints/pancake", ["--domain", "pancake", *DRAWN]),
    "blocksworld-40": (f"{BLOCKSWORLD}/checkpoints/blocksworld", ["--domain", "blocksworld", *DRAWN]),
    **{
        f"{domain}-heap-40": (path, ["--domain", domain, "--memory", "heap", "--n", "40"])
        for domain, path in ON_HEAP.items()
    },
    **{
        f"{domain}-heap": (ON_HEAP[domain], ["--domain", domain, "--memory", "heap", "--exhaustive"])
        for domain in ("blocksworld", "pancake")
    },
}


def spent():
    """The processor time of all programs that were run and have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=SETTINGS, default=list(SETTINGS), metavar="NAME")
    parser.add_argument("--size", type=int, default=8, help="the n of which every problem is certified")
    parser.add_argument("--instances", type=int, default=1000, help="problems of n = 40")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()), help="where the certificates go")
    options = parser.parse_args()
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    print("| setting | problems | prompts | verdict | smallest margin | margin / bound | size | made in | checked in |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    refused = 0
    for name in options.only:
        checkpoint, arguments = SETTINGS[name]
        file = options.out / f"{name}.certificate"
        if "--n" not in arguments:
            arguments = [*arguments, "--n", str(options.size)]
        elif "40" in arguments:
            arguments = [*arguments, "--instances", str(options.instances)]
        command = [sys.executable, "-m", "coc_core", "certify", *arguments, "--out", str(file), "--json"]
        before = spent()
        made = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
        between = spent()
        checked = run_bare(
            [HEAP_CHECKER if "heap" in arguments else CHECKER, file, ROOT / "plugins" / checkpoint], environment
        )
        after = spent()
        found = json.loads(made.stdout)
        ratio = f"{found['ratio']:,.1f}" if found["ratio"] else "none"
        print(
            f"| {name} | {found['problems']:,} | {found['prompts']:,} | {found['verdict']} | {found['margin']:.2f}"
            f" | {ratio} | {file.stat().st_size:,} bytes | {between - before:,.1f} s | {after - between:,.1f} s |",
            flush=True,
        )
        if checked.returncode:
            refused += 1
            print(checked.stdout, checked.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
