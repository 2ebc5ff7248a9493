import json
import re

import pytest

from coc_core.cli.solve import report
from coc_core.runfile import RunFile
from coc_puzzles.hanoi.domain import Hanoi
from tests.support.for_each import for_each


@pytest.fixture(autouse=True)
def fake_parts(with_plugins):
    with_plugins(("fake", "tests.support.fake_plugin"))


@pytest.fixture
def hanoi(coc):
    """`coc run --domain hanoi --n 3` with the reference model, unless told otherwise."""

    def solved(*arguments, n=3, model="reference"):
        return coc("run", "--domain", "hanoi", "--n", n, "--model", model, *arguments)

    return solved


def test_a_solved_run_says_so(hanoi):
    done = hanoi()
    assert done.code == 0
    assert done.err == ""
    assert "solved  hanoi · n=3 src=1 dst=3 · pda · symbolic" in done.out
    assert "10 steps, 7 actions, all proved legal without stepping through them, in " in done.out
    assert "9 model calls to reference\n" in done.out
    assert "7 actions, the known optimum (2^3 - 1)\n" in done.out
    assert "before" in done.out


@for_each("memory", ["pda", "tape"])
@for_each("arith", ["inline", "symbolic"])
@for_each("executor", ["cached", "lockstep", "sequential"])
def test_the_document_has_the_keys_of_the_design(hanoi, memory, arith, executor):
    done = hanoi("--memory", memory, "--arith", arith, "--executor", executor, "--seed", 4, "--json")
    document = json.loads(done.out)
    assert (done.code, done.err, done.out.count("\n")) == (0, "", 1)
    assert document["seconds"] > 0
    expected = {"domain": "hanoi", "memory": memory, "arith": arith, "executor": executor, "model": "reference"}
    expected |= {"n": 3, "seed": 4, "outcome": "solved", "fault": None, "steps": 10, "actions": 7}
    assert {key: document[key] for key in expected} == expected
    assert 7 <= document["model_calls"] <= 10


@for_each(
    ("model", "code", "told"),
    [
        ("garbage", 1, "protocol"),
        ("rogue", 1, "action"),
        ("endless", 6, "loop"),
        ("nan", 7, "numeric"),
        ("lazy", 1, None),
    ],
)
def test_a_run_that_is_not_solved_has_its_exit_code(hanoi, model, code, told):
    done, document = hanoi(model=model), json.loads(hanoi("--json", model=model).out)
    assert done.code == hanoi("--json", model=model).code == code
    assert (f"{told} fault at step" if told else "unsolved") in done.out
    assert not {"\x1b", "optimum"} & set(done.out.split())
    assert document["outcome"] == ("fault" if told else "unsolved")
    assert (document["fault"] or {}).get("kind") == told
    assert set(document["fault"] or ()) in (set(), {"step", "kind", "message", "text", "offset"})


def test_a_plan_is_written_an_action_a_line_up_to_a_fault(hanoi, tmp_path):
    plan = tmp_path / "plan"
    document = json.loads(hanoi("--plan", plan, "--json").out)
    lines = plan.read_text("utf-8").splitlines()
    assert document["plan"] == str(plan)
    assert (len(lines), lines[0], lines[-1]) == (7, "Move disk 1 from 1 to 3", "Move disk 1 from 1 to 3")
    assert hanoi("--plan", plan, model="lazy").code == 1
    assert plan.read_text("utf-8") == "Move disk 1 from 1 to 3\n"


@for_each(
    "options",
    [
        ["--save", "{taken}", "--plan", "{moves}"],
        ["--save", "{missing}/x", "--plan", "{moves}"],
        ["--resume", "{taken}", "--plan", "{taken}"],
        ["--resume", "{taken}", "--plan", "{link}"],
        ["--resume", "{taken}", "--plan", "{taken}-wal"],
        ["--save", "{new}", "--plan", "{new}"],
        ["--save", "{new}", "--plan", "{folder}/../new"],
        ["--problem", "{moves}", "--plan", "{moves}"],
        ["--plugin", "{moves}", "--plan", "{moves}"],
        ["--model", "{folder}", "--plan", "{folder}/config.json"],
        ["--arith-model", "{folder}", "--plan", "{folder}/config.json"],
    ],
)
def test_a_refused_run_leaves_every_file_as_it_was(coc, tmp_path, options):
    places = {name: tmp_path / name for name in ("taken", "moves", "missing", "link", "new", "folder")}
    assert coc("run", "-d", "hanoi", "-n", 3, "--model", "reference", "--save", places["taken"]).code == 0
    places["moves"].write_text("n=3 src=1 dst=3")
    places["link"].symlink_to(places["taken"])
    places["folder"].mkdir()
    (places["folder"] / "config.json").write_text("{}")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    given = [option.format(**places) for option in options]
    if "--resume" not in given:
        given += ["-d", "hanoi", *([] if "--model" in given else ["--model", "reference"])]
    assert coc("run", *given).code in (2, 5)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("executor", "options", "used"),
    [
        ("auto", (), "summary"),
        ("auto", ("-m", "tape"), "cached"),
        ("summary", ("-m", "tape"), "cached"),
        ("auto", ("-m", "tape", "-a", "inline"), "speculative"),
        ("lockstep", (), "lockstep"),
    ],
)
def test_the_executor_that_ran_is_named(coc, executor, options, used):
    arguments = ("run", "-d", "hanoi", "-n", 4, "--model", "reference", "-x", executor, *options)
    document = json.loads(coc(*arguments, "--json").out)
    assert (document["executor"], document["executor_used"]) == (executor, used)
    line = f"  executor: {used}, chosen by {executor}"
    assert (line in coc(*arguments).out.splitlines()) == (executor != used)


