"""A number that is far too large is refused at once, in one line, or makes no difference."""

import pytest

from coc_core import evaluate, train
from coc_core.errors import UsageError
from tests.support.for_each import for_each

LARGE = 10**18 - 1
PANCAKE = ("-d", "pancake", "-n", 6)
REFERENCE = ("--model", "reference")


@pytest.mark.parametrize("option", ["instances", "enumerated", "near_goal"])
def test_neither_does_the_front_door(option, tmp_path):
    with pytest.raises(UsageError, match=r"it must be from [01] to 1,000,000, not 1,000,001"):
        train("pancake", 6, out=tmp_path / "no", **{option: 1_000_001})
    if option != "enumerated":
        with pytest.raises(UsageError, match=r"it must be from [01] to 1,000,000, not 1,000,001"):
            evaluate("pancake", 6, model="reference", **{option: 1_000_001})


@for_each("number", [LARGE, -LARGE])
@for_each(
    "words",
    [
        ("run", *PANCAKE, *REFERENCE, "--seed"),
        ("eval", *PANCAKE, *REFERENCE, "--instances", 1, "--seed"),
        ("data", "build", *PANCAKE, "-o", "made", "--seed"),
        ("trace", *PANCAKE, "--seed"),
        ("fuzz", "-x", "cached", "--examples", 1, "--seed"),
    ],
)
def test_a_seed_may_be_as_large_as_a_number_can(coc, tmp_path, monkeypatch, words, number):
    monkeypatch.chdir(tmp_path)
    assert coc(*words, f"{number}").code == 0


def test_more_rows_than_there_are_are_all_of_them(coc, refused, tmp_path):
    assert coc("data", "build", "-d", "hanoi", "-n", 2, "-o", tmp_path / "set").code == 0
    shown = [coc("data", "show", tmp_path / "set", "--rows", number, "--json") for number in (1_000, LARGE)]
    assert shown[0].out == shown[1].out
    assert "is not a whole number" in refused(2, "data", "show", tmp_path / "set", "--rows", 10**23)
