"""What is drawn for each sequence of a training, and in nothing else: names, positions of digits, scales of scores."""

import numpy as np
import pytest
import torch
from attrs import evolve
from hypothesis import given, strategies as st

from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_learn.trainer import TrainingSet
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training.examples import collate, tokenise
from coc_transformer.training.sampler import DigitPositions, NamePermutation
from tests.plugins.coc_transformer.conftest import train, weights
from tests.support.for_each import for_each

PAIRS = [
    Pair("CALL start=[B1, B22, B3] & goal=[B3, B1, B22]", "OUTPUT Move block B3 PUSH CALL start=[B1, B22]"),
    Pair("CALL state=[P2, P1] n=12", "The largest is P1."),
]
NAMES = [{"B1", "B22", "B3"}, {"P1", "P2"}]


@pytest.fixture(scope="module")
def tokenizer():
    return TextTokenizer.train(PAIRS, 512, 1, tokens="exact")


def texts(tokenizer, kinds):
    return [{tokenizer.decode([number]) for number in kind} for kind in kinds]


@given(step=st.integers(1, 1_000), share=st.sampled_from([0.0, 0.5, 1.0]), seed=st.integers(0, 9))
def test_names_become_names_of_their_kind_and_nothing_else_changes(step, share, seed):
    kinds = [np.array([3, 5, 6]), np.array([8, 9])]
    names = NamePermutation(kinds, 11, share, seed)
    tables = names.tables(step, 7)
    assert (np.sort(tables, axis=1) == np.arange(11)).all()
    assert (tables[:, [0, 1, 2, 4, 7, 10]] == [0, 1, 2, 4, 7, 10]).all()
    for kind in kinds:
        assert (np.sort(tables[:, kind], axis=1) == kind).all()
    assert share or (tables == np.arange(11)).all()
    assert (tables == NamePermutation(kinds, 11, share, seed).tables(step, 7)).all()


def test_prompt_and_target_are_renamed_alike(tokenizer):
    examples = tokenise({0: PAIRS}, tokenizer)
    kinds = [np.array(kind) for kind in tokenizer.names().values()]
    tables = NamePermutation(kinds, tokenizer.size, 1.0, 3).tables(5, 2)
    batch = collate(examples, np.arange(2), "target", torch.device("cpu"))
    found = collate(examples, np.arange(2), "target", torch.device("cpu"), tables)
    for row in range(2):
        assert found.input_ids[row].tolist() == tables[row][batch.input_ids[row]].tolist()
    following = found.input_ids.roll(-1, 1).flatten()[found.positions]
    ended = found.labels == 2  # [EOS] is in no sequence
    assert following[~ended].tolist() == found.labels[~ended].tolist()


@pytest.fixture
def named_job(toy_job):
    """A job whose pairs have names that are interchangeable."""

    def job(**overrides):
        named = TrainingSet("toy/stack", PAIRS, interchangeable_names=frozenset("BP"))
        return evolve(
            toy_job(**{"steps": "6", "tokens": "exact", "max_len": "96", "min_frequency": "1"} | overrides),
            training_sets=[named],
        )

    return job


def test_a_training_with_it_is_another_one_and_the_same_each_time(named_job):
    without, once, again = (weights(named_job(name_permutation=share)) for share in ("0", "1", "1"))
    assert once == again != without


def test_a_training_can_draw_names_from_a_pool(named_job):
    job = named_job(name_permutation="1", name_pool="50", vocab="256")
    weights(job)
    tokenizer = TextTokenizer.from_json((job.out / "tokenizer.json").read_bytes(), "tokenizer.json")
    assert {letters: len(ids) for letters, ids in tokenizer.names().items()} == {"B": 50, "P": 50}


@pytest.mark.parametrize(
    ("names", "tokens"), [((), "exact"), ("X", "exact"), ("BP", "digits"), (("B", "any"), "exact")]
)
def test_names_that_steps_depend_on_are_not_permuted(named_job, names, tokens):
    job = named_job(name_permutation="1")
    dependent = evolve(job.training_sets[0], interchangeable_names=frozenset(names))
    with pytest.raises(
        UsageError, match=f"'name_permutation' {'can.t' if 'any' in names else 'has no names to'} permute"
    ):
        weights(evolve(job, training_sets=[dependent], overrides={**job.overrides, "tokens": tokens}))


def test_what_a_seed_permutes_never_changes():
    tables = NamePermutation([np.array([1, 2, 3]), np.array([5, 6])], 7, 0.6, 4).tables(2, 5)
    assert tables.tolist() == [
        [0, 1, 2, 3, 4, 5, 6],
        [0, 1, 2, 3, 4, 6, 5],
        [0, 2, 1, 3, 4, 5, 6],
        [0, 1, 2, 3, 4, 5, 6],
        [0, 2, 3, 1, 4, 6, 5],
    ]


@given(longest=st.integers(0, 9), more=st.integers(0, 30), step=st.integers(1, 1_000), seed=st.integers(0, 9))
def test_positions_ascend_from_one_to_the_largest(longest, more, step, seed):
    drawn = DigitPositions(longest, max(1, longest + more), seed)
    tables = drawn.tables(step, 50)
    assert tables.shape == (50, 1 + longest)
    assert not tables[:, 0].any()
    assert (np.diff(tables, axis=1) > 0).all()
    assert tables.max() <= max(1, longest + more)
    assert (tables == DigitPositions(longest, max(1, longest + more), seed).tables(step, 50)).all()


def test_all_pairs_of_positions_come_up_and_the_counted_ones_too():
    tables = DigitPositions(3, 8, 0).tables(1, 5_000)
    together = {(one, other) for row in tables[:, 1:].tolist() for one in row for other in row if one < other}
    assert together == {(one, other) for other in range(1, 9) for one in range(1, other)}
    assert [0, 1, 2, 3] in tables.tolist()


def test_without_a_largest_position_digits_are_counted():
    assert (DigitPositions(3, 0, 0).tables(1, 5) == [0, 1, 2, 3]).all()


@pytest.mark.parametrize(
    ("texts", "longest"), [(["x=12 y=3456", "z"], 4), (["x", "y"], 0), (["1", "23"], 2), (["B123 B45", "7"], 1)]
)
def test_the_longest_number_has_most_digits_in_a_row(texts, longest):
    pairs = [Pair(text, text) for text in texts]
    tokenizer = TextTokenizer.train(pairs, 256, 1, tokens="exact")
    assert tokenise({0: pairs}, tokenizer).longest_number(tokenizer.kinds()) == longest


STRUCTURAL = {"tokens": "exact", "positions": "structural", "lr": "0.02"}


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


@for_each(
    "given, fault",
    [("1", "1, and the longest number in the pairs has 2 digits"), ("16", "16, and this kind of 'positions' has 15")],
)
def test_numbers_and_positions_must_fit(toy_job, given, fault):
    with pytest.raises(UsageError, match=f"'digit_positions' is {fault}"):
        train(toy_job(**STRUCTURAL, digit_positions=given))
