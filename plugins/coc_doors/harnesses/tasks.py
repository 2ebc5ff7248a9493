"""Endless tasks of a setting, with exact rewards: single steps, or whole plans."""

import random
from typing import Any

from attrs import frozen

from coc_core.errors import UsageError
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import teacher_pairs
from coc_llm.choice import Choice
from coc_llm.framing import Framing

SHOTS = 4


@frozen
class Item:
    """A task: what a chat begins with, the reference's response, and the seed of the problem."""

    messages: list[dict[str, str]]
    target: str
    seed: int


class Tasks:
    """Tasks by number. By `step`, one is a random step of the run of the problem with this seed, and the response must
    be the target; by `run`, it is the problem, and the response must be a plan that solves it.

    Args:
        shots: How many examples come before a prompt, after a text that explains the language; none for a model that
            was trained on coc's prompts.
    """

    def __init__(
        self,
        domain: str = "hanoi",
        n: int = 4,
        by: str = "step",
        memory: str | None = None,
        arith: str = "symbolic",
        shots: int = SHOTS,
    ) -> None:
        if by not in ("step", "run"):
            raise UsageError(f"by={by!r} is not step or run")
        self.by, self._n = by, n
        self.setting = Setting.of(Registry.installed(), domain, "whole-plan" if by == "run" else memory, arith)
        self._framing = Framing.of(self.setting, Choice("", shots=shots, system=shots > 0))

    def __getitem__(self, seed: int) -> Item:
        pairs = list(teacher_pairs(self.setting, [self._problem(seed)]))
        pair = random.Random(seed).choice(pairs)
        return Item(self.messages(pair.prompt), pair.target, seed)

    def messages(self, prompt: str) -> list[dict[str, str]]:
        """Return a prompt as a chat, after what explains it."""
        return list(self._framing.body(prompt)["messages"])

    def reward(self, item: Item, response: str) -> float:
        """Return 1 for a right response, and 0 for any other."""
        if self.by == "step":
            return float(response == item.target)
        machine = self.setting.machine(self._problem(item.seed))
        machine.step(response)
        return float(machine.status == "solved")

    def _problem(self, seed: int) -> Any:
        return self.setting.domain.problem(self._n, seed)
