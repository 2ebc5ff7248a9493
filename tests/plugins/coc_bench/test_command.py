"""`coc bench`: the tables, the document, what is refused."""

import csv
import json

import pytest

from coc_bench import command as bench
from coc_bench.benchmark import Rate

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
    assert rows[-4].split()[-1] == "1.00x"


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


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_rows_go_to_a_file(coc, tmp_path):
    done = coc(*OWN, "--csv", tmp_path / "rows.csv", "--plot", tmp_path / "rates.svg", "--json")
    assert done.code == 0, done.err
    (load,) = json.loads(done.out)["loads"]
    with (tmp_path / "rows.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["domain"], row["n"], row["problems"]) for row in rows] == [("hanoi", "4", "1")] * len(load["rows"])
    assert [row["name"] for row in rows] == [row["name"] for row in load["rows"]]
    assert [float(row["ratio"]) for row in rows] == [row["ratio"] for row in load["rows"]]
    assert (tmp_path / "rates.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("words", "code", "fault"),
    [
        (("--plot", "rates.pdf"), 2, "must end in .png or .svg"),
        (("--plot", "one.svg", "--csv", "one.svg"), 2, "--plot and --csv name the same file"),
        (("--csv", "none/rows.csv"), 5, "rows.csv"),
        (("--plot", "none/rates.svg"), 5, "rates.svg"),
    ],
)
def test_a_file_that_can_not_be_written_stops_it_before_it_starts(refused, tmp_path, monkeypatch, words, code, fault):
    monkeypatch.chdir(tmp_path)
    assert fault in refused(code, *OWN, *words)
    assert list(tmp_path.iterdir()) == []
