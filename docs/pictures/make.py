"""Takes pictures of real runs: `python docs/pictures/make.py`.

`hanoi.svg` is an animated run, `watch.svg` a frame of `coc run --watch` as a terminal gets it.
"""

import io
import os
import pty
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent
COC = [sys.executable, "-m", "coc_core"]
WATCH = ["run", "--domain", "hanoi", "--n", "5", "--watch", "--delay", "0"]
RECORD = ["run", "--domain", "hanoi", "--memory", "pda", "--n", "4", "--save"]
COLUMNS, LINES = 80, 26
WATCHED_STEP = 16

_CURSOR = re.compile(r"\x1b\[[0-9;?]*[A-HJKhl]|\r")
_WEB_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def watched(columns: int = COLUMNS, lines: int = LINES) -> str:
    """All that `coc run --watch` writes on a terminal of this size."""
    variables = {"TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": str(lines)}
    process, terminal = pty.fork()
    if not process:  # the child: its standard streams are the terminal
        os.environ.update(variables)
        os.execv(COC[0], [*COC, *WATCH])
    written = bytearray()
    try:
        while part := os.read(terminal, 1 << 16):
            written += part
    except OSError:  # Linux reports the end of a terminal as an error
        pass
    os.waitpid(process, 0)
    return written.decode()


def frame_of(written: str, step: int) -> str:
    """The frame of one step, with its colours and without the movements of the cursor."""
    frames = re.split(r"(?=╭─ hanoi)", _CURSOR.sub("", written))
    (found,) = (frame for frame in frames if f"─ step {step} ─" in frame)
    return found.rstrip()


def draw_watch(file: Path) -> None:
    """The frame as an SVG that needs no font from elsewhere."""
    lines = Text.from_ansi(frame_of(watched(), WATCHED_STEP))
    terminal = Console(file=io.StringIO(), record=True, width=COLUMNS, force_terminal=True, color_system="truecolor")
    terminal.print(lines)
    drawn = terminal.export_svg(title=f"coc {' '.join(WATCH[:-2])}", unique_id="watch")
    drawn = _WEB_FONT.sub("", drawn).replace("Fira Code", "ui-monospace, DejaVu Sans Mono, Menlo, Consolas")
    file.write_text("\n".join(line.rstrip() for line in drawn.splitlines()) + "\n")


def draw_run(file: Path) -> None:
    """All moves of a run, as an animated picture."""
    with tempfile.TemporaryDirectory() as folder:
        run = str(Path(folder, "four.run"))
        for command in ([*RECORD, run], ["view", run, "--svg", "-o", str(file)]):
            subprocess.run([*COC, *command], check=True, capture_output=True)


if __name__ == "__main__":
    draw_run(HERE / "hanoi.svg")
    draw_watch(HERE / "watch.svg")
