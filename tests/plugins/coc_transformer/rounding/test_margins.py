"""Bounds on rounding: no float32 evaluation of a model differs by more, in whatever order its sums are computed; there is
no bound where float32 may overflow, or lose what underflows; and ellipsoids hold what they are said to hold.
"""

import copy
import math
from fractions import Fraction

import pytest
import torch
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

from coc_core.models import Pair, read_config
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_transformer.assumptions import float32_assumptions
from coc_transformer.decoding.backend import Transformer
from coc_transformer.model import load_decoder
from coc_transformer.rounding import ellipsoid as sets, target_margin
from tests.plugins.coc_transformer.conftest import opened as open_folder
from tests.support.random_checkpoints import untrained

PROMPT, TARGET = "go [B1, B2] 12", "on [B2, B1] 7"
PAIRS = [Pair(PROMPT, TARGET), Pair("go [B3] 4", "on [B3] 40")] * 3

SHAPES = {
    "absolute": {},
    "fields": {"positions": "fields", "token_shift": 2, "log_scaling": True, "prompt_attention": False},
    "lists": {"positions": "structural", "list_attention": False, "token_shift": 1},
    "rotary": {"positions": "structural", "rotary": 4},
}


def opened(tmp_path, scale, **shape):
    folder = untrained(tmp_path / "model", ["a/b"], PAIRS, tokens="exact", **shape)
    decoder, tokenizer = load_decoder(folder, read_config(folder)[1])
    for name, parameter in decoder.named_parameters():
        if "norm" not in name:
            parameter.data *= scale
    ids, start = tokenizer.example(Pair(PROMPT, TARGET))
    return decoder, ids[:start], ids[start:]


def shuffled(decoder, generator):
    """The same function, with its sums in another order: hidden units and features of heads change places."""
    other = copy.deepcopy(decoder)
    for block in other.blocks:
        order = torch.randperm(len(block.up.weight), generator=generator)
        block.up.weight.data, block.up.bias.data = block.up.weight[order], block.up.bias[order]
        block.down.weight.data = block.down.weight[:, order]
    return other


def differences(decoder, context, target):
    logits = decoder(torch.tensor([[*context, *target[:-1]]]))[0, len(context) - 1 :]
    own = torch.tensor(target)[:, None]
    return (logits.gather(1, own) - logits).double()


@pytest.mark.parametrize("shape", SHAPES)
def test_no_float32_evaluation_differs_by_more(tmp_path, shape):
    decoder, context, target = opened(tmp_path, 0.5, **SHAPES[shape])
    exact = decoder.double()
    found = target_margin(exact, context, target)
    [plain] = Transformer(exact, None, "")._margins([(context, target)], bounded=False)
    assert found.margin == pytest.approx(plain.margin, abs=1e-6)
    assert 0 < found.bound < 1
    reference, generator, largest = differences(exact, context, target), torch.Generator().manual_seed(0), 0.0
    for backend in (SDPBackend.MATH, SDPBackend.FLASH_ATTENTION):
        for _ in range(10):
            with sdpa_kernel(backend), torch.inference_mode():
                other = differences(shuffled(decoder, generator).float(), context, target)
            largest = max(largest, (other - reference).abs().max().item())
    assert 0 < largest < found.bound


def test_where_the_analysis_breaks_down_nothing_is_claimed(tmp_path):
    decoder, context, target = opened(tmp_path, 300.0, positions="structural", rotary=4, layers=4)
    found = target_margin(decoder.double(), context, target)
    assert found.bound == math.inf
    assert not found.certified


def test_the_shipped_model_is_certain_by_far():
    setting = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic")
    prompts = ["INSTR CALL n=2 src=1 dst=3 aux=2", "INSTR MOVE d=64 src=3 dst=2"]
    pairs = [Pair(prompt, setting.convention.target_for(prompt)) for prompt in prompts]
    model = setting.model()
    for found in model.margins(pairs, bounded=True):
        assert found.certified
        assert found.margin > 50 * found.bound
    assert model.assumptions == float32_assumptions()


