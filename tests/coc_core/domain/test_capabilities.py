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
    doubt_about,
    parse_problem,
    scene_of,
    why_unsolvable,
)
from coc_core.errors import ArtefactError, UnsupportedError, UsageError
from coc_core.runfile.manifest import outcome_to_json
from coc_core.types import Outcome
from coc_puzzles.blocksworld.domain import Rearrangement, SeveralTowers
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Move, Tower
from coc_puzzles.pancake.domain import Pancake
from tests.support.damage import change
from tests.support.for_each import for_each
from tests.support.machines import EXECUTORS
from tests.support.plan_runs import SETTINGS, setting_of
from tests.support.saved_runs import moments
from tests.support.toy_parts import Queue

WITH_SCENES = ("hanoi", "blocksworld", "blocksworld-extended", "blocks", "pancake")


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


HANOI, TOWERS = Hanoi(), Rearrangement(((2, 1), (4,), (3,)), (1, 2, 3, 4))


@for_each(
    ("domain", "state", "scene"),
    [
        (
            HANOI,
            HANOI.apply(HANOI.initial(Tower(3)), Move(1, 1, 3)),
            Scene(
                (
                    Column("1", (Item("3", "3", 1), Item("2", "2", 0.75))),
                    Column("2"),
                    Column("3", (Item("1", "1", 0.5),)),
                ),
                posts=True,
            ),
        ),
        (
            SeveralTowers(),
            SeveralTowers().initial(TOWERS),
            Scene(
                (
                    Column(""),
                    *(Column("", tuple(Item(n, n) for n in names)) for names in (["B2", "B1"], ["B3"], ["B4"])),
                )
            ),
        ),
        (Pancake(), (2, 1), Scene((Column("", (Item("P2", "P2", 0.625), Item("P1", "P1", 1))),))),
        (Queue(), (3, 1, 2), Scene(text="[3, 1, 2]")),
    ],
)
def test_a_scene_has_a_column_for_each_place(domain, state, scene):
    assert scene_of(domain, state) == scene


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


@pytest.fixture
def recorded(coc, problem, tmp_path):
    path = tmp_path / "a.run"
    assert coc("run", "-d", "blocks", "--model", "reference", "--problem", problem, "--save", path).code == 1
    return path


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
    machines[0].step("Every block is where it belongs.")
    assert (machines[0].peek(), machines[0].steps, machines[0].status) == (None, 0, "unsolvable")


def test_every_command_says_why(coc, problem, recorded, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    page = tmp_path / "page.html"
    run = ("run", "-d", "blocks", "--model", "reference", "--problem", problem)
    for code, words, told in (
        (1, run, f"  no plan solves it: {REASON}\n"),
        (1, (*run, "--json", "--plan", tmp_path / "plan", "--memory", "tape"), f'"reason": "{REASON}"'),
        (1, ("run", "--resume", recorded), f"has ended already: 0 steps, 0 actions\n  no plan solves it: {REASON}\n"),
        (1, ("run", "--resume", recorded, "--json"), f'"reason": "{REASON}"'),
        (0, ("replay", recorded), f"step 0 of 0, unsolvable ({REASON})\n"),
        (0, ("replay", recorded, "--json"), f'"reason": "{REASON}"'),
        (0, ("diff", recorded, recorded), f"unsolvable after 0 steps; no plan solves it: {REASON}"),
        (0, ("view", recorded, "-o", page), ""),
    ):
        done = coc(*words)
        assert (done.code, done.err) == (code, ""), words
        assert told in done.out, words
    assert (tmp_path / "plan").read_text() == ""
    found = re.search(r'<script type="application/json" id="run">(.*?)</script>', page.read_text("utf-8"))[1]
    assert (json.loads(found)["outcome"], json.loads(found)["reason"]) == ("unsolvable", REASON)
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


class Sum(Queue, ReadsText, HasAnswer):
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


def test_a_problem_is_read_as_coc_or_its_author_writes_it():
    domain = Sum()
    written = domain.problems.format(domain.problem(3))
    assert parse_problem(domain, written) == parse_problem(domain, "..\n.\n") == domain.problem(3)
    with pytest.raises(UsageError, match="is not a row of dots"):
        parse_problem(domain, "é")


def test_what_a_domain_does_not_offer_is_nothing_or_refused():
    domain, problem = Sum(), Sum().problem(2)
    state = domain.initial(problem)
    assert (doubt_about(domain, problem, state), doubt_about(Queue(), problem, state)) == ("it is too small", "")
    assert scene_of(domain, state).text == domain.render(state, 100)
    with pytest.raises(UnsupportedError, match="a plan of hanoi is no answer"):
        _ = coc_python.run("hanoi", n=1).answer
    with pytest.raises(UnsupportedError, match="an item of 'rubiks_cube' is no problem of hanoi"):
        parse_problem(Hanoi(), '{"metadata": {"source_dataset": "rubiks_cube"}}')
