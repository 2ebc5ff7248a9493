import pytest
from hypothesis import given, strategies as st

from coc_check.hostile import BREAKS, DIGITS, NUMBERS
from coc_core.arithmetic import Symbolic
from coc_core.errors import ArithmeticFault, LimitFault, NumericFault
from coc_core.execution import Cached
from coc_core.memories import Reference
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.addresses import learned
from coc_learn.addresses.dialect import AddressReference, address_prompts
from coc_learn.addresses.learned import Learned, block_size, block_start
from tests.support.for_each import for_each
from tests.support.signed_sums import REGISTERS, sums, usual_spelling
from tests.support.toy_parts import Nondeterministic, Scripted

values = st.one_of(st.integers(-1, 10_000), st.integers(-(10**6), 10**17))


def exact(prompt):
    return AddressReference().complete([prompt])[0]


def wrong_at(**targets):
    """A model that writes these texts for some prompts, `prev_12=...` for `prev=12 prev`, and is exact for the others."""
    table = {f"{name}={value} {name}": text for (name, value), text in ((k.split("_"), v) for k, v in targets.items())}
    return Scripted(then=lambda prompt: table.get(prompt) or exact(prompt))


@given(st.lists(sums.map(usual_spelling), max_size=4), st.fixed_dictionaries(dict.fromkeys(REGISTERS, values)))
def test_it_agrees_with_exact_evaluation(expressions, registers):
    oracle = Learned(AddressReference())
    numbers = oracle.resolve(expressions, registers)
    assert (numbers, type(numbers), oracle.mistakes) == (Symbolic().resolve(expressions, registers), tuple, [])


HOSTILE = [*NUMBERS, *BREAKS, *DIGITS, "1 + 1", "-01", "--1", "９", "1" * 5_000, "-" + "1" * 5_000]
HOSTILE += ["NaN", "inf", "NEXT_ID=5"]


def is_number(text):
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 19 and text == str(int(text))


@given(st.one_of(st.text(), st.from_regex(r"[+-]?[0-9_]{1,25}", fullmatch=True), st.sampled_from(HOSTILE)))
def test_a_response_is_a_number_or_an_arithmetic_fault(response):
    oracle = Learned(Scripted(then=lambda _: response))
    for expression in ("NEXT_ID+1", "NEXT_ID-PTR"):  # one prompt in a block, one alone
        if is_number(response):
            assert oracle.resolve([expression], REGISTERS) == (int(response),)
        else:
            with pytest.raises(ArithmeticFault) as fault:
                oracle.resolve([expression], REGISTERS)
            assert fault.value.text == response


def test_a_sum_that_is_too_large_is_the_planning_models_fault():
    oracle = Learned(AddressReference())
    assert oracle.resolve(["prev+prev"], {"prev": 4}) == (8,)
    with pytest.raises(ArithmeticFault, match=r"the arithmetic model did not respond to .*has more than 19 digits"):
        oracle.resolve(["prev+prev"], {"prev": 9 * 10**18})
    with pytest.raises(ArithmeticFault, match="the value of 'prev-3' has more than 19 digits"):
        oracle.resolve(["prev-3"], {"prev": -(10**19) + 2})


@given(st.integers(0, 20_000_000))
def test_blocks_are_disjoint_and_contain_their_values(value):
    start, size = block_start(value), block_size(value)
    assert start <= value < start + size
    assert (block_start(start), block_size(start)) == (start, size)
    assert (block_start(start + size - 1), block_size(start + size - 1)) == (start, size)
    assert block_start(start + size) == start + size
    assert size in (64, 128, 256, 512, 1024, 2048, 4096)
    assert (block_start(-value - 1), block_size(-value - 1)) == (-value - 1, 1)


def test_the_model_is_called_once_for_a_block_with_exact_drafts():
    calls = []

    class Drafted(AddressReference):
        def _complete(self, prompts, drafts):
            calls.append((prompts, drafts))
            return super()._complete(prompts, drafts)

    oracle = Learned(Drafted())
    for value in (0, 63, 5, 64, 100, 127, 128, 255, 4_096, 8_191, 5_000):
        assert oracle.resolve(["NEXT_ID+2"], {"NEXT_ID": value}) == (value + 2,)
    assert [len(prompts) for prompts, _ in calls] == [1, 2, 64, 64, 128, 4_096]
    assert all(list(drafts) == list(map(exact, prompts)) for prompts, drafts in calls)
    assert calls[2][0][5] == "NEXT_ID=5 NEXT_ID+2"


def test_the_model_is_called_only_for_values_that_may_occur():
    model = Scripted(then=exact)
    oracle = Learned(model)
    for value in range(1, 6_000, 3):
        assert oracle.resolve(["NEXT_ID+2"], {"NEXT_ID": value}) == (value + 2,)
    numbers = [int(prompt.split(" ")[0].partition("=")[2]) for prompt in model.prompts]
    assert numbers == [1, *range(1, 8_192, 3)]
    assert oracle.resolve(["NEXT_ID+2"], {"NEXT_ID": 3}) == (5,)
    assert model.prompts[-64:] == address_prompts("NEXT_ID+2", "NEXT_ID", range(64))


