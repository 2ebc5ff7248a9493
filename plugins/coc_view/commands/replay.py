"""`coc replay`: look at one place of a recorded run."""

from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.errors import UsageError
from coc_core.options import OUTPUT, Flag, Option, PluginOptions, option
from coc_core.runfile import RunFile
from coc_view.commands import RUN, step as step_option
from coc_view.recorded_run import RecordedRun
from coc_view.terminal.frame import frame
from coc_view.terminal.places import described, outcome_word, place_name, reported, title

PICTURE = 80  # columns of the picture in a document
EVERYTHING = 1_000  # lines, where no screen limits them


@frozen(kw_only=True, slots=False)
class ReplayCommand(PluginOptions):
    """What `coc replay` takes."""

    run: Path = option(RUN)
    step: int | None = step_option("--step", "Print step K.", "0")
    end: bool = option(Option("Print the end, or the fault.", ("--end",), Flag(), OUTPUT), False)


@command(ReplayCommand)
def replay(options: ReplayCommand) -> int:
    """Print a step of a recorded run.

    Examples:
        coc replay twelve.run --step 7
        coc replay twelve.run --end
    """
    run, step = options.run, options.step
    if step is not None and options.end:
        raise UsageError("--step and --end each name a place", remedy="give only one of them")
    with RunFile.open(run) as runfile:
        recorded = RecordedRun(console.registry(options.plugins), runfile)
        place = recorded.last if options.end else recorded.check(step or 0, "--step")
        out = console.out()
        shown = frame(
            recorded.setting, recorded.record(place), out.width, EVERYTHING, recorded.fault_at(place), out.height
        )
        console.report(
            {**described(run, runfile), "verified": recorded.verified, **document(recorded, place)},
            title(recorded),
            f"{place_name(recorded, place)}, {outcome_word(recorded)}",
            *reported(recorded),
            shown,
        )
    return 0


def document(run: RecordedRun, place: int) -> dict[str, Any]:
    """Return one place of a run as a JSON document."""
    record, fault = run.record(place), run.fault_at(place)
    domain, convention = run.setting.domain, run.setting.convention
    return {
        "step": place,
        "prompt": None if fault else record.prompt,
        "target": fault.text if fault else record.target,
        "actions": [] if fault else [domain.actions.format(action) for action in record.actions],
        "written": [] if fault or not place else list(convention.parse(record.target).windows),
        "pointer": record.pointer,
        "windows": list(record.windows),
        "picture": domain.render(record.after, PICTURE),
        "fault": asdict(fault) if fault else None,
    }
