"""Which modules a module runs: those that it imports, and those that these import, found in their sources.

A module counts by its syntax tree, so that comments, docstrings and layout count for nothing.
"""

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.machinery import all_suffixes
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from attrs import frozen

FRONT_DOOR = "coc_core"
_LIBRARIES = frozenset({"site-packages", "dist-packages"})


@frozen
class Hooks:
    """What the installed plugins say.

    Attributes:
        modules: The modules that offer hooks. As such, and as the package of others, they don't count.
        packages: The packages whose sources count wherever they are; others in the library count by their versions.
        functions: What the front door, `import coc_core as coc`, has of plugins: `package.module:function` by name.
    """

    modules: frozenset[str]
    packages: frozenset[str]
    functions: Mapping[str, str]


@frozen
class _Source:
    """A module's digest and what it refers to: dotted names of modules, or of what is in them."""

    digest: str
    refers: frozenset[str]
    faces: Mapping[str, str]
    """What a package offers under a name of its own and imports when it is asked for."""


def reached(roots: Iterable[str], hooks: Hooks) -> tuple[dict[str, str], set[str]]:
    """The digests of the modules that these names reach, by name; and the other packages that they import.

    Args:
        roots: Modules, or `package.module:attribute`.
        hooks: What the plugins say.
    """
    digests, libraries = dict[str, str](), set[str]()
    todo = [name for root in roots for name in _named(root)]
    seen = set[str]()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        top = name.partition(".")[0]
        if not top or top in sys.stdlib_module_names:
            continue
        if not _counts(top, hooks.packages):
            libraries.add(top)
            continue
        module, attribute = _split(name)
        if attribute and (target := _source(module).faces.get(attribute)):
            todo.append(target)
        elif attribute and module == FRONT_DOOR and attribute in hooks.functions:
            todo += _named(hooks.functions[attribute])
        elif module:
            packages = [each for each in _parents(module) if each not in hooks.modules]
            found = {each: _source(each) for each in (*packages, module)}
            digests |= {each: source.digest for each, source in found.items() if source.digest}
            todo += [reference for source in found.values() for reference in source.refers]
    return digests, libraries


@cache
def _counts(top: str, packages: frozenset[str]) -> bool:
    """Whether a package counts by its sources: a plugin's, or one that is not installed in the library."""
    if top in packages:
        return True
    places = _places(top)
    return bool(places) and all(_LIBRARIES.isdisjoint(place.parts) for place in places)


@cache
def _places(top: str) -> tuple[Path, ...]:
    """The folders of a package; for a module, its file without the suffix."""
    try:
        spec = find_spec(top)
    except (ImportError, ValueError):
        return ()
    if spec is None:
        return ()
    if spec.submodule_search_locations is not None:
        return tuple(map(Path, spec.submodule_search_locations))
    return (Path(spec.origin).with_name(top),) if spec.origin and spec.has_location else ()


@cache
def file_of(module: str) -> Path | None:
    """The file of a module; the folder of a namespace package; None if there is no such module."""
    top, *rest = module.split(".")
    for place in _places(top):
        stem = place.joinpath(*rest)
        if (stem / "__init__.py").is_file():
            return stem / "__init__.py"
        files = (stem.with_name(stem.name + suffix) for suffix in all_suffixes())
        if found := next((path for path in files if path.is_file()), None):
            return found
        if stem.is_dir():
            return stem
    return None