@for_each("place", [0, 1, 63, 64, 127, 128, 4_095, 4_096, 8_191, 8_192])
def test_only_the_wrong_responses_are_wrong(place):
    oracle = Learned(wrong_at(**{f"prev_{place}": "77"}))
    mistake = f"the arithmetic model wrote 77 for 'prev={place} prev', not {place}"
    for value in (place - 1, place, place + 1, place):
        got = oracle.resolve(["prev", "prev+1"], {"prev": value})
        assert got == ((77 if value == place else value), value + 1)
        assert getattr(got, "mistake", "") == (mistake if value == place else "")
    assert oracle.mistakes == [mistake]


def test_only_the_first_mistakes_are_listed():
    oracle = Learned(Scripted(then=lambda prompt: "8"))
    for value in range(100, 120):
        assert oracle.resolve(["PTR"], {"PTR": value}) == (8,)
    assert len(oracle.mistakes) == 10


@for_each(("kind", "bad"), [(NumericFault, 12), (LimitFault, 0), (NumericFault, 63)])
def test_a_fault_of_the_model_is_one_where_it_is_used(kind, bad):
    oracle = Learned(wrong_at(**{f"prev_{bad}": kind("no finite logits")}))
    for value in set(range(64)) - {bad}:
        assert oracle.resolve(["prev"], {"prev": value}) == (value,)
    told = f"the arithmetic model did not respond to 'prev={bad} prev': no finite logits"
    with pytest.raises(kind, match=told) as fault:
        oracle.resolve(["prev"], {"prev": bad})
    assert fault.value.text == f"prev={bad} prev"


@for_each("expression", ["", "1++1", "NEXT_ID 1", "x", "prev+x", "1" * 65])
def test_a_malformed_expression_never_reaches_the_model(expression):
    model = Scripted()
    with pytest.raises(ArithmeticFault) as fault:
        Learned(model).resolve([expression], REGISTERS)
    with pytest.raises(ArithmeticFault) as symbolic:
        Symbolic().resolve([expression], REGISTERS)
    assert (fault.value.message, fault.value.text) == (symbolic.value.message, symbolic.value.text)
    assert model.prompts == []


def test_a_register_that_is_missing_later_is_a_fault():
    oracle = Learned(AddressReference())
    assert oracle.resolve(["prev"], REGISTERS) == (-1,)
    with pytest.raises(ArithmeticFault, match="'prev' is not a register; there are PTR"):
        oracle.resolve(["prev"], {"PTR": 1})


def test_a_nondeterministic_model_is_called_every_time():
    oracle = Learned(Nondeterministic("1", "2", "3", "4", "5"))
    assert [oracle.resolve([text], REGISTERS)[0] for text in ("PTR", "PTR", "-1", "-1", "PTR-prev")] == [1, 2, 3, 4, 5]


def test_the_number_of_stored_expressions_is_bounded(monkeypatch):
    monkeypatch.setattr(learned, "_MAX_EXPRESSIONS", 3)
    monkeypatch.setattr(learned, "_CACHE_BYTES", 1_000)
    oracle = Learned(AddressReference())
    for number in range(1, 11):
        assert oracle.resolve([f"PTR+{number}", f"{number}"], REGISTERS) == (5 + number, number)
        assert len(oracle._linear) <= 3
        assert len(oracle._single_responses) <= 3


def test_a_wrong_pointer_is_followed_and_noted():
    setting = Setting.of(Registry.installed(), "hanoi", "tape", "learned", arith_model="reference")
    setting.arithmetic.model = wrong_at(prev_2="1")
    (outcome,) = Cached().run([setting.machine(setting.domain.problem(2))], Reference(setting.convention))
    assert outcome.status != "solved"
    assert setting.arithmetic.mistakes == ["the arithmetic model wrote 1 for 'prev=2 prev', not 2"]


@for_each("expressions", [["-1", "PTR"], ["PTR", "-1"], ["-1", "PTR-prev"], ["PTR", "-1", "PTR+1"]])
def test_one_wrong_number_among_right_ones_is_described_wherever_it_stands(expressions):
    oracle = Learned(Scripted(then=lambda prompt: "-7" if prompt == "-1" else exact(prompt)))
    numbers = oracle.resolve(expressions, REGISTERS)
    assert numbers == tuple(-7 if text == "-1" else Symbolic().resolve([text], REGISTERS)[0] for text in expressions)
    assert numbers.mistake == "the arithmetic model wrote -7 for '-1', not -1"
    assert oracle.mistakes == [numbers.mistake]


@for_each("expression", ["-1", "NEXT_ID-PTR", "PTR+1"])
def test_an_exception_of_the_model_is_left_to_the_machine(expression):
    with pytest.raises(ZeroDivisionError, match="no idea"):
        Learned(Scripted(then=lambda prompt: ZeroDivisionError("no idea"))).resolve([expression], REGISTERS)
