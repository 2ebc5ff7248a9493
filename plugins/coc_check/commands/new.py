"""`coc new`: start a plugin, as a package that works."""

import shlex
from pathlib import Path
from typing import Annotated

import typer
from attrs import evolve

from coc_check.scaffold import KINDS, check_name, package_of, render, write
from coc_core.cli import console
from coc_core.cli.options import typer_option
from coc_core.errors import UsageError
from coc_core.options import File, shared
from coc_core.plugin import suggest
from coc_core.text import counted, escaped, quoted

_OUT = evolve(shared.OUT, help="Write the package to this folder.", kind=File("DIR"), shown="coc-NAME")
_HELP = f"The kind of plugin: {', '.join(KINDS)}."
_KIND = typer.Argument(metavar="KIND", help=_HELP, autocompletion=lambda: list(KINDS))


def new(
    kind: Annotated[str, _KIND],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The part's name, such as my-puzzle.")],
    out: Annotated[Path | None, typer_option(_OUT)] = None,
) -> int:
    """Create the skeleton of a plugin: a package that works.

    The package has one small part and its tests, ready for you to change.

    Examples:
        coc new program my-function
        coc new domain my-puzzle
        coc new executor hurried --out packages/coc-hurried
    """
    if kind not in KINDS:
        raise UsageError(f"unknown kind of plugin {quoted(kind, 40)}", remedy=suggest(kind, KINDS))
    check_name(console.registry(), name)
    folder = out or Path(package_of(name))
    files = render(kind, name)
    write(folder, files)
    steps = [f"cd {shlex.quote(str(folder))}", "pip install -e '.[test]'", "pytest"]
    steps += [each.format(name=name) for each in KINDS[kind]]
    said = f"{escaped(str(folder))}: the {kind} {name}, in {counted(len(files), 'file')}"
    console.show(said, [*map(str, files), console.text("what to do next:"), *steps])
    return 0
