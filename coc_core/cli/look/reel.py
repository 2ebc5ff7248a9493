"""A recorded run, place by place: the steps from the beginning to the end, and behind them the fault, if it met one."""

from pathlib import Path
from typing import Any

from coc_core.cli.look.frame import Picture
from coc_core.errors import UsageError
from coc_core.execution import StepRecord
from coc_core.plugin import Registry
from coc_core.runfile import Replay, RunFile
from coc_core.text import quoted
from coc_core.types import Outcome


class Reel:
    """The places 0 (the beginning) to `last` of a run; ArtefactError where the file does not replay."""

    def __init__(self, registry: Registry, runfile: RunFile) -> None:
        self.runfile = runfile
        self.steps = runfile.steps
        self.fault = runfile.outcome.fault if runfile.outcome else None
        self.last = self.steps + (self.fault is not None)
        self._replay = Replay(registry, runfile)
        self.setting = self._replay.setting

    def check(self, step: int, option: str) -> int:
        """`step`, if it is a place of this run; else UsageError."""
        if not 0 <= step <= self.last:
            raise UsageError(f"{option} {step:,} is no step of this run", remedy=f"it has the steps 0 to {self.last:,}")
        return step

    def moment(self, place: int) -> StepRecord:
        """The moment after the step at `place`; at the fault that is the moment before it."""
        return self._replay.seek(min(place, self.steps))

    def picture(self, place: int) -> Picture:
        """What there is to see at `place`."""
        moment = self.moment(place)
        if place > self.steps:
            read = moment.windows[moment.pointer] if moment.pointer >= 0 else ""
            said = self.fault.text if self.fault else ""
            return Picture(place, read, said, (), moment.after, moment.windows, moment.pointer, self.fault)
        return Picture(
            place,
            moment.prompt,
            moment.target,
            moment.actions,
            moment.after,
            moment.windows,
            moment.pointer,
        )

    def words(self, place: int) -> str:
        """Where `place` is, in words."""
        if place > self.steps:
            return f"the fault at step {place:,}"
        return f"step {place:,} of {self.steps:,}"

    @property
    def title(self) -> str:
        """What was run, in one line."""
        manifest = self.runfile.manifest
        model = manifest.model or manifest.records["model"].get("name", "")
        return " · ".join(
            quoted(text, 400)[1:-1]
            for text in (manifest.domain, manifest.problem, manifest.memory, manifest.arith, model)
        )


def ending(outcome: Outcome | None) -> str:
    """How the run has ended, in a word."""
    return outcome.status if outcome else "unfinished"


def described(path: Path, runfile: RunFile) -> dict[str, Any]:
    """The run as the beginning of a JSON document."""
    outcome = runfile.outcome
    return {"run": str(path), "steps": runfile.steps, "outcome": outcome.status if outcome else None}
