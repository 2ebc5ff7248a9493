"""What is computed together, on which device, and that a target is the same however it is come by."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from coc_core.models import Pair
from coc_transformer import continuation
from coc_transformer.continuation import EMPTY, Ids, Prefix, complete, decode, matching, verify
from coc_transformer.decoding import backend
from coc_transformer.decoding.backend import open_checkpoint
from coc_transformer.model import Decoder
from coc_transformer.network import Network, base
from coc_transformer.tokenizer import TextTokenizer

Model = tuple[Decoder, TextTokenizer]


def halves(pairs: tuple[Pair, ...]) -> tuple[list[str], list[str]]:
    return [pair.prompt for pair in pairs], [pair.target for pair in pairs]


# ── batches of drafts ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("device", "dtype", "limit"),
    [
        ("cpu", torch.float32, "_READ_CPU"),
        ("cpu", torch.float64, "_READ_FLOAT64"),
        ("cpu", torch.float64, "_FLOATS_CPU"),
        ("cuda", torch.float32, "_READ"),
        ("cuda", torch.float32, "_FLOATS"),
    ],
)
def test_a_pass_takes_as_much_as_its_device_is_good_for(
    trained: Model, monkeypatch: pytest.MonkeyPatch, device: str, dtype: torch.dtype, limit: str
) -> None:
    for name in ("_READ", "_READ_CPU", "_READ_FLOAT64", "_FLOATS", "_FLOATS_CPU"):
        monkeypatch.setattr(base, name, 10**12)
    monkeypatch.setattr(base, limit, 12 * (trained[0].config.floats_per_token() if limit.startswith("_FLOATS") else 1))
    fake: Any = SimpleNamespace(config=trained[0].config, device=SimpleNamespace(type=device), dtype=dtype)
    assert Network.most_read.fget(fake) == 12


def test_drafts_are_read_in_passes(trained: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    plainly = Decoder.last_logits
    monkeypatch.setattr(base, "_READ_CPU", 12)
    monkeypatch.setattr(Decoder, "last_logits", lambda *given: sizes.append(len(given[1])) or plainly(*given))
    verify(trained[0], [[1, 1, 1]] * 8, [[1]] * 8)
    assert sizes == [3, 3, 2]  # rows of four tokens


def test_a_margin_is_that_of_the_chosen_tokens_alone(trained: Model) -> None:
    logits = torch.zeros(5, 4)
    for place, (token, margin) in enumerate([(1, 5.0), (3, 4.0), (2, 0.5), (0, 7.0), (2, 3.0)]):
        logits[place, token] = margin
    model = trained[0]
    assert matching(model, logits, [[1, 2, 2], [0, 2]]) == [Prefix([1, 3], 4.0), Prefix([0, 2], 3.0)]
    assert matching(model, logits, [[0, 3, 2], [0, 1]]) == [Prefix([1], 5.0), Prefix([0, 2], 3.0)]
    logits[4, 0] = float("nan")
    assert matching(model, logits, [[1, 2, 2], [0, 2]]) == [Prefix([1, 3], 4.0), EMPTY]


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
    found = complete(model, contexts, prefixes)
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
