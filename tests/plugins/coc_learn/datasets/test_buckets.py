"""Sampling buckets: readable, for every domain, and never an error."""

import re

import pytest
from hypothesis import example, given, settings, strategies as st

from coc_core.models import Pair
from coc_learn.datasets import FAMILIES, sampling_buckets
from tests.support.for_each import for_each

HANOI = "PTR={0} NEXT_ID={1} INSTR[{0}] CALL n={2} src=1 dst=3 aux=2 prev={3}"


def test_a_linked_tape():
    target = "APPEND[29999] CALL n=11 ...\nAPPEND[30000] MOVE ...\nAPPEND[30001] CALL ...\nPTR=30001 NEXT_ID=30002"
    assert sampling_buckets(Pair(HANOI.format(28, 29999, 12, -1), target)) == (
        "PTR=## NEXT_ID=##### INSTR[##] CALL n=## src=# dst=# aux=# prev=-1",
        "PTR=# NEXT_ID=# INSTR[#] CALL n=12 src=1 dst=3 aux=2 prev=-1",
        "PTR=# NEXT_ID=# INSTR[#] CALL n=# src=# dst=# aux=# prev=#, carry 3, ·000#",
    )


def test_lists():
    prompt = "PTR=7 CALL type=stacking start=[[B2, B8], [B10]] & goal=[B2, B8, B10] end=[]"
    assert sampling_buckets(Pair(prompt, "OUTPUT Move block B8 APPEND[-1] CALL start=[[B2]] PTR=-1")) == (
        "PTR=# CALL type=stacking start=[·3 in 2] & goal=[·3] end=[·0]",
        "PTR=# CALL type=stacking start=[·] & goal=[·] end=[·]",
        "PTR=# CALL type=stacking start=[·] & goal=[·] end=[·], carry 0",
    )


def test_values_are_small_and_not_addresses():
    prompt = "n=7 d=12 k=123 N=4 prev=5 pointer=8 7 B9"
    assert sampling_buckets(Pair(prompt, ""))[1] == "n=7 d=12 k=# N=# prev=# pointer=# # B#"


@for_each(
    ("binary", "known", "target", "carry"),
    [
        (False, "NEXT_ID=9", "NEXT_ID=12", "carry 0, longer, ·#"),
        (False, "NEXT_ID=98", "NEXT_ID=100", "carry 1, longer, ·0#"),
        (False, "NEXT_ID=10087", "APPEND[10089] NEXT_ID=10090", "carry 0, ·009#"),
        (False, "NEXT_ID=29998", "APPEND[29998] APPEND[30000] NEXT_ID=30001", "carry 3, ·000#"),
        (False, "NEXT_ID=30000", "NEXT_ID=30000", "carry 0"),
        (False, "INSTR CALL n=8", "APPEND[NEXT_ID+1000] PTR=-1000", "carry 0"),
        (False, "goal=[B8, B9]", "OUTPUT Move block B1000", "carry 0"),
        (False, "INSTR", "n=1000", "carry 2, ·00#"),
        (False, "17+84", "101", "carry 1, longer, ·0#"),
        (False, "", "APPEND[9] NEXT_ID=10", "carry 0, ·#"),
        (False, "", "APPEND[10] APPEND[20] NEXT_ID=9", "carry 0, ·#"),
        (True, "NEXT_ID=32767", "APPEND[32768] APPEND[32769] NEXT_ID=32770", "carry 14, longer, run 15"),
        (True, "NEXT_ID=32764", "APPEND[32765] APPEND[32766] NEXT_ID=32767", "carry 1, run 15"),
        (True, "NEXT_ID=29998", "APPEND[29999] APPEND[30000] NEXT_ID=30001", "carry 3, run 4"),
        (True, "prev=511 NEXT_ID=514", "PTR=511 NEXT_ID=514", "carry 0, run 9"),
        (True, "NEXT_ID=6", "RETURN", "carry 0, run 0"),
        (True, "NEXT_ID=6", f"NEXT_ID={'9' * 600}", "carry 0, longer, run 600"),
    ],
)
def test_carries(binary, known, target, carry):
    assert re.search("carry.*", sampling_buckets(Pair(known, target), binary=binary)[2])[0] == carry


def test_shapes_in_binary_digits():
    assert sampling_buckets(Pair("PTR=512 prev=511 goal=[B2, B8] NEXT_ID=-1", ""), binary=True)[0] == (
        "PTR=########## prev=######### goal=[·2] NEXT_ID=-1"
    )


texts = st.text() | st.text("[]-1, 9B=#·\n") | st.from_regex(r"(\[?[A-Z]*[0-9]{0,4}\]?[ ,=]){0,20}")


@pytest.mark.slow
@settings(max_examples=50)
@given(texts, texts, st.booleans())
@example("[" * 5_000, "]" * 5_000, False)
@example("[[]" * 5_000, "0" * 50_000, True)
@example("[" + "[a]" * 5_000, "\ud800²٣", True)
def test_any_text_has_buckets(prompt, target, binary):
    keys = sampling_buckets(Pair(prompt, target), binary=binary)
    assert len(keys) == len(FAMILIES)
    assert all(isinstance(key, str) for key in keys)
    assert sampling_buckets(Pair(prompt, target), binary=binary) == keys


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=6))
def test_numbers_of_equal_lengths_have_one_shape(numbers):
    def prompt(values):
        return " ".join(f"a{'bcdefg'[index]}={value}" for index, value in enumerate(values))

    others = [10 ** (len(str(number)) - 1) for number in numbers]
    shapes = {sampling_buckets(Pair(prompt(values), ""))[0] for values in (numbers, others)}
    assert len(shapes) == 1
    assert [len(run) for run in re.findall("#+", shapes.pop())] == [len(str(number)) for number in numbers]


@given(st.integers(1, 10**9), st.integers(1, 3))
def test_the_carry_is_that_of_the_addition(number, more):
    key = sampling_buckets(Pair(f"NEXT_ID={number}", f"NEXT_ID={number + more}"))[2]
    total = number + more
    zeros = len(str(total // 10)) - len(str(total // 10).rstrip("0")) if total > 9 else 0
    assert f"carry {zeros}" in key
    assert ("longer" in key) == (len(str(total)) > len(str(number)))
