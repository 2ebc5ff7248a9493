"""The layout: few rooms, few modules in each, faces that are used, imports that go through them, tests that mirror them."""

import ast
import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from tests.support.for_each import for_each
from tests.support.source_files import ROOT, named, sources, tree

CORE, TRANSFORMER = ROOT / "coc_core", ROOT / "plugins" / "coc_transformer"
MOST_PACKAGES, MOST_MODULES_AT_THE_TOP, MOST_MODULES = 13, 5, 12

OURS = {"coc_core", *(path.name for path in ROOT.glob("plugins/coc_*"))}
SOURCES = [path for path in sources("coc_core", "plugins", "examples") if "templates" not in path.parts]

WITHOUT_A_FACE = {CORE / "cli", TRANSFORMER / "numpy"}
"""What nothing builds on: the command line, what old imports find, and a backend, which is imported when it is used."""


def packages(top):
    return sorted(path.parent for path in top.rglob("__init__.py") if "templates" not in path.parts)


def modules(package):
    return sorted(path for path in package.glob("*.py") if not path.name.startswith("__"))


ROOMS = [room for top in (CORE, TRANSFORMER) for room in packages(top) if room.parent == top]
FACES = [room for room in ROOMS if room not in WITHOUT_A_FACE]


@cache
def words():
    """The words of where plugin authors read what they may import, and of where factories are named."""
    paths = [*CORE.rglob("*.jinja"), *ROOT.glob("docs/**/*.md"), CORE / "plugin" / "core.py", ROOT / "README.md"]
    return {word for path in paths for word in re.findall(r"\w+", path.read_text("utf-8"))}


@cache
def dotted(path):
    """The name of the module or package that a path is."""
    base = ROOT / "plugins" if ROOT / "plugins" in path.parents else ROOT
    parts = path.relative_to(base).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imported(path):
    """Module and name of each `from ... import ...` in a file."""
    return [
        (node.module, alias.name)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    ]


def test_the_top_of_the_core_is_short():
    assert len([room for room in packages(CORE) if room.parent == CORE]) <= MOST_PACKAGES
    assert len(modules(CORE)) <= MOST_MODULES_AT_THE_TOP


def test_a_package_has_few_modules():
    sizes = {named(package): len(modules(package)) for package in packages(CORE) + packages(ROOT / "plugins")}
    assert sizes
    assert {name: size for name, size in sizes.items() if size > MOST_MODULES} == {}


def offered(room):
    """The names that a room offers, with the modules they come from; in the core, a stub names them."""
    stub = room / "__init__.pyi"
    found = tree(stub if stub.exists() else room / "__init__.py").body
    return {alias.name: node.module for node in found if isinstance(node, ast.ImportFrom) for alias in node.names}


@cache
def taken(path):
    """What a module takes from a room by the room's name, as in `runfile.Session`, with the room."""
    rooms = {name: f"{module}.{name}" for module, name in imported(path) if module == "coc_core"}
    return [
        (rooms[node.value.id], node.attr)
        for node in (ast.walk(tree(path)) if rooms else ())
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in rooms
    ]


@for_each("room", FACES)
def test_a_face_offers_what_is_used_elsewhere(room):
    assert ast.get_docstring(tree(room / "__init__.py"))
    used = {
        name
        for path in SOURCES
        if room not in path.parents
        for module, name in (*imported(path), *taken(path))
        if module == dotted(room)
    }
    assert offered(room).keys() - used - words() == set()


@for_each("room", FACES)
def test_what_a_face_offers_has_not_the_name_of_a_module(room):
    """Such a module, once imported, would be found in place of it."""
    assert offered(room).keys() & {path.stem for path in room.iterdir()} == set()


def test_other_rooms_are_entered_by_their_faces():
    inside = [
        (named(path), module, name)
        for path in SOURCES
        for room in FACES
        if room not in path.parents
        for module, name in imported(path)
        if module.startswith(f"{dotted(room)}.") and not (ROOT / "plugins").joinpath(*module.split(".")).is_dir()
        if not (ROOT.joinpath(*module.split("."))).is_dir()
    ]
    assert inside == []


def test_only_a_machine_writes_its_attributes():
    written = [
        f"{named(path)}:{node.lineno}"
        for path in SOURCES
        if path != CORE / "execution" / "machine.py"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Assign | ast.AugAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for part in ast.walk(target)
        if isinstance(part, ast.Attribute)
        and isinstance(part.value, ast.Name | ast.Attribute)
        and (part.value.id if isinstance(part.value, ast.Name) else part.value.attr) in ("machine", "_machine")
    ]
    assert written == []


@for_each("path", sources("benchmarks", "examples"))
def test_what_a_script_imports_of_coc_exists(path):
    for module, name in imported(path):
        if module.partition(".")[0] in OURS:
            assert hasattr(import_module(module), name) or find_spec(f"{module}.{name}")


def test_the_tests_mirror_the_tree():
    for tests, source in ((ROOT / "tests" / "coc_core", CORE), (ROOT / "tests" / "plugins", ROOT / "plugins")):
        for folder in (path for path in tests.rglob("*") if path.is_dir() and not path.name.startswith("__")):
            if any(folder.glob("*.py")):  # others hold data
                assert (source / folder.relative_to(tests)).is_dir(), folder
    untested = [room for room in ROOMS if not list(_mirror(room).rglob("test_*.py"))]
    assert untested == []


def _mirror(room):
    base = ROOT / "tests" / ("plugins" if ROOT / "plugins" in room.parents else "")
    return base / room.relative_to(ROOT / "plugins" if ROOT / "plugins" in room.parents else ROOT)
