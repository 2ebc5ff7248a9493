"""A case: all that a trial of an executor depends on, as plain data that can be printed and read again."""

from collections.abc import Mapping
from typing import Literal, get_args

from attrs import field, frozen

from coc_core.types import Limits

Way = Literal["stop", "error", "listener", "model", "disk", "limit"]
"""How a recorded run is cut off.

    stop      it is asked to stop, as by one Ctrl-C, and ends after the step under way
    error     a listener raises an ordinary exception when it is notified of a step
    listener  a listener raises KeyboardInterrupt when it is notified of a step
    model     the model raises KeyboardInterrupt when it is called
    disk      the disk refuses when a step is to be written
    limit     the run comes to a limit on its steps, which is raised later
"""

WAYS: tuple[Way, ...] = get_args(Way)

Text = str | None
"""What a model writes; None where its arithmetic breaks down instead (NumericFault)."""

Responses = Mapping[str, tuple[Text, ...]]
"""A model's responses to some prompts: when the prompt comes first, again, ...; the last one for ever."""


@frozen
class Cut:
    """A recorded run is cut off in this way once `at` steps were taken since it was begun or resumed.

    With the way `model`, once the model had `at` prompts. By then `kept` steps, at most `at`, have reached the disk;
    `stop`, `error` and `limit` lose none all the same.
    """

    way: Way
    at: int
    kept: int = 0


@frozen
class Case:
    """What an executor is tried on. The model is the reference, but for `responses`.

    With `cuts` the one problem is recorded in a run file, cut off, and resumed in a new process, as it were, until it
    ends. With `used` the same executor object has run the same problems before, with the reference model.
    """

    executor: str
    domain: str
    memory: str
    arith: str
    problems: tuple[str, ...]
    responses: Responses = field(factory=dict)
    cuts: tuple[Cut, ...] = ()
    used: bool = False
    most_steps: int = 64

    @property
    def limits(self) -> Limits:
        """Caps that are low enough to be reached."""
        return Limits(self.most_steps, tape_bytes=3_000, stack_depth=40, windows_per_step=8, target_chars=600)

    @property
    def nondeterministic(self) -> bool:
        """Whether the model may respond to a prompt in two ways."""
        return any(len(texts) > 1 for texts in self.responses.values())
