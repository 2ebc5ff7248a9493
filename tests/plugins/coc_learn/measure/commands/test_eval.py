"""`coc eval`: the table, the document, the exit code; and the user's own problems."""

import csv
import json
import shlex
import signal
from itertools import islice

import pytest

from coc_learn.measure.commands import eval as evaluation
from coc_learn.measure.interval import wilson
from tests.support.for_each import for_each

REFERENCE = ("--model", "reference")


def test_the_table(coc):
    done = coc("eval", "--domain", "pancake", "--n", "5-6", "--instances", 3, *REFERENCE)
    assert (done.code, done.err) == (0, "")
    heading, five, six, total, summary = done.out.splitlines()
    assert heading.split() == ["n", "solved", "of", "rate", "95%", "interval", "steps", "model", "calls"]
    assert five.split()[:7] == ["5", "3", "3", "100%", "43.9", "–", "100.0%"]
    assert six.split()[0] == "6"
    assert total.split()[:4] == ["all", "6", "6", "100%"]
    assert summary.startswith("6 of 6 solved: pancake on pda with symbolic arithmetic, executor lockstep; ")
    assert summary.endswith("model: reference")


@for_each(
    ("words", "rows"),
    [
        ("-d hanoi -n 1,5", ["1 1 1 100% –", "5 1 1 100% –", "all 2 2 100% –"]),
        ("-d pancake -n 1,4 --instances 3", ["1 1 1 100% –", "4 3 3 100% 43.9", "all 4 4 100% 51.0"]),
        ("-d pancake -n 4 --instances 2", ["4 2 2 100% 34.2"]),
        ("-d pancake -n 4 --exhaustive", ["4 24 24 100% –"]),
    ],
)
def test_an_interval_is_that_of_a_sample(coc, words, rows):
    lines = coc("eval", *words.split(), *REFERENCE).out.splitlines()
    assert [" ".join(line.split()[:5]) for line in lines[1 : 1 + len(rows)]] == rows


def test_the_document(coc):
    done = coc(
        "eval", "-d", "blocksworld", "-m", "tape", "-a", "inline", "-n", 4, "--instances", 2, "--json", *REFERENCE
    )
    found = json.loads(done.out)
    setting = {"domain": "blocksworld", "memory": "tape", "arith": "inline", "executor_used": "lockstep"}
    chosen = {"executor": "auto", "model": "reference", "problems": "test", "seed": 0}
    counts = {"instances": 2, "successes": 2, "rate": 1.0, "steps": 16, "actions": 16}
    rest = {"failures": [], "interrupted": False}
    assert (setting | chosen | counts | rest).items() <= found.items()
    assert [size["n"] for size in found["sizes"]] == [4]


@for_each(("words", "column"), [("-d hanoi -n 1-3", ["1.000"] * 4), ("-d blocksworld -n 1", ["–"])])
def test_plans_beside_the_optimum(coc, words, column):
    heading, *lines = coc("eval", *words.split(), "--optimal", *REFERENCE).out.splitlines()
    assert heading.endswith("length / optimum")
    assert [line.split()[-1] for line in lines[: len(column)]] == column


def test_failures_are_listed_and_can_be_run_again(coc, fakes):
    words = ("eval", "-d", "pancake", "-n", 5, "--instances", 12, "--model", "garbage")
    done = coc(*words)
    lines = done.out.splitlines()
    assert (done.code, lines[1].split()[:4]) == (1, ["5", "0", "12", "0.00%"])
    assert lines[2].startswith("0 of 12 solved")
    assert (len(lines), lines[-1]) == (4 + 2 * 10, "  and 2 more; --json lists them")
    assert "protocol fault at step 1: the model wrote an unprintable character" in lines[3]
    assert "\x1b" not in done.out
    first, *others = json.loads(coc(*words, "--json").out)["failures"]
    assert len(others) == 11
    again = coc("run", "-d", "pancake", "--n", first["n"], "--seed", first["seed"], "--model", "garbage", "--json")
    assert json.loads(again.out)["problem"] == first["problem"]
    assert json.loads(again.out)["fault"]["step"] == first["step"]
    assert first["problem"] in shlex.split(lines[4])


@for_each(
    ("place", "name", "more"),
    [("coc_learn.measure.evaluate", "Evaluation", ()), (evaluation.__name__, "Exactness", ("--exactness",))],
)
def test_ctrl_c_keeps_what_is_done(coc, monkeypatch, place, name, more):
    class Interrupted(getattr(evaluation, name)):
        def run(self, some, *others):
            some = iter(some)
            super().run(islice(some, 3), *others)
            signal.raise_signal(signal.SIGINT)
            super().run(some, *others)

    monkeypatch.setattr(f"{place}.{name}", Interrupted)
    done = coc("eval", "-d", "pancake", "-n", 5, "--json", *more, *REFERENCE)
    found = json.loads(done.out)
    assert done.code == 130
    if more:
        assert (found["predictions"], "instances" in found) == ([], False)
        assert (found["exactness"]["pairs"], found["exactness"]["interrupted"]) == (3, True)
    else:
        assert (found["instances"], found["interrupted"]) == (3, True)


