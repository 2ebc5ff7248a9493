"""The name of a new part, and the names that are derived from it."""

import re
from importlib.util import find_spec
from keyword import iskeyword

from coc_check.scaffold.kinds import Kind
from coc_core.errors import UsageError
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.text import quoted

LONGEST = 30
"""The largest length of a name, in characters."""

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", re.ASCII)


def check_name(registry: Registry, kind: Kind, name: str) -> None:
    """UsageError unless a new part of this kind can have the name, and its package the derived name."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST or iskeyword(name):
        raise UsageError(
            f"{quoted(name, 50)} is not a valid name",
            remedy=f"use lower-case letters, digits and single dashes, first a letter, at most {LONGEST} characters",
        )
    # --model also accepts the names of shipped checkpoints.
    known = (*registry.specs(kind.spec), *(registry.specs(CheckpointSpec) if kind.name in ("model", "backend") else ()))
    if name in {spec.name for spec in known}:
        raise UsageError(f"the {kind.name} {name!r} already exists", remedy="choose another name")
    if find_spec(module_of(name)) is not None:
        raise UsageError(f"the module {module_of(name)!r} already exists", remedy="choose another name")


def package_of(name: str) -> str:
    """The name of the distribution and of its folder, such as coc-my-puzzle."""
    return f"coc-{name}"


def module_of(name: str) -> str:
    """The name of the import package, such as coc_my_puzzle."""
    return package_of(name).replace("-", "_")


def prefix_of(name: str) -> str:
    """The prefix of the names of classes, such as MyPuzzle."""
    return "".join(map(str.capitalize, name.split("-")))
