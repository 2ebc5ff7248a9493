"""The examples in the docstrings of the classes that plugin authors subclass do what they show."""

import doctest
from importlib import import_module

import pytest

EXAMPLES = {
    "arithmetic.oracle": "ArithmeticOracle",
    "domain.base": "Domain",
    "execution.executor": "Executor",
    "memories.convention": "Convention",
    "memories.memory": "Memory",
    "models.base": "Model",
    "text.forms": "Form",
}
"""The class of each module that must have an example."""


@pytest.mark.parametrize(("module", "name"), EXAMPLES.items(), ids=EXAMPLES.values())
def test_the_examples_of_a_docstring_run(module: str, name: str) -> None:
    found = import_module(f"coc_core.{module}")
    tested = {test.name: test.examples for test in doctest.DocTestFinder().find(found)}
    assert tested[f"{found.__name__}.{name}"]
    results = doctest.testmod(found)
    assert results.failed == 0, f"python -m doctest -v {found.__file__}"
    assert results.attempted >= 1