def test_the_second_derivatives_are_bounded():
    """The constants of the analysis: of GELU, and of LayerNorm along a unit vector at an angle to the input."""
    x = torch.linspace(-9, 9, 100_001, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(functional.gelu(x).sum(), x, create_graph=True)
    (bend,) = torch.autograd.grad(slope.sum(), x)
    assert slope.abs().max() < 1.13
    assert bend.abs().max() < 0.8
    r, q = torch.meshgrid(torch.linspace(0, 1, 501), torch.linspace(0, 1, 501), indexing="ij")
    assert (r**2 * ((1 + 2 * q - 3 * r**2 * q) ** 2 + 4 * q - 4 * q**2)).max() < 1.2**2


def test_a_target_that_is_read_as_other_text_is_none(tmp_path):
    folder = untrained(tmp_path / "model", ["a/b"], PAIRS, tokens="exact")
    model = open_folder(folder)
    pairs = [Pair(PROMPT, TARGET), Pair(PROMPT, "on ~"), *PAIRS]
    known, unknown, *others = model.margins(pairs, bounded=False)
    assert (math.isfinite(known.margin), known.bound, unknown.margin) == (True, math.inf, -math.inf)
    alone = [margin for pair in PAIRS for margin in model.margins([pair], bounded=False)]
    assert [each.margin for each in others] == pytest.approx([each.margin for each in alone], abs=1e-9)
    assert next(model.margins(pairs[1:2], bounded=True)) == unknown


GENERATOR = torch.Generator().manual_seed(0)


def drawn(*shape):
    return torch.randn(*shape, generator=GENERATOR, dtype=torch.float64)


def holds(ellipsoid, errors):
    """Whether no error, (several, d), sticks out of the ellipsoid, (d, d), in any of many directions."""
    directions = drawn(500, ellipsoid.shape[-1])
    reach = ((directions @ ellipsoid) * directions).sum(-1).sqrt()
    return bool(((errors @ directions.T).abs() <= reach * (1 + 1e-9)).all())


def in_ball(several, d):
    errors = drawn(several, d)
    return errors / torch.linalg.vector_norm(errors, dim=-1, keepdim=True)


def test_a_box_a_ball_and_segments():
    half, by = drawn(5).abs(), drawn(3, 5)
    corners = half * drawn(200, 5).sign()
    assert holds(sets.around_box(half), corners)
    assert holds(sets.around_box(half, by), corners @ by.T)
    assert holds(sets.around_ball(torch.tensor(2.0), by), 2 * in_ball(200, 5) @ by.T)
    segments, signs = drawn(4, 5), drawn(200, 4).sign()
    assert holds(sets.around_segments(segments), signs @ segments)
    assert holds(sets.around_segment(segments[0]), segments[:1])


def test_sums_and_maps():
    roots = drawn(3, 5, 5)
    ellipsoids, errors = roots @ roots.mT, [in_ball(200, 5) @ root.T for root in roots]
    assert holds(sets.total(ellipsoids), sum(errors))
    weights, by = drawn(3).abs(), drawn(2, 5)
    assert holds(sets.weighted(weights, ellipsoids), sum(w * e for w, e in zip(weights, errors, strict=True)))
    assert holds(sets.mapped(ellipsoids[0], by), errors[0] @ by.T)


def test_extents_and_reach():
    root, rows = drawn(5, 5), drawn(3, 5)
    ellipsoid, errors = root @ root.mT, in_ball(500, 5) @ root.T
    assert (errors.abs() <= sets.extents(ellipsoid)).all()
    assert ((errors @ rows.T).abs() <= sets.extents(ellipsoid, rows)).all()
    assert (torch.linalg.vector_norm(errors, dim=-1) <= sets.reach(ellipsoid)).all()
    assert sets.reach(ellipsoid) <= sets.size(ellipsoid) * (1 + 1e-8)


def test_what_cancels_is_not_lost_to_rounding():
    """A long axis that a map turns nearly to zero: in exact arithmetic, no square is above that of the bound."""
    for power in range(0, 60, 4):
        axis, rest = drawn(4) * 2.0**power, drawn(4, 4)
        ellipsoid = axis[:, None] * axis + rest @ rest.mT
        across = drawn(4)
        row = across - (across @ axis) / (axis @ axis) * axis
        exact = sum(
            Fraction(row[i].item()) * Fraction(ellipsoid[i, j].item()) * Fraction(row[j].item())
            for i in range(4)
            for j in range(4)
        )
        assert exact <= Fraction(sets.mapped(ellipsoid, row[None])[0, 0].item())
        assert exact <= Fraction(sets.extents(ellipsoid, row[None])[0].item()) ** 2


PAIR = Pair("go [B1, B2] 12", "on [B2, B1] 7")


@pytest.fixture(scope="module")
def rescaled(tmp_path_factory):
    folder = untrained(
        tmp_path_factory.mktemp("model") / "model", ["a/b"], [PAIR] * 3, tokens="exact", log_scaling=True
    )
    decoder, tokenizer = load_decoder(folder, read_config(folder)[1])
    for name, parameter in decoder.named_parameters():
        parameter.data *= 1.0 if "norm" in name else 0.5
    ids, start = tokenizer.example(PAIR)
    return decoder.double(), ids[:start], ids[start:]


def residual(decoder, factor):
    for table in (decoder.tokens, decoder.positions):
        table.weight *= factor
    for block in decoder.blocks:
        for parameter in (block.out.weight, block.down.weight, block.down.bias):
            parameter *= factor
    for parameter in decoder.norm.parameters():
        parameter /= factor


def values(decoder, factor):
    block, width = decoder.blocks[0], decoder.config.d_model
    block.qkv.weight[2 * width :] *= factor
    block.out.weight /= factor


def queries(decoder, factor):
    block, width = decoder.blocks[-1], decoder.config.d_model
    block.qkv.weight[:width] *= factor
    block.qkv.weight[width : 2 * width] /= factor


def scales(decoder, factor):
    block = decoder.blocks[0]
    for parameter in block.norm1.parameters():
        parameter *= factor
    block.qkv.weight /= factor


def hidden(decoder, factor):
    block = decoder.blocks[-1]
    block.up.weight *= factor
    block.up.bias *= factor
    block.down.weight /= factor


def logits(decoder, factor):
    for parameter in decoder.norm.parameters():
        parameter *= factor


@pytest.mark.parametrize(
    "rescale", [residual, values, queries, scales, hidden, logits], ids=lambda rescale: rescale.__name__
)
@torch.inference_mode()
def test_where_numbers_may_overflow_or_vanish_there_is_no_bound(rescaled, rescale):
    decoder, context, target = rescaled
    before = {name: tensor.clone() for name, tensor in decoder.state_dict().items()}
    found, most = {}, 62 if rescale is residual else 118  # the variance has squares
    for power in (0, 8, most, -110):
        rescale(decoder, 2.0**power)
        found[power] = target_margin(decoder, context, target).bound
        decoder.load_state_dict(before)
    assert math.isfinite(found[0])
    assert found[most] == math.inf
    if rescale in (residual, values, queries, scales):  # the same function, and a power of two rounds as before
        assert found[8] == pytest.approx(found[0], rel=0.01)
    if rescale in (values, queries, scales):
        assert found[-110] > 1
