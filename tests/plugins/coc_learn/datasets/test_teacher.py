import pytest

from coc_core.errors import LimitFault, PluginError, UsageError
from coc_core.memories import Reference
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import Seen, teacher_pairs
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower
from tests.support.machines import SETTINGS, recorded


@pytest.mark.parametrize(("memory", "arith"), SETTINGS)
def test_the_pairs_are_the_distinct_pairs_of_the_runs(memory, arith):
    setting = Setting.of(Registry.installed(), "hanoi", memory, arith)
    problems = [Tower(n) for n in (1, 2, 5, 2)]
    pairs = [tuple(pair) for pair in teacher_pairs(setting, problems)]
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == {pair for problem in problems for pair in recorded(memory, arith, problem)[0]}


@pytest.mark.parametrize(("memory", "arith"), SETTINGS)
def test_pairs_that_were_seen_are_left_out(memory, arith):
    setting = Setting.of(Registry.installed(), "hanoi", memory, arith)
    seen = Seen()
    pairs = [pair for n in (3, 5, 4) for pair in teacher_pairs(setting, [Tower(n)], seen)]
    assert pairs == list(teacher_pairs(setting, [Tower(3), Tower(5), Tower(4)]))


def test_a_policy_that_fails_is_an_error_of_its_plugin(monkeypatch):
    setting = Setting.of(Registry.installed(), "hanoi", "tape", "inline")
    monkeypatch.setattr(Hanoi, "is_goal", lambda *_: False)
    with pytest.raises(PluginError, match="the policy of hanoi does not solve n=1 src=1 dst=3: None"):
        list(teacher_pairs(setting, [Tower(1)]))


def test_a_target_that_is_too_long_is_an_error_of_the_request(monkeypatch):
    def refuse(*_):
        raise LimitFault("it is too long")

    setting = Setting.of(Registry.installed(), "hanoi", "tape", "inline")
    monkeypatch.setattr(Reference, "_complete", refuse)
    with pytest.raises(UsageError, match="there are no pairs of n=1 src=1 dst=3: it is too long; choose a smaller n"):
        list(teacher_pairs(setting, [Tower(1)]))
