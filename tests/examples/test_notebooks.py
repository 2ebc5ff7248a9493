"""The notebooks are run, and give what stands in them."""

from pathlib import Path

import pytest

from tests.support.late_import import Late

nbformat, nbclient = Late("nbformat"), Late("nbclient")
EXAMPLES = Path(__file__).parents[2] / "examples"


def outputs(cell):
    """What a cell shows, whatever else a notebook remembers of it."""
    return [output.get("text") or output.get("data") for output in cell.get("outputs", [])]


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.name)
def test_a_notebook_shows_what_it_did_when_it_was_written(path, tmp_path):
    written = nbformat.read(path, as_version=4)
    executed = nbformat.from_dict(written)
    for cell in executed.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    nbclient.NotebookClient(executed, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert [outputs(cell) for cell in executed.cells] == [outputs(cell) for cell in written.cells]
    assert all(cell.get("outputs") for cell in written.cells if cell.cell_type == "code")
    assert path.name in (EXAMPLES / "README.md").read_text("utf-8")
