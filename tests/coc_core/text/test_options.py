"""Options in a text are read strictly."""

import pytest
from attrs import frozen

from coc_core.errors import UsageError
from coc_core.text import Decimal, Switch, Whole, Word, read, setting
from tests.support.for_each import for_each


@frozen
class Options:
    size: int = setting(Whole(1, 1000), 1)
    share: float = setting(Decimal(0, 1), 0.5)
    kind: str = setting(Word(words=("plain", "odd")), "odd")
    loud: bool = setting(Switch(), True)
    own: str = ""


def test_options_are_read_by_name():
    found = read(Options, "size=1000, share=0.25,kind=odd,loud=no", "it")
    assert found == {"size": 1000, "share": 0.25, "kind": "odd", "loud": False}
    assert read(Options, "", "it") == {}


@for_each(
    ("text", "reason"),
    [
        ("size", "it: 'size' sets nothing; write NAME=VALUE"),
        ("size=1,", "it: '' sets nothing"),
        ("size=", "it: 'size=' sets nothing"),
        ("sizes=1", "it has no option 'sizes'; did you mean 'size'? choose from kind, loud, share, size"),
        ("own=1", "it has no option 'own'; choose from kind, loud, share, size"),
        ("size=1,size=1", "it: 'size' is given twice; leave one out"),
        ("size=0", "the option size of it: it must be from 1 to 1,000, not 0"),
        ("size=1001", "the option size of it: it must be from 1 to 1,000, not 1,001"),
        ("size=01", "'01' is not a whole number"),
        ("size=1_0", "is not a whole number"),
        ("share=1.5", "it must be from 0 to 1, not 1.5"),
        ("share=1e-1", "is not a number such as 0.5"),
        ("kind=none", "it must be plain or odd, not 'none'"),
        ("loud=true", "it must be yes or no, not 'true'"),
    ],
)
def test_anything_else_is_refused(text, reason):
    with pytest.raises(UsageError) as found:
        read(Options, text, "it")
    assert reason in str(found.value)
