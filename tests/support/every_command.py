"""The commands of the core, and those of plugins that stand beside them in the help."""

from coc_core.cli.commands import COMMANDS, offered

EVERY_COMMAND = (*COMMANDS, *(entry for entry in offered() if entry.panel != "From plugins"))