def test_a_vote_says_what_was_drawn(coc, tmp_path):
    arguments = ("run", "-d", "hanoi", "-n", 4, "--model", "reference", "-x", "vote:k=3", "--save")
    line = "  first to lead by 1: 15 responses for 15 decisions, 0 dropped, 0 outvoted; probability that all are right: 1.0000 from the votes\n"
    assert line in coc(*arguments, tmp_path / "a").out
    document = json.loads(coc(*arguments, tmp_path / "b", "--json").out)
    assert (document["executor"], document["executor_used"], document["votes"]["responses"]) == ("vote:k=3", "vote", 15)
    with RunFile.open(tmp_path / "b") as recorded:
        assert recorded.manifest.executor == "vote:k=3"
        assert recorded.outcome.report["votes"]["decisions"] == 15
    assert line in coc("run", "--resume", tmp_path / "b").out
    assert json.loads(coc("run", "--resume", tmp_path / "b", "--json").out)["votes"] == document["votes"]


def test_what_ran_before_a_plugin_raised_is_kept_also_in_a_grammar(coc, tmp_path, monkeypatch):
    plan, words = tmp_path / "plan", ("run", "-d", "hanoi", "-n", 3, "--model")
    assert coc(*words, "raiser", "--plan", plan, "--plan-format", "grammar").code == 4
    assert plan.read_text("utf-8").endswith('"rules": [\n[]\n]}\n')
    legal = Hanoi.apply
    monkeypatch.setattr(Hanoi, "apply", lambda self, state, move: legal(self, state, move) if move.disk == 1 else 1 / 0)
    assert coc(*words, "reference", "--plan", plan).code == 4
    assert plan.read_text("utf-8") == "Move disk 1 from 1 to 3\n"


HUGE = ("run", "-d", "hanoi", "-n", 64)
GRAMMAR = ("--plan-format", "grammar", "--plan")


def test_a_run_of_any_length_is_composed(coc, tmp_path):
    done = coc(*HUGE, "--model", "reference", *GRAMMAR, tmp_path / "plan")
    assert done.code == 0
    assert "27,670,116,110,564,327,422 steps, 18,446,744,073,709,551,615 actions, all proved legal" in done.out
    assert len((tmp_path / "plan").read_text("utf-8").splitlines()) == 188
    document = json.loads(coc(*HUGE, "--model", "reference", "--json").out)
    assert (document["steps"], document["actions"]) == (27_670_116_110_564_327_422, 2**64 - 1)


@pytest.mark.parametrize("limit", [1, 10**17])
def test_a_run_that_is_composed_ends_where_it_is_told_to(coc, limit):
    done = coc(*HUGE, "--model", "reference", "--max-steps", limit)
    assert done.code == 6
    assert f"\n  {limit:,} step{'s' if limit > 1 else ''}, " in done.out
    assert f"limit fault at step {limit + 1:,}: the run reached its limit of {limit:,} step" in done.out


def test_recursion_without_end_is_named(hanoi):
    call = "INSTR CALL n=3 src=1 dst=3 aux=2"
    (remark,) = json.loads(hanoi("--json", model="endless").out)["remarks"]
    assert remark == f"recursion without end: {call} -> {call}"
    assert f"{remark}\n" in hanoi(model="endless").out


def test_a_run_too_short_to_be_timed_has_no_rate():
    assert [report.speed(99, 0.5), report.speed(100, 0.5)] == ["500 ms", "500 ms, 200 steps/s"]


def test_a_long_problem_is_cut_in_the_summary(coc):
    done = coc("run", "-d", "blocks", "-n", 1000, "--seed", 3, "--model", "reference")
    (line,) = (line for line in done.out.splitlines() if line.startswith("solved"))
    assert done.code == 0
    assert re.fullmatch(r"solved  blocks · .{60}… · heap · symbolic", line)
    assert done.out.count("\n") < 8  # a picture of a thousand blocks fits nowhere
    problem = json.loads(coc("run", "-d", "blocks", "-n", 20, "--model", "reference", "--json").out)["problem"]
    assert len(problem) > 100


@pytest.mark.parametrize(
    ("actions", "skipped", "told"),
    [
        (0, 0, "0 actions"),
        (1, 0, "1 action, checked as it was taken"),
        (2, 0, "2 actions, each one checked as it was taken"),
        (1, 9, "1 action, proved legal without stepping through it"),
        (2, 9, "2 actions, all proved legal without stepping through them"),
        (2, 8, "2 actions, all checked, or proved legal without stepping through them"),
    ],
)
def test_it_is_said_how_actions_are_known_to_be_legal(actions, skipped, told):
    assert report.legality(actions, skipped, 9) == told
