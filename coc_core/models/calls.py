"""Calling a model on many prompts at once, so that a fault of one prompt leaves the others their targets."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from attrs import frozen

from coc_core.errors import CocError, PluginError, StepFault
from coc_core.models.base import Model

Response = str | StepFault
"""The target that the model wrote, or why it wrote none."""

CallContext = Callable[[int], AbstractContextManager[None]]
"""Gets the index of a call's first prompt, and gives the context in which the model is called."""


@frozen
class WrongTarget:
    """A prompt, the expected target, and what the model wrote. Where it wrote nothing, `fault` says why."""

    prompt: str
    expected: str
    got: str
    fault: str | None = None

    @classmethod
    def of(cls, prompt: str, expected: str, response: Response) -> "WrongTarget":
        """The record of a response that is not the expected one."""
        got, fault = (response, None) if isinstance(response, str) else (response.text, response.message)
        return cls(prompt, expected, got, fault)


def call_each(
    model: Model,
    prompts: Sequence[str],
    drafts: Sequence[str] | None = None,
    within: CallContext | None = None,
    *,
    stop_early: bool = False,
) -> list[Response]:
    """The model's response to each prompt, from as few calls as possible: a call that fails is bisected.

    Args:
        model: The model.
        prompts: Any number of prompts.
        drafts: Guesses at the targets, as for `Model.complete`.
        within: The context of each call; by default one that names the model in what it raises by mistake.
        stop_early: Only the first few responses are wanted, at least one. The model may stop at a wrong draft
            (`Model.verify`), and of a call that fails only the first half is repeated.

    Raises:
        CocError: As raised in a call. With `within`, each half of such a call is called again first, so that the error,
            if one prompt causes it, is raised in that prompt's own context.
    """
    context = within or (lambda _: attributing_errors(model))

    def part(start: int, stop: int) -> list[Response]:
        some, guesses = prompts[start:stop], None if drafts is None else drafts[start:stop]
        middle = (start + stop) // 2
        try:
            with context(start):
                if stop_early and guesses is not None and len(some) > 1:
                    return list(model.verify(some, guesses))
                return list(model.complete(some, guesses))
        except StepFault as fault:
            if stop - start == 1:
                return [fault]
        except CocError:
            if stop - start == 1 or within is None:
                raise
            if not stop_early:
                part(start, middle)
                part(middle, stop)
                raise
        return part(start, middle) + ([] if stop_early else part(middle, stop))

    return part(0, len(prompts))


@contextmanager
def attributing_errors(model: Model) -> Iterator[None]:
    """Turn what the model raises by mistake into a PluginError that names it; for calls outside of a machine."""
    try:
        yield
    except (CocError, StepFault):
        raise
    except Exception as error:
        raise PluginError(f"the model {model.name!r} raised {type(error).__name__}: {error}") from error
