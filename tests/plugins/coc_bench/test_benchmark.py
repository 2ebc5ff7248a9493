"""Benchmarks: what a row counts, and when it ends."""

import itertools
from itertools import islice

import pytest

from coc_bench import benchmark
from coc_bench.benchmark import BASE, Load, Rate, measure, peers, rates
from coc_core.errors import UsageError
from coc_core.execution import Sequential
from coc_core.memories import Reference
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import teacher_pairs
from tests.support.toy_parts import Scripted


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
        "the policy alone, no text",
        "the loop alone",
        "the model alone, 64 with drafts",
        BASE,
        "cached",
        "the model alone, one prompt",
        "the model alone, 64 prompts",
    ]
    assert all(row.steps > 0 and row.seconds >= 0.02 and row.per_second == row.steps / row.seconds for row in rows)


def test_a_load_has_a_title(registry):
    assert load(registry).title == "hanoi, pda, symbolic: n=3"
    assert load(registry, "pancake", "tape", "inline", 5, 4).title == "pancake, tape, inline: 4 problems of n=5"


def test_a_domain_with_notes_is_solved_by_its_policy(registry):
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
    others = [("able", reference), ("unable", UsageError("it is not installed"))]
    monkeypatch.setattr("coc_bench.benchmark.peers", lambda setting, choice: iter(others))
    *able, unable = itertools.islice(rates(one, [], 0.01), 5, 8)
    assert [row.name for row in able] == ["able, one prompt", "able, 64 prompts"]
    assert all(row.steps > 0 and not row.obstacle for row in able)
    assert unable == Rate("unable", obstacle="it is not installed")


def test_an_executor_that_refuses_the_model_says_why(registry, monkeypatch):
    nondeterministic = type("Nondeterministic", (Reference,), {"deterministic": False})
    monkeypatch.setattr(Setting, "model", lambda setting, _: nondeterministic(setting.convention))
    *_, cached, sequential, _, _ = rates(load(registry), ["cached", "sequential"], 0.01)
    assert "the executor 'cached' needs a deterministic model" in cached.obstacle
    assert sequential.steps > 0


def test_only_a_checkpoint_has_peers(registry):
    assert list(peers(load(registry).setting, "reference")) == []


def test_an_unknown_executor_is_refused(registry):
    with pytest.raises(UsageError, match="unknown executor 'fast'"):
        list(rates(load(registry), ["fast"], 0.01))


class Clock:
    """A clock that goes on only when it is told to, or by `tick` each time that someone looks."""

    def __init__(self, tick=0.0):
        self.now, self.tick = 50.0, tick

    def perf_counter(self):
        self.now += self.tick
        return self.now


@pytest.fixture
def clock(monkeypatch):
    found = Clock()
    monkeypatch.setattr(benchmark, "time", found)
    return found


def test_a_tenth_of_the_time_is_for_warming_up_and_does_not_count(clock):
    left = []

    def work(limit):
        left.append(limit)
        clock.now += 4.0
        return 3

    assert measure("work", work, 10.0) == Rate("work", 9, 12.0)
    assert left == pytest.approx([1.0, 10.0, 6.0, 2.0])
    assert measure("work", work, 8.0) == Rate("work", 6, 8.0)
    assert Rate("work", 9, 12.0).per_second == 0.75


@pytest.mark.parametrize("drafted", [False, True])
def test_the_model_alone_is_called_on_all_prompts_in_batches(clock, drafted):
    calls = []

    class Model(Scripted):
        def _complete(self, prompts, drafts):
            calls.append((list(prompts), drafts and list(drafts)))
            return list(prompts)

    prompts, drafts = list("abcdefgh"), list("ABCDEFGH") if drafted else None
    assert benchmark._call(Model(), prompts, drafts, 3, 10.0) == 8
    assert [batch for batch, _ in calls] == [["a", "b", "c"], ["d", "e", "f"], ["g", "h"]]
    assert [given for _, given in calls] == ([["A", "B", "C"], ["D", "E", "F"], ["G", "H"]] if drafted else [None] * 3)


def test_the_model_alone_is_called_until_the_time_is_over(clock):
    def then(prompt):
        clock.now += 1.0
        return prompt

    assert benchmark._call(Scripted(then=then), list("abcdefgh"), None, 2, 4.0) == 6
    assert benchmark._call(Scripted(then=then), list("abcdefgh"), None, 2, 3.9) == 4
    assert benchmark._call(Scripted(then=then), list("abcdefgh"), None, 2, 100.0) == 8


def test_plain_recursion_takes_the_steps_of_the_runs_and_ends_in_the_goal(registry, clock, monkeypatch):
    one = load(registry, n=5, count=2)
    states, apply = [], one.setting.domain.apply
    monkeypatch.setattr(
        one.setting.domain, "apply", lambda state, action: states.append(apply(state, action)) or states[-1]
    )
    steps = sum(one.setting.domain.expect(problem).steps for problem in one.problems)
    assert benchmark._recurse(one, 1.0) == steps
    assert len(states) == sum(one.setting.domain.expect(problem).actions for problem in one.problems)
    assert one.setting.domain.is_goal(one.problems[-1], states[-1])


def test_plain_recursion_looks_at_the_clock_every_1024_steps(registry, clock):
    one = load(registry, n=12)
    clock.tick = 1.0
    assert benchmark._recurse(one, 2.0) == 3 * 1_024
    assert benchmark._recurse(one, 0.0) == 1_024
    assert benchmark._recurse(one, 100.0) == one.setting.domain.expect(one.problems[0]).steps


