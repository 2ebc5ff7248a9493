"""Checks in bfloat16: what they say is what float32 says, and where that is not sure they say nothing."""

from collections.abc import Callable

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from coc_core.errors import NumericFault
from coc_core.models import Pair
from coc_transformer.decoding import bfloat16 as coarse
from coc_transformer.decoding.backend import Transformer
from coc_transformer.decoding.bfloat16 import Bfloat16Check, pass_for
from coc_transformer.decoding.drafts import Ids, Verified, full_precision
from coc_transformer.decoding.greedy import decode
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training.presets import PRESETS

Model = tuple[Decoder, TextTokenizer]


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows of each pass in float32 that is made because a coarse one was in doubt, or does not pay."""
    sizes: list[int] = []

    def counted(model: Decoder, rows: Ids, wanted: Ids) -> list[Verified]:
        sizes.append(len(rows))
        return full_precision(model, rows, wanted)

    monkeypatch.setattr(coarse, "full_precision", counted)
    return sizes


def ready(moved: float) -> Bfloat16Check:
    """After its trials, which showed that it pays."""
    return Bfloat16Check(tried=10**9, seconds_float32=2.0, seconds_bfloat16=1.0, moved=moved)


def scaled(model: Decoder, factor: float) -> Decoder:
    """The same model with logits so many times as large: its leads are, too."""
    other = Decoder(model.config)
    other.load_state_dict(model.state_dict())
    with torch.no_grad():
        other.norm.weight *= factor
        other.norm.bias *= factor
    return other.requires_grad_(False).eval()


@given(st.data(), st.sampled_from([0.003, 0.05, 1, 30]))
def test_it_changes_no_answer(trained: Model, toy_pairs: tuple[Pair, ...], data: st.DataObject, by: float) -> None:
    model, tokenizer = scaled(trained[0], by), trained[1]
    pairs = data.draw(st.lists(st.sampled_from(toy_pairs), min_size=1, max_size=12))
    drafts = [data.draw(st.just(pair.target) | st.text("PUSH n=1234\n", max_size=20)) for pair in pairs]
    prompts = [pair.prompt for pair in pairs]
    tried = Bfloat16Check()
    plain = decode(model, tokenizer, prompts, drafts)
    assert decode(model, tokenizer, prompts, drafts, draft_pass=tried.check) == plain
    found = decode(model, tokenizer, prompts, drafts, draft_pass=ready(tried.moved).check)
    assert found.texts == plain.texts
    assert found.margins == pytest.approx(plain.margins, rel=0.05, abs=8 * tried.moved)


def test_right_drafts_beyond_doubt_are_not_checked_again(
    trained: Model, toy_pairs: tuple[Pair, ...], passes: list[int]
) -> None:
    prompts, targets = zip(*toy_pairs, strict=True)
    assert decode(*trained, prompts, targets, draft_pass=ready(0).check).texts == list(targets)
    assert passes == []


def test_wrong_drafts_and_small_leads_are_checked_again(
    trained: Model, toy_pairs: tuple[Pair, ...], passes: list[int]
) -> None:
    prompts, targets = zip(*toy_pairs, strict=True)
    wrong = ["PUSH n=77", *targets[1:]]
    assert decode(*trained, prompts, wrong, draft_pass=ready(0).check).texts == list(targets)
    assert passes == [1]
    passes.clear()
    assert decode(*trained, prompts, targets, draft_pass=ready(1e6).check).texts == list(targets)
    assert sum(passes) == len(prompts)


def test_what_does_not_pay_is_not_done(
    trained: Model, toy_pairs: tuple[Pair, ...], passes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coarse, "_rounded", None)
    prompts, targets = zip(*toy_pairs, strict=True)
    slow = Bfloat16Check(tried=10**9, seconds_float32=1.2, seconds_bfloat16=1.0)
    assert decode(*trained, prompts, targets, draft_pass=slow.check).texts == list(targets)
    assert sum(passes) == len(prompts)


def test_the_trials_measure_time_and_rounding(trained: Model, toy_pairs: tuple[Pair, ...]) -> None:
    model, tokenizer = trained
    prompts, targets = zip(*toy_pairs, strict=True)
    tried = Bfloat16Check()
    decode(model, tokenizer, prompts, targets, draft_pass=tried.check)
    first = tried.tried
    assert first == sum(len(tokenizer.encode(target)) + 1 for target in targets)
    assert 0 < tried.moved < 1
    decode(model, tokenizer, prompts, targets, draft_pass=tried.check)
    assert tried.tried == 2 * first
    assert min(tried.seconds_float32, tried.seconds_bfloat16) > 0


@pytest.mark.parametrize("begun", [Bfloat16Check, lambda: ready(0.1)], ids=["in the trials", "after them"])
def test_broken_numbers_are_a_numeric_fault(
    trained: Model, toy_pairs: tuple[Pair, ...], begun: Callable[[], Bfloat16Check]
) -> None:
    model, tokenizer = trained
    broken = scaled(model, float("nan"))
    with pytest.raises(NumericFault, match="not finite"):
        decode(broken, tokenizer, [toy_pairs[0].prompt], [toy_pairs[0].target], draft_pass=begun().check)


def test_only_large_models_are_checked_so(trained: Model) -> None:
    assert pass_for(PRESETS["exact-lists"].model) is full_precision
    assert pass_for(PRESETS["paper-hanoi"].model) is not full_precision


def test_two_models_have_trials_of_their_own(
    trained: Model, toy_pairs: tuple[Pair, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coarse, "SMALL", 0)
    one, other = (Transformer(*trained, label="toy") for _ in range(2))
    prompts, targets = zip(*toy_pairs, strict=True)
    assert one.complete(prompts, targets) == list(targets) == other.verify(prompts, targets)
    one.alone = True
    assert one.complete(prompts, targets) == list(targets)
