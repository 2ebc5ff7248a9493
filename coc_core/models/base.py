"""The model: text in, text out."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar


class Model(ABC):
    """Writes a target for each prompt. A subclass has `_complete`; one that can stop early is a `DraftVerifier`.

    Attributes:
        deterministic: Whether a prompt always gets the same target. Only then may an executor call the model once for
            each distinct prompt, and only then can an endless loop be proved.
        calls: How many prompts were answered so far.
        margin: The smallest margin so far between a chosen token and the next best one, in the model's own unit; None
            for a model without margins, and before the first call.
        record: Facts for a run file. A `fingerprint`, where there is one, covers all that decides the targets, so that
            a run can't be continued with another model; the rest is for people.
        trained_sizes: The problem sizes that the model was trained on in its dialect, or the addresses of a model for
            address arithmetic; None if they are unknown, or the model is not a trained one.
        alone: If set, each prompt is a call of its own, without a draft, so that no target can depend, by rounding, on
            the other prompts of a batch.
    """

    name: ClassVar[str]
    deterministic: ClassVar[bool] = True

    def __init__(self) -> None:
        self.calls = 0
        self.margin: float | None = None
        self.record: Mapping[str, str] = {}
        self.trained_sizes: range | None = None
        self.alone = False

    def complete(self, prompts: Sequence[str], drafts: Sequence[str] | None = None) -> list[str]:
        """The targets of all prompts, in order.

        Args:
            prompts: Any number of prompts.
            drafts: A guess at each target. A model may check a draft faster than it can decode; a draft never changes
                a target.

        Raises:
            NumericFault: The model's arithmetic broke down.
            ValueError: There are not as many drafts as prompts.
        """
        if drafts is not None and len(drafts) != len(prompts):
            raise ValueError(f"{len(drafts)} drafts for {len(prompts)} prompts")
        if self.alone:
            return [target for prompt in prompts for target in self._checked(self._complete([prompt], None), 1, 1)]
        return self._checked(self._complete(prompts, drafts), len(prompts), len(prompts))

    def verify(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]:
        """The targets of the first few prompts, at least one, for a caller that needs none after a wrong draft.

        A `DraftVerifier` may stop after the first wrong draft, or before a prompt that is a fault. Every other model
        does what `complete` does; arguments and errors are the same.
        """
        if not isinstance(self, DraftVerifier) or self.alone:
            return self.complete(prompts, drafts)
        if len(drafts) != len(prompts):
            raise ValueError(f"{len(drafts)} drafts for {len(prompts)} prompts")
        return self._checked(self._verify(prompts, drafts), 1, len(prompts))

    @abstractmethod
    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]: ...

    def _checked(self, targets: list[str], fewest: int, most: int) -> list[str]:
        """The targets, counted. ValueError if their number is wrong, TypeError if one is not a string."""
        if not fewest <= len(targets) <= most:
            raise ValueError(f"{type(self).__name__} gave {len(targets)} targets for {most} prompts")
        if not all(isinstance(target, str) for target in targets):
            raise TypeError(f"{type(self).__name__} gave a target that is not a string")
        self.calls += len(targets)
        return targets

    def _note_margin(self, margin: float) -> None:
        """For a model with margins: the smallest one of some targets, infinite if nothing was chosen."""
        if margin != float("inf"):
            self.margin = margin if self.margin is None else min(self.margin, margin)

    def describe(self) -> str:
        """One line for people: which model this is."""
        return self.name


class DraftVerifier(Model):
    """A model that checks drafts in order and can stop at the first wrong one (`Model.verify`)."""

    @abstractmethod
    def _verify(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]: ...
