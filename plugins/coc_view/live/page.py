"""The page on which checkpoints run: one HTML file with everything in it, which loads nothing else."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from coc_core.plugin import Registry
from coc_core.runfile import RunFile
from coc_core.text import escaped
from coc_view.live.document import check_runs_live, describe_run, find_checkpoint, read_checkpoint
from coc_view.page import digest, inert, part
from coc_view.recorded_run import RecordedRun

ENGINE = ("tokenizer.js", "network.js", "memory.js")
"""What runs a checkpoint, without the page; each needs those before it."""

_SHARED = ("stage.js", "parts.js")


def render_live(registry: Registry, runfiles: Sequence[RunFile]) -> str:
    """Render the page on which the checkpoints of recorded runs take these runs again.

    Raises:
        UsageError: One of the runs has something that the page can't run, or no checkpoint here.
        ArtefactError: A file does not replay, or the checkpoint is broken.
    """
    checkpoints: dict[str, dict[str, Any]] = {}
    runs = []
    for runfile in runfiles:
        recorded = RecordedRun(registry, runfile)
        check_runs_live(recorded)
        folder = find_checkpoint(recorded)
        checkpoint = checkpoints.setdefault(str(folder), read_checkpoint(folder))
        index = list(checkpoints).index(str(folder))
        dialect = checkpoint["dialects"].index(recorded.setting.convention.dialect)
        runs.append({"checkpoint": index, "dialect": dialect, **describe_run(recorded)})
    style = part("page.css") + _own("live.css")
    script = "".join([*map(part, _SHARED), *map(_own, (*ENGINE, "live.js"))])
    policy = f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; base-uri 'none'"
    return Template(_own("live.html")).substitute(
        policy=f"{policy}; form-action 'none'",
        title=escape(escaped(f"{runs[0]['title']}, live")),
        style=style,
        script=script,
        data=inert({"runs": runs, "checkpoints": [*checkpoints.values()]}),
    )


def _own(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
