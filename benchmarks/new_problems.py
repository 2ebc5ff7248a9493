"""Count the test problems of the item `instances` that are new up to names.

Test problems differ in their texts from those of each training. One of them still is a training problem with other names
if both have the same text once their names are numbered in order.

    python benchmarks/new_problems.py
"""

import re
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import defaultdict
from itertools import count as count_up

from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_paper.item import Budget
from coc_paper.items.instances import DOMAINS, Instances
from coc_problems import Split, sample_problems


def unnamed(domain, n, count, seed, split):
    """The problems that are drawn, each with its names numbered in the order in which they come first."""
    name = re.compile(rf"\b[{''.join(domain.interchangeable_names)}]\d+\b")
    for each in sample_problems(domain, n, count, seed, split):
        numbers = defaultdict(count_up().__next__)
        yield name.sub(lambda found, numbers=numbers: f"{found[0][0]}{numbers[found[0]]}", each.text(domain))


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=Budget, default=Budget.full)
    chosen = Instances(budget=parser.parse_args().budget)
    for name in DOMAINS:
        domain = Setting.of(Registry.installed(), name, "tape", "inline").domain
        for count in chosen.counts:
            new = of = 0
            for n in chosen.sizes:
                known = set(unnamed(domain, n, count, chosen.seed, Split.train))
                tested = list(unnamed(domain, n, chosen.problems, 0, Split.test))
                new, of = new + sum(text not in known for text in tested), of + len(tested)
            print(f"{name}, {count} training problems of a size: {new:,} of {of:,} new up to names")


if __name__ == "__main__":
    main()
