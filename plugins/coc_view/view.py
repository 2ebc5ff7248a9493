"""`coc.view`: the page of a run."""

from pathlib import Path

from coc_core.api import Run
from coc_core.options import PathLike
from coc_problems import whole
from coc_view.recorded_run import RecordedRun


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
