"""What is drawn for each sequence, positions and the scale of scores: in training, and never after it."""

import pytest
import torch
from attrs import evolve

from coc_core.errors import UsageError
from coc_transformer.files import COUNTERS, ModelConfig
from coc_transformer.model import Augmentation, Decoder
from coc_transformer.tokenizer import FIELD, SYMBOL
from tests.plugins.coc_transformer.conftest import train, weights
from tests.support.for_each import for_each

STRUCTURAL = {"tokens": "exact", "positions": "structural", "lr": "0.02"}
SHAPE = ModelConfig(
    vocab=20, d_model=16, layers=1, heads=2, d_ff=32, max_len=24, dropout=0.0, positions="structural", token_shift=0
)


@pytest.mark.parametrize(
    ("name", "values"),
    [("digit_positions", ("0", "8", "9")), ("min_score_scale", ("1", "0.3", "0.2")), ("score_noise", ("0", "1", "2"))],
)
def test_they_make_another_training_the_same_one_each_time(toy_job, name, values):
    plain, moved, again, far = (
        weights(toy_job(steps="4", **STRUCTURAL, **{name: value})) for value in (*values[:2], *values[1:])
    )
    assert moved == again
    assert len({plain, moved, far}) == 3


@pytest.fixture
def model():
    torch.manual_seed(0)
    decoder = Decoder(SHAPE, [FIELD] * 10 + [SYMBOL] * 10)
    for parameter in decoder.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return decoder.requires_grad_(False)


def drawn(items, digits, scales=None, noise=None):
    return Augmentation(
        torch.tensor(items),
        torch.tensor(digits),
        torch.tensor(scales or [1.0] * len(items)),
        None if noise is None else torch.tensor(noise),
    )


@torch.inference_mode()
def test_counted_positions_change_nothing_and_each_sequence_has_its_own(model):
    ids = torch.randint(20, (3, 9), generator=torch.Generator().manual_seed(1))
    plain, counted = model.hidden(ids), list(range(10))
    assert torch.equal(model.hidden(ids, drawn([0, 0, 0], [counted] * 3)), plain)
    others = [0, *(2 * count for count in counted[1:])]
    mixed = model.hidden(ids, drawn([0, 0, 5], [counted, others, counted]))
    assert torch.equal(mixed[0], plain[0])
    assert not torch.isclose(mixed[1:], plain[1:]).all(dim=-1).all(dim=-1).any()
    torch.testing.assert_close(mixed[2:], model.hidden(ids[2:], drawn([5], [counted])))


@pytest.mark.parametrize("log_scaling", [False, True])
@torch.inference_mode()
def test_a_scale_multiplies_the_scores_of_its_sequence(model, log_scaling):
    model.config = evolve(SHAPE, log_scaling=log_scaling)
    ids, counted = torch.randint(20, (2, 9), generator=torch.Generator().manual_seed(1)), [list(range(10))]
    plain, both = model.hidden(ids), model.hidden(ids, drawn([0, 0], counted * 2, [1.0, 0.25]))
    torch.testing.assert_close(both[0], plain[0])
    assert not torch.isclose(both[1], plain[1]).all()
    model.blocks[0].qkv.weight[:16] *= 0.25  # the queries
    torch.testing.assert_close(both[1], model.hidden(ids)[1])


@pytest.mark.parametrize("prompt_attention", [False, True])
@pytest.mark.parametrize("list_attention", [False, True])
@torch.inference_mode()
def test_noise_changes_scores_and_not_what_a_token_may_look_at(model, prompt_attention, list_attention):
    model.config = evolve(SHAPE, prompt_attention=prompt_attention, list_attention=list_attention)
    ids, counted = torch.randint(20, (2, 9), generator=torch.Generator().manual_seed(1)), [list(range(10))]
    plain, both = model.hidden(ids), model.hidden(ids, drawn([0, 0], counted * 2, noise=[0.0, 3.0]))
    torch.testing.assert_close(both[0], plain[0])
    assert torch.isclose(both[1], plain[1]).all() == (not prompt_attention)  # without, there is nothing to choose from
    changed = ids.clone()
    changed[:, 5:] = 0
    torch.manual_seed(7)
    before = model.hidden(ids, drawn([0, 0], counted * 2, noise=[1.0, 3.0]))
    torch.manual_seed(7)
    after = model.hidden(changed, drawn([0, 0], counted * 2, noise=[1.0, 3.0]))
    torch.testing.assert_close(before[:, :5], after[:, :5])


@torch.inference_mode()
def test_what_is_not_in_a_table_has_its_last_position(model):
    ids = torch.full((1, 20), 15)
    counted = list(range(21))
    for size in COUNTERS[1], COUNTERS[1] + 7:
        assert torch.equal(model.hidden(ids, drawn([size], [counted])), model.hidden(ids, drawn([200], [counted])))
    short = model.hidden(ids, drawn([0], [counted[:4]]))
    assert torch.equal(short, model.hidden(ids, drawn([0], [counted[:4] + [3] * 17])))
    assert torch.equal(model.hidden(ids), model.hidden(ids, drawn([0], [[*range(16), *[900] * 5]])))


@for_each(
    "given, fault",
    [("1", "1, and the longest number in the pairs has 2 digits"), ("16", "16, and this kind of 'positions' has 15")],
)
def test_numbers_and_positions_must_fit(toy_job, given, fault):
    with pytest.raises(UsageError, match=f"'digit_positions' is {fault}"):
        train(toy_job(**STRUCTURAL, digit_positions=given))