# ── --exactness ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_report_on_exactness(coc):
    done = coc("eval", "-d", "hanoi", "-n", "1-3", "--exactness", *REFERENCE)
    assert (done.code, done.err) == (0, "")
    summary, heading, one, two, three, *runs = done.out.splitlines()
    assert summary == (
        "13 of 13 pairs exact; step error 0 (95% interval 0 – 0.23); smallest logit margin –; model: reference"
    )
    assert heading.split() == ["n", "problems", "steps", "step", "error", "predicted", "95%", "interval", "solved"]
    assert one.split() == ["1", "1", "1", "0", "100%", "20.65%", "–", "100%", "1", "of", "1"]
    assert two.split()[:5] == ["2", "1", "4", "0", "100%"]
    assert three.split()[:5] == ["3", "1", "10", "0", "100%"]
    assert runs[0].split()[:3] == ["n", "solved", "of"]
    assert runs[-1].startswith("3 of 3 solved")


def test_exactness_without_runs(coc):
    done = coc("eval", "-d", "hanoi", "-n", "1-40", "--exactness", "--no-runs", *REFERENCE)
    assert done.code == 0
    assert len(done.out.splitlines()) == 2 + 40
    assert done.out.splitlines()[-1].split()[-1] == "–"
    words = ("-d", "pancake", "-n", "4-5", "--exactness", "--no-runs", "--instances", 3, "--json")
    found = json.loads(coc("eval", *words, *REFERENCE).out)
    assert "sizes" not in found
    assert (found["exactness"]["wrong"], found["exactness"]["margin"]) == (0, None)
    sizes = [(size["n"], size["problems"], size["measured"]) for size in found["predictions"]]
    assert sizes == [(4, 3, None), (5, 3, None)]


def test_wrong_pairs_are_shown_by_kind(coc, fakes):
    done = coc("eval", "-d", "hanoi", "-n", "1-4", "--exactness", "--model", "garbage")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0].startswith("0 of 24 pairs exact; step error 1 (95% interval 0.86 – 1); smallest logit margin –")
    assert lines[1] == "  the first size with a wrong target is n=1: 1 of 1"
    assert lines[2] == "  by shape: wrong in 2 of 2 buckets"
    assert lines[3].split(maxsplit=3) == ["15", "of", "15", "INSTR CALL n=# src=# dst=# aux=#"]
    assert "  by values: wrong in 24 of 24 buckets" in lines
    start = next(index for index, line in enumerate(lines) if line.startswith("  prompt"))
    assert lines[start : start + 3] == [
        "  prompt 'INSTR CALL n=1 src=1 dst=3 aux=2'",
        "  wanted 'OUTPUT Move disk 1 from 1 to 3'",
        """  got    "\\x1b[31mI'm sorry.\"""",
    ]
    assert lines[start + 15] == "  and 19 more; --json lists them"
    found = json.loads(coc("eval", "-d", "hanoi", "-n", "1-4", "--exactness", "--model", "garbage", "--json").out)
    asked = found["exactness"]
    assert (asked["pairs"], asked["wrong"], len(asked["wrong_pairs"])) == (24, 24, 24)
    assert [(size["error"], size["measured"]) for size in found["predictions"]] == [(1.0, 0.0)] * 4
    assert (found["instances"], found["successes"]) == (4, 0)


def test_a_model_without_a_response_is_wrong(coc, fakes):
    done = coc("eval", "-d", "hanoi", "-n", "1", "--exactness", "--no-runs", "--model", "nan")
    assert (done.code, "  got    no target: no finite logits" in done.out.splitlines()) == (1, True)


def test_the_pairs_of_a_dataset(coc, tmp_path):
    dataset, chosen = tmp_path / "pairs", ("--holdout", 0.25, "--holdout-by", "pairs")
    assert coc("data", "build", "-d", "hanoi", "-n", "1-6", *chosen, "--out", dataset).code == 0
    done = coc("eval", "-d", "hanoi", "-n", "2", "--exactness", "--no-runs", "--data", dataset, *REFERENCE)
    assert done.code == 0
    summary, train, heldout = done.out.splitlines()[:3]
    assert summary.startswith("48 of 48 pairs exact")
    assert train == "  train: 36 of 36, step error 0 (0 – 0.096)"
    assert heldout == "  heldout: 12 of 12, step error 0 (0 – 0.24)"
    found = json.loads(coc("eval", "-d", "hanoi", "--exactness", "--json", "--data", dataset, *REFERENCE).out)
    assert found["data"] == str(dataset)
    assert found["exactness"]["subsets"] == [
        {"name": "train", "pairs": 36, "wrong": 0},
        {"name": "heldout", "pairs": 12, "wrong": 0},
    ]
    for size in found["predictions"]:  # by all pairs of the dataset, whatever the size
        assert size["interval"] == pytest.approx([(1 - wilson(0, 48)[1]) ** size["steps"], 1.0])


