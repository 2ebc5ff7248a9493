"""The transformer: its size, its positions, its causality, its cache, its device."""

import math
from itertools import accumulate

import pytest
import torch
from attrs import evolve
from hypothesis import given, strategies as st

from coc_core.errors import UsageError
from coc_paper.items.untrained import PAPER
from coc_transformer.files import COUNTERS, ModelConfig
from coc_transformer.model import Augmentation, Decoder
from coc_transformer.model.decoder import View, count
from coc_transformer.model.reader import Reader
from coc_transformer.network import base as device
from coc_transformer.sequences import rotated, rotation_table
from coc_transformer.tokenizer import FIELD, ITEM, SEPARATOR_KIND, SYMBOL
from coc_transformer.training.hyperparameters import PRESETS, choose
from tests.plugins.coc_transformer.conftest import opened
from tests.support.for_each import for_each

CONFIG = ModelConfig(
    vocab=20, d_model=16, layers=2, heads=4, d_ff=32, max_len=12, dropout=0.0, positions="absolute", token_shift=0
)
BEYOND = evolve(CONFIG, positions="structural", token_shift=2)
KINDS = [FIELD] * 4 + [SEPARATOR_KIND] + [FIELD] * 3 + [ITEM] * 4 + [SYMBOL] * 8
LINE_BREAK = 4
PLAIN = View(None, None, None)
ROTARY = evolve(BEYOND, rotary=2)
LOOKUPS = evolve(BEYOND, positions="fields", prompt_attention=False, log_scaling=True)
LISTS = evolve(LOOKUPS, prompt_attention=True, list_attention=False)
ALL = pytest.mark.parametrize(
    "config",
    [CONFIG, BEYOND, ROTARY, LOOKUPS, LISTS],
    ids=["the paper's", "structural and shifted", "rotary too", "only targets attend", "other lists"],
)


def make(config=CONFIG):
    torch.manual_seed(1)
    model = Decoder(config, KINDS)
    model.initialise()
    return model.eval()


@pytest.mark.parametrize(
    ("task", "parameters"), [("hanoi", 10_802_688), ("blocksworld", 25_488_384), ("pancake", 25_619_456)]
)
def test_the_papers_parameter_counts(task, parameters):
    config = evolve(PRESETS["paper"], **PAPER[task]).model
    with torch.device("meta"):
        assert sum(each.numel() for each in Decoder(config).parameters()) == config.parameters() == parameters
    assert config.parameters() == parameters


@ALL
@torch.inference_mode()
def test_a_later_token_changes_nothing_before_it(config):
    model, ids = make(config), torch.arange(12)[None]
    changed = ids.clone()
    changed[0, 7:] = 0
    torch.testing.assert_close(model(ids)[:, :7], model(changed)[:, :7])


@for_each("cuts", [(12,), (5, 1, 1, 1, 1, 1, 1, 1), (1, 4, 7), (3, 9)])
@for_each("lengths", [(12, 12, 12), (12, 11, 12, 10)])
@for_each("most_scores", [1 << 22, 40])
@ALL
@torch.inference_mode()
def test_reading_in_parts_is_reading_at_once(config, most_scores, lengths, cuts, monkeypatch):
    """Sequences of unequal length have their first tokens missing."""
    monkeypatch.setattr("coc_transformer.model.reader._MOST_SCORES", most_scores)
    model, ids = make(config), torch.randint(20, (len(lengths), 12), generator=torch.Generator().manual_seed(0))
    expected = [model(row[None, 12 - length :])[0] for row, length in zip(ids, lengths, strict=True)]
    if cuts[0] < 3 and min(lengths) < 12:
        return
    first = [row[12 - length : cuts[0]].tolist() for row, length in zip(ids, lengths, strict=True)]
    reader = Reader(model.folded, first)
    for start, cut in zip(accumulate(cuts, initial=0), cuts, strict=False):
        found = reader.read(ids[:, start : start + cut].tolist() if start else first)
        logits = [row[length - 13 + start + cut] for row, length in zip(expected, lengths, strict=True)]
        torch.testing.assert_close(torch.from_numpy(found), torch.stack(logits))


@ALL
@torch.inference_mode()
def test_a_reader_can_go_on_with_some_of_its_sequences(config):
    model, ids = make(config), torch.randint(20, (3, 12), generator=torch.Generator().manual_seed(0))
    first = [row[:6].tolist() for row in ids]
    reader = Reader(model.folded, first)
    reader.read(first)
    reader.keep([0, 2])
    found = torch.from_numpy(reader.read(ids[[0, 2], 6:].tolist()))
    torch.testing.assert_close(found, model(ids)[[0, 2], -1])


