import pytest
from hypothesis import given
from hypothesis import strategies as st

from coc_core.arithmetic import Inline, Symbolic
from coc_core.errors import ArithmeticFault

REGISTERS = {"PTR": 5, "NEXT_ID": 9, "prev": -1}

term = st.tuples(st.sampled_from("+-"), st.one_of(st.sampled_from(sorted(REGISTERS)), st.integers(0, 10**6).map(str)))
sums = st.lists(term, min_size=1, max_size=5)

REFUSED_NUMBERS = ["", "-2", "-0", "--1", "+1", "01", "1_000", " 12", "12 ", "12\n", "٣", "１", "²", "1.0", "1e3", "a"]
REFUSED_NUMBERS += ["12345678901234567890", "NEXT_ID", "1+1"]

REFUSED_SUMS = ["", " ", "+", "-", "1+", "1 + 1", "1++1", "1--1", "--1", "+-1", "01", "1_000", "1e3", "1.0", "2*3"]
REFUSED_SUMS += ["(1)", "NEXT_ID 1", "NEXT_ID1", "1NEXT_ID", "prev\n", "\nprev", "٣", "prev+٣", "ｐrev", "1" * 20]


def by_hand(terms):
    return sum((-1 if sign == "-" else 1) * (REGISTERS[x] if x in REGISTERS else int(x)) for sign, x in terms)


@given(sums)
def test_a_sum_is_worked_out_from_left_to_right(terms):
    text = "".join(sign + value for sign, value in terms).removeprefix("+")
    assert Symbolic().resolve([text], REGISTERS) == (by_hand(terms),)


def test_one_number_for_each_expression_in_order():
    expressions = ["NEXT_ID", "NEXT_ID+2", "prev", "-1", "PTR+1", "NEXT_ID-PTR"]
    assert Symbolic().resolve(expressions, REGISTERS) == (9, 11, -1, -1, 6, 4)
    assert Inline().resolve(["0", "12", "-1"], {}) == (0, 12, -1)
    assert Symbolic().resolve([], {}) == Inline().resolve([], {}) == ()


@pytest.mark.parametrize("text", REFUSED_NUMBERS)
def test_inline_accepts_plain_decimals_alone(text):
    with pytest.raises(ArithmeticFault) as fault:
        Inline().resolve(["1", text], REGISTERS)
    assert fault.value.text == text


@pytest.mark.parametrize("text", REFUSED_SUMS)
def test_malformed_expressions_are_refused(text):
    with pytest.raises(ArithmeticFault, match="is not a sum of registers and numbers") as fault:
        Symbolic().resolve([text], REGISTERS)
    assert fault.value.text == text
    assert 0 <= fault.value.offset <= len(text)


@pytest.mark.parametrize("name", ["next_id", "X", "PREV", "__import__"])
def test_an_unknown_register_is_refused(name):
    with pytest.raises(ArithmeticFault, match=f"'{name}' is not a register; there are NEXT_ID, PTR, prev"):
        Symbolic().resolve([f"1+{name}"], REGISTERS)


@pytest.mark.parametrize("text", ["1+X", "1" + "+1" * 32, "1+", f"{'9' * 19}+1"])
def test_a_fault_holds_the_one_expression_it_is_about(text):
    with pytest.raises(ArithmeticFault) as fault:
        Symbolic().resolve(["1", text, "2"], REGISTERS)
    assert fault.value.text == text


def test_a_sum_is_refused_where_it_ceases_to_be_one():
    with pytest.raises(ArithmeticFault) as fault:
        Symbolic().resolve(["NEXT_ID+2*3"], REGISTERS)
    assert fault.value.offset == len("NEXT_ID+2")


@pytest.mark.parametrize("oracle", [Inline(), Symbolic()])
def test_an_expression_has_a_greatest_length(oracle):
    with pytest.raises(ArithmeticFault, match="an expression has 65 characters"):
        oracle.resolve(["1" + "+1" * 32], REGISTERS)
    assert Symbolic().resolve(["+1" * 32], REGISTERS) == (32,)


@given(st.text(), st.sampled_from([Inline(), Symbolic()]))
def test_any_text_is_a_number_or_a_fault(text, oracle):
    try:
        (number,) = oracle.resolve([text], REGISTERS)
    except ArithmeticFault:
        return
    assert isinstance(number, int)


@given(st.integers(-1, 10**19 - 1))
def test_both_oracles_agree_on_numbers(number):
    assert Inline().resolve([str(number)], {}) == Symbolic().resolve([str(number)], {}) == (number,)
