import json
from importlib.resources import files
from pathlib import Path

from tests.support.for_each import for_each
from tests.support.program_plugin import line_of, write_program

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


def test_a_trace_shows_what_came_before_a_fault(coc, with_plugins):
    with_plugins(("fake", "tests.support.fake_plugin"))
    done = coc("trace", "-d", "hanoi", "-n", 1, "--model", "garbage")
    assert (done.code, done.out) == (1, "")
    assert "protocol fault at step 1" in done.err
    assert r"\x1b[31mI'm sorry." in done.err
    assert "\x1b" not in done.err


def test_a_trace_ends_where_it_is_told_to(coc):
    done = coc("trace", "-d", "hanoi", "-n", 40, "--max-steps", 5)
    assert (done.code, done.out.count("Prompt\n")) == (6, 5)
    assert "limit fault at step 6" in done.err


def test_a_trace_of_a_program_names_the_line_of_each_step(coc, tmp_path):
    plugin = write_program(tmp_path)
    begin, go_on = (line_of(plugin, text) for text in ("def sort", "right = yield read"))
    done = coc("trace", "--plugin", plugin, "-d", "cards", "-n", 3, "--seed", 1)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"Step 1    {plugin.name}:{begin} in sort\n\nPrompt\nCALL sort first=C1\n")
    assert f"Step 3    {plugin.name}:{go_on} in sweep.2\n" in done.out
    lines = coc("trace", "--plugin", plugin, "-d", "cards", "-n", 3, "--seed", 1, "--format", "jsonl").out.splitlines()
    sources = [json.loads(line)["source"] for line in lines]
    assert [f"Step {step}    {source}" for step, source in enumerate(sources, 1)] == [
        line for line in done.out.splitlines() if line.startswith("Step ")
    ]
