"""A model that is wrong now and then, in many ways, and runs of it that end early; what two executors are compared on."""

import random
from functools import cache

from attrs import evolve

from coc_check.scripted import MISTAKES, right_target
from coc_core.errors import NumericFault
from coc_core.models import Model
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.types import Limits
from tests.support.machines import SETTINGS, contents

DOMAINS = ["hanoi", "blocksworld", "blocksworld-extended", "blocks", "pancake"]
DOMAIN_SETTINGS = [(domain, *setting) for domain in DOMAINS for setting in SETTINGS]
LARGEST = {"hanoi": 4, "pancake": 6}


@cache
def small_setting(domain, memory, arith):
    """A setting whose runs are cut off early."""
    limits = Limits(steps=60, stack_depth=40, tape_bytes=3_000, target_chars=600)
    return Setting.of(Registry.installed(), domain, memory, arith, limits)


class Flawed(Model):
    """The reference, but wrong about some prompts: always about the same ones and in the same way."""

    name = "flawed"

    def __init__(self, convention, share, seed):
        super().__init__()
        self.convention, self.share, self.seed = convention, share, seed
        self.batches = []

    def _complete(self, prompts, drafts):
        self.batches.append(prompts)
        return [self.answer(prompt) for prompt in prompts]

    def answer(self, prompt):
        rng = random.Random(f"{self.seed} {prompt}")
        right = right_target(self.convention, prompt)
        if rng.random() >= self.share:
            return right
        try:
            found = rng.choice(list(MISTAKES.values()))(rng, right, prompt, self.convention)
        except ValueError:  # where a wrong target led, the policy knows no prompt
            return right
        if found is None:
            raise NumericFault("no finite logits", text=prompt[:5] if rng.random() < 0.5 else "")
        return found


def traces(setting, problems, model, executor):
    """For each problem what its machine did and how it ended, and what it holds then."""
    commits = [[] for _ in problems]
    machines = [setting.machine(problem, [seen.append]) for problem, seen in zip(problems, commits, strict=True)]
    outcomes = executor.run(machines, model)
    return [
        (
            [(one.step, one.window, one.prompt, one.target, one.actions) for one in seen],
            evolve(outcome, model_calls=0, seconds=0),
            contents(subject),
        )
        for seen, outcome, subject in zip(commits, outcomes, machines, strict=True)
    ]
