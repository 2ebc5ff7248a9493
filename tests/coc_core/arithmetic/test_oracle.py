import re

import pytest
from hypothesis import given, strategies as st

from coc_core.arithmetic import Inline, Symbolic
from coc_core.errors import ArithmeticFault
from tests.support.for_each import for_each
from tests.support.signed_sums import REGISTERS, sums, usual_spelling

TERMS = re.compile(r"([+-])([A-Za-z_]+|[0-9]+)")

REFUSED_NUMBERS = ["", "-2", "-0", "--1", "+1", "01", "1_000", " 12", "12 ", "12\n", "٣", "１", "²", "1.0", "1e3", "a"]
REFUSED_NUMBERS += ["12345678901234567890", "NEXT_ID", "1+1"]

REFUSED_SUMS = ["", " ", "+", "-", "1+", "1 + 1", "1++1", "1--1", "--1", "+-1", "01", "1_000", "1e3", "1.0", "2*3"]
REFUSED_SUMS += ["(1)", "NEXT_ID 1", "NEXT_ID1", "1NEXT_ID", "prev\n", "\nprev", "٣", "prev+٣", "ｐrev", "1" * 20]


def by_hand(terms):
    return sum((-1 if sign == "-" else 1) * (REGISTERS[x] if x in REGISTERS else int(x)) for sign, x in terms)


@given(sums)
def test_a_sum_is_worked_out_from_left_to_right(terms):
    text = usual_spelling(terms)
    assert Symbolic().resolve([text], REGISTERS) == (by_hand(terms),)


@given(sums)
def test_a_sum_has_no_second_spelling(terms):
    text = "".join(sign + value for sign, value in terms)
    for spelling in {text, text.removeprefix("+")} - {usual_spelling(terms)}:
        with pytest.raises(ArithmeticFault, match="must be written") as fault:
            Symbolic().resolve([spelling], REGISTERS)
        assert repr(usual_spelling(terms)) in fault.value.message


@for_each(
    ("text", "usual"),
    [
        ("-0", "0"),
        ("+0", "0"),
        ("0-1", "-1"),
        ("-1+0", "-1"),
        ("1+1", "2"),
        ("+NEXT_ID", "NEXT_ID"),
        ("+NEXT_ID+1", "NEXT_ID+1"),
        ("NEXT_ID+0", "NEXT_ID"),
        ("NEXT_ID-0", "NEXT_ID"),
        ("NEXT_ID+1+0", "NEXT_ID+1"),
        ("NEXT_ID+1+1", "NEXT_ID+2"),
        ("NEXT_ID+2-1", "NEXT_ID+1"),
        ("1+NEXT_ID", "NEXT_ID+1"),
        ("prev+PTR+NEXT_ID", "NEXT_ID+PTR+prev"),
        ("prev-PTR-NEXT_ID", "prev-NEXT_ID-PTR"),
        ("-PTR+prev", "prev-PTR"),
        ("PTR-PTR", "0"),
        ("PTR-PTR+3", "3"),
        ("prev+PTR-prev", "PTR"),
        ("prev+PTR+prev", "PTR+prev+prev"),
        ("PTR-1-prev", "PTR-prev-1"),
        ("9999999999999999999+1", "10000000000000000000"),
    ],
)
def test_the_refusal_names_the_one_spelling(text, usual):
    with pytest.raises(ArithmeticFault, match=f"^{re.escape(f'{text!r} must be written {usual!r}')}$") as fault:
        Symbolic().resolve([text], REGISTERS)
    offset = fault.value.offset
    assert (fault.value.text, text[:offset]) == (text, usual[:offset])
    assert text[offset : offset + 1] != usual[offset : offset + 1]
    if len(usual) < 20:
        Symbolic().resolve([usual], REGISTERS)


def test_one_number_for_each_expression_in_order():
    expressions = ["NEXT_ID", "NEXT_ID+2", "prev", "-1", "PTR+1", "NEXT_ID-PTR"]
    assert Symbolic().resolve(expressions, REGISTERS) == (9, 11, -1, -1, 6, 4)
    assert Inline().resolve(["0", "12", "-1"], {}) == (0, 12, -1)
    assert Symbolic().resolve([], {}) == Inline().resolve([], {}) == ()


@for_each(
    ("oracle", "text", "reason", "offset"),
    [
        *((Inline(), text, "is not a plain decimal number", None) for text in REFUSED_NUMBERS),
        *((Symbolic(), text, "is not a sum of registers and numbers", ...) for text in REFUSED_SUMS),
        (Symbolic(), "NEXT_ID+2*3", "is not a sum of registers and numbers", len("NEXT_ID+2")),
        *(
            (Symbolic(), f"{name}+1", f"'{name}' is not a register; there are NEXT_ID, PTR, prev", None)
            for name in ("next_id", "X", "PREV", "__import__")
        ),
        *(
            (each, "1" + "+1" * 32, "an expression has 65 characters, the limit is 64", None)
            for each in (Inline(), Symbolic())
        ),
        *((Symbolic(), text, f"the value of {text!r} has more than 19 digits", None) for text in ("LAST+1", "-LAST-1")),
    ],
)
def test_what_has_no_number_is_refused_alone_and_where_it_goes_wrong(oracle, text, reason, offset):
    registers = REGISTERS if "LAST" not in text else {"LAST": 10**19 - 1}
    with pytest.raises(ArithmeticFault, match=re.escape(reason)) as fault:
        oracle.resolve(["1", text, "2"], registers)
    assert fault.value.text == text
    assert fault.value.offset == offset or (offset is ... and 0 <= fault.value.offset <= len(text))


@given(st.integers(-1, 10**19 - 1))
def test_a_number_of_19_digits_and_an_expression_of_64_characters_are_not_too_long(number):
    assert Inline().resolve([str(number)], {}) == Symbolic().resolve([str(number)], {}) == (number,)
    assert Symbolic().resolve(["PTR", "-PTR", "-1"], {"PTR": number}) == (number, -number, -1)
    assert len("PTR+" * 15 + "prev") == 64
    assert Symbolic().resolve(["PTR+" * 15 + "prev"], REGISTERS) == (74,)


texts = st.one_of(st.text(), st.from_regex(r"([+-]?(PTR|NEXT_ID|prev|[0-9]{1,3})){1,4}", fullmatch=True))


@given(texts, st.sampled_from([Inline(), Symbolic()]))
def test_any_text_is_a_number_or_a_fault(text, oracle):
    try:
        (number,) = oracle.resolve([text], REGISTERS)
    except ArithmeticFault:
        return
    assert isinstance(number, int)
    assert text == usual_spelling(TERMS.findall(text if text[0] == "-" else f"+{text}"))
