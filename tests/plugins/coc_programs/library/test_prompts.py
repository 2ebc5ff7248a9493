"""The prompts of the library: how many each procedure has, and that the checker of certificates lists the same."""

import json

import pytest

from coc_certify.programs import program_data
from coc_problems import every_prompt
from coc_programs import library
from coc_programs.heap.convention import HeapConvention
from tests.support.program_checker import imported_checker
from tests.support.program_runs import domain_of

PROMPTS = {
    "zero": 3, "successor": 19, "add": 71, "subtract": 71, "negate": 75, "same": 42, "less": 84, "is_negative": 12,
    "times": 146, "division": 277, "quotient": 280, "remainder": 280, "decimal": 208, "number": 199, "same_text": 50,
    "backwards": 3, "joint": 3, "extended": 1, "length": 27, "pushed": 103, "popped": 104, "merged": 100, "get": 81,
    "put": 80, "get_at": 82, "put_at": 79, "append": 100, "get_text": 86, "put_text": 88, "entries": 48,
}  # fmt: skip
"""How many prompts a program has that is one procedure, whatever it begins with."""


@pytest.fixture(scope="module")
def checker():
    with imported_checker() as found:
        yield found


@pytest.mark.parametrize("name", PROMPTS)
def test_prompts_are_few_and_those_that_the_checker_lists(checker, name):
    from certificate.program import Program

    main = getattr(library, name)
    if "before" in main.parameters:
        main = main.given({"before": library.less})
    domain = domain_of(main, lambda: None)
    listed = every_prompt(HeapConvention(domain, "symbolic"))
    data = json.loads(json.dumps(program_data(domain, domain.compiled)))
    found = checker.Closure(Program(data["classes"], data["procedures"]), [*listed.first])
    assert (found.steps, found.faults) == (dict(listed.pairs), {*listed.wrong})
    assert (len(listed.pairs), len(listed.wrong)) == (PROMPTS[name], int("divided" in json.dumps(data)))
