"""Numbers on the command line: as Python prints them, and nothing else."""

import pytest

from coc_core.models import requested_device
from tests.support.for_each import for_each

BAD = ["1_0", "٣", "nan", "inf", " 1", "1 ", "+1", "01", "-0", "1e3", "0x1", "", "1" * 19]


@for_each("text", BAD)
@for_each(
    "option",
    [("run", "--n"), ("run", "--seed"), ("run", "--max-steps"), ("eval", "--instances"), ("train", "--enumerated")],
)
def test_whole_numbers_are_canonical(refused, option, text):
    command, name = option
    told = refused(2, command, *(("-o", "x") if command == "train" else ()), "-d", "hanoi", f"{name}={text}")
    assert f"Invalid value for '{name}'" in told
    assert "is not a whole number" in told


@for_each("text", ["1_0", "٣", "nan", "inf", "-1", " 1", "1e3", ".5", "5.", "", "1" * 13])
@for_each("option", [("run", "--delay"), ("train", "--holdout")])
def test_decimals_are_plain(refused, option, text):
    command, name = option
    told = refused(2, command, *(("-o", "x") if command == "train" else ()), f"{name}={text}")
    assert "is not a number such as 0.5" in told


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("run", "--max-steps", 0), "it must be at least 1, not 0"),
        (("run", "--delay", 61), "it must be from 0 to 60, not 61"),
        (("eval", "--instances", 100_000_001), "it must be from 1 to"),
        (("train", "-o", "x", "--near-goal", -1), "it must be from 0 to 1,000,000, not -1"),
    ],
)
def test_numbers_stay_in_their_range(refused, arguments, reason):
    assert reason in refused(2, *arguments)


@for_each("sizes", ["1_0", "٣", "nan", "1-", "1,,2", "01", "1 - 3"])
@for_each("command", [("eval",), ("train", "-o", "x"), ("data", "build", "-o", "x")])
def test_sizes_are_canonical_too(refused, command, sizes):
    told = refused(2, *command, "-d", "hanoi", "--n", sizes)
    assert "is not a list of sizes; write it like 8, 1-20 or 1-3,5" in told


def test_a_device_that_is_not_there_is_refused(refused, monkeypatch):
    monkeypatch.delenv("COC_DEVICE", raising=False)
    for name in ("abacus", "cuda:99"):
        told = refused(2, "run", "-d", "hanoi", "-n", 2, "--device", name)
        assert told.startswith(f"coc: error: device '{name}': torch finds no such device here; ")
    assert requested_device() is None  # the choice ends with the command


def test_a_device_goes_before_the_environment(coc, monkeypatch):
    monkeypatch.setenv("COC_DEVICE", "abacus")
    assert coc("run", "-d", "hanoi", "-n", 2, "--device", "cpu").code == 0
    assert coc("run", "-d", "hanoi", "-n", 2).code == 2
