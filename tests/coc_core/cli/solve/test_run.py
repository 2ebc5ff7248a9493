import io
import json
import re

import pytest

from coc_core.api import plan_file
from coc_core.cli import console
from coc_core.cli.solve import report
from coc_core.domain import TextPlan
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.runfile import RunFile
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower
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


@pytest.mark.parametrize(
    ("model", "code", "kind"),
    [("garbage", 1, "protocol"), ("rogue", 1, "action"), ("endless", 6, "loop"), ("nan", 7, "numeric")],
)
def test_a_fault_has_its_exit_code(hanoi, model, code, kind):
    done = hanoi(model=model)
    assert done.code == code
    assert f"{kind} fault at step" in done.out
    assert "\x1b" not in done.out
    done = hanoi("--json", model=model)
    document = json.loads(done.out)
    assert (done.code, document["outcome"], document["fault"]["kind"]) == (code, "fault", kind)
    assert set(document["fault"]) == {"step", "kind", "message", "text", "offset"}


def test_an_unsolved_run_has_its_exit_code(hanoi):
    done = hanoi(model="lazy")
    assert done.code == 1
    assert "unsolved" in done.out
    assert "optimum" not in done.out


def test_a_plan_is_written_an_action_a_line_up_to_a_fault(hanoi, tmp_path):
    plan = tmp_path / "plan"
    document = json.loads(hanoi("--plan", plan, "--json").out)
    lines = plan.read_text("utf-8").splitlines()
    assert document["plan"] == str(plan)
    assert (len(lines), lines[0], lines[-1]) == (7, "Move disk 1 from 1 to 3", "Move disk 1 from 1 to 3")
    assert hanoi("--plan", plan, model="lazy").code == 1
    assert plan.read_text("utf-8") == "Move disk 1 from 1 to 3\n"


def test_a_second_run_with_the_same_plan_is_refused(refused, coc, tmp_path):
    plan = tmp_path / "plan"
    with plan_file(plan, TextPlan(Hanoi(), Tower(1))):
        told = refused(5, "run", "-d", "hanoi", "-n", 1, "--model", "reference", "--plan", plan)
        assert f"another process is writing the plan {plan}; wait until it has ended" in told
    assert plan.read_bytes() == b""
    assert coc("run", "-d", "hanoi", "-n", 1, "--model", "reference", "--plan", plan).code == 0
    assert plan.read_bytes() == b"Move disk 1 from 1 to 3\n"
    assert list(tmp_path.iterdir()) == [plan]


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


@for_each("text", ["n=3 src=1", "{", '{"n": 3, "n": 3}', "[" * 5000, "n=３ src=1 dst=2", '{"n": 1.5}', "\x1b[2J"])
def test_a_malformed_problem_is_refused(refused, tmp_path, text):
    path = tmp_path / "problem"
    path.write_text(text, "utf-8")
    assert "problem" in refused(2, "run", "-d", "hanoi", "--model", "reference", "--problem", path)


def test_a_problem_comes_from_standard_input(coc, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO('{"n": 2, "src": 3, "dst": 1}'))
    done = coc("run", "-d", "hanoi", "--model", "reference", "--problem", "-", "--json")
    assert json.loads(done.out)["problem"] == "n=2 src=3 dst=1"


# ── plugins that fail ─────────────────────────────────────────────────────────────────────────────────────────────


def test_what_ran_before_a_plugin_raised_is_kept_also_in_a_grammar(coc, tmp_path, monkeypatch):
    plan, words = tmp_path / "plan", ("run", "-d", "hanoi", "-n", 3, "--model")
    assert coc(*words, "raiser", "--plan", plan, "--plan-format", "grammar").code == 4
    assert plan.read_text("utf-8").endswith('"rules": [\n[]\n]}\n')
    legal = Hanoi.apply
    monkeypatch.setattr(Hanoi, "apply", lambda self, state, move: legal(self, state, move) if move.disk == 1 else 1 / 0)
    assert coc(*words, "reference", "--plan", plan).code == 4
    assert plan.read_text("utf-8") == "Move disk 1 from 1 to 3\n"


# ── runs that nobody could take step by step ──────────────────────────────────────────────────────────────────────

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


def test_it_is_resumed_with_a_higher_limit(coc, tmp_path):
    path = tmp_path / "a.run"
    assert coc("run", "-d", "hanoi", "-n", 4, "--model", "reference", "--save", path, "--max-steps", 5).code == 6
    assert coc("run", "--resume", path).code == 6
    assert coc("run", "--resume", path, "--max-steps", 6).code == 6
    assert coc("run", "--resume", path, "--max-steps", 1_000).code == 0


def test_recursion_without_end_is_named(coc):
    done = coc("run", "-d", "hanoi", "-n", 3, "--model", "endless")
    assert done.code == 6
    call = "INSTR CALL n=3 src=1 dst=3 aux=2"
    assert f"recursion without end: {call} -> {call}\n" in done.out
    document = json.loads(coc("run", "-d", "hanoi", "-n", 3, "--model", "endless", "--json").out)
    assert document["remarks"] == [f"recursion without end: {call} -> {call}"]


# ── what people see ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("variable", ["NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "COLUMNS"])
def test_piped_output_holds_no_escape_codes(hanoi, monkeypatch, variable):
    monkeypatch.setenv(variable, "1" if variable != "COLUMNS" else "30")
    for done in (hanoi(), hanoi("--json"), hanoi(model="garbage"), hanoi("--nonsense")):
        assert "\x1b" not in done.out + done.err


def test_a_terminal_without_colour_gets_none(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    file = io.StringIO()
    file.isatty = lambda: True
    monkeypatch.setattr("sys.stdout", file)
    console.out().print(console.text(("red", "red")))
    assert file.getvalue() == "red\n"


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


def test_a_folder_is_named_as_it_was_given(coc, tmp_path, monkeypatch):
    (tmp_path / "mine").symlink_to(Registry.installed().folder(_hanoi_pda()))
    monkeypatch.chdir(tmp_path)
    done = coc("run", "-d", "hanoi", "-n", 2, "--model", "./mine")
    assert "model calls to ./mine (transformer, 115,200 parameters)\n" in done.out


def _hanoi_pda():
    return next(spec for spec in Registry.installed().specs(CheckpointSpec) if spec.name == "hanoi-pda")
