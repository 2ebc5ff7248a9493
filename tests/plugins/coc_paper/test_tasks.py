import pickle

import pytest
from attrs import evolve

from coc_core.errors import PluginError
from coc_paper.tasks import Task, with_needs
from tests.support.for_each import for_each


def test_the_key_depends_on_what_goes_in_and_on_nothing_else():
    task = Task("tests.support.paper_tasks:count", {"start": 1})
    assert task.key == Task("tests.support.paper_tasks:count", {"start": 1}, doing="counting", minutes=9).key
    assert task.key != Task("tests.support.paper_tasks:count", {"start": 2}).key
    assert task.key != Task("tests.support.paper_tasks:refuse", {"start": 1}).key


def test_a_change_before_a_task_changes_its_key():
    one, other = (
        Task("tests.support.paper_tasks:count", {"start": 1}),
        Task("tests.support.paper_tasks:count", {"start": 2}),
    )
    later = Task("tests.support.paper_tasks:count", needs={"first": one})
    assert later.key != evolve(later, needs={"first": other}).key
    assert later.depth == 1
    assert list(with_needs([later, one]).values()) == [one, later]


def test_it_calls_its_function(tmp_path):
    assert Task("tests.support.paper_tasks:count", {"start": 4}).run(tmp_path, {}) == 5


def test_a_worker_works_out_the_key_by_itself(monkeypatch):
    task = Task("tests.support.paper_tasks:count", {"start": 4})
    there = pickle.loads(pickle.dumps((task.key, task)[1]))
    monkeypatch.setattr("coc_paper.tasks.code_of", lambda *_: {"hardware": "another"})
    assert there == task
    assert there.key != task.key


@for_each(
    "function", ["tests.support.paper_tasks:nothing", "tests.support.nowhere:count", "nowhere.work:count", "tests", ":"]
)
def test_a_function_that_there_is_not_is_named(tmp_path, function):
    task = Task(function)
    assert task.key
    with pytest.raises(PluginError, match=f"the function {function} of a task can't be imported: "):
        task.run(tmp_path, {})
