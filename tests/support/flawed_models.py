"""A model that is wrong now and then, in many ways, and runs of it that end early; what two executors are compared on."""

import random
from functools import cache

from attrs import evolve

from coc_check.scripted import left_undone, right_target
from coc_core.errors import NumericFault
from coc_core.models import Model
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.types import Limits
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Move
from tests.support.machines import SETTINGS, contents

DOMAINS = ["hanoi", "blocksworld", "blocksworld-extended", "blocks", "pancake"]
DOMAIN_SETTINGS = [(domain, *setting) for domain in DOMAINS for setting in SETTINGS]
LARGEST = {"hanoi": 4, "pancake": 6}


@cache
def small_setting(domain, memory, arith):
    """A setting whose runs are cut off early."""
    limits = Limits(steps=60, stack_depth=40, tape_bytes=3_000, target_chars=600)
    return Setting.of(Registry.installed(), domain, memory, arith, limits)


class HalfPolicy(Hanoi):
    """Knows no moves."""

    def expand(self, instruction):
        if isinstance(instruction, Move):
            raise KeyError(instruction.disk)
        return super().expand(instruction)


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
        return right if rng.random() >= self.share else rng.choice(FLAWS)(rng, right, prompt, self.convention)


def cut(rng, right, prompt, convention):
    return right[: rng.randrange(len(right))]


def miscount(rng, right, prompt, convention):
    digits = [place for place, letter in enumerate(right) if letter.isdigit()]
    place = rng.choice(digits or [0])
    return right[:place] + str(rng.randrange(10)) + right[place + 1 :]


def defer(rng, right, prompt, convention):
    """The same instruction again, or twice, or nothing at all."""
    try:
        return left_undone(convention, prompt, rng.randrange(3))
    except (TypeError, ValueError):
        return right


def break_down(rng, right, prompt, convention):
    raise NumericFault("no finite logits", text=prompt[:5] if rng.random() < 0.5 else "")


def babble(rng, right, prompt, convention):
    return rng.choice(["", "\x1b[2J", "What?", "right " * 200])


FLAWS = [cut, miscount, miscount, defer, defer, break_down, babble]


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
