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


@pytest.fixture
def planted(with_plugins):
    with_plugins(("faulty", "tests.broken.faulty_executors"))


def test_a_sound_executor_survives(coc, tmp_path):
    done = coc("fuzz", "-x", "sequential", "-d", "hanoi", "-m", "pda", "-a", "symbolic", "--examples", 20, "--seed", 3)
    assert done.code == 0, done.err
    first, *reached = done.out.splitlines()
    assert first.startswith("nothing found: sequential agreed with Algorithm 1 in ")
    assert first.endswith(" (seed 3)")
    assert reached[0].startswith("  settings: 1 of 1; up to ")
    assert reached[1].startswith("  runs should end: ")
    assert list(tmp_path.iterdir()) == []  # hypothesis has left nothing either


def test_a_fault_is_printed_as_a_test(coc, planted):
    done = coc("fuzz", "-x", "coarse", "-d", "hanoi", "--seed", 0)
    assert done.code == 4, done.err
    assert done.out.startswith("# coarse is not Algorithm 1 at step ")
    module = {}
    exec(done.out, module)  # all of it can be pasted
    with pytest.raises(AssertionError, match="coarse is not Algorithm 1"):
        module["test_coarse_does_as_algorithm_1_says"]()


def test_a_fault_as_json(coc, planted):
    done = coc("fuzz", "-x", "mixing", "--seed", 0, "--json")
    assert done.code == 4
    document = json.loads(done.out)
    assert (document["executor"], document["seed"]) == ("mixing", 0)
    found = document["found"]
    assert found["case"]["executor"] == "mixing"
    assert len(found["case"]["problems"]) == 2
    assert found["difference"]["problem"] in (0, 1)
    assert "def test_mixing" in found["test"]


def test_an_executor_may_be_a_file(coc, tmp_path):
    copy = tmp_path / "mine.py"
    copy.write_text(FAULTY.read_text())
    try:
        done = coc("fuzz", "-x", "coarse", "--plugin", copy, "--seed", 0)
    finally:
        sys.modules.pop("mine", None)
    assert done.code == 4, done.err
    assert f"Registry.installed([Path({str(copy)!r})])" in done.out


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
