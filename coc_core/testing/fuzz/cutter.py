"""What cuts a recorded run off."""

from collections.abc import Callable

from coc_core.errors import StorageError
from coc_core.execution import Listener, StepRecord
from coc_core.runfile import Recorder
from coc_core.testing.fuzz.case import Cut
from coc_core.testing.fuzz.script import Cutoff
from coc_core.testing.fuzz.watched import Refused


class Full(StorageError):
    """A disk that refuses, as if it were full."""


RAISED: dict[str, type[BaseException]] = {"error": Refused, "listener": Cutoff, "disk": Full}
"""What a listener raises in a cut of such a way."""


def cutter(cut: Cut, recorder: Recorder, replayed: int, stop: Callable[[], None]) -> Listener:
    """A listener, to come after the recorder's, that brings to the disk what is to be kept and cuts the run off.

    `replayed` steps are recorded already, and heard again. `stop` asks the machine to stop.
    """

    def hear(record: StepRecord) -> None:
        steps = record.step - replayed
        if steps == cut.kept > 0:
            recorder.flush()
        if steps == cut.at and cut.way == "stop":
            stop()
        if steps == cut.at and cut.way in RAISED:
            raise RAISED[cut.way]("cut off here")

    return hear
