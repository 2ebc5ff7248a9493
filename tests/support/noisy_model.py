"""A model that is right with a known probability, and wrong in a known way: a seeded, nondeterministic one."""

from random import Random

from coc_core.errors import NumericFault
from coc_core.models import Model, Sampler


def undone(prompt, rng):
    """A target that any state allows and that is always the same: it leaves the instruction undone."""
    return prompt.replace("INSTR", "PUSH")


def garbage(prompt, rng):
    """No target."""
    return rng.choice(["I'm sorry.", "", prompt, "OUTPUT Move disk 65 from 1 to 3", "PUSH CALL n=1\n"])


def numeric(prompt, rng):
    """No response at all."""
    return NumericFault("no finite logits")


class Noisy(Sampler):
    """Wrong with the probability `error`, and with the probability `drop` it gives what no machine would take."""

    name = "noisy"
    deterministic = False

    def __init__(self, convention, error=0.0, drop=0.0, wrong=undone, useless=garbage, salt=0):
        super().__init__()
        self.convention, self.error, self.drop, self.salt = convention, error, drop, salt
        self.wrong, self.useless, self.batches = wrong, useless, []

    def respond(self, prompt, seed):
        rng = Random(f"{self.salt} {seed} {prompt}")
        if rng.random() < self.drop:
            return self.useless(prompt, rng)
        return self.wrong(prompt, rng) if rng.random() < self.error else self.convention.target_for(prompt)

    def _complete(self, prompts, drafts):
        return [self.respond(prompt, 0) for prompt in prompts]

    def _sample(self, prompts, seeds):
        self.batches.append(list(prompts))
        return [self.respond(prompt, seed) for prompt, seed in zip(prompts, seeds, strict=True)]


class Whimsical(Model):
    """The same without an interface for sampling: each call is another draw."""

    name = "whimsical"
    deterministic = False

    def __init__(self, noisy):
        super().__init__()
        self.noisy, self.draws = noisy, 0

    def _complete(self, prompts, drafts):
        start, self.draws = self.draws, self.draws + len(prompts)
        return [self.noisy.respond(prompt, start + index) for index, prompt in enumerate(prompts)]
