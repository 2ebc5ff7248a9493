"""What a training makes of held-out pairs: they reach neither tokenizer nor model, in it or in one after it."""

import json
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from attrs import evolve

from coc_core.cli.app import main
from coc_core.errors import ArtefactError
from coc_core.models import Pair
from coc_learn.history import PAIR_HISTORY, PairHistory
from coc_learn.trainer import TrainingJob, TrainingReport, TrainingSet
from coc_transformer.files import checkpoint
from coc_transformer.tokenizer import UNK, TextTokenizer
from coc_transformer.training.job import fingerprint
from coc_transformer.training.trainer import TransformerTrainer

Job = Callable[..., TrainingJob]


def train(job: TrainingJob) -> TrainingReport:
    return TransformerTrainer().train(job, lambda progress: None)


def card_of(folder: Path) -> str:
    return " ".join((folder / "README.md").read_text().partition("\n## The checkpoint")[0].split())


def tokenizer_of(folder: Path) -> bytes:
    return (folder / checkpoint.TOKENIZER).read_bytes()


def history_of(folder: Path) -> PairHistory:
    return PairHistory.read(folder, checkpoint.fingerprint(folder))


@pytest.mark.parametrize("tokens", ["merged", "digits", "exact"])
def test_the_tokenizer_is_fitted_on_the_training_half_alone(toy_job: Job, tokens: str) -> None:
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


def test_the_tokenizer_of_several_dialects_is_fitted_on_all_their_training_halves(toy_job: Job) -> None:
    job = toy_job(steps="1", heldout=3)
    (one,) = job.training_sets
    other = TrainingSet("toy/tape", [Pair("VISIT X1", "STAY X1")] * 4, [Pair("LEAVE", "GO")])
    train(evolve(job, training_sets=[one, other]))
    fitted = TextTokenizer.train([*one.train, *other.train], 128, 2, tokens="digits", dialects=2)
    assert tokenizer_of(job.out) == fitted.to_json()


def test_held_out_pairs_change_nothing_that_is_learned(toy_job: Job) -> None:
    job = toy_job(steps="25", heldout=3, prioritised_replay="0.3", loss_probes="4")
    weights = []
    for heldout in (job.training_sets[0].heldout, ()):
        train(evolve(job, training_sets=[evolve(job.training_sets[0], heldout=heldout)]))
        weights.append((job.out / checkpoint.WEIGHTS).read_bytes())
    assert weights[0] == weights[1]


def test_a_chain_keeps_held_out_what_its_first_training_held_out(toy_job: Job) -> None:
    first = toy_job(steps="1", heldout=4)
    report = train(first)
    assert (report.withheld, report.reused, report.known, report.complete) == (0, 0, 0, True)
    new = "The held-out pairs are new up to names and notation: no training pair"
    assert f"**Data.** 12 pairs of prompt and target. {new} has the same step" in card_of(first.out)
    (old,) = first.training_sets
    swapped = evolve(old, train=[*old.train[:4], *old.heldout[:3]], heldout=[*old.train[4:], *old.heldout[3:]])
    second = evolve(toy_job(steps="1"), training_sets=[swapped], init=first.out)
    report = train(second)
    assert (report.train_pairs, report.heldout_pairs) == (8, 4)
    assert (report.withheld, report.reused, report.known) == (3, 4, 0)
    card = card_of(second.out)
    for fact in (
        f"{new} of this training or of one before it (`{PAIR_HISTORY}` records them) has the same step",
        f"of 8 exact, `{fingerprint(old.train)}`",
        "- kept out of the training, since an earlier one held out the steps: 3 ",
        "- drawn to be held out, but learned, since an earlier training used the steps: 4",
        f"{PAIR_HISTORY} {(second.out / PAIR_HISTORY).stat().st_size:,} bytes",
    ):
        assert fact in card
    assert repr(history_of(second.out)) == "PairHistory(complete, 4 digests held out, 8 trained on)"


def test_a_chain_that_begins_without_a_record_claims_nothing(toy_job: Job, tmp_path: Path) -> None:
    first = toy_job(steps="1", heldout=4)
    train(first)
    old = shutil.copytree(first.out, tmp_path / "old")
    (old / PAIR_HISTORY).unlink()
    second = evolve(toy_job(steps="1", heldout=4), init=old)
    third = evolve(toy_job(steps="1", heldout=4), init=second.out)
    for job in (second, third):
        assert not train(job).complete
        assert (
            "This training did not use the held-out pairs. It is not known which pairs all of the trainings before it"
            " used, so the model and its tokenizer may have been trained on some of these."
        ) in card_of(job.out)
        assert "are new up to names" not in card_of(job.out)
    assert repr(history_of(third.out)) == "PairHistory(incomplete, 4 digests held out, 8 trained on)"


