"""Benchmarks: what a row counts, and when it ends."""

import itertools

import pytest

from coc_core.errors import UsageError
from coc_core.evaluation import BASE, Load, Rate, rates
from coc_core.evaluation.benchmark import measure
from coc_core.plugin import Registry
from coc_core.setting import Setting


@pytest.fixture(scope="module")
def registry():
    return Registry.installed()


def load(registry, domain="hanoi", memory="pda", arith="symbolic", n=3, count=1):
    setting = Setting.of(registry, domain, memory, arith)
    return Load(setting, [setting.domain.problem(n, seed) for seed in range(count)], "reference")


@pytest.mark.parametrize(("n", "count"), [(3, 1), (12, 1), (4, 3)])
def test_each_row_repeats_whole_runs_or_is_cut_off(registry, n, count):
    one = load(registry, n=n, count=count)
    rows = list(rates(one, ["sequential", "cached"], 0.02))
    assert [row.name for row in rows] == [
        "plain recursion, no text",
        "the loop alone",
        "the model alone, one prompt",
        "the model alone, 64 prompts",
        "the model alone, 64 with drafts",
        BASE,
        "cached",
    ]
    assert all(row.steps > 0 and row.seconds >= 0.02 and row.per_second == row.steps / row.seconds for row in rows)


def test_a_load_has_a_title(registry):
    assert load(registry).title == "hanoi, pda, symbolic: n=3"
    assert load(registry, "pancake", "tape", "inline", 5, 4).title == "pancake, tape, inline: 4 problems of n=5"


def test_a_domain_with_notes_is_solved_by_plain_recursion(registry):
    row = next(iter(rates(load(registry, "pancake", n=6), [], 0.01)))
    assert row.steps > 0


def test_the_work_is_given_the_time_that_is_left():
    left = []

    def work(limit):
        left.append(limit)
        return 5

    rate = measure("work", work, 0.01)
    assert 0 < max(left) <= 0.01
    assert rate.steps % 5 == 0
    assert rate.seconds >= 0.01


def test_without_steps_there_is_no_rate():
    assert measure("idle", lambda limit: 0, 0.001).per_second is None
    assert Rate("missing", obstacle="not installed").per_second is None


def test_peers_are_timed_or_say_why_not(registry, monkeypatch):
    one = load(registry)
    reference = one.setting.model("reference")
    peers = [("able", reference), ("unable", UsageError("it is not installed"))]
    monkeypatch.setattr(Setting, "peers", lambda self, choice: iter(peers))
    able, unable = itertools.islice(rates(one, [], 0.01), 5, 7)
    assert (able.name, able.obstacle) == ("able", "")
    assert able.steps > 0
    assert unable == Rate("unable", obstacle="it is not installed")


def test_only_a_checkpoint_has_peers(registry):
    assert list(load(registry).setting.peers("reference")) == []


def test_an_unknown_executor_is_refused(registry):
    with pytest.raises(UsageError, match="unknown executor 'fast'"):
        list(rates(load(registry), ["fast"], 0.01))
