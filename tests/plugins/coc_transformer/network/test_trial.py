"""A network that can't be trained or decoded is refused before anything is written; any other gives what its `forward` does."""

import pytest
import torch
from attrs import evolve
from hypothesis import given, settings, strategies as st

from coc_core.errors import CocError, PluginError, UsageError
from coc_core.models import Pair
from coc_learn.trainer import TrainingJob
from coc_transformer.decoding.backend import Transformer
from coc_transformer.network import check_network, own_network
from coc_transformer.tokenizer import EOS, TextTokenizer
from coc_transformer.training.trainer import TransformerTrainer
from tests.plugins.coc_transformer.conftest import decode
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
    assert network.__name__ in str(error.value)
    assert "\n" not in str(error.value)
    assert not list(tmp_path.iterdir())


def test_the_shortest_context(tmp_path):
    check_network(own_network(Stepping).config({}, 8, 4))
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


PAIRS = [Pair(f"SUCC n={n}", f"PUSH n={n + 1}") for n in range(30)]
TOKENIZER = TextTokenizer.train(PAIRS, 64, 2, tokens="digits")
MAX_LEN = 24


def made(kind, seed):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return own_network(kind).config({"width": 16}, TOKENIZER.size, MAX_LEN).network().requires_grad_(False).eval()


def slowly(network, prompt):
    """What a loop over `forward` writes."""
    ids, written = TOKENIZER.context(prompt), []
    while len(ids) + len(written) < MAX_LEN and written[-1:] != [EOS]:
        written.append(int(network(torch.tensor([[*ids, *written]]))[0, -1].argmax()))
    return TOKENIZER.target(written)


@pytest.mark.parametrize("kind", [Sums, Stepping])
@settings(max_examples=25)
@given(
    seed=st.integers(0, 50),
    prompts=st.lists(
        st.sampled_from(["SUCC n=1", "SUCC n=22", "SUCC n=1 n=2", "SUCC n=2 n=11"]), min_size=1, max_size=6
    ),
)
def test_prompts_of_any_lengths_are_decoded_as_if_alone(kind, seed, prompts):
    network = made(kind, seed)
    expected = [slowly(network, prompt) for prompt in prompts]
    assert decode(network, TOKENIZER, prompts) == expected
    assert decode(network, TOKENIZER, prompts, expected) == expected
    assert decode(network, TOKENIZER, prompts, [text[:3] for text in expected]) == expected


@settings(max_examples=25)
@given(seed=st.integers(0, 50), rows=st.lists(st.integers(1, 5), min_size=2, max_size=5), kept=st.data())
def test_a_state_follows_the_sequences_that_are_kept(seed, rows, kept):
    first = [[token] * length for token, length in enumerate(rows, 8)]
    which = kept.draw(st.lists(st.sampled_from(range(len(rows))), min_size=1, unique=True))
    found = []
    for reader in (made(kind, seed).begin(first) for kind in (Sums, Stepping)):
        logits = reader.read(first)
        assert reader.length == max(rows)
        reader.keep(which)
        found += [logits, reader.read([[9]] * len(which)), reader.read([[row + 7] for row in range(len(which))])]
        assert reader.length == max(rows[row] for row in which) + 2 or reader.length == max(rows) + 2
    for one, other in zip(found[:3], found[3:], strict=True):
        assert torch.allclose(torch.from_numpy(one), torch.from_numpy(other), atol=1e-5)


def test_both_draw_the_same_samples():
    prompts = ["SUCC n=1", "SUCC n=22", "SUCC n=3"]
    one, other = (Transformer(made(kind, 1), TOKENIZER, "").sample(prompts, [1, 2, 3]) for kind in (Sums, Stepping))
    assert one == other
