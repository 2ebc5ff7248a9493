"""The model: text in, text out."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, ClassVar, NamedTuple, final

from attrs import field, frozen, validators

from coc_core.errors import StepFault
from coc_core.models.checkpoint import SizeResult
from coc_core.text import format_sizes


class Pair(NamedTuple):
    """What a model reads, and the target that it should write."""

    prompt: str
    target: str


Response = str | StepFault
"""The target that the model wrote, or why it wrote none."""


class Model(ABC):
    """Writes a target for each prompt. A subclass defines `_complete`; one that can stop early is a `DraftVerifier`.

    Attributes:
        deterministic: Whether a prompt always gets the same target. Only then may an executor call the model once for
            each distinct prompt, and only then can an endless loop be proved.
        calls: The number of targets written so far.
        choice: The text with which it was chosen, as `--model` takes it; empty if it was not.
        margin: The smallest logit margin so far, between a chosen token and the next best one, in the model's own unit;
            None for a model without margins, and before the first call.
        record: Facts for a run file. A `fingerprint`, if there is one, covers everything that determines the targets,
            so that a run can't be continued with another model. The other facts are for people.
        trained_sizes: The problem sizes that the model was trained on in its dialect, or the addresses of an arithmetic
            model; None if they are unknown, or the model is not a trained one.
        tested_sizes: What tests found out about the model in its dialect, by size.
        unbatched: If set, each prompt is a call of its own, without a draft, so that rounding can't make a target
            depend on the other prompts of a batch.

    Example:
        >>> class Shout(Model):
        ...     name = "shout"
        ...
        ...     def _complete(self, prompts, drafts):
        ...         return [prompt.upper() for prompt in prompts]
        >>> Shout().complete(["move", "call"])
        ['MOVE', 'CALL']
    """

    name: ClassVar[str]
    deterministic: bool = True
    choice: str = ""
    calls: int = 0
    margin: float | None = None
    record: Mapping[str, str] = {}
    trained_sizes: range | None = None
    tested_sizes: Mapping[int, SizeResult] = {}
    unbatched: bool = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name in vars(cls):
            if any(getattr(vars(base).get(name), "__final__", False) for base in cls.__mro__[1:]):
                raise TypeError(f"the model {cls.__name__} overrides {name}, which is final; define _{name}")

    @final
    def complete(self, prompts: Sequence[str], drafts: Sequence[str] | None = None) -> list[str]:
        """Return the targets of all prompts, in order.

        Args:
            prompts: Any number of prompts.
            drafts: A likely target for each prompt: it may be faster to check than to decode, and changes no target.

        Raises:
            NumericFault: The logits are not finite.
            ValueError: The number of drafts, or of targets that the subclass returned, is not that of the prompts.
            TypeError: The subclass returned something else than a list of strings.
        """
        if drafts is not None and len(drafts) != len(prompts):
            raise ValueError(f"{len(drafts)} drafts for {len(prompts)} prompts")
        if self.unbatched:
            return [target for prompt in prompts for target in self._checked(self._complete([prompt], None), 1, 1)]
        return self._checked(self._complete(prompts, drafts), len(prompts), len(prompts))

    @final
    def verify(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]:
        """Return the targets of one or more of the first prompts, for a caller that needs none after a wrong draft.

        A `DraftVerifier` may stop after the first wrong draft, or before a prompt that causes a fault. Any other model
        completes all prompts. Arguments and errors are those of `complete`.
        """
        if not isinstance(self, DraftVerifier) or self.unbatched:
            return self.complete(prompts, drafts)
        if len(drafts) != len(prompts):
            raise ValueError(f"{len(drafts)} drafts for {len(prompts)} prompts")
        return self._checked(self._verify(prompts, drafts), 1, len(prompts))

    @abstractmethod
    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]: ...

    def _checked(self, found: list[Any], fewest: int, most: int, kind: Any = str) -> list[Any]:
        """Responses of this kind, checked and added to `calls`."""
        name = type(self).__name__
        if not isinstance(found, list):
            raise TypeError(f"{name} must return a list of responses, not {type(found).__name__}")
        if not fewest <= len(found) <= most:
            raise ValueError(f"{name} must return one response for each prompt, not {len(found)} for {most}")
        for each in found:
            if not isinstance(each, kind):
                raise TypeError(f"{name} must return texts, not {type(each).__name__}")
        self.calls += len(found)
        return found

    def _note_margin(self, margin: float) -> None:
        """Update `margin` with the smallest margin of some targets, infinite if no token was chosen."""
        margin = float(margin)  # it may be a number of another library
        if margin != inf:
            self.margin = margin if self.margin is None else min(self.margin, margin)

    def describe(self) -> str:
        """Return a line that tells people which model this is; it begins with the `choice`, if there is one."""
        return self.choice or self.name


class DraftVerifier(Model):
    """A model that checks drafts in order and can stop at the first wrong one (`Model.verify`)."""

    @abstractmethod
    def _verify(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]: ...


class Sampler(Model):
    """A model from which responses can be drawn at random, for a vote. A subclass defines `_sample`."""

    @final
    def sample(self, prompts: Sequence[str], seeds: Sequence[int]) -> list[Response]:
        """Draw a response to each prompt, independently of each other, and count them in `calls`.

        Args:
            prompts: Any number of prompts, which may be equal.
            seeds: A seed for each prompt. The same seed draws the same response to a prompt; a model that can't be
                seeded ignores it.

        Returns:
            A response to each prompt, in order. One that could not be written is the fault that says why, so that no
            other has to be drawn again.

        Raises:
            ValueError: The number of seeds, or of responses that the subclass returned, is not that of the prompts.
            TypeError: The subclass returned something else than a list of texts and faults.
        """
        if len(seeds) != len(prompts):
            raise ValueError(f"{len(seeds)} seeds for {len(prompts)} prompts")
        return self._checked(self._sample(prompts, seeds), len(prompts), len(prompts), Response)

    @abstractmethod
    def _sample(self, prompts: Sequence[str], seeds: Sequence[int]) -> list[Response]: ...


@frozen
class TokenScore:
    """What a model thinks of a token of a target.

    Attributes:
        token: The token, as the vocabulary has it.
        logprob: The natural logarithm of its probability, given the prompt and the tokens before it.
        top: The likeliest tokens at its place, each with its logarithm, the likeliest one first.
    """

    token: str
    logprob: float
    top: Mapping[str, float]


class TokenModel(Model):
    """A model whose tokens can be counted and scored."""

    @abstractmethod
    def encode(self, text: str) -> list[int]:
        """Return the token ids of a text, without special tokens around it."""

    @abstractmethod
    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of token ids."""

    @abstractmethod
    def unknown_character(self, text: str) -> str | None:
        """Return the first character of a text that no token stands for, None if there is none."""

    @abstractmethod
    def score(self, prompts: Sequence[str], targets: Sequence[str], top: int) -> list[list[TokenScore]]:
        """Score the tokens of targets, those of `encode`, each target after its prompt.

        Args:
            prompts: The prompts.
            targets: A target for each prompt.
            top: How many of the likeliest tokens are given at each place.

        Raises:
            LimitFault: A prompt leaves no room for a target.
            NumericFault: The logits are not finite.
        """


