"""With -q there is the result alone, and still the line that says what went wrong."""

import pytest

REFERENCE = ("--model", "reference")

RESULTS = {
    "run": (("run", "-d", "hanoi", *REFERENCE), "solved  hanoi · n=8 src=1 dst=3 · pda · symbolic\n"),
    "resume": (("run", "--resume", "a.run"), "solved  a.run has ended already: 10 steps, 7 actions\n"),
    "validate": (("validate", "moves", "-d", "hanoi", "-n", 3), "solved  hanoi · n=3 src=1 dst=3\n"),
    "eval": (("eval", "-d", "hanoi", "-n", "1-3", *REFERENCE), "3 of 3 solved: hanoi on pda with "),
    "exactness": (
        ("eval", "-d", "hanoi", "-n", "1-3", *REFERENCE, "--exactness", "--no-runs"),
        "13 of 13 pairs exact; ",
    ),
    "build": (("data", "build", "-d", "hanoi", "-n", "1-3", "-o", "pairs"), "pairs: 10 training pairs, "),
    "verify": (("data", "verify", "pairs"), "pairs: 10 training pairs, "),
    "check": (("check", "hanoi", "--only", "seeds_decide"), "1 check: 1 passed\n"),
}


def test_each_result_is_one_line(coc, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert coc("run", "-d", "hanoi", "-n", 3, *REFERENCE, "--save", "a.run", "--plan", "moves").code == 0
    for name, (words, result) in RESULTS.items():
        done = coc(*words, "-q")
        assert (done.code, done.err, done.out.count("\n")) == (0, "", 1), (name, done)
        assert done.out.startswith(result), name


@pytest.mark.parametrize("model", ["rogue", "garbage"])
def test_a_fault_is_told_all_the_same(coc, with_plugins, model):
    with_plugins(("fake", "tests.support.fake_plugin"))
    done = coc("run", "-q", "-d", "hanoi", "-n", 3, "--model", model)
    result, fault = done.out.splitlines()
    assert (done.code, done.err) == (1, "")
    assert result.startswith("fault  hanoi")
    assert " fault at step 1: " in fault


def test_a_fault_says_where_in_the_text_it_is(coc, with_plugins):
    with_plugins(("fake", "tests.support.fake_plugin"))
    done = coc("run", "-d", "hanoi", "-n", 3, "--model", "garbage")
    told = r"the model wrote an unprintable character ('\x1b') at character 1 of the text, which begins "
    assert f"protocol fault at step 1: {told}" in done.out
