"""`coc eval`: the table, the document, the exit code."""

import json
import shlex
import signal
from types import SimpleNamespace

import pytest

from coc_core.cli import eval as evaluation

REFERENCE = ("--model", "reference")


@pytest.fixture
def fakes(with_plugins):
    with_plugins(("fakes", "fake_parts"))


def test_the_table(coc):
    done = coc("eval", "--domain", "pancake", "--n", "5-6", "--instances", 3, *REFERENCE)
    assert done.code == 0
    assert done.err == ""
    heading, five, six, total, summary = done.out.splitlines()
    assert heading.split() == ["n", "solved", "of", "rate", "95%", "interval", "steps", "questions"]
    assert five.split()[:7] == ["5", "3", "3", "100%", "43.9", "–", "100.0%"]
    assert six.split()[0] == "6"
    assert total.split()[:4] == ["all", "6", "6", "100%"]
    assert summary.startswith("6 of 6 solved: pancake on pda with symbolic arithmetic; ")
    assert summary.endswith("model: reference")


def test_the_document(coc):
    done = coc(
        "eval", "-d", "blocksworld", "-m", "tape", "-a", "inline", "-n", 4, "--instances", 2, "--json", *REFERENCE
    )
    found = json.loads(done.out)
    assert {name: found[name] for name in ("domain", "memory", "arith", "executor", "model", "problems", "seed")} == {
        "domain": "blocksworld",
        "memory": "tape",
        "arith": "inline",
        "executor": "cached",
        "model": "reference",
        "problems": "test",
        "seed": 0,
    }
    assert (found["instances"], found["successes"], found["rate"], found["steps"], found["actions"]) == (
        2,
        2,
        1.0,
        16,
        16,
    )
    assert [size["n"] for size in found["sizes"]] == [4]
    assert found["failures"] == []
    assert found["interrupted"] is False


def test_every_problem(coc):
    done = coc("eval", "-d", "pancake", "-n", "4", "--exhaustive", "--json", *REFERENCE)
    found = json.loads(done.out)
    assert (found["instances"], found["successes"], found["problems"], found["seed"]) == (24, 24, "exhaustive", None)


def test_one_problem_is_run_once(coc):
    assert json.loads(coc("eval", "-d", "hanoi", "-n", "1-6", "--json", *REFERENCE).out)["instances"] == 6


def test_plans_beside_the_optimum(coc):
    done = coc("eval", "-d", "hanoi", "-n", "1-3", "--optimal", *REFERENCE)
    assert done.out.splitlines()[0].endswith("length / optimum")
    assert [line.split()[-1] for line in done.out.splitlines()[1:5]] == 4 * ["1.000"]
    done = coc("eval", "-d", "blocksworld", "-n", 1, "--optimal", *REFERENCE)
    assert done.out.splitlines()[1].split()[-1] == "–"


def test_failures_are_listed_and_can_be_run_again(coc, fakes):
    done = coc("eval", "-d", "pancake", "-n", 5, "--instances", 12, "--model", "garbage")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[1].split()[:4] == ["5", "0", "12", "0.00%"]
    assert lines[2].startswith("0 of 12 solved")
    assert lines[-1] == "  and 2 more; --json lists them"
    assert len(lines) == 4 + 2 * 10
    assert "protocol fault at step 1: the target holds" in lines[3]
    assert "\x1b" not in done.out
    found = json.loads(coc("eval", "-d", "pancake", "-n", 5, "--instances", 12, "--model", "garbage", "--json").out)
    assert len(found["failures"]) == 12
    first = found["failures"][0]
    again = coc("run", "-d", "pancake", "--n", first["n"], "--seed", first["seed"], "--model", "garbage", "--json")
    assert json.loads(again.out)["problem"] == first["problem"]
    assert json.loads(again.out)["fault"]["step"] == first["step"]
    assert first["problem"] in shlex.split(lines[4])


def test_an_exhaustive_failure_has_no_seed(coc, fakes):
    done = coc("eval", "-d", "hanoi", "-n", 2, "--exhaustive", "--model", "lazy")
    assert done.code == 1
    assert "n=2: unsolved at step 1: the run halted off the goal" in done.out


def test_a_rate_reads_100_only_if_nothing_failed():
    assert evaluation._percent(40_320, 40_320) == "100%"
    assert evaluation._percent(1_000_000 - 1, 1_000_000) == "99.99%"
    assert evaluation._percent(1, 3) == "33.33%"


def test_a_plugin_that_raises_is_an_error(refused, fakes):
    assert "raised ValueError" in refused(4, "eval", "-d", "pancake", "-n", 5, "--model", "raiser")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("-d", "pancake", "--exhaustive", "--instances", 3), "--exhaustive runs every problem"),
        (("-d", "pancake", "--exhaustive", "--part", "train"), "--exhaustive runs every problem"),
        (("-d", "pancake", "-n", "0-3"), "no problem of size n=0"),
        (("-d", "pancake", "-n", "5-1001"), "no problem of size n=1001"),
        (("-d", "pancake", "-n", "5-4"), "is empty"),
        (("-d", "hanoi", "-n", "1-40"), "steps, the limit is"),
        (("-d", "pancake", "-n", "9", "--optimal"), "too many to search"),
        (("-d", "pancake", "-n", "9", "--executor", "warp"), "unknown executor 'warp'"),
        (("-d", "pancake", "-n", "9", "--part", "both"), "--part"),
    ],
)
def test_what_makes_no_sense_is_refused(refused, arguments, complaint):
    assert complaint in refused(2, "eval", *arguments, *REFERENCE)


def test_without_a_model_the_shipped_one_is_needed(refused):
    assert "use --model reference" in refused(2, "eval", "-d", "pancake", "-m", "tape", "-a", "inline")


def test_ctrl_c_keeps_what_is_done(coc, monkeypatch):
    made = []

    class Interrupted(evaluation.Evaluation):
        def run(self, draws):
            made.append(self)
            draws = iter(draws)
            super().run(next(draws) for _ in range(3))
            signal.raise_signal(signal.SIGINT)
            super().run(draws)

    monkeypatch.setattr(evaluation, "Evaluation", Interrupted)
    done = coc("eval", "-d", "pancake", "-n", 5, "--json", *REFERENCE)
    assert done.code == 130
    assert json.loads(done.out)["instances"] == 3
    assert json.loads(done.out)["interrupted"] is True


def test_progress_counts_problems(coc, monkeypatch):
    seen = []

    def watch(console, label, total, count, note):
        seen.append(SimpleNamespace(label=label, total=total, count=count, note=note))
        return real(console, label, total, count, note)

    real = evaluation.progress
    monkeypatch.setattr(evaluation, "progress", watch)
    coc("eval", "-d", "hanoi", "-n", "1-3", *REFERENCE)
    coc("eval", "-d", "pancake", "-n", "4-5", "--instances", 7, *REFERENCE)
    coc("eval", "-d", "pancake", "-n", "3", "--exhaustive", *REFERENCE)
    assert [(bar.label, bar.total(), bar.count()) for bar in seen] == [
        ("evaluating", 3, 3),
        ("evaluating", 14, 14),
        ("evaluating", None, 6),
    ]
    assert seen[0].note().startswith("0 failed, ")
