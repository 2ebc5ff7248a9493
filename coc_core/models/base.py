"""The model: text in, text out."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar


class Model(ABC):
    """Answers prompts with target texts.

    A model has `_complete`. One that can tell early where drafts go wrong sets `_begin`, too: it answers as `confirm`.

    `calls` counts the prompts answered so far. `margin` is the smallest lead so far of anything chosen over the next
    best, in the model's own unit; None for a model without leads, and before its first answer. `deterministic` says
    that a prompt always gets the same answer; only then may an executor ask once and remember, and only then can an
    endless loop be proved. `record` are facts for a run file: a `fingerprint`, where there is one, is of all that
    decides the answers, so that a run can't go on with another model; the rest is for people. If `alone` is set, each
    prompt is asked by itself and without a draft, so that no answer can depend, by rounding, on what it was asked with.
    """

    name: ClassVar[str]
    deterministic: ClassVar[bool] = True

    def __init__(self) -> None:
        self.calls = 0
        self.margin: float | None = None
        self.record: Mapping[str, str] = {}
        self.alone = False
        self._begin: Callable[[Sequence[str], Sequence[str]], list[str]] | None = None

    def complete(self, prompts: Sequence[str], drafts: Sequence[str] | None = None) -> list[str]:
        """One target for each prompt, in order.

        `drafts` are guesses at the answers: a model may check them faster than it can decode, and they never change
        what it answers. Raises NumericFault if the model's arithmetic broke down.
        """
        if drafts is not None and len(drafts) != len(prompts):
            raise ValueError(f"{len(drafts)} drafts for {len(prompts)} prompts")
        if self.alone:
            return [target for prompt in prompts for target in self._checked(self._complete([prompt], None), 1, 1)]
        return self._checked(self._complete(prompts, drafts), len(prompts), len(prompts))

    def confirm(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]:
        """The targets for the first few prompts, in order, at least one of them.

        For whoever needs no answers behind a wrong draft: a model may stop there, or before a prompt that is a fault.
        Otherwise as `complete`.
        """
        if self._begin is None or self.alone:
            return self.complete(prompts, drafts)
        if len(drafts) != len(prompts):
            raise ValueError(f"{len(drafts)} drafts for {len(prompts)} prompts")
        return self._checked(self._begin(prompts, drafts), 1, len(prompts))

    @abstractmethod
    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]: ...

    def _checked(self, targets: list[str], fewest: int, most: int) -> list[str]:
        """The targets, counted. ValueError if they are not as many as they must be, TypeError if one is no text."""
        if not fewest <= len(targets) <= most:
            raise ValueError(f"{type(self).__name__} gave {len(targets)} targets for {most} prompts")
        if not all(isinstance(target, str) for target in targets):
            raise TypeError(f"{type(self).__name__} gave a target that is no text")
        self.calls += len(targets)
        return targets

    def _note_margin(self, margin: float) -> None:
        """For a model with leads: the smallest one of some answers, infinite if nothing was chosen."""
        if margin != float("inf"):
            self.margin = margin if self.margin is None else min(self.margin, margin)

    def describe(self) -> str:
        """One line for people: which model this is."""
        return self.name
