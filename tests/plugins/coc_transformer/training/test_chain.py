"""Held-out pairs reach neither tokenizer nor model, in a training or in one that begins with its weights."""

import pytest
from attrs import evolve

from coc_core.errors import ArtefactError, UsageError
from coc_core.models import Pair, read_config
from coc_learn.trainer import TrainingSet
from coc_transformer.files import checkpoint
from coc_transformer.tokenizer import UNK, TextTokenizer
from tests.plugins.coc_transformer.conftest import opened, train, weights


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


MORE = tuple(Pair(f"SUCC n={n}", f"PUSH n={n + 1}\nPUSH n={n}") for n in range(12, 20))


def test_it_goes_on_from_those_weights(toy_job, toy_checkpoint):
    stays = evolve(toy_job(steps="3", lr="0"), init=toy_checkpoint)
    assert weights(stays) == (toy_checkpoint / checkpoint.WEIGHTS).read_bytes()
    assert (stays.out / checkpoint.TOKENIZER).read_bytes() == (toy_checkpoint / checkpoint.TOKENIZER).read_bytes()


def test_one_of_several_dialects_may_be_trained_and_all_are_kept(toy_job):
    job = toy_job(steps="150")
    pairs = job.training_sets[0].train
    other = [Pair(pair.prompt, "PTR=-1") for pair in pairs]
    both = evolve(job, training_sets=[TrainingSet("toy/stack", pairs), TrainingSet("toy/tape", other)])
    train(both)
    one = evolve(toy_job(steps="1", lr="0"), training_sets=[TrainingSet("toy/tape", other)], init=both.out)
    report = train(one)
    assert (report.train_exact, report.train_pairs) == (12, 12)
    assert read_config(one.out)[0].dialects == ("toy/stack", "toy/tape")
    prompts = [pair.prompt for pair in pairs]
    for dialect, wanted in (("toy/stack", pairs), ("toy/tape", other)):
        assert opened(one.out, dialect=dialect).complete(prompts) == [pair.target for pair in wanted]
    card = (one.out / "README.md").read_text()
    assert card.startswith("# A transformer for toy/tape\n")
    assert (
        "It was trained on toy/stack before; how much of that it has retained was not measured.\nIt was trained by"
        in card
    )


def test_each_dialect_has_the_sizes_of_the_last_training_that_included_it(toy_job):
    job = toy_job(steps="1")
    pairs = job.training_sets[0].train
    sets = [TrainingSet("toy/a", pairs, sizes=range(1, 9)), TrainingSet("toy/b", pairs), TrainingSet("toy/c", pairs)]
    both = evolve(job, training_sets=[evolve(sets[0], sizes=None), evolve(sets[1], sizes=range(2, 3)), sets[2]])
    train(both)
    assert read_config(both.out)[0].sizes == {"toy/b": range(2, 3)}
    assert "\n| sizes it was trained on | `toy/b`: 2 |\n" in (both.out / "README.md").read_text()
    more = evolve(toy_job(steps="1"), training_sets=[evolve(sets[2], sizes=range(5, 2_001)), sets[0]], init=both.out)
    train(more)
    found = {"toy/a": range(1, 9), "toy/b": range(2, 3), "toy/c": range(5, 2_001)}
    assert list(read_config(more.out)[0].sizes.items()) == list(found.items())
    row = "| sizes it was trained on | `toy/a`: 1 to 8; `toy/b`: 2; `toy/c`: 5 to 2,000 |"
    assert f"\n{row}\n" in (more.out / "README.md").read_text()
    unknown = evolve(toy_job(steps="1"), training_sets=[sets[1]], init=more.out)
    train(unknown)
    assert read_config(unknown.out)[0].sizes == {"toy/a": range(1, 9), "toy/c": range(5, 2_001)}


def test_the_card_names_the_checkpoint_before(toy_job, toy_checkpoint):
    second = evolve(toy_job(steps="1"), init=toy_checkpoint)
    train(second)
    card, known = (second.out / "README.md").read_text(), checkpoint.fingerprint(toy_checkpoint)
    assert f"| initial weights | those of the checkpoint toy, SHA-256 {known} |" in card


@pytest.mark.parametrize("dialects", [["other"], ["toy/stack", "other"]])
def test_other_dialects_are_refused(toy_job, toy_checkpoint, dialects):
    job = toy_job()
    training_sets = [TrainingSet(dialect, job.training_sets[0].train) for dialect in dialects]
    with pytest.raises(UsageError, match=f"is for toy/stack, and the pairs are in {', '.join(dialects)}; train some"):
        train(evolve(job, training_sets=training_sets, init=toy_checkpoint))
    assert not list(job.out.parent.iterdir())


def test_another_shape_is_refused(toy_job, toy_checkpoint):
    job = evolve(toy_job(layers="3"), init=toy_checkpoint)
    with pytest.raises(UsageError, match="has layers 2, and this training 3; give the preset, the hyper"):
        train(job)


def test_what_is_not_a_checkpoint_is_refused(toy_job, tmp_path):
    with pytest.raises(ArtefactError, match="is not a checkpoint"):
        train(evolve(toy_job(), init=tmp_path / "nothing"))


def test_it_is_not_resumed_from_another_initial_checkpoint(toy_job, toy_checkpoint, monkeypatch):
    monkeypatch.setattr("coc_transformer.training.loop.SNAPSHOT_SECONDS", 0)
    job = toy_job()

    def cut(progress):
        if progress.step == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(job, cut)
    with pytest.raises(UsageError, match="contains a training with other pairs or hyperparameters"):
        train(evolve(job, init=toy_checkpoint, resume=True))
