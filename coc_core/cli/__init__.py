"""The command line: the only part of coc that knows typer and rich. A module for each verb."""

from coc_core.cli.app import main

__all__ = ["main"]
