"""What is computed together, on which device, and that a target is the same however it is come by."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from coc_core.models import Pair
from coc_transformer import continuation
from coc_transformer.continuation import EMPTY, Ids, Prefix
from coc_transformer.decoding import backend, drafts, greedy as module
from coc_transformer.decoding.backend import Transformer, open_checkpoint
from coc_transformer.decoding.drafts import matching_prefixes, verify
from coc_transformer.decoding.greedy import decode, decode_until_mismatch
from coc_transformer.files import ModelConfig
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import EOS, TextTokenizer

Model = tuple[Decoder, TextTokenizer]


def halves(pairs: tuple[Pair, ...]) -> tuple[list[str], list[str]]:
    return [pair.prompt for pair in pairs], [pair.target for pair in pairs]


# ── batches of drafts ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("device", "dtype", "limit"),
    [
        ("cpu", torch.float32, "_PASS_TOKENS_CPU"),
        ("cpu", torch.float64, "_PASS_TOKENS_FLOAT64"),
        ("cpu", torch.float64, "_PASS_FLOATS_CPU"),
        ("cuda", torch.float32, "_PASS_TOKENS"),
        ("cuda", torch.float32, "_PASS_FLOATS"),
    ],
)
def test_a_pass_takes_as_much_as_its_device_is_good_for(
    trained: Model, monkeypatch: pytest.MonkeyPatch, device: str, dtype: torch.dtype, limit: str
) -> None:
    for name in ("_PASS_TOKENS", "_PASS_TOKENS_CPU", "_PASS_TOKENS_FLOAT64", "_PASS_FLOATS", "_PASS_FLOATS_CPU"):
        monkeypatch.setattr(drafts, name, 10**12)
    monkeypatch.setattr(drafts, limit, 12 * (trained[0].config.floats_per_token() if "FLOATS" in limit else 1))
    sizes: list[int] = []

    def watched(model: Decoder, rows: Ids, targets: Ids) -> torch.Tensor:
        sizes.append(len(rows))
        return torch.zeros(len(rows) * len(targets[0]), 2)

    monkeypatch.setattr(drafts, "predicted_logits", watched)
    fake: Any = SimpleNamespace(config=trained[0].config, device=SimpleNamespace(type=device), dtype=dtype)
    verify(fake, [[1, 1, 1]] * 8, [[1]] * 8)
    assert sizes == [3, 3, 2]  # rows of four tokens


def test_a_margin_is_that_of_the_chosen_tokens_alone() -> None:
    logits = torch.zeros(5, 4)
    for place, (token, margin) in enumerate([(1, 5.0), (3, 4.0), (2, 0.5), (0, 7.0), (2, 3.0)]):
        logits[place, token] = margin
    assert matching_prefixes(logits, [[1, 2, 2], [0, 2]]) == [Prefix([1, 3], 4.0), Prefix([0, 2], 3.0)]
    assert matching_prefixes(logits, [[0, 3, 2], [0, 1]]) == [Prefix([1], 5.0), Prefix([0, 2], 3.0)]
    logits[4, 0] = float("nan")
    assert matching_prefixes(logits, [[1, 2, 2], [0, 2]]) == [EMPTY, EMPTY]


# ── decoding goes on from any prefix ──────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The shape of each batch of sequences that is decoded."""
    shapes: list[tuple[int, int]] = []
    plainly = Decoder.begin

    def watched(model: Decoder, rows: Ids) -> Any:
        shapes.append((len(rows), len(rows[0])))
        return plainly(model, rows)

    monkeypatch.setattr(Decoder, "begin", watched)
    return shapes


def test_any_prefix_of_a_target_is_completed_to_the_whole(trained: Model, toy_pairs: tuple[Pair, ...]) -> None:
    model, tokenizer = trained
    contexts, prefixes, wholes = [], [], []
    for pair in toy_pairs:
        ids, start = tokenizer.example(pair)
        for length in range(len(ids) - start + 1):
            contexts.append(ids[:start])
            prefixes.append(Prefix(ids[start : start + length], 99.0 if length % 2 else 1e-3))
            wholes.append(ids[start:])
    found = module._complete(model, contexts, prefixes)
    assert [target.ids for target in found] == wholes
    assert all(target.margin <= prefix.margin for target, prefix in zip(found, prefixes, strict=True))
    assert {target.margin for target, prefix in zip(found, prefixes, strict=True) if prefix.margin < 1} == {1e-3}


