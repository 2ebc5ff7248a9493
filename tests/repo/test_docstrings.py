"""What is public is documented."""

import ast

from coc_core.plugin.hookspecs import HOOKS
from tests.support.source_files import named, sources, tree


def undocumented(node, path=""):
    """The public classes and functions below `node` that have no docstring, and the module itself."""
    if isinstance(node, ast.Module) and not ast.get_docstring(node):
        yield "the module"
    for child in node.body:
        if not isinstance(child, ast.ClassDef | ast.FunctionDef) or child.name.startswith("_"):
            continue
        name = f"{path}{child.name}"
        if not ast.get_docstring(child) and not documented_elsewhere(child, node):
            yield name
        if isinstance(child, ast.ClassDef):
            yield from undocumented(child, f"{name}.")


def documented_elsewhere(child, owner):
    """A hook is documented by its specification, a method that implements an interface by the interface."""
    hook = any(isinstance(mark, ast.Name) and mark.id == "hookimpl" for mark in child.decorator_list)
    return hook or (isinstance(owner, ast.ClassDef) and bool(owner.bases) and isinstance(child, ast.FunctionDef))


def test_every_public_name_has_a_docstring():
    found = [f"{named(path)}: {name}" for path in sources("coc_core") for name in undocumented(tree(path))]
    assert found == []


NO_VERBS = {"A", "All", "An", "Each", "Every", "How", "The", "Those", "What", "Where", "Whether", "Which", "Why"}


def functions(top):
    """The functions and methods of a module, but for properties, hooks and checks, whose docstring is a promise."""
    for node in ast.walk(top):
        if isinstance(node, ast.FunctionDef) and (text := ast.get_docstring(node)):
            marks = {ast.unparse(mark).partition("(")[0].rpartition(".")[2] for mark in node.decorator_list}
            if not marks & {"property", "cached_property", "hookspec"}:
                yield node, text.split()[0]


def test_the_docstring_of_a_function_begins_with_a_verb():
    found = [
        f"{named(path)}:{node.lineno} {node.name}"
        for path in sources("coc_core", "plugins")
        if "coc_check" not in path.parts
        for node, word in functions(tree(path))
        if word in NO_VERBS
    ]
    assert found == []


def test_every_record_tells_what_its_fields_are():
    for spec in HOOKS.values():
        names = spec.__annotations__.keys() - {"name", "summary"}
        assert names, spec
        assert [name for name in names if f"`{name}" not in spec.__doc__] == [], spec
