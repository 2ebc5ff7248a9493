"""`coc replay`: look at a recorded run, step by step, forward and backward."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from attrs import asdict
from rich.text import Text

from coc_core.cli import console, options
from coc_core.cli.look.frame import frame
from coc_core.cli.look.player import Player, play
from coc_core.cli.look.reel import Reel, described, ending
from coc_core.errors import UsageError
from coc_core.execution import StepRecord
from coc_core.runfile import RunFile

PICTURE = 80  # columns of a picture in a document
EVERYTHING = 1_000  # lines, where nobody has to look at them through a window


def replay(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The file of a run, as `coc run --save` writes it.")],
    step: Annotated[
        int | None,
        typer.Option(
            "--step", parser=options.whole_number, metavar="K", help="Begin after this step.", show_default="0"
        ),
    ] = None,
    fault: Annotated[bool, typer.Option("--fault", help="Begin at the fault.")] = False,
    end: Annotated[bool, typer.Option("--end", help="Begin at the end.")] = False,
    plugins: options.Plugins = None,
    as_json: options.Json = False,
) -> int:
    """Walk through a recorded run on the terminal; print the one step when piped. No model is asked."""
    if (step is not None) + fault + end > 1:
        raise UsageError("--step, --fault and --end each name a place", remedy="give one of them")
    with RunFile.open(run) as runfile:
        reel = Reel(console.registry(plugins), runfile)
        place = _place(reel, step, fault, end)
        out = console.out()
        if as_json:
            typer.echo(json.dumps({**described(run, runfile), **document(reel, place)}))
        elif out.is_terminal and sys.stdin.isatty():
            play(out, Player(reel, place))
        else:
            seen = frame(reel.setting, reel.picture(place), out.width, EVERYTHING)
            out.print(Text(f"{reel.title}\n{reel.words(place)}, {ending(runfile.outcome)}"), soft_wrap=True)
            out.print(seen)
    return 0


def _place(reel: Reel, step: int | None, fault: bool, end: bool) -> int:
    """Where to begin."""
    if fault and reel.fault is None:
        raise UsageError("the run met no fault", remedy="look at its --end")
    if fault or end:
        return reel.last
    return reel.check(step or 0, "--step")


def document(reel: Reel, place: int) -> dict[str, Any]:
    """One place of a run as a JSON document."""
    picture, moment = reel.picture(place), reel.moment(place)
    return {
        "step": place,
        "prompt": picture.prompt if picture.fault is None else None,
        "target": picture.target,
        "actions": [reel.setting.domain.actions.format(action) for action in picture.actions],
        "written": _written(reel, moment) if picture.fault is None else [],
        "pointer": picture.pointer,
        "windows": list(picture.windows),
        "picture": reel.setting.domain.render(picture.state, PICTURE),
        "fault": asdict(picture.fault) if picture.fault else None,
    }


def _written(reel: Reel, moment: StepRecord) -> list[str]:
    """The instruction texts that the target writes, in its order."""
    return list(reel.setting.convention.parse(moment.target).windows) if moment.step else []