def _split(name: str) -> tuple[str, str]:
    """The longest part of a dotted name that is a module, and the first name after it; both may be empty."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        module = ".".join(parts[:length])
        if file_of(module) is not None:
            return module, ".".join(parts[length : length + 1])
    return "", ""


def _parents(module: str) -> Iterator[str]:
    parts = module.split(".")
    return (".".join(parts[:length]) for length in range(1, len(parts)))


@cache
def _source(module: str) -> _Source:
    path = file_of(module)
    if path is None or path.is_dir():
        return _Source("", frozenset(), {})
    data = path.read_bytes()
    tree = _tree(path)
    if tree is None:
        return _Source(sha256(data).hexdigest(), frozenset(), {})
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    stub = _tree(path.with_suffix(".pyi")) if path.with_suffix(".pyi").is_file() else None
    lazy = stub is None and any(_name(node) == "__getattr__" for node in tree.body)
    reader = _Reader(package, tree, lazy=lazy)
    faces = _Reader(package, stub).names if stub else reader.faces
    return _Source(_digest(tree) or sha256(data).hexdigest(), frozenset(reader.refers), faces)


def _tree(path: Path) -> ast.Module | None:
    """The syntax tree of a file; None if it has none."""
    try:
        return ast.parse(path.read_bytes()) if path.suffix in (".py", ".pyi") else None
    except (SyntaxError, ValueError, RecursionError):
        return None


def _named(root: str) -> list[str]:
    """A root as a dotted name, and the modules of its package that the statement names as texts that binds it."""
    module, _, attribute = root.partition(":")
    path = file_of(module)
    tree = _tree(path) if path and attribute and path.is_file() else None
    package = module.rpartition(".")[0]
    texts = [
        node.value
        for statement in (tree.body if tree else ())
        if isinstance(statement, ast.Assign) and attribute in map(_name, statement.targets)
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    found = [name for text in texts if file_of(name := f"{package}.{text}") is not None]
    return [root.replace(":", "."), *found]


class _Reader:
    """What a module refers to. Imports for type checkers are left out; in a `lazy` module they are its face."""

    def __init__(self, package: str, tree: ast.Module, *, lazy: bool = False) -> None:
        self.package = package
        self.names, self.refers = dict[str, str](), set[str]()
        nodes = list(_nodes(tree.body, for_type_checkers=False))
        for node in nodes:
            self._imported(node)
        for node in nodes:
            match node:
                case ast.Attribute():
                    chain = _chain(node)
                    if chain and chain[0] in self.names:
                        self.refers.add(".".join([self.names[chain[0]], *chain[1:]]))
                case ast.Call(func=function, args=[ast.Constant(value=str(text))]):
                    if (_chain(function) or [""])[-1] == "import_module":
                        self.refers.add(text)
        self.faces = dict[str, str]()
        if lazy:
            whole = ast.Module(list(_nodes(tree.body, for_type_checkers=True)), [])
            self.faces = _Reader(package, whole).names

    def _imported(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                self.refers.add(alias.name)
                top = alias.name.partition(".")[0]
                self.names[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = self.package.split(".")
                above = parents[: len(parents) - node.level + 1]
                base = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:
                name = base if alias.name == "*" else f"{base}.{alias.name}"
                self.refers.add(name)
                self.names[alias.asname or alias.name] = name


def _nodes(body: Iterable[ast.AST], *, for_type_checkers: bool) -> Iterator[Any]:
    """All nodes, but for those that only type checkers see; or the statements that only they see."""
    todo = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and (_chain(node.test) or [""])[-1] == "TYPE_CHECKING":
            todo += node.orelse
            if for_type_checkers:
                yield from node.body
        else:
            if not for_type_checkers:
                yield node
            todo += ast.iter_child_nodes(node)


def _chain(node: ast.AST) -> list[str]:
    """The names in `a.b.c`; empty for anything else."""
    if isinstance(node, ast.Attribute):
        before = _chain(node.value)
        return [*before, node.attr] if before else []
    return [node.id] if isinstance(node, ast.Name) else []


def _name(node: ast.AST) -> str:
    return getattr(node, "name", getattr(node, "id", ""))


def _digest(tree: ast.Module) -> str:
    """The SHA-256 of a syntax tree without its docstrings; empty if it is too deep."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            match node.body:
                case [ast.Expr(value=ast.Constant(value=str())), *rest]:
                    node.body = rest
    try:
        return sha256(ast.dump(tree).encode()).hexdigest()
    except RecursionError:
        return ""
