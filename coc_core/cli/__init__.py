"""The command line: the only part of coc that knows typer and rich."""

from coc_core.cli.app import main

__all__ = ["main"]
