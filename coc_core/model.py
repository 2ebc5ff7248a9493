"""The model: text in, text out."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar


class Model(ABC):
    """Answers prompts with target texts.

    `calls` counts the prompts answered so far. `margin` is the smallest lead so far of anything chosen over the next
    best, in the model's own unit; None for a model without leads, and before its first answer. `deterministic` says
    that a prompt always gets the same answer; only then may an executor ask once and remember, and only then can an
    endless loop be proved.
    """

    name: ClassVar[str]
    deterministic: ClassVar[bool] = True

    def __init__(self) -> None:
        self.calls = 0
        self.margin: float | None = None

    def complete(self, prompts: Sequence[str], drafts: Sequence[str] | None = None) -> list[str]:
        """One target for each prompt, in order.

        `drafts` are guesses at the answers: a model may check them faster than it can decode, and they never change
        what it answers. Raises NumericFault if the model's arithmetic broke down.
        """
        if drafts is not None and len(drafts) != len(prompts):
            raise ValueError(f"{len(drafts)} drafts for {len(prompts)} prompts")
        targets = self._complete(prompts, drafts)
        if len(targets) != len(prompts):
            raise ValueError(f"{type(self).__name__} gave {len(targets)} targets for {len(prompts)} prompts")
        if not all(isinstance(target, str) for target in targets):
            raise TypeError(f"{type(self).__name__} gave a target that is no text")
        self.calls += len(prompts)
        return targets

    @abstractmethod
    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]: ...

    def _note_margin(self, margin: float) -> None:
        """For a model with leads: the smallest one of some answers, infinite if nothing was chosen."""
        if margin != float("inf"):
            self.margin = margin if self.margin is None else min(self.margin, margin)

    def describe(self) -> str:
        """One line for people: which model this is."""
        return self.name