def test_a_pair_that_another_dialect_learns_is_not_counted_as_held_out(toy_job: Job) -> None:
    job = toy_job(steps="1", heldout=4)
    (one,) = job.training_sets
    other = TrainingSet("toy/tape", [*one.heldout[:1], *one.train])
    report = train(evolve(job, training_sets=[one, other]))
    assert (report.heldout_pairs, report.known) == (3, 1)
    card = card_of(job.out)
    assert "| held-out pairs, new up to names and notation, predicted exactly | 0 of 3 |" in card
    assert "- drawn to be held out, but not counted, since the steps are known: 1 " in card


def test_a_training_without_held_out_pairs_says_so(toy_job: Job) -> None:
    job = toy_job(steps="1")
    train(job)
    assert "12 pairs of prompt and target. No pairs are held out. After" in card_of(job.out)


def test_a_damaged_record_is_refused_before_anything_is_trained(toy_job: Job, tmp_path: Path) -> None:
    first = toy_job(steps="1", heldout=4)
    train(first)
    path = first.out / PAIR_HISTORY
    path.write_bytes(path.read_bytes()[:-1])
    job = evolve(toy_job(tmp_path / "second"), init=first.out)
    with pytest.raises(ArtefactError, match=rf"{PAIR_HISTORY} is damaged"):
        train(job)
    assert not list(tmp_path.iterdir())


def test_a_record_of_another_checkpoint_is_refused(toy_job: Job) -> None:
    first, second = toy_job(steps="1", heldout=4), toy_job(steps="2", heldout=4)
    for job in (first, second):
        train(job)
    shutil.copy(first.out / PAIR_HISTORY, second.out)
    with pytest.raises(ArtefactError, match=rf"{PAIR_HISTORY} belongs to another checkpoint; delete it"):
        train(evolve(toy_job(), init=second.out))


def test_a_resumed_training_holds_out_the_same_pairs(toy_job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coc_transformer.training.loop.SNAPSHOT_SECONDS", 0)
    first = toy_job(steps="1", heldout=4)
    train(first)

    def cut(progress: object) -> None:
        raise KeyboardInterrupt

    results = []
    for interrupted in (False, True):
        job = evolve(toy_job(steps="20"), init=first.out)
        if interrupted:
            with pytest.raises(KeyboardInterrupt):
                TransformerTrainer().train(job, cut)
            job = evolve(job, resume=True)
        report = train(job)
        assert (report.withheld, report.heldout_pairs) == (4, 4)
        results.append([(job.out / name).read_bytes() for name in (PAIR_HISTORY, checkpoint.WEIGHTS)])
    assert results[0] == results[1]


def test_a_chain_of_trainings_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two trainings of Hanoi with different seeds, which draw different hold-outs, and one with a dataset."""
    tiny = {"steps": 5, "d_model": 16, "heads": 1, "layers": 1}
    options = [f"--set={name}={value}" for name, value in tiny.items()]

    def coc(*arguments: object) -> str:
        assert main([str(argument) for argument in arguments]) == 0
        return capsys.readouterr().out

    first, second, third, data = (tmp_path / name for name in ("first", "second", "third", "data"))
    coc("train", "-d", "hanoi", "-n", "1-5", "--holdout", 0.3, "-o", first, *options)
    assert "not known" not in card_of(first)
    said = coc(
        "train", "-d", "hanoi", "-n", "1-6", "--holdout", 0.3, "--seed", 1, "--init", first, "-o", second, *options
    )
    assert "kept out of training, because an earlier training run held out the steps\n" in said
    assert "trained on and not held out, because an earlier training run used the steps\n" in said
    assert "no full record" not in said
    coc("data", "build", "-d", "hanoi", "-n", "1-6", "--holdout", 0, "-o", data)
    document = json.loads(coc("train", "--data", data, "--init", second, "-o", third, "--json", *options))
    histories = [history_of(folder) for folder in (first, second, third)]
    assert document["withheld"] == document["heldout_pairs"] == len(histories[2].held_out) > 0
    for earlier, later in pairwise(histories):
        assert later.complete
        assert set(earlier.held_out) <= set(later.held_out)
        assert set(earlier.trained) <= set(later.trained)
    assert not {digest >> 32 for digest in histories[2].held_out} & set(histories[2].trained)
    (second / PAIR_HISTORY).unlink()
    said = coc("train", "-d", "hanoi", "-n", "1-5", "--init", second, "-o", third, *options)
    assert f"{second} has no full record of its pairs, so it may have been trained on held-out pairs\n" in said
