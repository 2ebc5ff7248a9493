import pytest
from attrs import field, frozen, validators

from coc_core.text import Codec, Form, Forms, described, message_of
from tests.support.for_each import for_each


@frozen
class Peg:
    number: int = field(validator=[validators.instance_of(int), validators.in_((1, 2, 3))])


class Mute(Exception):
    def __str__(self):
        raise SystemExit("no")


class Wordless(Exception):
    def __str__(self):
        return 7


def raised(call):
    with pytest.raises((TypeError, ValueError)) as error:
        call()
    return error.value


@for_each(
    ("error", "message", "description"),
    [
        (ValueError("no"), "no", "ValueError: no"),
        (ValueError(), "ValueError", "ValueError"),
        (ValueError("one\n  two\x85three"), "one two three", "ValueError: one two three"),
        (KeyError("gone"), "'gone'", "KeyError: 'gone'"),
        (ValueError(3, None), "(3, None)", "ValueError: (3, None)"),
        (ValueError("x" * 10**7), "x" * 497 + "...", "ValueError: " + "x" * 497 + "..."),
        (ValueError("y" * 500), "y" * 500, "ValueError: " + "y" * 500),
        (OSError(28, "No space left"), "[Errno 28] No space left", "OSError: [Errno 28] No space left"),
        (Mute(), "Mute, whose message can't be shown: its __str__ raised SystemExit", ...),
        (Wordless(), "Wordless, whose message can't be shown: its __str__ raised TypeError", ...),
    ],
)
def test_a_message_is_one_line_of_bounded_length(error, message, description):
    assert message_of(error) == message
    assert message_of(raised(lambda: Peg(4))) == "'number' must be in (1, 2, 3) (got 4)"  # no word of attrs
    assert described(raised(lambda: Peg("4"))).endswith(
        "'number' must be <class 'int'> (got '4' that is a <class 'str'>)."
    )
    assert described(error) == (message if description is ... else description)


def test_a_record_of_another_type_is_a_line_and_a_bug_stays_one():
    @frozen
    class Name:
        text: str = field(validator=validators.instance_of(str))

        def __attrs_post_init__(self):
            if self.text == "bug":
                return self.text + 1
            raise ValueError("two\nlines")

    @frozen
    class Number:
        text: str = field(validator=validators.instance_of(str))

    assert raised(lambda: Forms(Form.of(Number, "{text}", text=Codec(int))).parse("3")).args == (
        "'text' must be <class 'str'> (got 3 that is a <class 'int'>).",
    )
    plain = Form.of(Name, "{text}", text=_Text)
    assert raised(lambda: plain.parse("x")).args == ("two lines",)
    assert type(raised(lambda: plain.parse("bug"))) is TypeError


class _Text:
    parse = format = staticmethod(str)