def told(model, ids):
    """The logits after each token, (seq, vocab)."""
    return model(torch.tensor([ids]))[0]


@torch.inference_mode()
def test_a_prompts_token_knows_itself_and_its_neighbours_only():
    model = make(evolve(LOOKUPS, token_shift=1, max_len=32))
    before, after = told(model, [0, 8, 9, 10, 11, 8]), told(model, [0, 11, 8, 10, 11, 8])
    torch.testing.assert_close(before[4:], after[4:])
    assert not torch.allclose(before[2], after[2])


@torch.inference_mode()
def test_nothing_tells_where_in_a_list_an_item_is():
    """Without the tokens before it, an item in a prompt has the same key wherever its list has it."""
    model = make(evolve(LOOKUPS, token_shift=0, max_len=32))
    short, long = told(model, [0, 8, 11]), told(model, [0, 8, 9, 10, 8, 9, 11])
    torch.testing.assert_close(short[-1], long[-1])
    places = make(evolve(BEYOND, token_shift=0, max_len=32, prompt_attention=False))
    assert not torch.allclose(told(places, [0, 8, 11])[-1], told(places, [0, 8, 9, 10, 8, 9, 11])[-1])


@torch.inference_mode()
def test_an_item_of_a_targets_list_knows_only_the_items_beside_it():
    changes = [0, 8, 9, 10, 4, 5, 8, 9, 10, 11], [0, 8, 9, 10, 4, 5, 9, 8, 10, 11]  # two items of the last list
    for config, same in ((evolve(LISTS, token_shift=1), True), (evolve(LOOKUPS, token_shift=1), False)):
        one, other = (told(make(config), ids) for ids in changes)
        assert torch.equal(one[-1], other[-1]) is same
        assert not torch.allclose(one[-2], other[-2])  # the token shift adds the item before it
    one, other = (told(make(LISTS), [*ids, 6]) for ids in changes)
    assert not torch.allclose(one[-1], other[-1])  # other parts of the target know the list
    prompts = (told(make(evolve(LISTS, token_shift=0)), ids) for ids in ([0, 8, 9, 10], [0, 8, 11, 10]))
    assert not torch.allclose(*(prompt[-1] for prompt in prompts))  # and so do prompts


@for_each(
    ("one", "other", "same"),
    [
        ([0, 8, 9, 10], [0, 11, 9, 10], False),
        ([0, 12, 13, 14], [0, 15, 13, 14], True),
        ([0, 8, 13, 14], [0, 11, 13, 14], True),
        ([0, 12, 8, 9], [0, 15, 8, 9], True),
        ([0, 9, 13, 14], [0, 9, 12, 14], False),
        ([0, 8, 13, 5], [0, 9, 13, 5], False),
    ],
)
@torch.inference_mode()
def test_the_token_shift_passes_over_digits_but_the_nearest(one, other, same):
    model = make(LOOKUPS)  # in a prompt, each token knows itself and what the token shift adds
    assert torch.equal(told(model, one)[-1], told(model, other)[-1]) is same


@torch.inference_mode()
def test_attention_gets_sharper_with_the_length():
    scaled, plain = make(evolve(CONFIG, log_scaling=True)), make(CONFIG)
    ids = torch.arange(12)[None]
    torch.testing.assert_close(scaled(ids)[:, 0], plain(ids)[:, 0])  # one token has nothing to choose from
    one = evolve(CONFIG, layers=1)
    scaled, plain = make(evolve(one, log_scaling=True)), make(one)
    plain.blocks[0].qkv.weight[:16] *= math.log(12) / 2
    torch.testing.assert_close(scaled(ids)[0, -1], plain(ids)[0, -1])


@pytest.fixture
def two_gpus(monkeypatch):
    monkeypatch.setattr(torch.accelerator, "current_accelerator", lambda: torch.device("cuda"))
    monkeypatch.setattr(torch.accelerator, "device_count", lambda: 2)


@for_each(
    "name, expected",
    [(None, "cpu"), ("", "cpu"), ("cpu", "cpu"), ("cuda", "cuda:0"), ("cuda:0", "cuda:0"), ("cuda:1", "cuda:1")],
)
def test_it_is_the_one_that_is_named_as_torch_does_or_the_cpu(monkeypatch, two_gpus, name, expected):
    monkeypatch.delenv("COC_DEVICE", raising=False)
    if name is not None:
        monkeypatch.setenv("COC_DEVICE", name)
    assert device.inference_device() == torch.device(expected)


@for_each("name", ["cuda:2", "gpu", "meta", "cpu:1", "\n" * 99])
def test_a_device_that_is_not_there_is_a_usage_error(monkeypatch, two_gpus, name):
    monkeypatch.setenv("COC_DEVICE", name)
    with pytest.raises(UsageError, match=r"COC_DEVICE=.*finds no such device here") as caught:
        device.inference_device()
    assert "cpu, cuda, cuda:0, cuda:1" in caught.value.remedy


