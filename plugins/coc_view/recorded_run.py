"""A recorded run, place by place: its steps from the beginning to the end and, after the last one, its fault."""

from pathlib import Path
from typing import Any

from attrs import asdict

from coc_core.api import Run
from coc_core.errors import UsageError
from coc_core.execution import StepRecord
from coc_core.options import PathLike
from coc_core.plugin import Registry
from coc_core.runfile import Manifest, Replay, RunFile, run_files
from coc_core.storage import check_distinct, check_file, write_file
from coc_core.text import escaped
from coc_core.types import Fault
from coc_problems import whole
from coc_view.animation import animation, frames
from coc_view.page import build_timeline, check_length, render_page


class RecordedRun:
    """The places of a run file: 0 is the beginning, then one for each step, then one for the fault, if that ended the
    run. The setting has no model; `steps` are those that were recorded, and `last` is the last place.
    """

    def __init__(self, registry: Registry, runfile: RunFile) -> None:
        """Prepare to replay `runfile`; ArtefactError if that is not possible with what is installed."""
        self._replay = Replay(registry, runfile)
        self.runfile = runfile
        self.setting, self.problem = self._replay.setting, self._replay.problem
        self.steps = runfile.steps
        self.fault = runfile.outcome.fault if runfile.outcome else None
        self.last = self.steps + (self.fault is not None)

    def record(self, place: int) -> StepRecord:
        """Return the record of the step at a place; at the fault, that of the step before it, which is the last.
        ArtefactError if the file does not replay, or, at the last step, does not end as recorded.
        """
        return self._replay.seek(min(place, self.steps))

    @property
    def verified(self) -> bool:
        """Whether the whole run was replayed, and ended as recorded."""
        return self._replay.verified

    def fault_at(self, place: int) -> Fault | None:
        """Return the fault, if it is at this place."""
        return self.fault if place > self.steps else None

    def check(self, place: int, option: str) -> int:
        """Give back a place, which an option named; UsageError if the run has none such."""
        if not 0 <= place <= self.last:
            raise UsageError(f"{option} {place:,} is not a step of this run", remedy=f"it has steps 0 to {self.last:,}")
        return place

    def write(
        self, path: Path, first: int | None = None, last: int | None = None, *, svg: bool = False
    ) -> tuple[int, int, int]:
        """Write the page of these places, by default of all; with `svg`, an animation. Return the first and the last
        place, and the bytes. ArtefactError if the file does not replay, StorageError, and UsageError if there are no
        such places, they are far too many, or it would overwrite the run.
        """
        check_distinct({"-o": [path]}, {"RUN": run_files(self.runfile.path)})
        begin = self.check(first or 0, "--from")
        end = self.check(self.last if last is None else last, "--to")
        if end < begin:
            raise UsageError(f"--from {begin:,} is after --to {end:,}")
        check_file(path, "page")  # now, not after the page was rendered
        data = (self.animate(begin, end) if svg else self.render(begin, end)).encode()
        write_file(path, data, "page")
        return begin, end, len(data)

    def animate(self, first: int, last: int) -> str:
        """Animate the places `first` to `last`; errors as for `render`."""
        domain, places = self.setting.domain, range(min(first, self.steps), min(last, self.steps) + 1)
        title = escaped(f"{domain.name}, {domain.problems.format(self.problem)}")
        return animation(title, frames(domain, map(self.record, places)))

    def render(self, first: int, last: int) -> str:
        """Render these places as one HTML page, which needs no network; equal runs have equal pages. ArtefactError if
        the file does not replay, UsageError if the page would be far too large.
        """
        return render_page(self.document(first, last))

    def document(self, first: int, last: int) -> dict[str, Any]:
        """Return what the page of these places shows, as `render_page` takes it; errors as for `render`."""
        check_length(last - first)
        places = range(min(first, self.steps), min(last, self.steps) + 1)
        outcome, manifest, fault = self.runfile.outcome, self.runfile.manifest, self.fault_at(last)
        domain, layout = self.setting.domain, self.setting.convention.layout
        lines = self.setting.registry.report_lines(manifest.executor, outcome)
        facts = {**({", ".join(outcome.report): lines[0]} if outcome and lines else {}), **_facts_of(manifest)}
        if last < self.steps:
            facts = {"replayed": f"steps 1 to {last:,} of {self.steps:,}; the outcome is as recorded", **facts}
        return {
            "title": escaped(f"{domain.name}, n={domain.size(self.problem)}"),
            "problem": escaped(domain.problems.format(self.problem)),
            "outcome": outcome.status if outcome else "unfinished",
            "reason": escaped(outcome.reason) if outcome else "",
            "steps": self.steps,
            "memory": {
                "name": escaped(self.setting.memory.name),
                "newest_first": layout.newest_first,
                "registers": [escaped(name) for name in layout.registers],
            },
            "facts": [(escaped(name), escaped(value)) for name, value in facts.items()],
            "fault": fault and {**asdict(fault), "text": escaped(fault.text), "message": escaped(fault.message)},
            **build_timeline(domain, layout, map(self.record, places)),
        }


def _facts_of(manifest: Manifest) -> dict[str, str]:
    """Return what a page lists about the run that a manifest describes: its parts, its models, and the software."""
    facts = {
        "domain": manifest.domain,
        "problem": manifest.problem,
        "memory": manifest.memory,
        "arithmetic": manifest.arith,
        "executor": manifest.executor,
    }
    for role, record in sorted(manifest.records.items(), reverse=True):  # the model, then the arithmetic's
        for key in sorted(record, key=lambda key: (key != "name", key)):
            facts[f"{role.replace('_', ' ')} {key}"] = record[key]
    plugins = {f"plugin {name}": version for name, version in sorted(manifest.plugins.items())}
    return {**facts, **plugins, **dict(sorted(manifest.versions.items()))}


def view(run: Run, path: PathLike, first: int | None = None, last: int | None = None, *, svg: bool = False) -> None:
    """Write a page that plays a run in a browser, as `coc view` does; what is at `path` is replaced.

    Args:
        run: The run.
        path: The page, one file of HTML that needs no network.
        first: The first step to show, 0 (the beginning) by default.
        last: The last step to show, by default the last one, or the fault after it.
        svg: Whether to write an animated picture instead of a page.

    Raises:
        UsageError: There are no such steps, or too many for a page.
        StorageError: The page can't be written.
    """
    RecordedRun(run.setting.registry, run.recording).write(
        Path(path),
        None if first is None else whole("--from", first),
        None if last is None else whole("--to", last),
        svg=svg,
    )
