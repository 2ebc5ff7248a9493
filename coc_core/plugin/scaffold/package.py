"""A package rendered from templates, and written to a folder whole or not at all."""

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from coc_core.plugin.loading import DISTRIBUTION
from coc_core.plugin.scaffold.kinds import Kind
from coc_core.plugin.scaffold.names import module_of, package_of, prefix_of
from coc_core.storage import check_replaceable, fresh_folder, sync

TEMPLATES = Path(__file__).parent / "templates"
SUFFIX = ".jinja"
NONE = ""  # no file has that name, so no folder with files in it is ever replaced


def render(kind: Kind, name: str) -> dict[str, str]:
    """The texts of a package's files, by path within the package.

    `templates/package` is what all kinds have, the folder of the kind its import package.
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
        "run": kind.run.format(name=name),
        "core": f"{DISTRIBUTION}>={version(DISTRIBUTION)}",
    }
    files = {f"src/{module}/py.typed": ""}
    for folder, place in (("package", ""), (kind.name, f"src/{module}/")):
        for path in sorted((TEMPLATES / folder).rglob(f"*{SUFFIX}")):
            template = environment.get_template(path.relative_to(TEMPLATES).as_posix())
            # A dot in front would hide a template from whoever packs or looks at them.
            parts = [part.replace("dot_", ".", 1) for part in path.relative_to(TEMPLATES / folder).parts]
            files[place + "/".join(parts).removesuffix(SUFFIX)] = template.render(variables)
    return dict(sorted(files.items()))


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Make `folder` of these files; UsageError if something is there, StorageError if the file system refuses."""
    check_empty(folder)
    with fresh_folder(folder, marker=NONE, kind="package") as fresh:
        for name, text in files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            sync(path)


def check_empty(folder: Path) -> None:
    """UsageError if there is anything at `folder` but an empty folder; StorageError if nobody can look."""
    check_replaceable(folder, marker=NONE, kind="empty folder")
