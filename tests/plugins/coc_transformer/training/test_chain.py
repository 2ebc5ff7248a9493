"""What a training makes of held-out pairs: they reach neither tokenizer nor model, in it or in one after it."""

import pytest
from attrs import evolve

from coc_core.models import Pair
from coc_learn.trainer import TrainingSet
from coc_transformer.files import checkpoint
from coc_transformer.tokenizer import UNK, TextTokenizer
from tests.plugins.coc_transformer.conftest import train, weights


def card_of(folder):
    return " ".join((folder / "README.md").read_text().partition("\n## The checkpoint")[0].split())


def tokenizer_of(folder):
    return (folder / checkpoint.TOKENIZER).read_bytes()


@pytest.mark.parametrize("tokens", ["digits", "exact"])
def test_the_tokenizer_is_fitted_on_the_training_half_alone(toy_job, tokens):
    """The held-out pairs have characters, names and frequent pieces of their own, which must stay unknown."""
    other = [Pair(f"VISIT X{n}", f"STAY X{n}") for n in range(12)]
    job = toy_job(steps="1", tokens=tokens, min_frequency="1", max_len="64")
    (pairs,) = job.training_sets
    files = []
    for heldout in ((), other):
        job = evolve(job, training_sets=[evolve(pairs, heldout=heldout)])
        train(job)
        files.append(tokenizer_of(job.out))
    assert files[0] == files[1]
    fitted = TextTokenizer.train(pairs.train, 128, 1, tokens=tokens)
    assert files[0] == fitted.to_json()
    assert UNK in fitted.encode("VISIT X3")
    both = TextTokenizer.train([*pairs.train, *other], 128, 1, tokens=tokens)
    assert both.to_json() != files[0]


def test_held_out_pairs_change_nothing_that_is_learned(toy_job):
    job = toy_job(steps="25", heldout=3, prioritised_replay="0.3")
    halves = [evolve(job.training_sets[0], heldout=each) for each in (job.training_sets[0].heldout, ())]
    one, other = (weights(evolve(job, training_sets=[half])) for half in halves)
    assert one == other


def test_after_another_training_nothing_counts_as_held_out(toy_job):
    first = toy_job(steps="1", heldout=4)
    report = train(first)
    assert (report.heldout_pairs, report.known, report.complete) == (4, 0, True)
    new = "The held-out pairs are new up to names and notation: no training pair has the same step in any dialect"
    assert f"**Data.** 12 pairs of prompt and target. {new}" in card_of(first.out)
    second = evolve(toy_job(steps="1", heldout=3), init=first.out)
    report = train(second)
    assert (report.train_pairs, report.heldout_pairs, report.known, report.complete) == (9, 0, 0, False)
    assert "9 pairs of prompt and target. No pairs count as held out: those drawn for it may" in card_of(second.out)


def test_a_pair_that_another_dialect_learns_is_not_counted_as_held_out(toy_job):
    job = toy_job(steps="1", heldout=4)
    (one,) = job.training_sets
    other = TrainingSet("toy/tape", [*one.heldout[:1], *one.train])
    report = train(evolve(job, training_sets=[one, other]))
    assert (report.heldout_pairs, report.known) == (3, 1)
    card = card_of(job.out)
    assert "| held-out pairs, new up to names and notation, predicted exactly | 0 of 3 |" in card
    assert "- drawn to be held out, but not counted, since the steps are known: 1 " in card


def test_a_training_without_held_out_pairs_says_so(toy_job):
    job = toy_job(steps="1")
    train(job)
    assert "12 pairs of prompt and target. No pairs are held out. After" in card_of(job.out)
