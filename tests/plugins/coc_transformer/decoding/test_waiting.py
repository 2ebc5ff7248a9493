"""The host waits for a device once a token, and once for a batch of drafts."""

from collections import Counter

import pytest
import torch

from coc_transformer.continuation import EMPTY, complete, verify
from coc_transformer.network import named_network
from coc_transformer.tokenizer import TextTokenizer
from tests.plugins.coc_transformer.conftest import decode
from tests.support.networks import Stepping, Sums

WAITING = ("cpu", "item", "tolist", "numpy", "__bool__", "__int__", "__float__", "__index__")
"""What reads a tensor's numbers. On a GPU, each waits until these are computed."""


@pytest.fixture
def waits(monkeypatch):
    """How often the host has waited, by method; a copy of a matrix is one of logits to the host."""
    counts = Counter()

    def watch(name):
        method = getattr(torch.Tensor, name)

        def watched(self, *arguments, **options):
            counts[name] += name != "copy_" or self.dim() == 2
            return method(self, *arguments, **options)

        monkeypatch.setattr(torch.Tensor, name, watched)

    for name in (*WAITING, "copy_"):
        watch(name)
    return counts


def test_the_decoder_waits_once_a_token(trained, toy_pairs, waits):
    prompts, targets = zip(*toy_pairs[:9], strict=True)
    assert decode(*trained, prompts) == list(targets)
    assert +waits == {"copy_": max(len(trained[1].encode(target)) + 1 for target in targets)}


@pytest.mark.parametrize("kind", [Sums, Stepping])
def test_another_network_waits_once_a_token_whatever_the_lengths(kind, waits, toy_pairs):
    tokenizer = TextTokenizer.train(toy_pairs, 64, 2, tokens="digits")
    network = named_network(kind).config({"width": 16}, tokenizer.size, 24).network().requires_grad_(False).eval()
    waits.clear()
    with network.computing():
        found = complete(network, list(map(tokenizer.context, ["PUSH", "PUSH n=1", "PUSH n=12"])), [EMPTY] * 3)
    assert waits["cpu"] == max(len(target.ids) for target in found)
    assert {*+waits} == {"cpu", "numpy"}


def test_drafts_of_a_batch_wait_once(trained, toy_pairs, waits):
    model, tokenizer = trained
    contexts = [tokenizer.context(pair.prompt) for pair in toy_pairs[:9]]
    verify(model, contexts, [tokenizer.encode(pair.target) for pair in toy_pairs[:9]])
    assert waits["cpu"] == 1
    assert {*+waits} == {"cpu", "numpy"}