def test_a_figure_of_the_results(coc, tmp_path):
    words = ("eval", "-d", "pancake", "-n", "5-7", "--instances", 2, "--exactness", "--plot")
    first, second = ((tmp_path / name, coc(*words, tmp_path / name, *REFERENCE))[0] for name in ("1.svg", "2.svg"))
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(b"<?xml")


UNSOLVABLE = ["pairs=4 boat=2", "pairs=5 boat=2"]


@for_each("more", [(), ("--jobs", "2")])
def test_unsolvable_problems_are_counted_apart(coc, tmp_path, more):
    (tmp_path / "river.txt").write_text("\n".join([*UNSOLVABLE, "pairs=2 boat=2"]))
    words = "eval", "-d", "river-crossing", "--problems", tmp_path / "river.txt", *REFERENCE, *more
    done = coc(*words)
    assert (done.code, "1 of 3 solved, 2 unsolvable: river-crossing" in done.out) == (1, True)
    done = coc(*words, "--expect", "unsolvable", "--json")
    found = json.loads(done.out)
    assert (done.code, found["expect"], found["successes"], found["unsolvable"]) == (1, "unsolvable", 2, 2)
    (failure,) = found["failures"]
    assert failure["problem"] == "pairs=2 boat=2"
    assert failure["message"] == "it was solved, and was expected to have no solution"


def test_one_job_is_this_process(coc, monkeypatch):
    monkeypatch.setattr("coc_workers.options.Pool", None)
    assert coc("eval", "-d", "pancake", "-n", 5, "--jobs", 1, *REFERENCE).code == 0


@pytest.fixture
def problems(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("".join(f"n={n} src=1 dst=2\n" for n in (3, 1, 2, 2)))
    return path


def test_a_table_by_size_and_a_plan_a_problem(coc, problems, tmp_path):
    plans, rows = tmp_path / "plans", tmp_path / "rows.csv"
    words = ("eval", "-d", "hanoi", "--problems", problems, "--plans", plans, *REFERENCE)
    done = coc(*words, "--csv", rows)
    assert done.code == 0
    lines = [" ".join(line.split()[:3]) for line in done.out.splitlines()[1:5]]
    assert lines == ["1 1 1", "2 2 2", "3 1 1", "all 4 4"]
    found = [f"{row['n']} {row['successes']}" for row in csv.DictReader(rows.read_text().splitlines())]
    assert found == ["1 1", "2 2", "3 1"]
    names = [*(f"mine.txt-{n}.plan" for n in range(1, 5)), "results.jsonl"]
    assert sorted(path.name for path in plans.iterdir()) == names
    again = coc(*words, "--json")  # and nothing is run
    assert again.err == "coc: note: 4 of 4 problems were run before\n"
    found = json.loads(again.out)
    assert (found["restored"], found["successes"], found["problems"]) == (4, 4, str(problems))


def test_failures_are_listed_by_file_and_line(coc, fakes, tmp_path):
    (tmp_path / "p.jsonl").write_text('\n{"n": 2, "src": 1, "dst": 3}\n')
    words = ("eval", "-d", "hanoi", "--problems", tmp_path / "p.jsonl", "--plans", tmp_path / "plans")
    for _ in range(2):  # the second time from the folder
        done = coc(*words, "--model", "garbage")
        assert done.code == 1
        assert "  p.jsonl:2, n=2: protocol fault at step 1: " in done.out
    failure = json.loads(coc(*words, "--model", "garbage", "--json").out)["failures"][0]
    assert (failure["source"], failure["kind"]) == ("p.jsonl:2", "protocol")


def test_bad_lines_are_named_before_anything_is_run(refused, tmp_path):
    (tmp_path / "bad.txt").write_text("n=1 src=1 dst=3\nn=0 src=1 dst=3\nwhat\n")
    line = refused(2, "eval", "-d", "hanoi", "--problems", tmp_path / "bad.txt", "--plans", tmp_path / "p", *REFERENCE)
    assert "bad.txt:2: not a problem of hanoi: 'n' must be >= 1: 0; bad.txt:3: not a problem of hanoi: 'what'" in line
    assert not (tmp_path / "p").exists()
