"""Verification in bfloat16: only on request, and where its result is in doubt float32 decides."""

from collections.abc import Callable

import pytest
import torch
from hypothesis import given, settings, strategies as st

from coc_core.errors import NumericFault, UsageError
from coc_core.models import Pair, read_config
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.setting import Setting
from coc_learn.datasets import teacher_pairs
from coc_transformer.continuation import Ids, Prefix
from coc_transformer.decoding import bfloat16
from coc_transformer.decoding.backend import Transformer
from coc_transformer.decoding.bfloat16 import VARIABLE, RoundedFirst, requested_verify_pass
from coc_transformer.decoding.drafts import verify_exactly
from coc_transformer.decoding.greedy import decode
from coc_transformer.model import Decoder, load_decoder
from coc_transformer.tokenizer import BOS, EOS, TextTokenizer

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


def ready(largest_error: float) -> RoundedFirst:
    """After its calibration, in which bfloat16 was faster."""
    return RoundedFirst(calibrated=10**9, seconds_float32=2.0, seconds_rounded=1.0, largest_error=largest_error)


def scaled(model: Decoder, factor: float) -> Decoder:
    """The same model with its logits multiplied by a factor, and hence its margins."""
    other = Decoder(model.config)
    other.load_state_dict(model.state_dict())
    with torch.no_grad():
        other.norm.weight *= factor
        other.norm.bias *= factor
    return other.requires_grad_(False).eval()


@pytest.mark.slow
@settings(max_examples=30)
@given(st.data(), st.sampled_from([0.003, 0.05, 1, 30]))
def test_it_changes_no_target(trained: Model, toy_pairs: tuple[Pair, ...], data: st.DataObject, by: float) -> None:
    model, tokenizer = scaled(trained[0], by), trained[1]
    pairs = data.draw(st.lists(st.sampled_from(toy_pairs), min_size=1, max_size=12))
    drafts = [data.draw(st.just(pair.target) | st.text("PUSH n=1234\n", max_size=20)) for pair in pairs]
    prompts = [pair.prompt for pair in pairs]
    calibrated = RoundedFirst()
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
    slow = RoundedFirst(calibrated=10**9, seconds_float32=1.2, seconds_rounded=1.0)
    assert decode(*trained, prompts, targets, verify_pass=slow.verify).texts == list(targets)
    assert sum(passes) == len(prompts)


def test_the_calibration_measures_time_and_rounding(trained: Model, toy_pairs: tuple[Pair, ...]) -> None:
    model, tokenizer = trained
    prompts, targets = zip(*toy_pairs, strict=True)
    calibrated = RoundedFirst()
    decode(model, tokenizer, prompts, targets, verify_pass=calibrated.verify)
    first = calibrated.calibrated
    assert first == sum(len(tokenizer.encode(target)) + 1 for target in targets)
    assert 0 < calibrated.largest_error < 1
    decode(model, tokenizer, prompts, targets, verify_pass=calibrated.verify)
    assert calibrated.calibrated == 2 * first
    assert min(calibrated.seconds_float32, calibrated.seconds_rounded) > 0


@pytest.mark.parametrize("begun", [RoundedFirst, lambda: ready(0.1)], ids=["during calibration", "after it"])
def test_broken_numbers_are_a_numeric_fault(
    trained: Model, toy_pairs: tuple[Pair, ...], begun: Callable[[], RoundedFirst]
) -> None:
    model, tokenizer = trained
    broken = scaled(model, float("nan"))
    with pytest.raises(NumericFault, match="not finite"):
        decode(broken, tokenizer, [toy_pairs[0].prompt], [toy_pairs[0].target], verify_pass=begun().verify)


