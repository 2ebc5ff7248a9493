"""Kill runs with votes at random moments, let them go on with their ledger, and count what was paid for.

    python tests/benchmarks/ledger_kills.py [--kills 1000] [--seed 0] [--n 8]

An endpoint that is sometimes wrong serves Tower of Hanoi. A run, `coc run --executor vote:k=3` with a ledger, is started
in a child that is forked from this process, killed by SIGKILL at a random moment, and started again, until it ends by
itself; then the next run begins, with a ledger of its own. The endpoint counts the requests that it receives. Those that
are not in the ledger were under way at a kill, and each kill may have at most as many of them as there are at once. At
its end a run must have the right plan, and when it is started once more, it must send nothing. Exits with 1 if anything
of this does not hold.
"""

import argparse
import os
import signal
import sys
import time
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

os.environ["OMP_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

import forked
import openai.resources.completions  # what a child would import anew each time
from noisy_endpoint import noisy_endpoint
from remembered import remembered_plugins

import coc_core as coc
import coc_core.cli.solve.run
import coc_core.execution.voting
import coc_llm.model  # noqa: F401
from coc_core.plugin import Registry
from coc_core.setting import Setting

CONCURRENCY = 3
SCRATCH = "/dev/shm" if Path("/dev/shm").is_dir() else None  # what is written outlives a process there, too
LATENCY = 0.002  # seconds until the endpoint answers


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--n", type=int, default=8, help="disks")
    options = parser.parse_args()
    rng, begun = Random(options.seed), time.perf_counter()
    right = list(coc.run("hanoi", options.n, model="reference").plan)
    convention = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic").convention
    kills, paid, wrong = 0, 0, list[str]()
    with (
        remembered_plugins(),
        TemporaryDirectory(prefix="coc-ledger-", dir=SCRATCH) as scratch,
        noisy_endpoint(convention, options.seed, seconds=LATENCY, error=0.02, drop=0.2) as (url, received),
    ):
        _, seconds = uninterrupted(words(url, options.n, Path(scratch) / "first"))
        first = received.value
        for run in count(1):
            folder, begin, killed = Path(scratch) / f"run{run}", received.value, kills
            command = words(url, options.n, folder)
            end = forked.KILLED
            while end == forked.KILLED and kills < options.kills:
                end = forked.at_a_moment(forked.start(command), signal.SIGKILL, rng.uniform(0, seconds))
                kills += end == forked.KILLED
            if end == forked.KILLED:
                end, _ = uninterrupted(command)
            ended, kept = received.value, lines(folder / "ledger")
            again, _ = uninterrupted(command)
            paid += kept
            if ended - begin - kept > CONCURRENCY * (kills - killed) or received.value > ended:
                wrong.append(f"run {run}: {received.value - begin:,} requests for {kept:,} responses")
            if (end, again) != (0, 0):
                wrong.append(f"run {run}: it ended with {end}, and when started again with {again}")
            elif (folder / "plan").read_text().splitlines() != right:
                wrong.append(f"run {run}: another plan")
            print(f"\r{kills:,} kills, {len(wrong)} wrong", end="", file=sys.stderr, flush=True)
            if kills >= options.kills:
                break
        total = received.value - first
    print(file=sys.stderr)
    print(f"{kills:,} kills of {run:,} runs, seed {options.seed}, in {time.perf_counter() - begun:,.0f} s")
    print(f"{total:,} requests, {paid:,} responses in the ledgers, {total - paid:,} under way at a kill")
    print(f"what was wrong: {len(wrong)}")
    for each in wrong:
        print(f"  {each}")
    return 1 if wrong else 0


def words(url, n, folder):
    """A command that keeps its ledger and its plan in a folder."""
    folder.mkdir()
    model = f"openai:m,base_url={url},api=completions,ledger={folder / 'ledger'},concurrency={CONCURRENCY}"
    return ["run", "-d", "hanoi", "-n", str(n), "-x", "vote:k=3", "--model", model, "--plan", str(folder / "plan")]


def uninterrupted(command):
    """How a child ends that nobody kills, and how long that takes."""
    begun = time.perf_counter()
    return forked.wait(forked.start(command)), time.perf_counter() - begun


def lines(path):
    """The responses in a ledger."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


if __name__ == "__main__":
    sys.exit(main())
