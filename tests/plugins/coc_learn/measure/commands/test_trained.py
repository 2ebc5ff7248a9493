"""The sizes that a model was trained on: a note before a run outside them, and again where it fails."""

import json

import pytest

from coc_core.models import SizeResult, span
from coc_learn.addresses.dialect import results_in_words

NOTE = "the model was trained on n=1-3; n=4 is outside that range"


@pytest.fixture
def checkpoint(coc, with_plugins, tmp_path):
    """A model that knows hanoi up to three disks by heart, and says so; four disks are beyond it."""
    with_plugins(("fake", "tests.support.fake_plugin"))
    folder = tmp_path / "parrot"
    assert coc("train", "-d", "hanoi", "--model", "parrot", "-n", "1-7", "-o", folder, "--holdout", 0).code == 0
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"sizes": {"hanoi/stack": [1, 3]}}))
    answers = json.loads((folder / "answers.json").read_text())
    wrong = {prompt: "a guess" for prompt in answers["hanoi/stack"] if "n=4" in prompt}
    (folder / "answers.json").write_text(json.dumps({"hanoi/stack": answers["hanoi/stack"] | wrong}))
    return folder


def test_a_run_within_them_says_nothing(coc, checkpoint):
    done = coc("run", "-d", "hanoi", "-n", 3, "--model", checkpoint)
    assert (done.code, done.err) == (0, "")
    assert "trained" not in done.out


def test_a_run_outside_them_is_noted_before_and_after(coc, checkpoint):
    done = coc("run", "-d", "hanoi", "-n", 4, "--model", checkpoint)
    assert done.code == 1
    assert done.err == f"coc: note: {NOTE}\n"
    assert f"  {NOTE}\n" in done.out
    assert coc("run", "-d", "hanoi", "-n", 4, "--model", checkpoint, "-q").err == ""


def test_the_document_has_them(coc, checkpoint):
    document = json.loads(coc("run", "-d", "hanoi", "-n", 4, "--model", checkpoint, "--json").out)
    assert (document["trained_sizes"], document["untrained_sizes"]) == ([1, 3], [4])
    document = json.loads(coc("run", "-d", "hanoi", "-n", 4, "--model", "reference", "--json").out)
    assert (document["trained_sizes"], document["untrained_sizes"]) == (None, None)


def test_a_trace_outside_them_is_noted_too(coc, checkpoint):
    done = coc("trace", "-d", "hanoi", "-n", 4, "--model", checkpoint)
    first, last = done.err.splitlines()
    assert first == f"coc: note: {NOTE}"
    assert last.startswith("coc: error: ")
    assert last.endswith(f"; {NOTE}")


def test_an_evaluation_outside_them_is_noted(coc, checkpoint):
    arguments = ("eval", "-d", "hanoi", "-n", "2-5,7", "--model", checkpoint)
    note = "the model was trained on n=1-3; n=4-5,7 is outside that range"
    done = coc(*arguments)
    assert (done.code, done.err) == (1, f"coc: note: {note}\n")
    assert done.out.splitlines()[-1] == f"  {note}"
    document = json.loads(coc(*arguments, "--json").out)
    assert (document["trained_sizes"], document["untrained_sizes"]) == ([1, 3], [4, 5, 7])


def test_a_span_may_be_one_size():
    assert span(range(3, 4)) == "n=3"


def test_what_tests_of_a_size_found_is_told(coc, checkpoint):
    config = json.loads((checkpoint / "config.json").read_text())
    results = [{"n": 4, "problems": 1, "pairs": 15, "exact": 14}, {"n": 5, "problems": 1, "pairs": 21, "exact": 21}]
    (checkpoint / "config.json").write_text(json.dumps(config | {"tested": {"hanoi/stack": results}}))
    assert coc("run", "-d", "hanoi", "-n", 4, "--model", checkpoint).err.endswith(
        "n=4 is outside that range; tests of n=4 found wrong targets\n"
    )
    assert coc("eval", "-d", "hanoi", "-n", "4-6", "--model", checkpoint).err.endswith(
        "n=4-6 is outside that range; tests of n=5 found no wrong target; tests of n=4 found wrong targets\n"
    )


def test_tests_in_words():
    exact, wrong = SizeResult(5, 2, 21, 21), SizeResult(7, 2, 33, 30)
    assert results_in_words([exact]) == "n=5: all of 21 targets exact (2 problems of each size)"
    assert results_in_words([exact, SizeResult(6, 1, 27, 27), wrong]) == (
        "n=5-6: all of 48 targets exact; n=7: 3 of 33 targets wrong"
    )
    assert results_in_words([wrong]) == "n=7: 3 of 33 targets wrong (2 problems of each size)"
    assert results_in_words([exact, wrong], "addresses of {} digits").startswith("addresses of 5 digits: all of 21 ")
