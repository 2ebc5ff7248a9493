"""What a domain may offer beside the interface."""

import json
import re

import pytest
from hypothesis import given, strategies as st

import coc_core as coc_python
from coc_core.domain import (
    Column,
    HasAnswer,
    Item,
    ReadsText,
    Scene,
    ShowsMemory,
    doubt_about,
    parse_problem,
    scene_of,
    why_unsolvable,
)
from coc_core.errors import ArtefactError, UnsupportedError, UsageError
from coc_core.execution import Sequential
from coc_core.runfile.manifest import outcome_to_json
from coc_core.types import Outcome
from coc_learn.measure.success import Evaluation
from coc_problems import Instance
from coc_puzzles.blocksworld.domain import SeveralTowers
from coc_puzzles.blocksworld.rules import Rearrangement
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Move, Tower
from coc_puzzles.pancake.domain import Pancake
from tests.support.damage import change
from tests.support.for_each import for_each
from tests.support.machines import EXECUTORS
from tests.support.plan_runs import SETTINGS, setting_of
from tests.support.saved_runs import moments
from tests.support.toy_parts import Line, Queue

WITH_SCENES = ("hanoi", "blocksworld", "blocksworld-extended", "blocks", "pancake")


def names(scene):
    return [[item.name for item in column.items] for column in scene.columns]


def test_an_item_of_a_dataset_that_the_domain_does_not_read_is_refused():
    with pytest.raises(UnsupportedError, match="an item of 'rubiks_cube' is no problem of hanoi"):
        parse_problem(Hanoi(), '{"metadata": {"source_dataset": "rubiks_cube"}}')


def test_a_domain_without_scenes_is_shown_as_text():
    domain = Queue()
    assert scene_of(domain, domain.initial(Line((3, 1, 2)))) == Scene(text="[3, 1, 2]")


@given(st.sampled_from(WITH_SCENES), st.integers(1, 5), st.integers(0, 50))
def test_each_item_appears_once_in_every_scene_of_a_run(domain, n, seed):
    subject, records = moments(domain, n=n, seed=seed)
    scenes = [scene_of(subject, record.after) for record in records]
    for scene in scenes:
        items = [item for column in scene.columns for item in column.items]
        assert len({item.name for item in items}) == len(items) == n
        assert set(items) == {item for column in scenes[0].columns for item in column.items}
        assert all(0 < item.size <= 1 for item in items)
        assert [column.label for column in scene.columns] == [column.label for column in scenes[0].columns]


def test_the_pegs_have_posts_and_the_widest_disk_is_at_the_bottom():
    hanoi = Hanoi()
    scene = scene_of(hanoi, hanoi.apply(hanoi.initial(Tower(3)), Move(1, 1, 3)))
    assert scene.posts
    assert names(scene) == [["3", "2"], [], ["1"]]
    assert [column.label for column in scene.columns] == ["1", "2", "3"]
    assert scene.columns[0].items[0].size == 1


def test_a_tower_of_blocks_is_in_the_column_of_its_lowest_block():
    scene = scene_of(SeveralTowers(), SeveralTowers().initial(Rearrangement(((2, 1), (4,), (3,)), (1, 2, 3, 4))))
    assert names(scene) == [[], ["B2", "B1"], ["B3"], ["B4"]]
    assert not scene.posts


def test_pancakes_are_one_pile():
    assert scene_of(Pancake(), (2, 1)) == Scene((Column("", (Item("P2", "P2", 0.625), Item("P1", "P1", 1))),))


@pytest.mark.parametrize("domain", WITH_SCENES)
def test_equal_pictures_have_equal_scenes_and_different_ones_different_scenes(domain):
    subject, records = moments(domain, n=4, seed=3)
    pictures = {subject.render(record.after, 400): scene_of(subject, record.after) for record in records}
    assert len(set(pictures.values())) == len(pictures)
    for record in records:
        assert scene_of(subject, record.after) == pictures[subject.render(record.after, 400)]