@pytest.mark.parametrize("room", [0, 1, 2.5, 100])
def test_as_many_sequences_are_decoded_together_as_there_is_room_for(
    trained: Model, monkeypatch: pytest.MonkeyPatch, batches: list[tuple[int, int]], room: float
) -> None:
    model, tokenizer = trained
    prompts = [f"SUCC n={n}" for n in range(7)]
    length = len(tokenizer.context(prompts[0]))
    each = model.config.cache_floats() + length * model.config.floats_per_token()
    monkeypatch.setattr(continuation, "_FLOATS", int(room * each))
    assert decode(model, tokenizer, prompts).texts == [f"PUSH n={n + 1}\nPUSH n={n}" for n in range(7)]
    expected = {0: [1] * 7, 1: [1] * 7, 2.5: [2, 2, 2, 1], 100: [7]}[room]
    assert batches == [(size, length) for size in expected]


# ── devices ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_all_is_computed_on_the_models_device_whatever_the_default_is(
    trained: Model, toy_pairs: tuple[Pair, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts, targets = halves(toy_pairs)
    guesses = [*targets[:3], *("PUSH n=77" for _ in targets[3:])]
    with torch.device("meta"):
        assert decode(*trained, prompts).texts == targets
        assert decode(*trained, prompts, guesses).texts == targets
        assert decode_until_mismatch(*trained, prompts, guesses).texts == targets[:4]
        monkeypatch.setattr(Decoder, "begin", None)
        assert decode(*trained, prompts, targets).texts == targets


class Elsewhere:
    """A device that is not the CPU, as far as the record of a model goes."""

    type = "cuda"


def test_a_model_says_on_which_device_it_is_and_with_how_many_threads(
    trained: Model, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    moved: list[object] = []
    device, (decoder, tokenizer) = Elsewhere(), trained
    monkeypatch.setattr(backend, "inference_device", lambda: device)
    monkeypatch.setattr(backend, "device_name", lambda it: f"name of {it.type}")
    monkeypatch.setattr(backend, "load_decoder", lambda folder, config: (decoder, tokenizer))
    monkeypatch.setattr(backend.checkpoint, "fingerprint", lambda folder: f"of {folder.name}")
    monkeypatch.setattr(Decoder, "to", lambda self, place: moved.append(place) or self)
    identity: Any = SimpleNamespace(dialects=("toy/stack",))
    (tmp_path / "toy").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "toy")
    model = open_checkpoint(tmp_path / "link", {}, identity, "toy/stack")
    assert moved == [device]
    assert model.record == {
        "fingerprint": "of link",
        "torch": torch.__version__,
        "dtype": "float32",
        "threads": str(torch.get_num_threads()),
        "device": "name of cuda",
    }
    assert model.describe() == f"toy (transformer, {decoder.parameter_count():,} parameters)"


# ── what the backend passes on ────────────────────────────────────────────────────────────────────────────────────


def test_drafts_and_the_dialect_are_passed_on(trained: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[Any, ...]] = []

    def watched(*arguments: Any) -> module.Decoded:
        calls.append(arguments)
        return module.Decoded(["text"], [0.5])

    monkeypatch.setattr(backend, "decode", watched)
    monkeypatch.setattr(backend, "decode_until_mismatch", watched)
    model = Transformer(*trained, "toy", 2)
    assert model.complete(["a"], ["b"]) == model.verify(["c"], ["d"]) == ["text"]
    assert calls == [(*trained, ["a"], ["b"], 2), (*trained, ["c"], ["d"], 2)]


def test_only_the_first_wrong_draft_of_a_dialect_is_replaced(
    toy_pairs: tuple[Pair, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenizer = TextTokenizer.train(toy_pairs, 512, 2, tokens="exact", dialects=2)
    prompts, targets = halves(toy_pairs[:3])
    contexts: list[list[int]] = []

    def watched(model: Decoder, rows: Ids, drafted: Ids) -> list[Prefix]:
        contexts.extend(rows)
        return [Prefix([*target, EOS], 1.0) for target in drafted]

    monkeypatch.setattr(module, "verify", watched)
    config = ModelConfig(tokenizer.size, 8, 1, 1, 8, max_len=64, dropout=0.0, positions="absolute", token_shift=0)
    model = Decoder(config).requires_grad_(False).eval()
    for dialect in (0, 1):
        contexts.clear()
        found = decode_until_mismatch(model, tokenizer, prompts, targets, dialect)
        assert found.texts == targets
        assert {row[0] for row in contexts} == {tokenizer.context("", dialect)[0]}


def test_a_target_with_eos_needs_no_decoding(trained: Model, batches: list[tuple[int, int]]) -> None:
    model, tokenizer = trained
    context = tokenizer.context("SUCC n=3")
    prefix = Prefix([*tokenizer.encode("PUSH"), EOS], 2.0)
    assert module._complete(model, [context], [prefix]) == [prefix]
    assert batches == []
