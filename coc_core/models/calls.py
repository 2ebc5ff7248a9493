"""Asking a model about many prompts at once, where a fault of one prompt leaves the others their answers."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from attrs import frozen

from coc_core.errors import CocError, PluginError, StepFault
from coc_core.models.base import Model

Response = str | StepFault
"""What the model wrote, or why it wrote nothing."""


@frozen
class WrongTarget:
    """A prompt, the target, and the answer. Where the model gave none, `fault` says why."""

    prompt: str
    wanted: str
    got: str
    fault: str | None = None

    @classmethod
    def of(cls, prompt: str, wanted: str, answer: Response) -> "WrongTarget":
        """The record of an answer that is not the one wanted."""
        got, fault = (answer, None) if isinstance(answer, str) else (answer.text, answer.message)
        return cls(prompt, wanted, got, fault)


def call_each(model: Model, prompts: Sequence[str], drafts: Sequence[str]) -> list[Response]:
    """What the model says to each prompt, or its fault. `drafts` are guesses at the answers (`Model.complete`)."""
    return in_halves(len(prompts), lambda part: model.complete(prompts[part], drafts[part]))


def in_halves(count: int, complete: Callable[[slice], Sequence[str]]) -> list[Response]:
    """The answers to `count` prompts, at least one, or the faults of single ones.

    `complete` gives the answers to a slice of them. Where that is a fault it is asked for either half.
    """

    def answers(start: int, stop: int) -> list[Response]:
        try:
            return list(complete(slice(start, stop)))
        except StepFault as fault:
            if stop - start == 1:
                return [fault]
            middle = (start + stop) // 2
            return answers(start, middle) + answers(middle, stop)

    return answers(0, count)


@contextmanager
def attributing_errors(model: Model) -> Iterator[None]:
    """Turn what the model raises by mistake into a PluginError that names it; for asking outside of a machine."""
    try:
        yield
    except (CocError, StepFault):
        raise
    except Exception as error:
        raise PluginError(f"the model {model.name!r} raised {type(error).__name__}: {error}") from error
