"""A transformer with speculative execution gives the same runs, right or wrong."""

import pytest
import torch

from coc_core.execution import Lockstep, Sequential, Speculative
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.types import Limits
from coc_transformer.decoding.backend import Transformer
from tests.support.flawed_models import traces

SETTINGS = [("tape", "inline"), ("tape", "symbolic"), ("pda", "symbolic")]


def shaken(memory, arith, noise):
    """The checkpoint that ships, its weights a little off: it is wrong the sooner the more they are."""
    setting = Setting.of(Registry.installed(), "hanoi", memory, arith, Limits(steps=10))
    model = setting.model("torch:")
    assert isinstance(model, Transformer)
    with torch.random.fork_rng(), torch.no_grad():
        torch.manual_seed(0)
        for parameter in model._network.parameters():
            parameter += noise * parameter.std() * torch.randn_like(parameter)
    return setting, model


@pytest.mark.parametrize(
    ("memory", "arith", "noise"),
    [
        pytest.param(*names, noise, marks=() if (names, noise) == (("pda", "symbolic"), 0.1) else pytest.mark.slow)
        for names in SETTINGS
        for noise in (0, 0.1, 0.3, 1)
    ],
)
def test_a_transformer_takes_the_same_steps(memory, arith, noise):
    setting, model = shaken(memory, arith, noise)
    problems = [setting.domain.problem(n) for n in (1, 3)]
    alone = traces(setting, problems, model, Sequential())
    assert traces(setting, problems, model, Speculative()) == alone
    assert traces(setting, problems, model, Lockstep()) == alone
    if not noise:
        assert [outcome.status for _, outcome, _ in alone] == ["solved"] * 2
    if noise == 1:
        assert [outcome.status for _, outcome, _ in alone] == ["fault"] * 2
