"""Runs of the policy and of the trained model, checked by the simulator."""

import pytest

import simulator
from coc_core.execution import Cached, Lockstep
from coc_core.plugin import Registry
from coc_core.setting import Setting

SETTINGS = [("pda", "symbolic"), ("tape", "symbolic"), ("tape", "inline")]
TRAINED, UNSEEN = (1, 2, 3, 7, 20), (21, 40)


def runs(setting, sizes, executor, model):
    """Solve a problem of each size and return the plans, as lines."""
    plans = {n: [] for n in sizes}
    machines = [
        setting.machine(setting.domain.problem(n), [lambda record, n=n: plans[n].extend(record.actions)]) for n in sizes
    ]
    for n, outcome in zip(sizes, executor.run(machines, setting.model(model)), strict=True):
        assert outcome.status == "solved", f"n={n}: {outcome}"
        assert outcome.steps == n * (n + 3)
    return {n: list(map(setting.domain.actions.format, plan)) for n, plan in plans.items()}


def check(plans):
    for n, lines in plans.items():
        assert simulator.play(n, lines) == simulator.goal(n)
        assert len(lines) == (n + 1) ** 2 - 1


@pytest.mark.parametrize(("memory", "arith"), SETTINGS)
def test_the_policy_solves_every_size(memory, arith):
    setting = Setting.of(Registry.installed(), "checkers", memory, arith)
    check(runs(setting, [*range(1, 16), 60], Cached(), "reference"))


@pytest.mark.parametrize(("memory", "arith"), SETTINGS)
def test_the_trained_model_solves_sizes_of_its_training(memory, arith):
    setting = Setting.of(Registry.installed(), "checkers", memory, arith)
    check(runs(setting, TRAINED, Lockstep(), "checkers"))


@pytest.mark.parametrize(("memory", "arith"), SETTINGS)
def test_the_trained_model_solves_sizes_that_it_has_never_seen(memory, arith):
    setting = Setting.of(Registry.installed(), "checkers", memory, arith)
    check(runs(setting, UNSEEN, Lockstep(), "checkers"))
