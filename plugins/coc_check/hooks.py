"""What the kit offers to coc: its commands."""

from coc_core.plugin import CommandSpec, hookimpl

_COMMANDS = {
    "new": ("Create the skeleton of a plugin: a package that works.", "Write plugins"),
    "check": ("Run the conformance checks of a plugin.", "Write plugins"),
    "doctor": ("Show what a model has to learn of a puzzle.", "Train models"),
    "fuzz": ("Search for a case in which an executor goes wrong.", "Write plugins"),
    "plugins": ("List the installed plugins and their parts.", "Solve problems"),
}


@hookimpl
def coc_commands() -> list[CommandSpec]:
    return [
        CommandSpec(name, function=f"coc_check.commands.{name}:{name}", summary=summary, panel=panel)
        for name, (summary, panel) in _COMMANDS.items()
    ]
