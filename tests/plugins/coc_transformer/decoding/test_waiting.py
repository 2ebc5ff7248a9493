"""The host waits for a device once a token, and once for a batch of drafts."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
import torch

from coc_core.models import Pair
from coc_transformer.continuation import decode, verify
from coc_transformer.model import Decoder
from coc_transformer.network import named_network
from coc_transformer.tokenizer import TextTokenizer
from tests.support.networks import Stepping, Sums

WAITING = ("cpu", "item", "tolist", "numpy", "__bool__", "__int__", "__float__", "__index__")
"""What reads a tensor's numbers. On a GPU, each waits until these are computed."""


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the host has waited, by method; a copy of a matrix is one of logits to the host."""
    counts = Counter[str]()

    def watch(name: str) -> None:
        method: Any = getattr(torch.Tensor, name)

        def watched(self: torch.Tensor, *arguments: Any, **options: Any) -> Any:
            counts[name] += name != "copy_" or self.dim() == 2
            return method(self, *arguments, **options)

        monkeypatch.setattr(torch.Tensor, name, watched)

    for name in (*WAITING, "copy_"):
        watch(name)
    return counts


def reads(monkeypatch: pytest.MonkeyPatch, network: Any) -> list[int]:
    """How many sequences are read, each time that a network reads a token of each."""
    sizes, begin = list[int](), network.begin

    def begun(rows: Sequence[list[int]]) -> Any:
        reader, logits = begin(rows)
        read = reader.read

        def counted(rows: Sequence[list[int]]) -> Any:
            sizes.append(len(rows))
            return read(rows)

        reader.read = counted
        sizes.append(len(rows))
        return reader, logits

    monkeypatch.setattr(network, "begin", begun)
    return sizes


def test_the_decoder_waits_once_a_token(
    trained: tuple[Decoder, TextTokenizer],
    toy_pairs: tuple[Pair, ...],
    monkeypatch: pytest.MonkeyPatch,
    waits: Counter[str],
) -> None:
    sizes = reads(monkeypatch, trained[0])
    prompts, targets = zip(*toy_pairs[:9], strict=True)
    assert decode(*trained, prompts).texts == list(targets)
    assert +waits == {"copy_": len(sizes)}
    assert len(sizes) < sum(map(len, targets))


@pytest.mark.parametrize("kind", [Sums, Stepping])
def test_another_network_waits_once_a_token_whatever_the_lengths(
    kind: Any, monkeypatch: pytest.MonkeyPatch, waits: Counter[str], toy_pairs: tuple[Pair, ...]
) -> None:
    tokenizer = TextTokenizer.train(toy_pairs, 64, 2, tokens="digits")
    network = named_network(kind).config({"width": 16}, tokenizer.size, 24).network().requires_grad_(False).eval()
    sizes = reads(monkeypatch, network)
    waits.clear()
    decode(network, tokenizer, ["PUSH", "PUSH n=1", "PUSH n=12"])
    assert sizes
    assert waits["cpu"] == len(sizes)
    assert {*+waits} == {"cpu", "numpy"}


def test_drafts_of_a_batch_wait_once(
    trained: tuple[Decoder, TextTokenizer], toy_pairs: tuple[Pair, ...], waits: Counter[str]
) -> None:
    model, tokenizer = trained
    contexts = [tokenizer.context(pair.prompt) for pair in toy_pairs[:9]]
    verify(model, contexts, [tokenizer.encode(pair.target) for pair in toy_pairs[:9]])
    assert waits["cpu"] == 1
    assert {*+waits} == {"cpu", "numpy"}
