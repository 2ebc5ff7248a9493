"""The table of commands: where each one is, and the line that the list of commands shows for it.

Reading it imports no command, so `coc --help` starts at once. Each line is the first sentence of the command's
docstring.
"""

from typing import NamedTuple


class Entry(NamedTuple):
    """A command: `target` is `module:function`. A group of commands has `children` and an `example` instead."""

    name: str
    summary: str
    panel: str = "Commands"
    target: str = ""
    children: tuple["Entry", ...] = ()
    example: str = ""


SOLVE = "Solve problems"
LOOK = "Look at recorded runs"
LEARN = "Data and models"
EXTEND = "Plugins"

COMMANDS = (
    Entry("run", "Solve one problem with a model in the loop.", SOLVE, "coc_core.cli.solve.run:run"),
    Entry("trace", "Print the prompt and the target of each step.", SOLVE, "coc_core.cli.solve.trace:trace"),
    Entry("eval", "Measure how many problems a model solves.", SOLVE, "coc_core.cli.measure.eval:evaluate"),
    Entry("bench", "Measure the speed of each executor.", SOLVE, "coc_core.cli.measure.bench:bench"),
    Entry("replay", "Walk through a recorded run, step by step.", LOOK, "coc_core.cli.look.replay:replay"),
    Entry("diff", "Find the first step at which two recorded runs differ.", LOOK, "coc_core.cli.look.diff:diff"),
    Entry("view", "Write a page that shows a recorded run in a browser.", LOOK, "coc_core.cli.look.view:view"),
    Entry(
        "data",
        "Build, verify and show datasets of prompt-target pairs.",
        LEARN,
        children=(
            Entry("build", "Build a dataset of prompt-target pairs.", target="coc_core.cli.learn.data:build"),
            Entry("verify", "Check a dataset pair by pair.", target="coc_core.cli.learn.data:verify"),
            Entry("show", "Print a dataset's card and its first pairs.", target="coc_core.cli.learn.data:show"),
        ),
        example="coc data build -d hanoi -n 1-15 -o hanoi-pairs",
    ),
    Entry("train", "Train a model and measure it on its pairs.", LEARN, "coc_core.cli.learn.train:train"),
    Entry("export", "Write a checkpoint for another library.", LEARN, "coc_core.cli.learn.export:export_checkpoint"),
    Entry("import", "Make a checkpoint from an exported folder.", LEARN, "coc_core.cli.learn.export:import_checkpoint"),
    Entry("plugins", "List the installed plugins and their parts.", EXTEND, "coc_core.cli.extend.plugins:plugins"),
    Entry("new", "Start a plugin: write a package that works.", EXTEND, "coc_core.cli.extend.new:new"),
    Entry("check", "Check that a plugin keeps its promises.", EXTEND, "coc_core.cli.extend.check:check"),
    Entry("fuzz", "Search for a case in which an executor is wrong.", EXTEND, "coc_core.cli.extend.fuzz:fuzz"),
)
