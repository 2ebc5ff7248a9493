"""`coc eval`: the table, the document, the exit code."""

import json
import shlex
import signal
from contextlib import contextmanager

import pytest

from coc_learn.measure.commands import eval as evaluation, exactness, table
from coc_learn.measure.interval import wilson
from tests.support.for_each import for_each

REFERENCE = ("--model", "reference")


@pytest.fixture
def fakes(with_plugins):
    with_plugins(("fakes", "tests.support.fake_plugin"))


@pytest.fixture
def dataset(coc, tmp_path):
    """A folder with the pairs of Hanoi's first six sizes, a fourth of them held out."""
    folder = tmp_path / "pairs"
    done = coc("data", "build", "-d", "hanoi", "-n", "1-6", "--holdout", 0.25, "--holdout-by", "pairs", "--out", folder)
    assert done.code == 0, done.err
    return folder


HEADING = ("domain", "memory", "arith", "executor", "executor_used", "model", "problems", "seed")


def test_the_table(coc):
    done = coc("eval", "--domain", "pancake", "--n", "5-6", "--instances", 3, *REFERENCE)
    assert done.code == 0
    assert done.err == ""
    heading, five, six, total, summary = done.out.splitlines()
    assert heading.split() == ["n", "solved", "of", "rate", "95%", "interval", "steps", "model", "calls"]
    assert five.split()[:7] == ["5", "3", "3", "100%", "43.9", "–", "100.0%"]
    assert six.split()[0] == "6"
    assert total.split()[:4] == ["all", "6", "6", "100%"]
    assert summary.startswith("6 of 6 solved: pancake on pda with symbolic arithmetic, executor lockstep; ")
    assert summary.endswith("model: reference")


def test_a_size_with_one_problem_has_no_interval(coc):
    lines = coc("eval", "-d", "hanoi", "-n", "1-3,5", *REFERENCE).out.splitlines()
    assert [line.split()[:7] for line in lines[1:5]] == [
        [n, "1", "1", "100%", "–", steps, calls]
        for n, steps, calls in (("1", "1", "1"), ("2", "4", "4"), ("3", "10", "9"), ("5", "46", "21"))
    ]
    assert lines[5].split()[:5] == ["all", "4", "4", "100%", "–"]
    mixed = coc("eval", "-d", "pancake", "-n", "1,4", "--instances", 3, *REFERENCE).out.splitlines()
    assert mixed[1].split()[4] == "–"
    assert mixed[2].split()[4] == "43.9"
    assert mixed[3].split()[:4] == ["all", "4", "4", "100%"]


