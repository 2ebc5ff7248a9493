"""The prompts of the library: how many each procedure has, and that the checker of certificates lists the same."""

import json

import pytest

from coc_programs import library
from tests.support.program_checker import imported_checker, listed_alike
from tests.support.program_runs import domain_of

PROMPTS = {
    "zero": 3, "successor": 19, "add": 71, "subtract": 71, "negate": 75, "same": 42, "less": 84, "is_negative": 12,
    "times": 146, "division": 277, "quotient": 280, "remainder": 280, "decimal": 208, "number": 199, "same_text": 50,
    "backwards": 3, "joint": 3, "extended": 1, "length": 27, "pushed": 105, "popped": 109, "merged": 105, "get": 67,
    "put": 53, "get_at": 68, "put_at": 52, "append": 73, "get_text": 75, "put_text": 75, "entries": 44,
    "predecessor": 73, "by_key": 92,
}  # fmt: skip
"""How many prompts a program has that is one procedure, whatever it begins with."""


@pytest.fixture(scope="module")
def checker():
    with imported_checker() as found:
        yield found


@pytest.mark.parametrize("name", PROMPTS)
def test_prompts_are_few_and_those_that_the_checker_lists(checker, name):
    main = getattr(library, name)
    if "before" in main.parameters:
        main = main.given({"before": library.less})
    listed, data = listed_alike(checker, domain_of(main, lambda: None))
    assert (len(listed.pairs), len(listed.wrong)) == (PROMPTS[name], int("divided" in json.dumps(data)))
