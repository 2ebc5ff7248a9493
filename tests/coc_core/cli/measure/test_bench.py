"""`coc bench`: the tables, the document, what is refused."""

import json

import pytest

from coc_core.cli.measure import bench
from coc_core.evaluation import Rate

OWN = (
    "bench",
    "-d",
    "hanoi",
    "--n",
    4,
    "--model",
    "reference",
    "--seconds",
    "0.02",
    "-x",
    "sequential",
    "-x",
    "cached",
)


def test_a_load_of_ones_own(coc):
    done = coc(*OWN)
    assert (done.code, done.err) == (0, "")
    title, heading, *rows = done.out.splitlines()
    assert title.strip() == "hanoi, pda, symbolic: n=4"
    assert heading.split() == ["steps/s", "of", "sequential"]
    assert len(rows) == 7
    assert rows[-2].split()[-1] == "1.00x"


def test_the_document(coc):
    done = coc(*OWN, "--json")
    found = json.loads(done.out)
    (load,) = found["loads"]
    assert (load["domain"], load["n"], load["problems"], load["model"]) == ("hanoi", [4], 1, "reference")
    assert [row["ratio"] for row in load["rows"] if row["name"] == "sequential"] == [1]
    assert all(row["steps_per_second"] > 0 and row["obstacle"] is None for row in load["rows"])


def test_without_the_base_there_are_no_ratios(coc):
    done = coc("bench", "-d", "hanoi", "--n", 3, "--model", "reference", "--seconds", "0.02", "-x", "cached", "--json")
    assert {row["ratio"] for row in json.loads(done.out)["loads"][0]["rows"]} == {None}
    done = coc("bench", "-d", "hanoi", "--n", 3, "--model", "reference", "--seconds", "0.02", "-x", "cached")
    assert done.code == 0


@pytest.mark.slow
def test_the_fixed_loads(coc, monkeypatch):
    monkeypatch.setattr(bench, "FIXED", (("hanoi", "pda", "symbolic", 3, 1),))
    done = coc("bench", "--seconds", "0.05", "-x", "cached")
    assert done.code == 0, done.err
    assert "hanoi, pda, symbolic: n=3" in done.out
    assert "transformers generate" in done.out


def test_what_can_t_be_timed_says_why(coc):
    done = coc("bench", "-d", "hanoi", "-m", "tape", "-a", "inline", "--n", 2, "--seconds", "0.01", "-x", "cached")
    assert done.code == 0, done.err
    assert "CTranslate2 can't run" in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--seconds", 0), "it must be from 0.01 to 600, not 0"),
        (("--n", 3), "--n, --instances and --model need --domain"),
        (("-d", "hanoi", "-x", "fast"), "unknown executor 'fast'"),
        (("-d", "hanoy"), "did you mean 'hanoi'"),
    ],
)
def test_what_is_refused(coc, arguments, message):
    done = coc("bench", *arguments)
    assert done.code == 2
    assert message in done.err


@pytest.mark.parametrize("json_option", [[], ["--json"]])
def test_a_bench_without_a_step_is_no_success(coc, monkeypatch, json_option):
    monkeypatch.setattr(bench, "rates", lambda load, names, seconds: [Rate("the loop alone", 9, 1.0), Rate("cached")])
    done = coc(*OWN[:-2], *json_option)
    assert done.code == 1
