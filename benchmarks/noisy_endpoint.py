"""How often runs with a noisy endpoint are right by votes, and how many calls they take, beside what is predicted.

    python benchmarks/noisy_endpoint.py [--runs 200] [--seed 0] [--n 20]

A response of the endpoint is right with probability p, if it is one that the machine would take; all wrong ones to a
prompt are equal, which is the worst case. Besides, one response in ten is none that the machine would take, and one
request in a hundred fails: with status 429 or 500, by a connection that is cut, or by silence. Each run is two disks,
with 4 decisions. At last, twenty disks, or as many as `--n` says, are solved with p = 0.99 and a k that the vote chooses.
Exits with 1 if a success rate is more than 3.3 standard deviations away from what is predicted, or that run does not
solve its problem.
"""

import argparse
import signal
import sys
import time
from contextlib import contextmanager
from math import sqrt
from multiprocessing import get_context
from random import Random

from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_llm.vote import Vote, VoteOptions, describe, expected_votes, finish_rate, votes_of
from tests.support.fake_endpoint import completion, cut, endpoint, hang_up, refusal, slow
from tests.support.noisy_model import Noisy

SETTING = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic")
DROP, TROUBLE, DECISIONS = 0.1, 0.01, 4

SOON = {"retry-after-ms": "5"}
TROUBLES = {
    (429, "busy"): 8,
    (500, "out of order"): 8,
    cut: 4,
    hang_up: 4,
    slow(1.2): 1,
}
"""What goes wrong, with weights."""


@contextmanager
def noisy_endpoint(seed=0, trouble=0.0, **noise):
    """Serves a noisy model while the block runs; gives its address and the number of its requests.

    Each request is answered by random numbers that depend on the seed and on how many came before it.
    """
    context = get_context("fork")
    received, (ours, theirs) = context.Value("q", 0), context.Pipe()

    def serve():
        model = Noisy(SETTING.convention, **noise)

        def respond(body):
            with received.get_lock():
                received.value += 1
                number = received.value
            rng = Random(f"{seed} {number}")
            if rng.random() < trouble:
                (found,) = rng.choices(list(TROUBLES), list(TROUBLES.values()))
                return (found[0], refusal(found[1]), SOON) if isinstance(found, tuple) else found
            return 200, completion(model.respond(body["prompt"], f"{seed} {number}")), {}

        with endpoint(then=respond) as fake:
            theirs.send(fake.url)
            signal.pause()

    server = context.Process(target=serve, daemon=True)
    server.start()
    try:
        yield ours.recv(), received
    finally:
        server.terminate()
        server.join()


def solved(url, executor, n):
    """The outcome of a run."""
    model = SETTING.model(f"openai:m,base_url={url},api=completions,timeout=1,retries=9")
    while True:
        (outcome,) = executor.run([SETTING.machine(SETTING.domain.problem(n))], model)
        yield outcome


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200, help="for each p and k")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--n", type=int, default=20, help="disks of the last run")
    options = parser.parse_args()
    runs, outside, requests, begun = options.runs, 0, 0, time.perf_counter()
    print("| p | k | solved | predicted | interval | votes a decision | predicted |\n|---|---|---|---|---|---|---|")
    for error in (0.1, 0.01, 0.001):
        for lead in range(1, 6):
            seed, noise = f"{options.seed} {error} {lead}", {"error": error, "drop": DROP, "trouble": TROUBLE}
            right = votes = decisions = 0
            with noisy_endpoint(seed, **noise) as (url, received):
                outcomes = solved(url, Vote(VoteOptions(k=lead, error=error)), 2)
                for _, outcome in zip(range(runs), outcomes, strict=False):
                    right += outcome.status == "solved"
                    votes += votes_of(outcome.report).responses - votes_of(outcome.report).dropped
                    decisions += votes_of(outcome.report).decisions
                requests += received.value
            rate = finish_rate(error, lead, DECISIONS)
            spread = 3.3 * sqrt(runs * rate * (1 - rate)) + 0.5
            low, high = max(0, runs * rate - spread), min(runs, runs * rate + spread)
            outside += not low <= right <= high
            print(
                f"| {1 - error:g} | {lead} | {right} | {runs * rate:.1f} | {low:.0f} to {high:.0f} "
                f"| {votes / decisions:.2f} | {expected_votes(error, lead):.2f} |",
                flush=True,
            )
    print(f"{requests:,} requests in {time.perf_counter() - begun:,.0f} s; outside of its interval: {outside}")
    with noisy_endpoint(options.seed, TROUBLE, error=0.01, drop=DROP) as (url, received):
        begun = time.perf_counter()
        outcome = next(solved(url, Vote(), options.n))
        seconds = time.perf_counter() - begun
    print(f"\n{options.n} disks, p = 0.99: {outcome.status}, {outcome.steps:,} steps, {outcome.actions:,} actions")
    print(f"{describe(outcome.report)}\n{votes_of(outcome.report).expected:,.0f} votes predicted")
    print(f"{received.value:,} requests in {seconds:,.0f} s")
    return 1 if outside or outcome.status != "solved" else 0


if __name__ == "__main__":
    sys.exit(main())
