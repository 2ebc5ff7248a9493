"""A folder of plans: what it keeps, what it makes again, and what it refuses."""

import pytest

from coc_core.errors import ArtefactError, StorageError, UsageError
from coc_learn.measure.ended import Ended, Failure, PlanPacker, Score
from coc_learn.measure.plans import RESULTS, open_plans

HEADING = {"domain": "hanoi", "model": "reference"}


class Lines:
    opening = separator = closing = ""

    def write(self, state, action):
        return action


def ended(source, plan="a plan\n", n=1):
    if plan is None:
        failure = Failure(n, None, "p", "unsolved", 1, None, "no", source)
        return Ended(source, "p", Score(n, 1, 0), failure)
    packer = PlanPacker(Lines())
    packer._writer.add(None, (plan,))
    return Ended(source, "p", Score(n, 1, 1), None, packer.packed())


@pytest.fixture
def folder(tmp_path):
    """A folder with two plans and a failure."""
    path = tmp_path / "made" / "plans"
    with open_plans(path, HEADING) as plans:
        for each in (ended("a.txt:1"), ended("a.txt:2", None), ended("b.json", "another\n")):
            plans.add(each)
    return path


def kept(folder):
    with open_plans(folder, HEADING) as plans:
        return [source for source in ("a.txt:1", "a.txt:2", "b.json") if plans.result(source, "p")]


def test_it_has_a_file_for_each_plan_and_a_line_for_each_run(folder):
    assert sorted(path.name for path in folder.iterdir()) == ["a.txt-1.plan", "b.json.plan", RESULTS]
    assert (folder / "b.json.plan").read_text() == "another\n"
    assert (folder / RESULTS).read_text().count("\n") == 4
    assert kept(folder) == ["a.txt:1", "a.txt:2", "b.json"]
    with open_plans(folder, HEADING) as plans:
        assert plans.result("a.txt:2", "p").line == ended("a.txt:2", None).line


def test_another_problem_of_the_same_name_is_run_again(folder):
    with open_plans(folder, HEADING) as plans:
        assert plans.result("a.txt:1", "q") is None
        assert plans.result("a.txt:3", "p") is None


def test_a_plan_that_is_missing_is_made_again(folder):
    (folder / "a.txt-1.plan").unlink()
    assert kept(folder) == ["a.txt:2", "b.json"]
    with open_plans(folder, HEADING) as plans:
        plans.add(ended("a.txt:1"))
    assert kept(folder) == ["a.txt:1", "a.txt:2", "b.json"]


def test_a_line_that_is_cut_off_is_dropped(folder):
    text = (folder / RESULTS).read_bytes()
    for size in range(text.index(b"\n") + 1, len(text), 7):
        (folder / RESULTS).write_bytes(text[:size])
        assert len(kept(folder)) == text[:size].count(b"\n") - 1
        assert (folder / RESULTS).read_bytes() == text[: text.rindex(b"\n", 0, size) + 1]


def test_a_heading_that_is_cut_off_is_written_again(folder):
    text = (folder / RESULTS).read_bytes()
    (folder / RESULTS).write_bytes(text[:9])
    assert kept(folder) == []
    assert (folder / RESULTS).read_bytes() == text[: text.index(b"\n") + 1]


def test_what_a_killed_process_has_left_is_removed(folder):
    (folder / ".new").write_text("half a pl")
    kept(folder)
    assert not (folder / ".new").exists()


def test_plans_that_were_made_with_something_else_are_refused(folder):
    with (
        pytest.raises(UsageError, match="were made with model 'reference', not 'other'; choose another folder"),
        open_plans(folder, {**HEADING, "model": "other"}),
    ):
        pass
    with (
        pytest.raises(UsageError, match="were made with memory 'None', not 'pda'"),
        open_plans(folder, {**HEADING, "memory": "pda"}),
    ):
        pass


def test_a_heading_with_more_in_it_is_refused(folder):
    with pytest.raises(ArtefactError, match="line 1 is not a heading"), open_plans(folder, {"domain": "hanoi"}):
        pass


def test_damage_is_named_with_its_line(folder):
    text = (folder / RESULTS).read_text().replace('"source"', '"sauce"', 1)
    (folder / RESULTS).write_text(text)
    with pytest.raises(ArtefactError, match=r"results.jsonl, line 2(: | lacks| has)"), open_plans(folder, HEADING):
        pass


def test_other_folders_and_files_are_left_alone(tmp_path):
    (tmp_path / "mine").write_text("not a plan")
    (tmp_path / "link").symlink_to(tmp_path)
    for path, reason in (
        (tmp_path, "already exists and is not a folder of plans"),
        (tmp_path / "mine", "already exists and is not a folder;"),
        (tmp_path / "link", "already exists and is not a folder;"),
    ):
        with pytest.raises(UsageError, match=reason), open_plans(path, HEADING):
            pass
    assert len(list(tmp_path.iterdir())) == 2


def test_a_second_process_is_refused(folder):
    with (
        open_plans(folder, HEADING),
        pytest.raises(StorageError, match="another process is writing the folder of plans"),
        open_plans(folder, HEADING),
    ):
        pass
    assert kept(folder)


def test_a_disk_that_refuses_is_named(folder, monkeypatch):
    with open_plans(folder, HEADING) as plans:
        monkeypatch.setattr(type(folder), "replace", lambda *_: (folder / "none" / "at all").stat())
        with pytest.raises(StorageError, match="can't write the folder of plans"):
            plans.add(ended("c.txt:1"))
    monkeypatch.undo()
    assert kept(folder) == ["a.txt:1", "a.txt:2", "b.json"]
