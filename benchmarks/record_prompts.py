"""How many distinct prompts all problems together have on a heap, with names numbered in their order, and whether a model answers them.

First those that the runs of drawn problems have, and whether a dictionary of these solves larger problems; then all that
follow from the kinds of records and instructions that runs begin with.

python benchmarks/record_prompts.py blocks --problems 50000
"""

import argparse
import itertools
import random
import sys
import time

from coc_core.domain import why_unsolvable
from coc_core.models import Pair
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.text import format_sizes
from coc_problems import every_prompt, parse_sizes, policy_steps


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("domain")
    parser.add_argument("--problems", type=int, default=20_000, help="how many are drawn")
    parser.add_argument("--n", default="1-30", help="their sizes, each with the same probability")
    parser.add_argument("--larger", default="40,100,200", help="sizes of ten larger problems each")
    parser.add_argument("--model", default=None, help="the model; by default the one that ships")
    parser.add_argument("--bounds", action="store_true", help="also bound what rounding can change, for all of them")
    chosen = parser.parse_args()
    setting = Setting.of(Registry.installed(), chosen.domain, "heap", "symbolic")
    domain, convention, sizes = setting.domain, setting.convention, list(parse_sizes(chosen.n))
    rng, seen, last, drawn, steps, actions = random.Random(1), {}, 0, [], 0, 0
    while len(drawn) < chosen.problems:
        problem = domain.problem(rng.choice(sizes), rng.randrange(10**12))
        if why_unsolvable(domain, problem):
            continue
        drawn.append(problem)
        for instruction, step in policy_steps(domain, problem):
            steps += 1
            actions += sum(emitted in domain.actions for emitted in step.emits)
            prompt = convention.prompt(convention.window(domain.instructions.format(instruction)))
            if prompt not in seen:
                seen[prompt], last = convention.target_for(prompt), len(drawn)

    def known_to_the_dictionary(problem):
        steps = policy_steps(domain, problem)
        return all(
            convention.prompt(convention.window(domain.instructions.format(instruction))) in seen
            for instruction, _ in steps
        )

    larger = [domain.problem(n, rng.randrange(10**12)) for n in parse_sizes(chosen.larger) for _ in range(10)]
    larger = [problem for problem in larger if not why_unsolvable(domain, problem)]
    found = sum(map(known_to_the_dictionary, larger))
    listed = every_prompt(convention)
    closed = dict(listed.pairs)
    model = setting.model(chosen.model)
    print(
        f"{chosen.domain}: {len(drawn):,} problems of n={format_sizes(sizes)}, {steps / actions:.2f} steps for an action"
    )
    print(f"{len(seen):,} distinct prompts in their runs, the last of them in problem {last:,}")
    print(f"a dictionary of these solves {found} of {len(larger)} problems of n={chosen.larger}")
    print(f"all of them: {listed.scope}")
    for what, pairs in (("those of the runs", seen), ("all of them", closed)):
        started = time.perf_counter()
        answers = model.complete(list(pairs))
        right = sum(answer == target for answer, target in zip(answers, pairs.values(), strict=True))
        seconds = time.perf_counter() - started
        print(f"{what}: {model.name} answers {right:,} of {len(pairs):,} as the policy does, in {seconds:.1f} s")
    if chosen.bounds:
        margins = list(model.margins(itertools.starmap(Pair, closed.items()), bounded=True))
        least, ratio = min(each.margin for each in margins), min(each.margin / each.bound for each in margins)
        print(f"all of them: the smallest logit margin is {least:.2f}, the smallest margin / bound {ratio:.1f}")
    if seen.keys() - closed.keys():
        sys.exit("a run has a prompt that steps can't lead to")


if __name__ == "__main__":
    main()