def test_what_the_record_says(monkeypatch):
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda which: "a large one")
    assert device.device_name(torch.device("cuda", 1)) == "cuda:1, a large one"
    assert device.device_name(torch.device("mps")) == "mps"


@torch.inference_mode()
def test_nothing_is_computed_elsewhere():
    """On a device that stores no numbers, any tensor that lies on the CPU is an error."""
    config = choose("exact", {"positions": "rotary", "token_shift": "2", "layers": "2"}).model
    with torch.device("meta"):
        model = Decoder(config, [FIELD, ITEM] * (config.vocab // 2)).to("meta")
    ids = torch.zeros(2, 5, dtype=torch.long, device="meta")
    assert model(ids).device == model.device == torch.device("meta")
    reader = Reader(model.folded, [[0] * 5, [0] * 3])
    for rows in [[0] * 5, [0] * 3], [[0], [0]]:
        with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor"):  # the last thing it does
            reader.read(rows)
    reader.keep([1])


@pytest.mark.skipif(not torch.accelerator.is_available(), reason="needs a GPU")
def test_a_gpu_gives_the_same_targets(toy_checkpoint, toy_pairs, monkeypatch):
    here = opened(toy_checkpoint)
    monkeypatch.setenv("COC_DEVICE", torch.accelerator.current_accelerator().type)
    there = opened(toy_checkpoint)
    assert there.record["device"]
    prompts = [pair.prompt for pair in toy_pairs]
    for drafts in (None, [pair.target for pair in toy_pairs], ["PUSH"] * len(toy_pairs)):
        assert there.complete(prompts, drafts=drafts) == here.complete(prompts, drafts=drafts)


ALL_KINDS = torch.tensor([FIELD, ITEM, SYMBOL, SEPARATOR_KIND])


def plainly(ids):
    """The four counts, token after token."""
    rows, field, item, digit, separators = [], 0, 0, 0, 0
    for token in ids:
        separators += token == SEPARATOR_KIND
        if token in (FIELD, SEPARATOR_KIND):
            field, item, digit = field + 1, 0, 0
        elif token == ITEM:
            item, digit = item + 1, 0
        else:
            digit += 1
        rows.append([field, item, digit, separators])
    return rows


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30))
def test_the_counts_are_those_of_a_plain_loop(ids):
    assert torch.equal(count(torch.tensor([ids]), ALL_KINDS)[:, 0], torch.tensor(plainly(ids)).T)


PLANES, WIDTH = 3, 8
TABLE = torch.from_numpy(rotation_table(PLANES))
PLACES = st.integers(0, COUNTERS[1] - 1)


def vectors(seed):
    return torch.randn(2, WIDTH, generator=torch.Generator().manual_seed(seed))


@given(PLACES, PLACES, PLACES, st.integers(0, 99))
def test_a_product_depends_on_the_distance_alone(query, key, moved, seed):
    moved = min(moved, COUNTERS[1] - 1 - max(query, key))
    q, k = vectors(seed)
    here = rotated(q, TABLE[query], torch.cat) @ rotated(k, TABLE[key], torch.cat)
    there = rotated(q, TABLE[query + moved], torch.cat) @ rotated(k, TABLE[key + moved], torch.cat)
    torch.testing.assert_close(here, there, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("planes", [2, 3, 8])
def test_the_speeds_fall_from_2_to_a_25th_and_the_table_is_as_exact_as_its_numbers(planes):
    speeds = [2.0 * (0.04 / 2.0) ** (plane / (planes - 1)) for plane in range(planes)]
    assert (speeds[0], speeds[-1]) == pytest.approx((2.0, 0.04))
    expected = [
        [*(math.cos(place * speed) for speed in speeds), *(math.sin(place * speed) for speed in speeds)]
        for place in range(COUNTERS[1])
    ]
    torch.testing.assert_close(torch.from_numpy(rotation_table(planes)), torch.tensor(expected), atol=1e-7, rtol=0)


DRAWN = ModelConfig(
    vocab=20, d_model=16, layers=1, heads=2, d_ff=32, max_len=24, dropout=0.0, positions="structural", token_shift=0
)


@pytest.fixture
def model():
    torch.manual_seed(0)
    decoder = Decoder(DRAWN, [FIELD] * 10 + [SYMBOL] * 10)
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
    model.config = evolve(DRAWN, log_scaling=log_scaling)
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
    model.config = evolve(DRAWN, prompt_attention=prompt_attention, list_attention=list_attention)
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
