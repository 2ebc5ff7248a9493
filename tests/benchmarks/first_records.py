"""With names by place, of how many kinds the records and instructions are that runs begin with, by size.

    python tests/benchmarks/first_records.py [--every 5] [--drawn 2000] [--n 6-60]

In each domain that stores records: those of all problems up to the size `--every`, and what drawn larger ones add to
them. All problems of small sizes are listed, so that nothing is left to chance where a kind is rare. Exits with 1 if a
larger problem adds one.
"""

import argparse
import random
import sys

from coc_core.domain import why_unsolvable
from coc_core.errors import UsageError
from coc_core.plugin import DomainSpec, Registry
from coc_core.setting import Setting
from coc_problems import kind_of, parse_sizes


def added(domain, problems, known):
    """How many problems there are that can be solved; their kinds are added."""
    count = 0
    for problem in problems:
        if not why_unsolvable(domain, problem):
            known.update(kind_of(domain, written) for written in (*domain.records(problem), domain.start(problem)))
            count += 1
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=5, help="the largest size of which all problems are listed")
    parser.add_argument("--drawn", type=int, default=2_000, help="how many larger ones are drawn")
    parser.add_argument("--n", default="6-60", help="their sizes, each with the same probability")
    chosen = parser.parse_args()
    try:
        sizes = list(parse_sizes(chosen.n))
    except UsageError as error:
        parser.error(str(error))
    registry, more = Registry.installed(), 0
    print("| domain | n | problems | kinds of first instructions | kinds of first records |\n|---|---|---|---|---|")
    for spec in registry.specs(DomainSpec):
        if "heap" not in dict(spec.policies):
            continue
        domain = Setting.of(registry, spec.name, "heap", "symbolic").domain
        rng, known = random.Random(0), set()
        every = [(f"{n}", domain.every_problem(n)) for n in range(domain.sizes[0], chosen.every + 1)]
        drawn = (domain.problem(rng.choice(sizes), rng.randrange(10**12)) for _ in range(chosen.drawn))
        for n, problems in (*every, (chosen.n, drawn)):
            before, count = len(known), added(domain, problems, known)
            records = sum(is_record for is_record, _ in known)
            print(f"| {spec.name} | {n} | {count:,} | {len(known) - records} | {records} |", flush=True)
        more += len(known) - before
    if more:
        sys.exit(f"larger problems add {more}")


if __name__ == "__main__":
    main()
