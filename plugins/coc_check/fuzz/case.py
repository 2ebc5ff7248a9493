"""A case: all that a trial of an executor depends on, as plain data that can be printed and read again."""

from collections.abc import Mapping
from typing import Literal, get_args

from attrs import field, frozen

from coc_core.types import Limits

Way = Literal["stop", "error", "listener", "model", "broken", "disk", "limit"]
"""How a recorded run is cut off.

    stop      it is asked to stop, as by one Ctrl-C, and ends after the step under way
    error     a listener raises an ordinary exception when it is notified of a step
    listener  a listener raises KeyboardInterrupt when it is notified of a step
    model     the model raises KeyboardInterrupt when it is called
    broken    the model raises an ordinary exception when it is called
    disk      the disk refuses when a step is to be written
    limit     the run comes to a limit on its steps, which is raised later
"""

WAYS: tuple[Way, ...] = get_args(Way)

MOST_STEPS = 64
MOST_WINDOWS = 40

Text = str | None
"""What a model writes; None where its arithmetic breaks down instead (NumericFault)."""


@frozen
class Cut:
    """A recorded run is cut off in this way once `at` steps were taken since it was begun or resumed.

    With the ways `model` and `broken`, once the model had `at` prompts. By then `kept` steps, at most `at`, are on
    disk; `stop`, `error` and `limit` lose none all the same.
    """

    way: Way
    at: int
    kept: int = 0


@frozen
class Case:
    """What an executor is tried on. The model is the reference, but for `responses`.

    With `cuts` the one problem is recorded in a run file, cut off, and resumed in a new process, as it were, until it
    ends.

    Attributes:
        responses: A model's responses to some prompts: when it comes first, again, ...; the last one for ever.
        used: Whether the same executor object has run the same problems before, with the reference model, once to the
            end and once until it was interrupted; then it also runs them once more.
        most_steps: The limit on the steps of a run.
        most_windows: The limit on the windows that wait, and on the records.
        count: How many runs there are at once: the problems in turn, again and again. 0 for one of each.
        stops: Runs that are asked to stop: the number of the run, counted from 0, and after which of its steps.
        silent: Whether nobody listens, so that steps may be skipped.
        unsure: Whether the model says that it is not deterministic, though it is.
        faulty_calls: How many calls with more than one prompt are NumericFaults, before the model responds to them.
        votes: Whether the model can be sampled and then is wrong once in eight times.
        sizes: Attributes of the executor, such as `max_machines`, which are these numbers.
    """

    executor: str
    domain: str
    memory: str
    arith: str
    problems: tuple[str, ...]
    responses: Mapping[str, tuple[Text, ...]] = field(factory=dict)
    cuts: tuple[Cut, ...] = ()
    used: bool = False
    most_steps: int = MOST_STEPS
    most_windows: int = MOST_WINDOWS
    count: int = 0
    stops: tuple[tuple[int, int], ...] = ()
    silent: bool = False
    unsure: bool = False
    faulty_calls: int = 0
    votes: bool = False
    sizes: Mapping[str, int] = field(factory=dict)

    @property
    def limits(self) -> Limits:
        """Caps that are low enough to be reached."""
        windows = self.most_windows
        return Limits(self.most_steps, 75 * windows, windows, windows_per_step=8, target_chars=600)

    @property
    def nondeterministic(self) -> bool:
        """Whether the model says that it may respond to a prompt in two ways."""
        return self.unsure or any(len(texts) > 1 for texts in self.responses.values())

    @property
    def runs(self) -> int:
        """How many runs there are at once."""
        return self.count or len(self.problems)