def test_the_document(coc):
    done = coc(
        "eval", "-d", "blocksworld", "-m", "tape", "-a", "inline", "-n", 4, "--instances", 2, "--json", *REFERENCE
    )
    found = json.loads(done.out)
    assert {name: found[name] for name in HEADING} == {
        "domain": "blocksworld",
        "memory": "tape",
        "arith": "inline",
        "executor": "auto",
        "executor_used": "lockstep",
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


def test_an_interval_is_that_of_a_sample(coc):
    chosen = ("eval", "-d", "pancake", "-n", "4", *REFERENCE)
    assert coc(*chosen, "--instances", 2).out.splitlines()[1].split()[:5] == ["4", "2", "2", "100%", "34.2"]
    assert coc(*chosen, "--exhaustive").out.splitlines()[1].split()[:5] == ["4", "24", "24", "100%", "–"]


def test_problems_that_are_nearly_solved(coc, fakes):
    drawn, nearly = (
        json.loads(coc("eval", "-d", "pancake", "-n", "9-10", how, 8, "--json", *REFERENCE).out)
        for how in ("--instances", "--near-goal")
    )
    assert (drawn["near_goal"], nearly["near_goal"]) == (False, True)
    assert (nearly["instances"], nearly["successes"], nearly["problems"]) == (16, 16, "test")
    assert nearly["steps"] < drawn["steps"]
    failed = json.loads(coc("eval", "-d", "pancake", "-n", 9, "--near-goal", 3, "--model", "garbage", "--json").out)
    assert [failure["seed"] for failure in failed["failures"]] == [None] * 3  # of `coc run --seed`


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
    assert "protocol fault at step 1: the model wrote an unprintable character" in lines[3]
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
    assert "n=2: unsolved at step 1: the run halted without reaching the goal" in done.out


def test_a_rate_reads_100_only_if_nothing_failed():
    assert table._percent(40_320 / 40_320) == "100%"
    assert table._percent((1_000_000 - 1) / 1_000_000) == "99.99%"
    assert table._percent(1 / 3) == "33.33%"


def test_a_plugin_that_raises_is_an_error(refused, fakes):
    assert "raised ValueError" in refused(4, "eval", "-d", "pancake", "-n", 5, "--model", "raiser")


def test_ctrl_c_keeps_what_is_done(coc, monkeypatch):
    made = []

    class Interrupted(evaluation.Evaluation):
        def run(self, draws, workers):
            assert workers is None
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
    found = json.loads(
        coc(
            "eval", "-d", "pancake", "-n", "4-5", "--exactness", "--no-runs", "--instances", 3, "--json", *REFERENCE
        ).out
    )
    assert "sizes" not in found
    assert (found["exactness"]["wrong"], found["exactness"]["margin"]) == (0, None)
    assert [(size["n"], size["problems"], size["measured"]) for size in found["predictions"]] == [
        (4, 3, None),
        (5, 3, None),
    ]


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


def test_a_model_without_an_answer_is_wrong(coc, fakes):
    done = coc("eval", "-d", "hanoi", "-n", "1", "--exactness", "--no-runs", "--model", "nan")
    assert done.code == 1
    assert "  got    no target: no finite logits" in done.out.splitlines()


def test_an_error_so_small_still_shows():
    assert exactness._share(1.0) == "100%"
    assert exactness._share(1 - 1e-9) == "99.99%"
    assert exactness._error(1.02e-5) == "1e-05"
    assert exactness._error(None) == "–"


@pytest.mark.parametrize("as_json", [True, False])
def test_ctrl_c_while_pairs_are_checked(coc, monkeypatch, as_json):
    class Interrupted(exactness.Exactness):
        def run(self, pairs, name, workers):
            assert workers is None
            super().run([pair for pair, _ in zip(pairs, range(3), strict=False)], name)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(exactness, "Exactness", Interrupted)
    done = coc("eval", "-d", "hanoi", "-n", 5, "--exactness", *(["--json"] if as_json else []), *REFERENCE)
    assert done.code == 130
    if as_json:
        found = json.loads(done.out)
        assert (found["exactness"]["pairs"], found["exactness"]["interrupted"]) == (3, True)
        assert found["predictions"] == []
        assert "instances" not in found
    else:
        assert len(done.out.splitlines()) == 1


def test_the_pairs_of_a_dataset(coc, dataset):
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


def test_a_dataset_has_to_fit(refused, dataset, tmp_path):
    data = ("--exactness", "--data", dataset)
    assert "but this setting uses pancake/stack" in refused(2, "eval", "-d", "pancake", *data, *REFERENCE)
    assert "--data needs --exactness" in refused(2, "eval", "-d", "hanoi", *data[1:], *REFERENCE)
    (dataset / "heldout.jsonl.gz").write_bytes(b"")
    refused(3, "eval", "-d", "hanoi", *data, *REFERENCE)
    refused(3, "eval", "-d", "hanoi", "--exactness", "--data", tmp_path, *REFERENCE)


def test_a_figure_of_the_results(coc, tmp_path):
    figure = tmp_path / "sizes.svg"
    words = ("eval", "-d", "pancake", "-n", "5-7", "--instances", 2, "--exactness", "--plot", figure, *REFERENCE)
    assert coc(*words).code == 0
    first = figure.read_bytes()
    assert first.startswith(b"<?xml")
    assert coc(*words).code == 0
    assert figure.read_bytes() == first
    assert [path.name for path in tmp_path.iterdir()] == ["sizes.svg"]


def test_a_size_has_the_pairs_that_no_size_before_it_has(coc):
    found = json.loads(coc("eval", "-d", "hanoi", "-n", "1-3", "--exactness", "--no-runs", "--json", *REFERENCE).out)
    sizes = [(each["name"], each["pairs"]) for each in found["exactness"]["subsets"]]
    assert sizes == [("n=1", 1), ("n=2", 4), ("n=3", 8)]
    assert found["exactness"]["pairs"] == 13


# ── against another model ─────────────────────────────────────────────────────────────────────────────────────────


def test_two_models_are_compared_on_the_same_problems(coc, fakes):
    words = ("eval", "-d", "pancake", "-n", "5-6", "--instances", 4, *REFERENCE, "--against", "garbage")
    done = coc(*words)
    assert done.code == 0  # the exit code is that of the model, not of the one beside it
    heading, five, _, total, summary = done.out.splitlines()[5:]
    assert " ".join(heading.split()) == "n solved by both by the first only by the second only by neither"
    assert five.split() == ["5", "0", "4", "0", "0"]
    assert total.split() == ["all", "0", "8", "0", "0"]
    assert summary == ("8 problems, first model: reference; second model: garbage; McNemar's exact test: p = 0.00781")
    document = json.loads(coc(*words, "--json").out)
    assert document["successes"] == 8
    assert document["against"]["model"] == "garbage"
    assert [document["against"][name] for name in ("both", "only_first", "only_second", "neither")] == [0, 8, 0, 0]
    assert document["against"]["p_value"] == pytest.approx(2 / 2**8)


def test_what_does_not_tell_them_apart(coc):
    done = coc("eval", "-d", "hanoi", "-n", 3, *REFERENCE, "--against", "reference")
    assert done.out.endswith("second model: reference; no problem tells the two models apart\n")


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


def test_rows_go_to_a_file(coc, tmp_path):
    done = coc("eval", "-d", "hanoi", "-n", "2-3", *REFERENCE, "--csv", tmp_path / "rows.csv")
    assert done.code == 0
    heading, *rows = (tmp_path / "rows.csv").read_text().splitlines()
    assert heading.startswith("n,instances,successes,rate,low,high,steps")
    assert [row.split(",")[:4] for row in rows] == [["2", "1", "1", "1.0"], ["3", "1", "1", "1.0"]]


def test_one_job_is_this_process(coc, monkeypatch):
    monkeypatch.setattr("coc_workers.options.Pool", None)
    assert coc("eval", "-d", "pancake", "-n", 5, "--jobs", 1, *REFERENCE).code == 0


ADDRESSES = ("eval", "-d", "hanoi", "-m", "tape", "-a", "learned", "--addresses")


def test_what_is_drawn_is_shown_until_something_has_run(coc, monkeypatch):
    from coc_puzzles.pancake.domain import Pancake

    seen, told = [], []

    @contextmanager
    def watched(_console, _label, total, count, note):
        seen.append(lambda: (total(), count(), note()))
        yield

    def draw(*given, draw=Pancake._problem):
        told.extend(look() for look in seen)
        return draw(*given)

    monkeypatch.setattr("coc_learn.measure.commands.eval.progress", watched)
    monkeypatch.setattr(Pancake, "_problem", draw)
    assert coc("eval", "-d", "pancake", "-n", 5, "--instances", 3, "--model", "reference").code == 0
    assert told[0] == (3, None, "0 drawn")
    assert told[-1][2].endswith(" drawn")
    assert seen[0]()[:2] == (3, 3)


@for_each(
    ("words", "code", "reason"),
    [
        ("-d pancake --exhaustive --instances 3", 2, "--exhaustive runs every problem"),
        ("-d pancake --exhaustive --near-goal 3", 2, "--exhaustive runs every problem"),
        ("-d pancake --near-goal 3 --instances 3", 2, "--near-goal draws other problems than --instances"),
        ("-d hanoi --near-goal 3", 2, "hanoi has no near-goal problems"),
        ("-d pancake -n 0-3", 2, "no problem of size n=0"),
        ("-d pancake -n 5-4", 2, "is empty"),
        ("-d hanoi -n 1-40", 2, "steps, the limit is"),
        ("-d pancake -n 9 --optimal", 2, "too many to search"),
        ("-d pancake -n 9 --executor warp", 2, "unknown executor 'warp'"),
        ("-d hanoi --no-runs", 2, "--no-runs needs --exactness"),
        ("-d hanoi --no-runs --exactness --optimal", 2, "--no-runs excludes --optimal"),
        ("-d hanoi --exactness --no-runs -n 1-40 -m tape -a inline", 2, "steps, the limit is"),
        ("-d hanoi --exactness --no-runs -n 1-99", 2, "no problem of size n=99"),
        ("-d hanoi -n 2 --exactness --no-runs --against reference", 2, "--against and --csv need runs"),
        ("-d hanoi -n 2 --exactness --no-runs --csv rows.csv", 2, "--against and --csv need runs"),
        ("-d hanoi -n 2 -a learned -m tape --addresses 0-9 --csv rows.csv", 2, "--addresses uses no problems"),
        ("-d hanoi -n 2 --csv one.svg --plot one.svg", 2, "--plot and --csv name the same file"),
        ("-d hanoi -n 2 --csv none/rows.csv", 5, "rows.csv"),
        ("-d hanoi -n 2 --against no-such-model", 2, "no-such-model"),
        ("-d hanoi -n 2 --plot a.pdf", 2, "must end in .png or .svg"),
        ("-d hanoi -n 2 --plot no/folder/a.svg", 5, "No such file or directory"),
        ("-d hanoi -n 2 --plot a.svg --exactness --data pairs", 2, "draws results over problem sizes"),
        (
            "-d river-crossing --problems ../river.txt --plans it --expect unsolvable",
            2,
            "--plans keeps plans, and none are",
        ),
        ("-d hanoi -n 2 --plans it", 2, "name these with --problems"),
        ("-d pancake -n 5 --engine process", 2, "'process' is not one of 'processes', 'dask'."),
        ("-d pancake -n 5 --engine-address tcp://here:1", 2, "--engine-address is of use with --engine dask only"),
        ("-d pancake -n 5 --engine processes --engine-address x", 2, "--engine-address is of use with --engine dask"),
        ("-d pancake -n 5 --jobs 0", 2, "it must be from 1 to 1,024, not 0."),
        ("-d pancake -n 5 --jobs 1025", 2, "it must be from 1 to 1,024, not 1,025."),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_measured(coc, tmp_path, monkeypatch, words, code, reason):
    (tmp_path / "river.txt").write_text(UNSOLVABLE[0])
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(evaluation, "_run", None)
    done = coc("eval", *words.split(), *REFERENCE)
    assert (done.code, done.out) == (code, "")
    assert reason in done.err
    assert not list((tmp_path / "here").iterdir())
