"""No code asks which memory it is dealing with: what differs is asked of the memory or its convention."""

import ast
from pathlib import Path

import pytest

from coc_core.plugin import MemorySpec, Registry

ROOT = Path(__file__).parents[2]
NAMES = {spec.name for spec in Registry.installed().specs(MemorySpec)} | {"cells"}
SOURCES = [
    path
    for folder in ("coc_core", "plugins")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "memories" not in path.parts
]
SCRIPT = ROOT / "coc_core/view/page.js"


def compared(tree):
    """The names of memories that a comparison, a match or a lookup by name decides by."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            values = [node.left, *node.comparators]
            values += [
                item for value in values if isinstance(value, ast.Tuple | ast.Set | ast.List) for item in value.elts
            ]
        elif isinstance(node, ast.MatchValue):
            values = [node.value]
        else:
            continue
        yield from (value.value for value in values if isinstance(value, ast.Constant) and value.value in NAMES)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_decides_by_the_name_of_a_memory(path):
    assert list(compared(ast.parse(path.read_text("utf-8")))) == []


def test_the_page_knows_no_memory():
    assert [name for name in NAMES if f'"{name}"' in SCRIPT.read_text("utf-8")] == []


def test_a_comparison_is_found():
    for code in ("memory == 'pda'", "'tape' != name", "memory in ('tape', 'x')", "match name:\n case 'cells': pass"):
        assert len(list(compared(ast.parse(code)))) == 1
    assert list(compared(ast.parse("MEMORIES = ('tape', 'pda'); memory == other"))) == []
