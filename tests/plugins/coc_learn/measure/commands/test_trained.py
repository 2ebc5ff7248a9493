"""The sizes that a model was trained on: a note before a run outside them, and again where it fails."""

import json

import pytest

from tests.support.for_each import for_each

NOTE = "the model was trained on n=1-3; n=4 is outside that range"


@pytest.fixture
def checkpoint(coc, fakes, tmp_path):
    """A model that knows hanoi up to three disks by heart, and says so; four disks are beyond it."""
    folder = tmp_path / "parrot"
    assert coc("train", "-d", "hanoi", "--model", "parrot", "-n", "1-7", "-o", folder, "--holdout", 0).code == 0
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"sizes": {"hanoi/stack": [1, 3]}}))
    answers = json.loads((folder / "answers.json").read_text())
    wrong = {prompt: "a guess" for prompt in answers["hanoi/stack"] if "n=4" in prompt}
    (folder / "answers.json").write_text(json.dumps({"hanoi/stack": answers["hanoi/stack"] | wrong}))
    return folder


def test_a_run_or_a_trace_outside_them_is_noted_before_and_after(coc, checkpoint):
    words = ("-d", "hanoi", "-n", 4, "--model", checkpoint)
    done = coc("run", *words)
    assert (done.code, done.err, f"  {NOTE}\n" in done.out) == (1, f"coc: note: {NOTE}\n", True)
    assert coc("run", *words, "-q").err == ""
    within = coc("run", "-d", "hanoi", "-n", 3, "--model", checkpoint)
    assert (within.code, within.err, "trained" in within.out) == (0, "", False)
    first, last = coc("trace", *words).err.splitlines()
    assert first == f"coc: note: {NOTE}"
    assert last.startswith("coc: error: ")
    assert last.endswith(f"; {NOTE}")


@for_each(("model", "sizes"), [(None, ([1, 3], [4])), ("reference", (None, None))])
def test_the_document_has_them(coc, checkpoint, model, sizes):
    document = json.loads(coc("run", "-d", "hanoi", "-n", 4, "--model", model or checkpoint, "--json").out)
    assert (document["trained_sizes"], document["untrained_sizes"]) == sizes


def test_an_evaluation_outside_them_is_noted(coc, checkpoint):
    arguments = ("eval", "-d", "hanoi", "-n", "2-5,7", "--model", checkpoint)
    note = "the model was trained on n=1-3; n=4-5,7 is outside that range"
    done = coc(*arguments)
    assert (done.code, done.err) == (1, f"coc: note: {note}\n")
    assert done.out.splitlines()[-1] == f"  {note}"
    document = json.loads(coc(*arguments, "--json").out)
    assert (document["trained_sizes"], document["untrained_sizes"]) == ([1, 3], [4, 5, 7])


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
