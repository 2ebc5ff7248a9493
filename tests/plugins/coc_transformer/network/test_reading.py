"""Decoding with a user's network gives what its `forward` gives, with a state and without one."""

import pytest
import torch
from hypothesis import given, settings, strategies as st

from coc_core.models import Pair
from coc_transformer.continuation import decode, sample
from coc_transformer.network import named_network
from coc_transformer.tokenizer import EOS, TextTokenizer
from tests.support.networks import Stepping, Sums

PAIRS = [Pair(f"SUCC n={n}", f"PUSH n={n + 1}") for n in range(30)]
TOKENIZER = TextTokenizer.train(PAIRS, 64, 2, tokens="digits")
MAX_LEN = 24


def made(kind, seed):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return named_network(kind).config({"width": 16}, TOKENIZER.size, MAX_LEN).network().requires_grad_(False).eval()


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
    assert decode(network, TOKENIZER, prompts).texts == expected
    assert decode(network, TOKENIZER, prompts, expected).texts == expected
    assert decode(network, TOKENIZER, prompts, [text[:3] for text in expected]).texts == expected


@settings(max_examples=25)
@given(seed=st.integers(0, 50), rows=st.lists(st.integers(1, 5), min_size=2, max_size=5), kept=st.data())
def test_a_state_follows_the_sequences_that_are_kept(seed, rows, kept):
    readers = [
        made(kind, seed).begin([[token] * length for token, length in enumerate(rows, 8)]) for kind in (Sums, Stepping)
    ]
    which = kept.draw(st.lists(st.sampled_from(range(len(rows))), min_size=1, unique=True))
    found = []
    for reader, logits in readers:
        assert reader.length == max(rows)
        reader.keep(which)
        found += [logits, reader.read([[9]] * len(which)), reader.read([[row + 7] for row in range(len(which))])]
        assert reader.length == max(rows[row] for row in which) + 2 or reader.length == max(rows) + 2
    for one, other in zip(found[:3], found[3:], strict=True):
        assert torch.allclose(torch.from_numpy(one), torch.from_numpy(other), atol=1e-5)


def test_both_draw_the_same_samples():
    prompts = ["SUCC n=1", "SUCC n=22", "SUCC n=3"]
    one, other = (sample(made(kind, 1), TOKENIZER, prompts, [1, 2, 3]) for kind in (Sums, Stepping))
    assert one == other