@pytest.mark.parametrize("late", [False, True])
def test_runs_that_take_too_long_are_interrupted(registry, monkeypatch, late):
    told = []

    class Timer:
        """Comes too soon or never."""

        def __init__(self, seconds, interrupt):
            told.append(seconds)
            self.interrupt = interrupt

        def start(self):
            told.append("started")
            if not late:
                self.interrupt()

        def cancel(self):
            told.append("cancelled")

    monkeypatch.setattr(benchmark, "Timer", Timer)
    one = load(registry, n=3, count=2)
    fresh = [one.setting.machine(problem) for problem in one.problems]
    steps = benchmark._drive(fresh, Sequential(), one.setting.model("reference"), 7.5)
    assert steps == (20 if late else 0)
    assert told == [7.5, "started", "cancelled"]


def test_a_title_gives_the_range_of_sizes(registry):
    small, large = load(registry, n=3), load(registry, n=7)
    assert Load(small.setting, [*large.problems, *small.problems]).title == "hanoi, pda, symbolic: 2 problems of n=3-7"


def test_each_row_does_its_own_work(registry, monkeypatch):
    found = {}
    monkeypatch.setattr(benchmark, "measure", lambda name, work, seconds: found.update({name: (work, seconds)}))
    one = load(registry, n=12)
    list(rates(one, ["sequential", "cached"], 0.5))
    assert {seconds for _, seconds in found.values()} == {0.5}
    work = [work for work, _ in found.values()]
    assert [each.func for each in work] == [
        benchmark._recurse,
        benchmark._drive,
        benchmark._call,
        *2 * [benchmark._drive],
        *2 * [benchmark._call],
    ]
    pairs = list(teacher_pairs(one.setting, one.problems))
    prompts, targets = [pair.prompt for pair in pairs], [pair.target for pair in pairs]
    assert work[0].args == (one,)
    assert (work[1].args[1].name, work[1].args[2].name) == ("cached", "reference")
    assert {machine.problem for each in (work[1], *work[3:5]) for machine in each.args[0]} == {*one.problems}
    alone = [work[2], *work[5:]]
    assert [each.args[1:] for each in alone] == [(prompts, targets, 64), (prompts, None, 1), (prompts, None, 64)]
    assert [each.args[0].name for each in alone] == ["reference"] * 3
    assert [(each.args[1].name, each.args[2].name) for each in work[3:5]] == [
        ("sequential", "reference"),
        ("cached", "reference"),
    ]


def test_at_most_256_pairs_are_asked_of_the_model_alone(registry, monkeypatch):
    found = []
    monkeypatch.setattr(benchmark, "measure", lambda name, work, seconds: found.append(work))
    list(rates(load(registry, "pancake", "tape", "inline", n=9, count=60), [], 0.5))
    assert {len(work.args[1]) for work in found[2:5]} == {256}


def test_a_peer_gets_the_prompts_and_batches_that_the_model_gets(registry, monkeypatch):
    one, found = load(registry), {}
    peer = one.setting.model("reference")
    choices = []
    monkeypatch.setattr(benchmark, "peers", lambda setting, choice: choices.append(choice) or iter([("able", peer)]))
    monkeypatch.setattr(benchmark, "measure", lambda name, work, seconds: found.update({name: (work, seconds)}))
    list(rates(one, [], 0.25))
    for many in ("one prompt", "64 prompts"):
        (theirs, seconds), (ours, _) = found[f"able, {many}"], found[f"the model alone, {many}"]
        assert (theirs.func, theirs.args[0], theirs.args[1:], seconds) == (ours.func, peer, ours.args[1:], 0.25)
    assert choices == ["reference"]


def test_each_backend_that_opens_a_checkpoint_is_timed(registry):
    setting = load(registry).setting
    found = dict(benchmark._backends(Load(setting, []), setting.model()))
    assert {name: type(model).__module__ for name, model in found.items()} == {
        "numpy": "coc_numpy.backend",
        "torch": "coc_transformer.decoding.backend",
    }


@pytest.mark.parametrize(("each", "lefts"), [(5.0, [5.0, 5.0, 5.0]), (4.5, [5.0, 0.5, 5.0]), (9.0, [5.0, 5.0, 5.0])])
def test_work_that_needs_more_than_its_time_is_given_all_of_it_a_few_times(clock, monkeypatch, each, lefts):
    monkeypatch.setattr(benchmark, "_MOST_ATTEMPTS", 3)
    left, steps = [], iter([0] * 3 + [0, 0, 7] + [0] * 3)

    def work(limit):
        left.append(limit)
        clock.now += each
        return next(steps)

    assert benchmark._repeat(work, 5.0) == (0, 3 * each)
    assert left == pytest.approx(lefts)
    assert benchmark._repeat(work, 5.0) == (7, 3 * each)
    assert benchmark._repeat(work, 5.0) == (0, 3 * each)
    assert len(left) == 9


def test_the_work_of_a_network_is_told_from_that_of_the_host(registry):
    """Of a reference there is no network; a trained model has one, which is the slower part."""
    setting = Setting.of(registry, "hanoi", "pda", "symbolic")
    load = Load(setting, [setting.domain.problem(4)])
    rows = {rate.name: rate for rate in islice(rates(load, ["sequential"], 0.2), 4)}
    assert rows["the loop alone"].host is None
    found = rows["sequential"]
    assert found.host > 0
    assert 0 < found.peak < 1
