"""What is public is documented."""

import ast
from pathlib import Path

import pytest

from coc_core.plugin import hookspecs
from coc_core.plugin.loading import HOOKS

ROOT = Path(__file__).parents[2]
CORE = sorted((ROOT / "coc_core").rglob("*.py"))


def undocumented(node, path=""):
    """The public classes and functions below `node` that have no docstring."""
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


@pytest.mark.parametrize("path", CORE, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_public_name_has_a_docstring(path):
    tree = ast.parse(path.read_text("utf-8"))
    assert ast.get_docstring(tree)
    assert list(undocumented(tree)) == []


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_is_documented_by_its_specification(hook):
    assert getattr(hookspecs, hook).__doc__


@pytest.mark.parametrize("spec", HOOKS.values(), ids=lambda spec: spec.__name__)
def test_every_record_tells_what_its_fields_are(spec):
    names = spec.__annotations__.keys() - {"name", "summary"}
    assert names
    assert [name for name in names if f"`{name}" not in spec.__doc__] == []
