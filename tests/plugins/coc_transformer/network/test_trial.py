"""A network that can't be trained or decoded is refused before anything is written."""

import pytest
import torch
from attrs import evolve

from coc_core.errors import CocError, PluginError, UsageError
from coc_learn.trainer import TrainingJob
from coc_transformer.network import check_network, named_network
from coc_transformer.training.trainer import TransformerTrainer
from tests.support.networks import FLAWED, Clashing, Computing, Huge, Stepping, Sums


def job(network, out, **overrides):
    return TrainingJob("transformer", (), out, "small", overrides=overrides, network=network)


@pytest.mark.parametrize("network", [Sums, Stepping, Computing])
def test_a_network_that_follows_the_protocol_is_accepted(network, tmp_path):
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    TransformerTrainer().check(job(network, tmp_path / "out"))
    assert torch.rand(1) == expected
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("network", FLAWED, ids=lambda network: network.__name__)
def test_a_flaw_is_told(network, tmp_path):
    with pytest.raises(CocError, match=FLAWED[network]) as error:
        TransformerTrainer().check(job(network, tmp_path / "out"))
    assert error.value.exit_code == (UsageError if network in (Clashing, Huge) else PluginError).exit_code
    assert "\n" not in str(error.value)
    assert not list(tmp_path.iterdir())


def test_the_shortest_context(tmp_path):
    check_network("sums", named_network(Stepping).config({}, 8, 4))
    with pytest.raises(UsageError, match="'max_len' must be >= 4"):
        TransformerTrainer().check(job(Stepping, tmp_path / "out", max_len="3"))


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"depth": "2"}, "unknown hyperparameter 'depth'.*networks:Sums: width, rate, deep, kind"),
        ({"width": "two"}, "width must be a whole number, not 'two'"),
        ({"deep": "1"}, "deep must be true or false, not '1'"),
        ({"width": "1000000000000"}, "has more than 1,000,000,000 parameters; choose smaller hyperparameters"),
    ],
)
def test_its_hyperparameters_are_read_like_the_others(tmp_path, values, reason):
    with pytest.raises(UsageError, match=reason):
        TransformerTrainer().check(job(Sums, tmp_path / "out", **values))


def test_some_that_are_allowed(tmp_path):
    TransformerTrainer().check(job(Sums, tmp_path / "out", width="12", rate="1e-3", deep="true", kind="a b", lr="0.1"))


def test_presets_that_only_the_decoder_could_follow(tmp_path):
    for preset in ("exact", "exact-numbers", "exact-lists", "arithmetic", "paper"):
        TransformerTrainer().check(evolve(job(Sums, tmp_path / "out"), preset=preset))
