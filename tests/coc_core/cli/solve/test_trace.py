import json
from importlib.resources import files
from pathlib import Path

import pytest

from tests.support.for_each import for_each

GOLDEN = Path(__file__).parent / "golden"
PAPER = files("coc_paper.published") / "traces"
TRACES = {
    "tape-inline": ("--memory", "tape", "--arith", "inline"),
    "tape-symbolic": ("--memory", "tape", "--arith", "symbolic", "--distinct"),
    "pda": ("--memory", "pda"),
}


@for_each("executor", ["sequential", "cached"])
@for_each("name", TRACES)
@for_each(("form", "ending"), [("text", "txt"), ("jsonl", "jsonl")])
def test_the_trace_is_the_papers_byte_for_byte(coc, name, form, ending, executor):
    done = coc("trace", "--domain", "hanoi", "--n", 3, "--format", form, "--executor", executor, *TRACES[name])
    assert (done.code, done.err) == (0, "")
    folder = PAPER if form == "text" else GOLDEN
    assert done.out == (folder / f"hanoi-3-{name}.{ending}").read_text()


@pytest.mark.parametrize(("name", "count"), [("tape-inline", 10), ("tape-symbolic", 9), ("pda", 10)])
def test_the_golden_traces_are_complete(name, count):
    lines = [json.loads(line) for line in (GOLDEN / f"hanoi-3-{name}.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == list(range(1, count + 1))
    assert all(list(line) == ["step", "prompt", "target"] for line in lines)
    assert (PAPER / f"hanoi-3-{name}.txt").read_text().count("Prompt\n") == count


def test_a_trace_shows_what_came_before_a_fault(coc, with_plugins):
    with_plugins(("fake", "tests.support.fake_plugin"))
    done = coc("trace", "-d", "hanoi", "-n", 1, "--model", "garbage")
    assert (done.code, done.out) == (1, "")
    assert "protocol fault at step 1" in done.err
    assert r"\x1b[31mI'm sorry." in done.err
    assert "\x1b" not in done.err


def test_a_trace_may_be_of_any_problem(coc, tmp_path):
    path = tmp_path / "problem"
    path.write_text("n=1 src=2 dst=1")
    done = coc("trace", "-d", "hanoi", "--problem", path)
    assert (
        done.out == "Step 1\n\nPrompt\nINSTR CALL n=1 src=2 dst=1 aux=3\n\nTarget\nOUTPUT Move disk 1 from 2 to 1\n\n"
    )


def test_a_trace_that_is_too_long_is_refused(refused):
    assert "the limit is 100,000,000" in refused(2, "trace", "-d", "hanoi", "-n", 40)


def test_a_trace_ends_where_it_is_told_to(coc):
    done = coc("trace", "-d", "hanoi", "-n", 40, "--max-steps", 5)
    assert (done.code, done.out.count("Prompt\n")) == (6, 5)
    assert "limit fault at step 6" in done.err
