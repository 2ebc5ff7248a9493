"""How many distinct prompts all problems together have on a heap, with names by place, and whether a model answers them.

python tests/benchmarks/record_prompts.py blocks --problems 50000
"""

import argparse
import random
import time

from coc_core.domain import policy_steps, why_unsolvable
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.text import format_sizes, parse_sizes


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("domain")
    parser.add_argument("--problems", type=int, default=20_000, help="how many are drawn")
    parser.add_argument("--n", default="1-30", help="their sizes, each with the same probability")
    parser.add_argument("--model", default=None, help="the model; by default the one that ships")
    chosen = parser.parse_args()
    setting = Setting.of(Registry.installed(), chosen.domain, "heap", "symbolic")
    domain, convention, sizes = setting.domain, setting.convention, list(parse_sizes(chosen.n))
    rng, seen, last, drawn, steps, actions = random.Random(1), {}, 0, 0, 0, 0
    while drawn < chosen.problems:
        problem = domain.problem(rng.choice(sizes), rng.randrange(10**12))
        if why_unsolvable(domain, problem):
            continue
        drawn += 1
        for instruction, step in policy_steps(domain, problem):
            steps += 1
            actions += sum(emitted in domain.actions for emitted in step.emits)
            prompt = convention.prompt(domain.instructions.format(instruction))
            if prompt not in seen:
                seen[prompt], last = convention.target_for(prompt), drawn
    model = setting.model(chosen.model)
    started = time.perf_counter()
    right = sum(response == seen[prompt] for prompt, response in zip(seen, model.complete(list(seen)), strict=True))
    seconds = time.perf_counter() - started
    print(f"{chosen.domain}: {drawn:,} problems of n={format_sizes(sizes)}, {steps / actions:.2f} steps for an action")
    print(f"{len(seen):,} distinct prompts, the last of them in problem {last:,}")
    print(f"{model.name} answers {right:,} of them as the policy does, in {seconds:.1f} s")


if __name__ == "__main__":
    main()
