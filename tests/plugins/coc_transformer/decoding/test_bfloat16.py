"""Verification in bfloat16: it decides as float32 does, and where that is in doubt float32 decides."""

from collections.abc import Callable

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from coc_core.errors import NumericFault
from coc_core.models import Pair
from coc_transformer.decoding import bfloat16
from coc_transformer.decoding.backend import Transformer
from coc_transformer.decoding.bfloat16 import Bfloat16First, verify_pass_for
from coc_transformer.decoding.drafts import Ids, Prefix, verify_exactly
from coc_transformer.decoding.greedy import decode
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training.presets import PRESETS

Model = tuple[Decoder, TextTokenizer]


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows of each pass in float32 that is made because bfloat16 left doubt, or is not faster."""
    sizes: list[int] = []

    def counted(model: Decoder, rows: Ids, targets: Ids) -> list[Prefix]:
        sizes.append(len(rows))
        return verify_exactly(model, rows, targets)

    monkeypatch.setattr(bfloat16, "verify_exactly", counted)
    return sizes


def ready(largest_error: float) -> Bfloat16First:
    """After its calibration, in which bfloat16 was faster."""
    return Bfloat16First(calibrated=10**9, seconds_float32=2.0, seconds_bfloat16=1.0, largest_error=largest_error)


def scaled(model: Decoder, factor: float) -> Decoder:
    """The same model with its logits multiplied by a factor, and hence its margins."""
    other = Decoder(model.config)
    other.load_state_dict(model.state_dict())
    with torch.no_grad():
        other.norm.weight *= factor
        other.norm.bias *= factor
    return other.requires_grad_(False).eval()


@pytest.mark.slow
@given(st.data(), st.sampled_from([0.003, 0.05, 1, 30]))
def test_it_changes_no_target(trained: Model, toy_pairs: tuple[Pair, ...], data: st.DataObject, by: float) -> None:
    model, tokenizer = scaled(trained[0], by), trained[1]
    pairs = data.draw(st.lists(st.sampled_from(toy_pairs), min_size=1, max_size=12))
    drafts = [data.draw(st.just(pair.target) | st.text("PUSH n=1234\n", max_size=20)) for pair in pairs]
    prompts = [pair.prompt for pair in pairs]
    calibrated = Bfloat16First()
    plain = decode(model, tokenizer, prompts, drafts)
    assert decode(model, tokenizer, prompts, drafts, verify_pass=calibrated.verify) == plain
    found = decode(model, tokenizer, prompts, drafts, verify_pass=ready(calibrated.largest_error).verify)
    assert found.texts == plain.texts
    assert found.margins == pytest.approx(plain.margins, rel=0.05, abs=8 * calibrated.largest_error)


def test_right_drafts_beyond_doubt_are_not_verified_again(
    trained: Model, toy_pairs: tuple[Pair, ...], passes: list[int]
) -> None:
    prompts, targets = zip(*toy_pairs, strict=True)
    assert decode(*trained, prompts, targets, verify_pass=ready(0).verify).texts == list(targets)
    assert passes == []


def test_wrong_drafts_and_small_margins_are_verified_again(
    trained: Model, toy_pairs: tuple[Pair, ...], passes: list[int]
) -> None:
    prompts, targets = zip(*toy_pairs, strict=True)
    wrong = ["PUSH n=77", *targets[1:]]
    assert decode(*trained, prompts, wrong, verify_pass=ready(0).verify).texts == list(targets)
    assert passes == [1]
    passes.clear()
    assert decode(*trained, prompts, targets, verify_pass=ready(1e6).verify).texts == list(targets)
    assert sum(passes) == len(prompts)


def test_bfloat16_is_not_used_where_it_is_not_faster(
    trained: Model, toy_pairs: tuple[Pair, ...], passes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bfloat16, "_rounded_logits", None)
    prompts, targets = zip(*toy_pairs, strict=True)
    slow = Bfloat16First(calibrated=10**9, seconds_float32=1.2, seconds_bfloat16=1.0)
    assert decode(*trained, prompts, targets, verify_pass=slow.verify).texts == list(targets)
    assert sum(passes) == len(prompts)


def test_the_calibration_measures_time_and_rounding(trained: Model, toy_pairs: tuple[Pair, ...]) -> None:
    model, tokenizer = trained
    prompts, targets = zip(*toy_pairs, strict=True)
    calibrated = Bfloat16First()
    decode(model, tokenizer, prompts, targets, verify_pass=calibrated.verify)
    first = calibrated.calibrated
    assert first == sum(len(tokenizer.encode(target)) + 1 for target in targets)
    assert 0 < calibrated.largest_error < 1
    decode(model, tokenizer, prompts, targets, verify_pass=calibrated.verify)
    assert calibrated.calibrated == 2 * first
    assert min(calibrated.seconds_float32, calibrated.seconds_bfloat16) > 0


@pytest.mark.parametrize("begun", [Bfloat16First, lambda: ready(0.1)], ids=["during calibration", "after it"])
def test_broken_numbers_are_a_numeric_fault(
    trained: Model, toy_pairs: tuple[Pair, ...], begun: Callable[[], Bfloat16First]
) -> None:
    model, tokenizer = trained
    broken = scaled(model, float("nan"))
    with pytest.raises(NumericFault, match="not finite"):
        decode(broken, tokenizer, [toy_pairs[0].prompt], [toy_pairs[0].target], verify_pass=begun().verify)


def test_only_large_models_use_bfloat16(trained: Model) -> None:
    assert verify_pass_for(PRESETS["exact-lists"].model) is verify_exactly
    assert verify_pass_for(PRESETS["paper-hanoi"].model) is not verify_exactly


def test_two_models_have_calibrations_of_their_own(
    trained: Model, toy_pairs: tuple[Pair, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bfloat16, "SMALL", 0)
    one, other = (Transformer(*trained, label="toy") for _ in range(2))
    prompts, targets = zip(*toy_pairs, strict=True)
    assert one.complete(prompts, targets) == list(targets) == other.verify(prompts, targets)
    one.unbatched = True
    assert one.complete(prompts, targets) == list(targets)