PROBLEM = "start=[[a], [b]] & hand=[] & goal=[on a b, on b a]"
SOLVABLE = "start=[[a], [b]] & hand=[] & goal=[on a b]"
REASON = "the goal has a cycle: a on b on a"


@pytest.fixture
def problem(tmp_path):
    file = tmp_path / "problem"
    file.write_text(PROBLEM)
    return file


def test_a_domain_says_why():
    blocks, hanoi = setting_of("blocks").domain, setting_of("hanoi").domain
    assert why_unsolvable(blocks, parse_problem(blocks, PROBLEM)) == REASON
    assert why_unsolvable(blocks, parse_problem(blocks, SOLVABLE)) is None
    assert why_unsolvable(hanoi, hanoi.problem(3)) is None


@for_each("executor", EXECUTORS)
@for_each(("memory", "arith"), SETTINGS)
def test_no_step_is_taken_in_any_setting(memory, arith, executor):
    setting = setting_of("blocks", memory, arith)
    machines = [setting.machine(parse_problem(setting.domain, text)) for text in (PROBLEM, SOLVABLE, PROBLEM)]
    first, second, third = executor().run(machines, setting.model("reference"))
    assert (second.status, second.steps, second.reason) == ("solved", 3, "")
    for outcome in (first, third):
        assert (outcome.status, outcome.steps, outcome.actions, outcome.fault) == ("unsolvable", 0, 0, None)
        assert outcome.reason == REASON


def test_a_machine_stays_at_its_end():
    setting = setting_of("blocks")
    machine = setting.machine(parse_problem(setting.domain, PROBLEM))
    machine.step("Every block is where it belongs.")
    assert (machine.peek(), machine.steps, machine.status) == (None, 0, "unsolvable")


def test_coc_run_says_why(coc, problem, tmp_path):
    words = ("run", "-d", "blocks", "--model", "reference", "--problem", problem)
    done = coc(*words)
    assert (done.code, done.err) == (1, "")
    assert f"unsolvable  blocks · {PROBLEM}" in done.out
    assert f"  no plan solves it: {REASON}\n" in done.out
    done = coc(*words, "--json", "--plan", tmp_path / "plan", "--memory", "tape")
    found = json.loads(done.out)
    assert (done.code, found["outcome"], found["reason"], found["steps"]) == (1, "unsolvable", REASON, 0)
    assert (tmp_path / "plan").read_text() == ""
    assert json.loads(coc("run", "-d", "blocks", "-n", 3, "--model", "reference", "--json").out)["reason"] is None


def test_coc_trace_says_why(coc, problem):
    done = coc("trace", "-d", "blocks", "--problem", problem)
    assert (done.code, done.out, done.err) == (1, "", f"coc: error: no plan solves it: {REASON}\n")


def test_evaluations_say_why():
    setting = setting_of("blocks")
    evaluation = Evaluation(setting, setting.model("reference"), Sequential())
    evaluation.run([Instance(2, None, parse_problem(setting.domain, text)) for text in (PROBLEM, SOLVABLE)])
    (failure,) = evaluation.document()["failures"]
    assert (failure["status"], failure["step"], failure["kind"]) == ("unsolvable", 0, None)
    assert failure["message"] == REASON


@pytest.fixture
def recorded(coc, problem, tmp_path):
    path = tmp_path / "a.run"
    assert coc("run", "-d", "blocks", "--model", "reference", "--problem", problem, "--save", path).code == 1
    return path


