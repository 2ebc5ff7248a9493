"""What `coc new` writes: a package with a small working plugin of one kind."""

import re
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from coc_core.errors import UsageError
from coc_core.plugin import DISTRIBUTION, KINDS as PARTS, Registry
from coc_core.storage import check_replaceable, fresh_folder, sync
from coc_core.text import quoted

_RUN, _CHECK = "coc run --domain {name} --model reference", "coc check ./hanoi-{name}"
_HANOI = "coc run --domain hanoi"
_TRAIN = "coc train --domain hanoi --n 1-8 --holdout 0 --model {name} --out hanoi-{name}"
_OWN = "coc train --domain {name} --out {name}-model"
_CERTIFY = "coc certify --domain {name} --model ./{name}-model --n 5 --out {name}.certificate"

KINDS: Mapping[str, Sequence[str]] = {
    "domain": [_RUN],
    "program": [_RUN, _OWN, _CERTIFY],
    "puzzle": [_RUN],
    "memory": [f"{_HANOI} --memory {{name}} --model reference"],
    "arithmetic": [f"{_HANOI} --memory tape --arith {{name}} --model reference"],
    "model": [f"{_HANOI} --model {{name}}"],
    "backend": [_TRAIN, _CHECK, f"{_HANOI} --model ./hanoi-{{name}}"],
    "executor": [f"{_HANOI} --executor {{name}} --model reference"],
}
"""The kinds of parts, each with commands that use a part of `{name}`, in order."""

LONGEST = 30  # characters of a name
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", re.ASCII)


def check_name(registry: Registry, name: str) -> None:
    """Raise UsageError unless a new part can have the name, and its package the derived name."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST or iskeyword(name):
        raise UsageError(
            f"{quoted(name, 50)} is not a valid name",
            remedy=f"use lower-case letters, digits and single dashes, first a letter, at most {LONGEST} characters",
        )
    if any(spec.name == name for part in PARTS for spec in registry.specs(part)):  # type: ignore[var-annotated]
        raise UsageError(f"a part called {name!r} already exists", remedy="choose another name")
    if find_spec(module_of(name)) is not None:
        raise UsageError(f"the module {module_of(name)!r} already exists", remedy="choose another name")


def package_of(name: str) -> str:
    """Return the name of the distribution and of its folder, such as coc-my-puzzle."""
    return f"coc-{name}"


def module_of(name: str) -> str:
    """Return the name of the import package, such as coc_my_puzzle."""
    return package_of(name).replace("-", "_")


TEMPLATES = Path(__file__).parent / "templates"
SUFFIX = ".jinja"


def render(kind: str, name: str) -> dict[str, str]:
    """Render a package from `templates/package`, which all kinds share, and from the folder of its kind.

    Returns:
        The texts of the files, by path within the package.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    loader, module = FileSystemLoader(TEMPLATES), module_of(name)
    environment = Environment(loader=loader, undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    variables = {
        "kind": kind,
        "name": name,
        "package": package_of(name),
        "module": module,
        "prefix": "".join(map(str.capitalize, name.split("-"))),  # of the names of classes, such as MyPuzzle
        "commands": [each.format(name=name) for each in KINDS[kind]],
        "core": f"{DISTRIBUTION}>={version(DISTRIBUTION)}",
    }
    files = {f"src/{module}/py.typed": ""}
    for folder, place in (("package", ""), (kind, f"src/{module}/")):
        for path in sorted((TEMPLATES / folder).rglob(f"*{SUFFIX}")):
            template = environment.get_template(path.relative_to(TEMPLATES).as_posix())
            # Templates of dotfiles have no dot in their names, so that they are not hidden.
            parts = [part.replace("dot_", ".", 1) for part in path.relative_to(TEMPLATES / folder).parts]
            files[place + "/".join(parts).removesuffix(SUFFIX)] = template.render(variables)
    return dict(sorted(files.items()))


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write files to a new `folder`; UsageError if it has contents, StorageError if the file system refuses."""
    check_replaceable(folder, marker="", kind="empty folder")  # no file has this name, so no files are replaced
    with fresh_folder(folder, marker="", kind="package") as fresh:
        for name, text in files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            sync(path)