@frozen
class TargetMargin:
    """How clearly a model decides for the tokens of a target.

    Attributes:
        margin: The smallest difference of a token's logit and that of another token, computed in float64. It is
            negative if another token would be chosen.
        bound: What the rounding of float32 can change of any of these differences, in whatever order sums are computed;
            positive, and infinite if that is not known. If the margin is larger, every machine writes this target.
    """

    margin: float
    bound: float = field(default=inf, validator=validators.gt(0))

    @property
    def certified(self) -> bool:
        """Whether no rounding changes the target."""
        return self.margin > self.bound


class StatesMargins(Model):
    """A model that decodes greedily, and knows how far its logits are from changing a target."""

    @property
    @abstractmethod
    def assumptions(self) -> Mapping[str, str]:
        """What the bounds assume of the arithmetic, for people."""

    @abstractmethod
    def margins(self, pairs: Iterable[Pair], *, bounded: bool) -> Iterator[TargetMargin]:
        """Yield the margin of each target after its prompt.

        Args:
            pairs: Prompts with targets that the model wrote.
            bounded: Whether to bound what rounding can change, which takes far longer.
        """


def outside(model: Model, sizes: Iterable[int]) -> str:
    """Return a sentence about the sizes that the model was not trained on; empty if there are none or it is unknown.

    It tells what tests of these sizes found.
    """
    trained = model.trained_sizes
    unseen = [n for n in sizes if trained is not None and n not in trained]
    if trained is None or not unseen:
        return ""
    results = [model.tested_sizes[n] for n in unseen if n in model.tested_sizes]
    exact, wrong = ([each.n for each in results if bool(each.wrong) is failed] for failed in (False, True))
    return (
        f"the model was trained on n={format_sizes(trained)}; n={format_sizes(unseen)} is outside that range"
        + (f"; tests of n={format_sizes(exact)} found no wrong target" if exact else "")
        + (f"; tests of n={format_sizes(wrong)} found wrong targets" if wrong else "")
    )
