"""The checker of certificates of programs, imported as a module, although it is a script in examples/."""

import importlib
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@contextmanager
def imported_checker():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(EXAMPLES)
        yield importlib.import_module("check_program_certificate")
        for name in [name for name in sys.modules if name.startswith(("certificate", "check_"))]:
            del sys.modules[name]
