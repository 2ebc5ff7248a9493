"""Options in a text are read strictly."""

import pytest

from coc_core.errors import UsageError
from coc_core.text import one_of, parse_options, whole_from
from coc_llm.choice import decimal_from
from tests.support.for_each import for_each

READERS = {"size": whole_from(1, 1000), "share": decimal_from(0, 1), "kind": one_of("plain", "odd")}


def test_options_are_read_by_name():
    assert parse_options("size=1000,share=0.25,kind=odd", READERS, "it") == {"size": 1000, "share": 0.25, "kind": "odd"}
    assert parse_options("", READERS, "it") == {}


@for_each(
    ("text", "reason"),
    [
        ("size", "it has the option 'size' without a value; write NAME=VALUE"),
        ("size=1,", "it has the option '' without a value"),
        ("sizes=1", "it has no option 'sizes'; did you mean 'size'? choose from kind, share, size"),
        ("zzz=1", "it has no option 'zzz'; choose from kind, share, size"),
        ("size=1,size=1", "it has the option 'size' twice"),
        ("size=0", "size='0' of it: it must be a whole number from 1 to 1,000"),
        ("size=01", "it must be a whole number"),
        ("size=1_0", "it must be a whole number"),
        ("share=1.5", "it must be a number from 0 to 1, such as 0.5"),
        ("share=1e-1", "it must be a number"),
        ("kind=none", "it must be plain or odd"),
    ],
)
def test_anything_else_is_refused(text, reason):
    with pytest.raises(UsageError) as found:
        parse_options(text, READERS, "it")
    assert reason in str(found.value)
