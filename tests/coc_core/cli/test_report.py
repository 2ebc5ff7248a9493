"""A result is one record: with --json its fields are the document, and otherwise lines, details and a table are printed."""

import json
from contextvars import copy_context

import pytest

from coc_core.cli import console


@pytest.fixture
def shown(capsys):
    """What is printed of a result, as the command line asks for it."""

    def run(*result, json=False, quiet=False):
        context = copy_context()
        context.run(console.be_json, json)
        context.run(console.quiet.set, quiet)
        context.run(console.report, *result)
        return capsys.readouterr().out

    return run


def details():
    yield "a detail"
    yield "a remark", "yellow"
    yield console.text("unindented")
    yield console.table(("name", "count"), [["a", "10"], [("[b]", "red"), "9\x07"]], numbers=1)


def test_a_reader_gets_lines_that_are_never_broken_and_details(shown):
    long = "a result " * 20
    told = f"{long}\n  a detail\n  a remark\nunindented\nname  count\na        10\n[b]   9\\x07\nfault  x\n  why\\x1b\n"
    result = (lambda: 1 / 0), long, details(), console.verdict("fault", "x", "why\x1b")
    assert shown(*result) == told
    assert shown(*result[:2], details(), result[-1], quiet=True) == f"{long}\nfault  x\n  why\\x1b\n"


def test_with_json_the_fields_are_all_that_is_printed(shown):
    fields = {"text": "\x7f\x1b", "rows": [1, None]}
    for found in (fields, lambda: fields):
        printed = shown(found, "a result", (1 / 0 for _ in "x"), json=True, quiet=True)
        assert json.loads(printed) == fields
        assert printed.isascii()
        assert printed[:-1].isprintable()
