"""No code asks which memory it is dealing with: what differs is asked of the memory or its convention."""

import ast

from coc_core.plugin import MemorySpec, Registry
from tests.support.source_files import ROOT, named, sources, tree

NAMES = {spec.name for spec in Registry.installed().specs(MemorySpec)} | {"cells"}
SCRIPT = ROOT / "plugins/coc_view/page.js"


def compared(module):
    """The names of memories that a comparison, a match or a lookup by name decides by."""
    for node in ast.walk(module):
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


def test_no_module_decides_by_the_name_of_a_memory():
    paths = [path for path in sources("coc_core", "plugins") if "memories" not in path.parts]
    assert [f"{named(path)}: {name}" for path in paths for name in compared(tree(path))] == []


def test_the_page_knows_no_memory():
    assert [name for name in NAMES if f'"{name}"' in SCRIPT.read_text("utf-8")] == []


def test_a_comparison_is_found():
    for code in ("memory == 'pda'", "'tape' != name", "memory in ('tape', 'x')", "match name:\n case 'cells': pass"):
        assert len(list(compared(ast.parse(code)))) == 1
    assert list(compared(ast.parse("MEMORIES = ('tape', 'pda'); memory == other"))) == []
