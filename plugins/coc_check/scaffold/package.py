"""Rendering a package from templates, and writing it to a folder as a whole or not at all."""

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from coc_check.scaffold.kinds import Kind
from coc_check.scaffold.names import module_of, package_of, prefix_of
from coc_core.plugin import DISTRIBUTION
from coc_core.storage import check_replaceable, fresh_folder, sync

TEMPLATES = Path(__file__).parent / "templates"
SUFFIX = ".jinja"
NO_MARKER = ""
"""No file has this name, so a folder with files in it is never replaced."""


def render(kind: Kind, name: str) -> dict[str, str]:
    """Render a package from `templates/package`, which all kinds share, and from the folder of its kind.

    Returns:
        The texts of the files, by path within the package.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
    )
    module = module_of(name)
    variables = {
        "kind": kind.name,
        "name": name,
        "package": package_of(name),
        "module": module,
        "prefix": prefix_of(name),
        "commands": [text.format(name=name) for text in (*kind.before, f"coc run {kind.run}")],
        "core": f"{DISTRIBUTION}>={version(DISTRIBUTION)}",
    }
    files = {f"src/{module}/py.typed": ""}
    for folder, place in (("package", ""), (kind.name, f"src/{module}/")):
        for path in sorted((TEMPLATES / folder).rglob(f"*{SUFFIX}")):
            template = environment.get_template(path.relative_to(TEMPLATES).as_posix())
            # Templates of dotfiles have no dot in their names, so that they are not hidden.
            parts = [part.replace("dot_", ".", 1) for part in path.relative_to(TEMPLATES / folder).parts]
            files[place + "/".join(parts).removesuffix(SUFFIX)] = template.render(variables)
    return dict(sorted(files.items()))


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write files to a new `folder`; UsageError if it has contents, StorageError if the file system refuses."""
    check_empty(folder)
    with fresh_folder(folder, marker=NO_MARKER, kind="package") as fresh:
        for name, text in files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            sync(path)


def check_empty(folder: Path) -> None:
    """UsageError unless `folder` is empty or does not exist; StorageError if this can't be checked."""
    check_replaceable(folder, marker=NO_MARKER, kind="empty folder")
