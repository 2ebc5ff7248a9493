"""Calling a model with many prompts at once, so that a fault at one affects no other; and a cache of responses."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Generic, TypeVar

from coc_core.errors import CocError, PluginError, ServiceError, StepFault
from coc_core.models.base import Model, Response
from coc_core.text import described

ResponseT = TypeVar("ResponseT")

_ENTRY_OVERHEAD = 200  # bytes, beside the prompt and the response

CallContext = Callable[[int], AbstractContextManager[None]]
"""Makes the context in which the model is called, from the index of the first prompt of the call."""


def call_each(
    model: Model,
    prompts: Sequence[str],
    drafts: Sequence[str] | None = None,
    within: CallContext | None = None,
    *,
    stop_early: bool = False,
) -> list[Response]:
    """Return the model's response to each prompt, with as few calls as possible: a call that fails is bisected.

    Args:
        drafts: Likely targets, as for `Model.complete`.
        within: The context of each call; by default `attributing_errors(model)`.
        stop_early: Return only the first few responses, at least one. The model may stop at a wrong draft
            (`Model.verify`), and only the first half of a call that fails is repeated.

    Raises:
        CocError: As raised in a call. With `within`, the halves of a call with a PluginError are tried first, so that
            an error that one prompt causes is raised in the context of that prompt.
    """
    context = within or (lambda _: attributing_errors(model))

    def part(start: int, stop: int) -> list[Response]:
        batch, batch_drafts = prompts[start:stop], None if drafts is None else drafts[start:stop]
        middle = (start + stop) // 2
        try:
            with context(start):
                if stop_early and batch_drafts is not None and len(batch) > 1:
                    return list(model.verify(batch, batch_drafts))
                return list(model.complete(batch, batch_drafts))
        except StepFault as fault:
            if stop - start == 1:
                return [fault]
        except CocError as error:
            if stop - start == 1 or within is None:
                raise
            if not stop_early:
                if isinstance(error, PluginError):
                    _ = part(start, middle), part(middle, stop)
                raise
            if isinstance(error, ServiceError):  # each call of a service may take minutes to fail
                middle = start + 1
        return part(start, middle) + ([] if stop_early else part(middle, stop))

    return part(0, len(prompts))


@contextmanager
def attributing_errors(model: Model) -> Iterator[None]:
    """Outside a run, attribute exceptions that are not coc's own: raise a PluginError that names the model."""
    try:
        yield
    except (CocError, StepFault, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise PluginError(f"the model {model.name!r} raised {described(error)}") from error


class ResponseCache(dict[str, ResponseT], Generic[ResponseT]):
    """Responses by prompt. When all together exceed `max_bytes`, the oldest are dropped, and `complete` is false.

    Look-ups are those of a dictionary, and as fast.
    """

    def __init__(self, max_bytes: int) -> None:
        super().__init__()
        self._max_bytes, self._used, self.complete = max_bytes, 0, True

    def add(self, prompt: str, response: ResponseT) -> None:
        """Add the response to a prompt that is not in the cache."""
        self[prompt] = response
        self._used += _size(prompt, response)
        while self._used > self._max_bytes:
            oldest = next(iter(self))
            self.complete = False
            self._used -= _size(oldest, self.pop(oldest))


def _size(prompt: str, response: object) -> int:
    return sys.getsizeof(prompt) + sys.getsizeof(response) + _ENTRY_OVERHEAD
