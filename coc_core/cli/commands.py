"""The table of commands: where each one is, and the line that the list of commands shows for it.

Reading it imports no command, so `coc --help` starts at once. Each line is the first sentence of the command's
docstring.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple


class Entry(NamedTuple):
    """A command: `target` is `module:function`. A group of commands has `children` and an `example` instead.

    The command of a plugin is imported by the registry, which `load` calls.
    """

    name: str
    summary: str
    panel: str = "Commands"
    target: str = ""
    children: tuple["Entry", ...] = ()
    example: str = ""
    load: Callable[[], Callable[..., Any]] | None = None

    def function(self) -> Callable[..., Any]:
        """The function that becomes the command, imported now."""
        if self.load:
            return self.load()
        module, _, name = self.target.partition(":")
        function: Callable[..., Any] = getattr(import_module(module), name)
        return function


SOLVE = "Solve problems"
LEARN = "Data and models"
EXTEND = "Plugins"

COMMANDS = (
    Entry("run", "Solve one problem with a model in the loop.", SOLVE, "coc_core.cli.solve.run:run"),
    Entry("trace", "Print the prompt and the target of each step.", SOLVE, "coc_core.cli.solve.trace:trace"),
    Entry("validate", "Check whether a plan solves a problem.", SOLVE, "coc_core.cli.solve.validate:validate"),
    Entry("eval", "Measure how many problems a model solves.", SOLVE, "coc_core.cli.measure.eval:evaluate"),
    Entry(
        "data",
        "Build, verify and show datasets of prompt-target pairs.",
        LEARN,
        children=(
            Entry("build", "Build a dataset of prompt-target pairs.", target="coc_core.cli.learn.data:build"),
            Entry("verify", "Check every pair of a dataset.", target="coc_core.cli.learn.data:verify"),
            Entry("show", "Print a dataset's card and its first pairs.", target="coc_core.cli.learn.data:show"),
        ),
        example="coc data build -d hanoi -n 1-15 -o hanoi-pairs",
    ),
    Entry("train", "Train a model and measure its accuracy.", LEARN, "coc_core.cli.learn.train:train"),
    Entry("export", "Export a checkpoint to another library.", LEARN, "coc_core.cli.learn.export:export_checkpoint"),
    Entry(
        "import", "Import a checkpoint from an exported folder.", LEARN, "coc_core.cli.learn.export:import_checkpoint"
    ),
    Entry("plugins", "List the installed plugins and their parts.", EXTEND, "coc_core.cli.extend.plugins:plugins"),
)


def offered() -> tuple[Entry, ...]:
    """The commands that plugins offer; a name that coc has itself, or that several plugins offer, is left out."""
    from functools import partial

    from coc_core.plugin import CommandSpec, Registry  # here, so that coc's own commands start at once

    registry = Registry.installed()
    own = {entry.name for entry in COMMANDS}
    return tuple(
        Entry(spec.name, spec.summary, spec.panel, load=partial(registry.function, spec))
        for spec in registry.specs(CommandSpec)
        if spec.name not in own
    )
