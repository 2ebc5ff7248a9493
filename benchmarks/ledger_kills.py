"""Kill runs with votes at random moments, let them go on with their ledger, and count what was paid for.

    python benchmarks/ledger_kills.py [--kills 1000] [--seed 0] [--n 5]

An endpoint that is sometimes wrong serves Tower of Hanoi. A run with `vote:k=3` and a ledger is started in a child that
is forked from this process, killed by SIGKILL at a random moment, and started again, until it ends by itself; then the
next run begins, with a ledger of its own. The endpoint counts the requests that it receives. Those that are not in the
ledger were under way at a kill, and each kill may have at most as many of them as there are at once. At its end a run
must have the right plan, and when it is started once more, it must send nothing. Exits with 1 if anything of this does
not hold.
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
from coc_core.memories import Reference
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_llm.choice import Choice
from coc_llm.endpoint import Endpoint
from coc_llm.framing import Framing
from coc_llm.ledger import Ledger
from coc_llm.model import EndpointModel
from coc_llm.voting.vote import Vote, VoteOptions
from tests.support import forked_commands
from tests.support.noisy_endpoint import noisy_endpoint

SETTING = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic")
CONCURRENCY = 3
SCRATCH = "/dev/shm" if Path("/dev/shm").is_dir() else None  # what is written outlives a process there, too
LATENCY = 0.002  # seconds until the endpoint answers


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--n", type=int, default=5, help="disks")
    options = parser.parse_args()
    rng, begun = Random(options.seed), time.perf_counter()
    kills, paid, wrong = 0, 0, list[str]()
    with (
        TemporaryDirectory(prefix="coc-ledger-", dir=SCRATCH) as scratch,
        noisy_endpoint(SETTING.convention, options.seed, seconds=LATENCY, error=0.02, drop=0.2) as (url, received),
    ):
        endpoint = Endpoint(Choice.parse(f"m,base_url={url},api=completions"))  # nothing is connected yet
        right = plan(Reference(SETTING.convention), options.n)
        seconds, _ = timed(endpoint, options.n, Path(scratch) / "first")
        first = received.value
        for run in count(1):
            folder, begin, killed = Path(scratch) / f"run{run}", received.value, kills
            end = forked_commands.KILLED
            while end == forked_commands.KILLED and kills < options.kills:
                child = started(endpoint, options.n, folder)
                end = forked_commands.at_a_moment(child, signal.SIGKILL, rng.uniform(0, seconds / 3))
                kills += end == forked_commands.KILLED
            if end == forked_commands.KILLED:
                _, end = timed(endpoint, options.n, folder)
            ended, kept = received.value, lines(folder / "ledger")
            _, again = timed(endpoint, options.n, folder)
            paid += kept
            if ended - begin - kept > CONCURRENCY * (kills - killed):
                wrong.append(f"run {run}: {ended - begin:,} requests for {kept:,} responses")
            if received.value > ended:
                wrong.append(f"run {run}: {received.value - ended:,} requests after its end")
            if (end, again) != (0, 0):
                wrong.append(f"run {run}: it ended with {end}, and when started again with {again}")
            elif (folder / "plan").read_text() != right:
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


def started(endpoint, n, folder):
    """A child that makes a run with the ledger in a folder, and writes its plan there."""
    folder.mkdir(exist_ok=True)
    if child := os.fork():
        return child
    code = 70
    try:
        options = f"m,base_url={endpoint.url},api=completions,concurrency={CONCURRENCY},ledger={folder / 'ledger'}"
        choice = Choice.parse(options)
        found = plan(EndpointModel(Framing.of(SETTING, choice), endpoint, Ledger(choice)), n)
        (folder / "plan").write_text(found)
        code = 0
    finally:
        os._exit(code)


def plan(model, n):
    """The actions of a run, one a line; empty if it does not solve the problem."""
    actions: list[str] = []
    machine = SETTING.machine(SETTING.domain.problem(n), [lambda record: actions.extend(map(str, record.actions))])
    (outcome,) = Vote(VoteOptions(k=3)).run([machine], model)
    return "\n".join(actions) if outcome.status == "solved" else ""


def timed(endpoint, n, folder):
    """How long a run takes that nobody kills, and how it ends."""
    begun = time.perf_counter()
    end = forked_commands.wait(started(endpoint, n, folder))
    return time.perf_counter() - begun, end


def lines(path):
    """The responses in a ledger."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


if __name__ == "__main__":
    sys.exit(main())
