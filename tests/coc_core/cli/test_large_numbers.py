"""A number that is far too large is refused at once, in one line, or makes no difference."""

import pytest

from coc_core import evaluate, train
from coc_core.errors import UsageError
from tests.support.for_each import for_each

LARGE = 10**18 - 1
PANCAKE = ("-d", "pancake", "-n", 6)
REFERENCE = ("--model", "reference")


@for_each("number", [LARGE, 1_000_001, 10**23])
@for_each(
    "words",
    [
        ("eval", *PANCAKE, *REFERENCE, "--instances"),
        ("eval", *PANCAKE, *REFERENCE, "--near-goal"),
        ("data", "build", *PANCAKE, "-o", "no", "--instances"),
        ("data", "build", *PANCAKE, "-o", "no", "--enumerated"),
        ("data", "build", *PANCAKE, "-o", "no", "--near-goal"),
        ("train", *PANCAKE, "-o", "no", "--instances"),
        ("train", *PANCAKE, "-o", "no", "--enumerated"),
        ("train", *PANCAKE, "-o", "no", "--near-goal"),
    ],
)
def test_no_command_draws_more_problems_than_there_are_seeds(refused, tmp_path, monkeypatch, words, number):
    monkeypatch.chdir(tmp_path)
    line = refused(2, *words, number)
    assert "must be from" in line or "is not a whole number" in line
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", ["instances", "enumerated", "near_goal"])
def test_neither_does_the_front_door(option, tmp_path):
    with pytest.raises(UsageError, match=r"it must be from [01] to 1,000,000, not 1,000,001"):
        train("pancake", 6, out=tmp_path / "no", **{option: 1_000_001})
    if option != "enumerated":
        with pytest.raises(UsageError, match=r"it must be from [01] to 1,000,000, not 1,000,001"):
            evaluate("pancake", 6, model="reference", **{option: 1_000_001})


@pytest.mark.parametrize("text", [f"0-{LARGE}", "0-9999999999999999999", "1-100000001"])
def test_no_command_checks_more_addresses_than_it_could(refused, text):
    line = refused(
        2, "eval", "-d", "hanoi", "-m", "tape", "-a", "learned", "--arith-model", "reference", "--addresses", text
    )
    assert "addresses; check a part of them" in line or "is not a range of addresses" in line


def test_a_search_has_a_largest_number_of_cases(refused):
    assert "it must be from 1 to 1,000,000,000" in refused(2, "fuzz", "-x", "cached", "--examples", LARGE)


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
