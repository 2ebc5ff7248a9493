"""Models that are wrong about a few prompts of a Tower of Hanoi, so that a run ends early, never, or elsewhere."""

import random
from functools import cache

from attrs import evolve

from coc_check.scripted import MISTAKES, PromptByPrompt, right_target
from coc_core.errors import NumericFault
from coc_problems import policy_steps
from coc_puzzles.hanoi.instructions import Call, Move

MOST_WRONG = 4  # prompts


@cache
def prompts_of(convention, problem):
    """The distinct prompts of the policy's run, without running what comes again."""
    seen = {}
    for instruction, _ in policy_steps(convention.domain, problem, lambda each: seen.setdefault(each, 0) == 0):
        seen[instruction] += 1
    return tuple(map(convention.instruction_prompt, seen))


def _swapped(rng, right, prompt, convention, prompts):
    """The target of another prompt."""
    return right_target(convention, rng.choice(prompts))


def _joined(rng, right, prompt, convention, prompts):
    """It leads to another prompt as well, which may lead back, and then there is no end."""
    instruction, _ = convention.parse_prompt(rng.choice(prompts))
    pushed = f"PUSH {convention.domain.instructions.format(instruction)}"
    lines = right.split("\n")
    first = sum(line.startswith("OUTPUT") for line in lines)
    lines.insert(rng.randint(first, len(lines)), pushed)
    return "\n".join(lines)


def _acting(rng, right, prompt, convention, prompts):
    """It writes an action of another prompt first, which is often illegal."""
    for other in rng.sample(prompts, len(prompts)):
        actions = convention.parse(right_target(convention, other)).actions
        if actions:
            return f"OUTPUT {convention.domain.actions.format(actions[0])}\n{right}"
    return right


def _moving(back):
    """The smaller disks go elsewhere and come `back`, which is longer and no mistake, or stay there."""

    def moving(rng, right, prompt, convention, prompts):
        instruction, _ = convention.parse_prompt(prompt)
        match instruction:
            case Call(n, src, dst, aux) if n > 1:
                away = Call(n - 1, dst, aux, src), Call(n - 1, aux, dst, src)
            case Move(d, src, dst) if d > 1:
                away = Call(d - 1, 6 - src - dst, src, dst), Call(d - 1, src, 6 - src - dst, dst)
            case _:
                return right
        step = convention.domain.expand(instruction)
        return convention.format(convention.compose(evolve(step, then=(*step.then, *away[: 1 + back])), {}))

    return moving


_OWN = {"swapped": _swapped, "joined": _joined, "acting": _acting, "back": _moving(True), "away": _moving(False)}
WRONG_WAYS = (*_OWN, *_OWN, *_OWN, *_OWN, *MISTAKES)


class WrongModel(PromptByPrompt):
    """The policy of the Tower of Hanoi, but for some prompts of the problem; the same model for the same seed."""

    name = "wrong"

    def __init__(self, convention, problem, seed):
        super().__init__()
        rng = random.Random(f"wrong {seed}")
        prompts = prompts_of(convention, problem)
        wrong = rng.sample(prompts, min(rng.choice((1, 1, 2, MOST_WRONG)), len(prompts)))
        self.ways = {prompt: rng.choice(WRONG_WAYS) for prompt in wrong}
        self.asked = set()
        self._targets = {}
        self._convention = convention
        for prompt, way in self.ways.items():
            right = right_target(convention, prompt)
            if way in _OWN:
                self._targets[prompt] = _OWN[way](rng, right, prompt, convention, prompts)
            else:
                self._targets[prompt] = MISTAKES[way](rng, right, prompt, convention)

    def _respond(self, prompt):
        self.asked.add(prompt)
        if prompt not in self._targets:
            self._targets[prompt] = right_target(self._convention, prompt)
        target = self._targets[prompt]
        if target is None:
            raise NumericFault("no finite logits", text=prompt[:5])
        return target
