"""Draws the packages and their imports, as they are in the code.

    python docs/drawings/packages.py > docs/drawings/packages.svg

Each row shows a package with its modules and, on the right, a dot for each package that it imports. Rows and columns
are in the order of the layers in `pyproject.toml`, so no dot is left of the diagonal.
"""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

from svg import Canvas

ROOT = Path(__file__).resolve().parents[2]

FIND = {
    "a new memory": "coc_core/memories/memory.py",
    "how prompts are written": "coc_core/memories/convention.py",
    "how a fault is reported": "coc_core/cli/solve/report.py",
    "the kinds of faults": "coc_core/errors.py",
    "the pair format on disk": "plugins/coc_learn/datasets/dataset.py",
    "the run file's schema": "coc_core/runfile/database.py",
    "the network": "plugins/coc_transformer/model/decoder.py",
    "the training loop": "plugins/coc_transformer/training/loop.py",
    "how a draft is checked": "plugins/coc_transformer/continuation.py",
    "how steps are drafted": "coc_core/execution/speculative.py",
    "one step, from prompt to commit": "coc_core/execution/machine.py",
    "the learned arithmetic": "plugins/coc_learn/addresses/learned.py",
    "what coc certify proves": "plugins/coc_certify/certify.py",
    "the checks of each interface": "plugins/coc_check/parts.py",
    "a policy": "plugins/coc_puzzles/hanoi/domain.py",
    "the plugin hooks": "coc_core/plugin/hookspecs.py",
}
"""What a newcomer looks for, and the module to read."""

_WIDTH, _LEFT, _CELL, _TOP = 1120, 24, 21, 128
_NAME, _TEXT = 184, 560  # where the texts of a row begin, and how wide they may be
_LETTER = 7.0  # the width of a letter of the module list, at most


class Room:
    """A package, or a module at the top of one: its summary, its modules and what it imports."""

    def __init__(self, package: str, name: str, layer: int) -> None:
        folder = ROOT.joinpath("" if package == "coc_core" else "plugins", *package.split("."))
        self.layer, self.module = layer, f"{package}.{name}" if name else package
        self.path = folder / name if (folder / name).is_dir() else folder / f"{name}.py"
        self.label = name or package
        sources = [self.path] if self.path.is_file() else sorted(self.path.rglob("*.py"))
        docstring = ast.get_docstring(ast.parse(sources[0].read_text("utf-8"))) or ""
        self.summary = docstring.partition("\n\n")[0].replace("\n", " ").replace("`", "")
        inside = sorted(self.path.glob("*.py")) if self.path.is_dir() else []
        folders = sorted(f"{each.parent.name}/" for each in self.path.glob("*/__init__.py"))
        self.modules = [each.stem for each in inside if each.stem != "__init__"] + folders
        self.imports = {name for source in sources for name in _imported(source)}
        places = {what: ROOT / path for what, path in FIND.items()}
        self.find = [
            f"{what}: {path.name if path == self.path else path.relative_to(self.path)}"
            for what, path in places.items()
            if path == self.path or self.path in path.parents
        ]

    def uses(self, other: "Room") -> bool:
        """Whether a module of this room imports one of the other."""
        return self is not other and any(
            name == other.module or name.startswith(f"{other.module}.") for name in self.imports
        )


def _imported(source: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def rooms() -> list[Room]:
    """The plugins, then the rooms of the core, each before all that it may import."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (plugins,) = (each["layers"] for each in contracts if "coc_core" in each.get("layers", ()))
    found = [Room(plugin, "", -1) for layer in plugins for plugin in layer.split(" | ") if plugin != "coc_core"]
    (layers,) = (each["layers"] for each in contracts if each.get("containers") == ["coc_core"])
    for number, layer in enumerate(layers):
        for separator in ":|":
            layer = layer.replace(separator, " ")
        found += [Room("coc_core", name, number) for name in layer.split()]
    return found


def _wrapped(words: list[str], width: float) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and (len(lines[-1]) + 2 + len(word)) * _LETTER > width:
            lines.append("")
        lines[-1] += ("  " if lines[-1] else "") + word
    return [line for line in lines if line]


def draw() -> str:
    """The drawing as SVG text."""
    if missing := [path for path in FIND.values() if not (ROOT / path).is_file()]:
        raise SystemExit(f"FIND names files that do not exist: {', '.join(missing)}")
    found = rooms()
    upwards = [(room, other) for row, room in enumerate(found) for other in found[:row] if room.uses(other)]
    if upwards:
        raise SystemExit(
            "\n".join(f"{room.module} imports {other.module}, which is in a higher layer" for room, other in upwards)
        )
    heights = [34 + 17 * (len(_wrapped(room.modules, _TEXT)) + len(_wrapped(room.find, _TEXT))) for room in found]
    columns = [room for room in found if room.layer >= 0]
    matrix = _WIDTH - _LEFT - _CELL * len(columns)
    canvas = Canvas(
        _WIDTH,
        _TOP + sum(heights) + 4 * len(found) + 76,
        "The packages of coc and their imports",
        "One row for each package, in the order of the layers; dots show which packages it imports. No dot is below "
        "the diagonal, because imports only point to lower layers.",
    )
    canvas.text(_LEFT, 38, "Packages and imports", "title")
    canvas.lines(
        _LEFT,
        62,
        [
            "A dot: the package of the row imports the package of the column.",
            "Lines separate layers; imports only point down. Blue: where to start reading.",
        ],
        "soft",
    )
    for column, room in enumerate(columns):
        x = matrix + (column + 0.5) * _CELL
        canvas.text(x + 4, _TOP - 10, room.label, "small", turn=-60)
    y = float(_TOP)
    for row, room in enumerate(found):
        if row and room.layer != found[row - 1].layer:
            canvas.line((_LEFT, y - 2), (_WIDTH - _LEFT, y - 2))
        if row % 2:
            canvas.box(_LEFT, y, _WIDTH - 2 * _LEFT, heights[row], "band", 4)
        _row(canvas, room, columns, y, heights[row], matrix)
        y += heights[row] + 4
    count = sum(room.uses(other) for room in found for other in columns)
    canvas.lines(
        _LEFT,
        y + 26,
        [
            f"{count} imports between {len(found)} packages and top-level modules. The core imports no plugin; it",
            "finds plugins by their entry points. Made from the code by docs/drawings/packages.py.",
        ],
        "small soft",
    )
    return canvas.document()


def _row(canvas: Canvas, room: Room, columns: list[Room], y: float, height: float, matrix: float) -> None:
    canvas.text(_LEFT + 8, y + 20, room.label, "title" if room.path.is_dir() else "title soft")
    canvas.text(_NAME, y + 20, _cut(room.summary), "")
    below = y + 38
    for line in _wrapped(room.modules, _TEXT):
        canvas.text(_NAME, below, line, "small soft")
        below += 17
    for line in _wrapped(room.find, _TEXT):
        canvas.text(_NAME, below, line, "small blue bold")
        below += 17
    for column, other in enumerate(columns):
        x, middle = matrix + (column + 0.5) * _CELL, y + height / 2
        if other is room:
            canvas.box(x - 6, middle - 6, 12, 12, "box", 2)
        elif room.uses(other):
            canvas.dot(x, middle, 5, f"{room.label} imports {other.label}")


def _cut(text: str, most: int = 75) -> str:
    first = text.partition(". ")[0].rstrip(".")
    return first if len(first) <= most else first[: most - 1].rsplit(" ", 1)[0].rstrip(",;:") + " …"


if __name__ == "__main__":
    print(draw(), end="")
