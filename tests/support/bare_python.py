"""Running a program where there is no coc: Python apart from this environment, with numpy beside its own library."""

import io
import runpy
import subprocess
import sys
import tempfile
from contextlib import redirect_stdout
from importlib.metadata import distribution
from pathlib import Path

import pytest

_START = """
import runpy, sys
from importlib.util import find_spec
sys.path.append(sys.argv[1])
found = [name for name in ("coc_core", "coc_transformer", "torch", "attrs") if find_spec(name)]
assert not found, f"this environment is not bare: it has {found}"
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def run_here(command):
    """The exit code of a Python program run in this process, and what it prints, without the time of a start."""
    program, *arguments = map(str, command)
    path, out = list(sys.path), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out):
        patch.setattr(sys, "argv", [program, *arguments])
        patch.setattr(sys, "path", [str(Path(program).parent), *path])
        try:
            runpy.run_path(program, run_name="__main__")
        except SystemExit as error:
            return (1, error.code) if isinstance(error.code, str) else (int(error.code or 0), out.getvalue())
    return 0, out.getvalue()


def run_bare(command, environment=None):
    """Run a Python program with its arguments. It sees Python's own library and numpy, and nothing else."""
    numpy = distribution("numpy")
    with tempfile.TemporaryDirectory() as folder:
        for name in {file.parts[0] for file in numpy.files or () if file.parts[0].startswith("numpy")}:
            (Path(folder) / name).symlink_to(numpy.locate_file(name))
        isolated = [sys.executable, "-I", "-S", "-c", _START, folder, *map(str, command)]
        return subprocess.run(isolated, env=environment, capture_output=True, text=True)
