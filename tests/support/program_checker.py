"""The checker of certificates of programs, imported as a module, although it is a script in examples/."""

import importlib
import json
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from coc_certify.programs import program_data
from coc_problems import every_prompt
from coc_programs.heap.convention import HeapConvention

EXAMPLES = Path(__file__).parents[2] / "examples"


@contextmanager
def imported_checker():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(EXAMPLES)
        yield importlib.import_module("check_program_certificate")
        for name in [name for name in sys.modules if name.startswith(("certificate", "check_"))]:
            del sys.modules[name]


def listed_alike(checker, domain):
    """What coc lists of a program, and its data: the checker lists the same, from the kinds that the domain states."""
    listed = every_prompt(HeapConvention(domain, "symbolic"))
    data = json.loads(json.dumps(program_data(domain, domain.compiled)))
    program = importlib.import_module("certificate.program").Program(data["classes"], data["procedures"])
    found = checker.Closure(program, [*listed.first] if listed.stated else None)
    assert (found.steps, found.faults) == (dict(listed.pairs), {*listed.wrong})
    assert found.first == len(listed.first)
    return listed, data
