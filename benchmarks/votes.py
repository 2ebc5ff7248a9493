"""How often a weakened model solves by votes, and how many responses that takes, beside what is predicted.

The model is weakened by dividing its logits by a temperature. Its responses to each prompt of the problem are drawn once,
and each run draws from these with replacement.

    python benchmarks/votes.py --n 4 --temperature 2.5
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from math import prod, sqrt
from random import Random

import torch
from attrs import frozen

from coc_core.models import Sampler, read_config
from coc_core.plugin import Registry
from coc_core.setting import Setting, checkpoint_folder
from coc_llm.voting.majority import decision_rate, expected_votes, finish_rate
from coc_llm.voting.vote import Vote, VoteOptions, fault_in
from coc_llm.voting.votes import votes_of
from coc_transformer.decoding.backend import Transformer
from coc_transformer.model import load_decoder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=4, help="disks")
    parser.add_argument("--temperature", type=float, default=2.5)
    parser.add_argument("--draws", type=int, default=40, help="responses to each prompt")
    parser.add_argument("--runs", type=int, default=100, help="runs for each k")
    options = parser.parse_args()

    setting = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic")
    problem = setting.domain.problem(options.n)
    pools = drawn(setting, problem, weakened(setting, options.temperature), options.draws)
    responses, taken, wrong = (
        sum(getattr(pool, name) for pool in pools.values()) for name in ("all", "taken", "wrong")
    )
    error, decisions = wrong / taken, len(pools)
    print(
        f"{decisions} prompts, {responses:,} responses, {responses - taken:,} dropped, {error:.2%} of the others wrong"
    )
    print(f"most often wrong: {max(pool.error for pool in pools.values()):.0%} at one prompt")
    print(
        f"\n{'k':>2} {'solved':>12} {'predicted':>10} {'by prompt':>10} {'counted':>9} {'predicted':>10} {'drawn':>7}"
    )
    for lead in range(1, 5):
        solved = counted = drawn_ = 0
        for salt in range(options.runs):
            executor = Vote(VoteOptions(k=lead, error=min(error, 0.499)))
            (outcome,) = executor.run([setting.machine(problem)], Pooled(pools, salt))
            solved += outcome.status == "solved"
            votes = votes_of(outcome.report)
            counted += (votes.responses - votes.dropped) / votes.decisions / options.runs
            drawn_ += votes.responses / options.runs
        rate = solved / options.runs
        by_prompt = prod(decision_rate(pool.error, lead) for pool in pools.values())
        print(
            f"{lead:>2} {rate:>7.1%} ±{1.96 * sqrt(rate * (1 - rate) / options.runs):>3.0%}"
            f" {finish_rate(error, lead, decisions):>10.1%} {by_prompt:>10.1%}"
            f" {counted:>9.2f} {expected_votes(error, lead):>10.2f} {drawn_:>7.0f}"
        )


@frozen
class Pool:
    """Responses to a prompt: all, those that the machine would take, and the wrong ones among these."""

    responses: Sequence[str]
    all: int
    taken: int
    wrong: int

    @property
    def error(self) -> float:
        return self.wrong / self.taken if self.taken else 1.0


class Pooled(Sampler):
    """Draws from responses that were drawn before."""

    name = "pooled"

    def __init__(self, pools, salt):
        super().__init__()
        self.pools, self.salt = pools, salt

    def _complete(self, prompts, drafts):
        raise NotImplementedError("a vote samples")

    def _sample(self, prompts, seeds):
        return [
            Random(f"{self.salt} {seed}").choice(self.pools[prompt].responses)
            if prompt in self.pools
            else "a prompt that no right run has"
            for prompt, seed in zip(prompts, seeds, strict=True)
        ]


def weakened(setting, temperature) -> Transformer:
    """The checkpoint that ships, with its logits divided by a temperature."""
    folder = checkpoint_folder(setting.registry, None, setting.convention.dialect)
    identity, config = read_config(folder)
    decoder, tokenizer = load_decoder(folder, config)
    with torch.no_grad():
        for parameter in decoder.norm.parameters():
            parameter /= temperature
    return Transformer(decoder, tokenizer, folder.name, identity.dialects.index(setting.convention.dialect))


def drawn(setting, problem, model, draws) -> dict[str, Pool]:
    """The responses of a model to each prompt of the right run."""
    machine, found = setting.machine(problem), {}
    while (prompt := machine.peek()) is not None:
        target = setting.convention.target_for(prompt)
        if prompt not in found:
            responses = model.sample([prompt] * draws, range(draws))
            taken = Counter(each for each in responses if isinstance(each, str) and fault_in(machine, each) is None)
            texts = [each if isinstance(each, str) else "" for each in responses]
            found[prompt] = Pool(texts, draws, taken.total(), taken.total() - taken[target])
        machine.step(target)
    return found


if __name__ == "__main__":
    main()
