"""`coc fuzz`."""

import json
import sys
from pathlib import Path

import pytest

from tests.support.for_each import for_each

FAULTY = Path(__file__).parents[3] / "broken" / "faulty_executors.py"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_sound_executor_survives(coc, tmp_path):
    done = coc("fuzz", "-x", "sequential", "-d", "hanoi", "-m", "pda", "-a", "symbolic", "--examples", 20, "--seed", 3)
    assert done.code == 0, done.err
    first, *reached = done.out.splitlines()
    assert first.startswith("nothing found: sequential agreed with Algorithm 1 in ")
    assert first.endswith(" (seed 3)")
    assert reached[0] == "  settings: 1 of 1"
    assert reached[1].startswith("  cases with: ")
    assert list(tmp_path.iterdir()) == []  # hypothesis has left nothing either


def test_a_fault_is_printed_as_a_test_also_of_an_executor_in_a_file(coc, tmp_path):
    copy = tmp_path / "mine.py"
    copy.write_text(FAULTY.read_text())
    arguments = "fuzz", "-x", "coarse", "-d", "hanoi", "--seed", 0, "--plugin", copy
    try:
        done, document = coc(*arguments), json.loads(coc(*arguments, "--json").out)
        assert done.code == 4, done.err
        assert done.out.startswith("# coarse is not Algorithm 1 at step ")
        assert f"Registry.installed([Path({str(copy)!r})])" in done.out
        module = {}
        exec(done.out, module)  # all of it can be pasted
        with pytest.raises(AssertionError, match="coarse is not Algorithm 1"):
            module["test_coarse_does_as_algorithm_1_says"]()
    finally:
        sys.modules.pop("mine", None)
    found = document["found"]
    assert (document["executor"], document["seed"], document["settings"][0][0]) == ("coarse", 0, "hanoi")
    assert (found["case"]["executor"], found["difference"]["problem"]) == ("coarse", 0)
    assert found["test"] in done.out


@for_each(
    ("arguments", "complaint"),
    [
        (["-x", "nobody"], "unknown executor 'nobody'"),
        (["-x", "cached", "--domain", "chess"], "unknown domain 'chess'"),
        (["-x", "cached", "--examples", "3", "--seconds", "2"], "--examples and --seconds both limit the search"),
        (["-x", "cached", "--examples", "0"], "--examples"),
        (["-x", "cached", "--seed", "x"], "is not a whole number"),
        ([], "--executor"),
    ],
)
def test_what_makes_no_sense_is_refused(refused, arguments, complaint):
    assert complaint in refused(2, "fuzz", *arguments)
