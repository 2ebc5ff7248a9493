"""The name of a new part, and the names that follow from it."""

import re
from importlib.util import find_spec
from keyword import iskeyword

from coc_core.errors import UsageError
from coc_core.plugin.hookspecs import CheckpointSpec
from coc_core.plugin.registry import Registry
from coc_core.plugin.scaffold.kinds import Kind
from coc_core.text import quoted

LONGEST = 40  # characters
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", re.ASCII)


def check_name(registry: Registry, kind: Kind, name: str) -> None:
    """UsageError unless a new part of that kind can have that name, and its package the name that follows from it."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST or iskeyword(name):
        raise UsageError(
            f"{quoted(name, 50)} is no name for a part",
            remedy=f"use lower-case letters, digits and single dashes, a letter first, at most {LONGEST} characters",
        )
    # --model chooses among the shipped checkpoints, too.
    known = (*registry.specs(kind.spec), *(registry.specs(CheckpointSpec) if kind.name == "model" else ()))
    if name in {spec.name for spec in known}:
        raise UsageError(f"the {kind.name} {name!r} already exists", remedy="choose another name")
    if find_spec(module_of(name)) is not None:
        raise UsageError(f"the module {module_of(name)!r} already exists", remedy="choose another name")


def package_of(name: str) -> str:
    """The name of the distribution, and of its folder: coc-my-puzzle."""
    return f"coc-{name}"


def module_of(name: str) -> str:
    """The name of the import package: coc_my_puzzle."""
    return package_of(name).replace("-", "_")


def prefix_of(name: str) -> str:
    """What the names of the classes begin with: MyPuzzle."""
    return "".join(map(str.capitalize, name.split("-")))