def test_a_recorded_run_says_why(coc, recorded, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    again = coc("run", "--resume", recorded)
    assert again.code == 1
    assert again.out == f"unsolvable  {recorded} has ended already: 0 steps, 0 actions\n  no plan solves it: {REASON}\n"
    found = json.loads(coc("run", "--resume", recorded, "--json").out)
    assert (found["outcome"], found["reason"]) == ("unsolvable", REASON)
    assert f"step 0 of 0, unsolvable ({REASON})\n" in coc("replay", recorded).out
    found = json.loads(coc("replay", recorded, "--json").out)
    assert (found["outcome"], found["reason"], found["verified"]) == ("unsolvable", REASON, True)
    done = coc("diff", recorded, recorded)
    assert done.code == 0
    assert f"unsolvable after 0 steps; no plan solves it: {REASON}" in done.out
    assert coc("view", recorded, "-o", tmp_path / "page.html").code == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    found = json.loads(re.search(r'<script type="application/json" id="run">(.*?)</script>', page)[1])
    assert (found["outcome"], found["reason"], len(found["rows"])) == ("unsolvable", REASON, 1)


def test_python_says_why(recorded):
    for run in (coc_python.run("blocks", problem=PROBLEM, model="reference"), coc_python.load_run(recorded)):
        assert (run.status, run.solved, run.reason, run.steps, len(run.plan)) == ("unsolvable", False, REASON, 0, 0)
        assert f"<p><b>no plan solves it</b> {REASON}</p>" in run._repr_html_()
        run.verify()
    assert coc_python.run("blocks", problem=SOLVABLE, model="reference").reason == ""


def test_a_problem_that_can_be_solved_is_not_believed_to_be_unsolvable(recorded, refused, coc, tmp_path):
    text = outcome_to_json(Outcome("unsolvable", 0, 0, reason="no"), {})
    manifest = coc_python.load_run(recorded).recording.manifest
    change(recorded, ("UPDATE run SET outcome = ?", (text,)))
    assert "unsolvable (no)" in coc("replay", recorded).out  # the wording is the file's, the verdict is checked
    assert manifest.problem == PROBLEM
    change(recorded, ("UPDATE run SET manifest = replace(manifest, ?, ?)", (", on b a", "")))
    assert "it ends as interrupted after 0 actions, but the file says unsolvable" in refused(3, "replay", recorded)


def test_steps_of_a_problem_without_solution_are_refused(coc, refused, tmp_path):
    (tmp_path / "problem").write_text(SOLVABLE)
    path = tmp_path / "b.run"
    words = ("run", "-d", "blocks", "--model", "reference", "--problem", tmp_path / "problem", "--save", path)
    assert coc(*words).code == 0
    change(path, ("UPDATE run SET manifest = replace(manifest, ?, ?)", ("[on a b]", "[on a b, on b a]")))
    said = "it has steps, but its problem has no solution"
    assert said in refused(3, "replay", path, "--end")
    with pytest.raises(ArtefactError, match=said):
        coc_python.load_run(path).verify()


class Sum(Queue, ReadsText, HasAnswer, ShowsMemory):
    """Answers are numbers of steps; a problem is also a row of dots."""

    def read(self, text):
        if set(text) - set(".\n"):
            raise ValueError(f"{text!r} is not a row of dots")
        return self.problem(text.count("."))

    def answer(self, state):
        return str(state)

    def added(self, before, after):
        return self.answer(after)[len(self.answer(before)) :]

    def doubt(self, problem, state):
        return "" if self.is_goal(problem, state) else "it is too small"

    def scene_of(self, state, windows):
        return Scene(text=f"{len(windows)} windows")


def test_a_problem_is_read_as_coc_or_its_author_writes_it():
    domain = Sum()
    written = domain.problems.format(domain.problem(3))
    assert parse_problem(domain, written) == parse_problem(domain, "..\n.\n") == domain.problem(3)
    with pytest.raises(UsageError, match="is not a row of dots"):
        parse_problem(domain, "é")


def test_a_doubt_is_why_an_answer_is_not_right():
    domain, problem = Sum(), Sum().problem(2)
    assert doubt_about(domain, problem, domain.initial(problem)) == "it is too small"
    assert doubt_about(Queue(), problem, Queue().initial(problem)) == ""


def test_pictures_may_show_the_memory():
    state = Sum().initial(Sum().problem(2))
    assert scene_of(Sum(), state, ("a", "b")).text == "2 windows"
    assert scene_of(Sum(), state).text == Sum().render(state, 100)


def test_a_plan_is_no_answer():
    with pytest.raises(UnsupportedError, match="a plan of hanoi is no answer"):
        _ = coc_python.run("hanoi", n=1).answer