def test_tf32_is_asked_for_while_drafts_are_verified_and_no_longer(
    trained: Model, toy_pairs: tuple[Pair, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "tf32")
    model, asked = Transformer(*trained, label="toy"), list[str]()
    within = torch.set_float32_matmul_precision
    monkeypatch.setattr(torch, "set_float32_matmul_precision", lambda name: (asked.append(name), within(name)))
    prompts, targets = zip(*toy_pairs, strict=True)
    assert model.complete(prompts, targets) == list(targets)
    assert asked == ["high", "highest"] * (len(asked) // 2) != []
    assert torch.get_float32_matmul_precision() == "highest"


@pytest.mark.parametrize("value", [None, "", "float32"])
def test_no_response_depends_on_bfloat16_unless_asked_for(
    trained: Model, toy_pairs: tuple[Pair, ...], monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if value is not None:
        monkeypatch.setenv(VARIABLE, value)
    monkeypatch.setattr(torch, "autocast", None)
    assert requested_verify_pass() is verify_exactly
    model = Transformer(*trained, label="toy")
    prompts, targets = zip(*toy_pairs, strict=True)
    assert model.complete(prompts, targets) == list(targets) == model.verify(prompts, targets)


@pytest.mark.parametrize("value", ["float16", "BFLOAT16", " bfloat16", "1", "bfloat16\x1b[2J"])
def test_an_unknown_format_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(
        UsageError, match=r"COC_DRAFTS=.* is not a number format for drafts; use float32, bfloat16 or tf32"
    ) as error:
        requested_verify_pass()
    assert "\x1b" not in str(error.value)


@pytest.mark.parametrize(("margin", "verified_again"), [(7.5, True), (8.0, True), (8.5, False)])
def test_a_margin_of_eight_errors_or_less_is_in_doubt(
    trained: Model, passes: list[int], monkeypatch: pytest.MonkeyPatch, margin: float, verified_again: bool
) -> None:
    rounded = torch.zeros(1, trained[0].config.vocab)
    rounded[0, EOS] = margin
    monkeypatch.setattr(bfloat16, "_rounded_logits", lambda *_: rounded)
    [prefix] = ready(1.0).verify(trained[0], [[BOS]], [[EOS]])
    assert passes == [1] * verified_again
    if not verified_again:
        assert prefix == Prefix([EOS], margin)


def test_it_gives_the_responses_of_float32_to_all_prompts_of_a_shipped_model() -> None:
    setting = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic")
    spec = next(spec for spec in Registry.installed().specs(CheckpointSpec) if "hanoi/stack" in spec.dialects)
    folder = Registry.installed().folder(spec)
    model, tokenizer = load_decoder(folder, read_config(folder)[1])
    problems = [setting.domain.problem(n) for n in range(1, 9)]
    prompts, targets = zip(*set(teacher_pairs(setting, problems)), strict=True)
    calibrated = RoundedFirst()
    for drafts in (targets, targets[::-1]):
        decode(model, tokenizer, prompts, drafts, verify_pass=calibrated.verify)
    again = ready(calibrated.largest_error)
    for drafts in (targets, targets[::-1]):
        assert decode(model, tokenizer, prompts, drafts, verify_pass=again.verify).texts == list(targets)


def test_two_models_have_calibrations_of_their_own(
    trained: Model, toy_pairs: tuple[Pair, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "bfloat16")
    one, other = (Transformer(*trained, label="toy") for _ in range(2))
    prompts, targets = zip(*toy_pairs, strict=True)
    assert one.complete(prompts, targets) == list(targets) == other.verify(prompts, targets)
    one.unbatched = True
    assert one.complete(prompts, targets) == list(targets)


def test_bfloat16_is_used_if_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "bfloat16")
    chosen = requested_verify_pass()
    assert isinstance(getattr(chosen, "__self__", None), RoundedFirst)


@pytest.mark.parametrize(("slow", "fast", "faster"), [(0, 0, False), (1.3, 1, False), (1.31, 1, True), (2, 1.6, False)])
def test_bfloat16_is_faster_if_it_takes_less_than_three_quarters_of_the_time(
    slow: float, fast: float, faster: bool
) -> None:
    assert RoundedFirst(seconds_float32=slow, seconds_rounded=fast).is_faster == faster


def test_the_calibration_ends_with_its_last_token_and_adds_up_the_times(
    trained: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = torch.zeros(1_500, trained[0].config.vocab)
    exact[:, EOS] = 9.0
    rounded = exact.clone()
    rounded[7, 0] = -0.25
    answers = iter([(exact, 100.0), (rounded, 100.0), (exact, 3.0), (exact, 1.0), (exact, 4.0), (rounded, 2.0)])
    monkeypatch.setattr(bfloat16, "_timed", lambda device, compute: next(answers))
    subject = RoundedFirst()
    rows, targets = [[BOS]] * 1_500, [[EOS]] * 1_500
    for _ in range(2):
        assert subject.verify(trained[0], rows, targets) == [Prefix([EOS], 9.0)] * 1_500
    assert (subject.calibrated, subject.seconds_float32, subject.seconds_rounded) == (3_000, 3.0, 1.0)
    assert subject.largest_error == 0.25
    monkeypatch.setattr(bfloat16, "_rounded_logits", lambda *_: exact)
    assert subject.verify(trained[0], rows, targets) == [Prefix([EOS], 9.0)] * 1_500
    assert subject.calibrated == 3_000
    subject.calibrated = 2_999
    subject.verify(trained[0], rows, targets)
    assert (subject.seconds_float32, subject.seconds_rounded) == (7.0, 3.0)


def test_a_rounded_logit_that_is_no_number_leaves_all_in_doubt(trained: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = torch.zeros(1, trained[0].config.vocab)
    exact[0, EOS] = 9.0
    rounded = exact.clone()
    rounded[0, 3] = float("nan")
    answers = iter([(exact, 1.0), (rounded, 1.0)])
    monkeypatch.setattr(bfloat16, "_timed", lambda device, compute: next(answers))
    subject = RoundedFirst()
    assert subject.verify(trained[0], [[BOS]], [[EOS]]) == [Prefix([EOS], 9.0)]
    assert subject.largest_error == float("inf")


def test_a_pass_is_timed_and_computed_in_bfloat16(trained: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 12.5])
    monkeypatch.setattr(bfloat16.time, "perf_counter", lambda: next(clock))
    asked: list[tuple[str, object]] = []
    autocast = torch.autocast

    def watched(kind: str, dtype: torch.dtype | None = None, enabled: bool = True) -> object:
        if enabled:
            asked.append((kind, dtype))
        return autocast(kind, dtype=dtype, enabled=enabled)

    monkeypatch.setattr(torch, "autocast", watched)
    logits, seconds = bfloat16._timed(
        torch.device("cpu"), lambda: bfloat16._rounded_logits(trained[0], [[BOS]], [[EOS]], "bfloat16")
    )
    assert (logits.shape, seconds) == ((1, trained[0].config.vocab), 2.5)
    assert asked == [("cpu", torch.bfloat16)]
