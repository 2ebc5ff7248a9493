"""`coc doctor`: what a model has to learn of a domain, before any training."""

import json
import re
import shlex

import pytest

from tests.support.program_plugin import line_of, write_program

GROWING = ("value = right.value", "value = max(value, right.value)")
COMPARING = ("if right.value < value:", "if right.value < value and right != card:")


@pytest.fixture
def doctor(coc, tmp_path):
    """Runs `coc doctor` on a program with some changes; gives what it printed and the document."""

    def run(*changes, arguments=("-n", "1-6")):
        plugin = write_program(tmp_path, *changes)
        done = coc("doctor", "cards", "--plugin", plugin, *arguments)
        document = coc("doctor", "cards", "--plugin", plugin, *arguments, "--json")
        assert (done.code, done.err, document.code, document.err) == (0, "", 0, "")
        return plugin, done.out, json.loads(document.out)

    return run


def test_a_finite_list_is_counted_and_listed(doctor, coc):
    plugin, printed, found = doctor()
    assert (found["finite"], found["growing"], found["cut"], found["comparisons"]) == (True, None, False, {})
    assert found["prompts"] == len(found["pairs"]) == 67
    reached = [pair["prompt"] for pair in found["pairs"] if pair["reached"]]
    assert found["reached"] == len(reached) == sum(row["new"] for row in found["sizes"])
    assert "cards on heap, symbolic: finite: 67 prompts for problems of every size; runs of n = 1-6 reach" in printed
    longest = max(len(pair["prompt"]) for pair in found["pairs"])
    assert found["longest_prompt"]["characters"] == longest
    assert f"longest prompt: {longest} characters, {found['longest_prompt']['tokens']} tokens" in printed
    listed = coc("doctor", "cards", "--plugin", plugin, "-n", "1-6", "--list").out
    assert listed.count("    (in no run)\n") == 67 - len(reached)
    for pair in found["pairs"]:
        assert f"\n{pair['prompt']}{'' if pair['reached'] else '    (in no run)'}\n{pair['target']}\n" in listed


def test_it_names_the_kinds_that_no_draw_has_shown_and_where_the_program_goes_wrong(coc):
    arguments = ("doctor", "sort", "-n", "2", "--instances", 1)
    printed, found = coc(*arguments, "--list").out, json.loads(coc(*arguments, "--json").out)
    stated = "52 prompts from all 7 kinds of first records and instructions that its types allow"
    assert f"\n  {stated}; at 8 more the program itself goes wrong\n" in printed
    assert (len(found["wrong"]), len(found["kinds"]["first"]), found["kinds"]["stated"]) == (8, 7, False)
    for prompt, fault in found["wrong"].items():
        assert re.match(r"sort\.py, line \d+, in \w+: there is no record to read: ", fault)
        assert f"\n{prompt}    (the program goes wrong)\n{fault}\n" in printed
        assert f"\n  {fault}, {[*found['wrong'].values()].count(fault)} prompt" in printed
    unseen = found["kinds"]["unseen"]
    assert "B1: one=no next=B2" in unseen
    shown = "; ".join(unseen[:3]) + "; …" * (len(unseen) > 3)
    assert f"\n  no draw has shown {len(unseen)} of these kinds: {shown}\n" in printed


@pytest.mark.slow
def test_the_command_that_it_prints_trains_an_exact_model(doctor, coc, tmp_path, monkeypatch):
    _, printed, found = doctor()
    monkeypatch.chdir(tmp_path)
    command = printed.splitlines()[-1]
    assert command == found["training"]["command"]
    assert coc(*shlex.split(command)[1:]).out.endswith(
        "exact targets: 67 of 67 training pairs, 0 of 0 held-out pairs\n"
    )


def test_what_makes_prompts_grow_is_named(doctor):
    _, printed, found = doctor(GROWING)
    assert (found["finite"], found["growing"]) == (False, "numbers without a limit: sweep.2: value")
    assert f"growing: {found['prompts']} prompts for n = 1-6\n  the prompts grow: {found['growing']}\n" in printed
    assert "--holdout" not in found["training"]["command"]
    numeric = doctor(arguments=("-n", "1-6", "--arith", "inline"))[2]
    assert numeric["growing"] == "numeric notation shows the numbers of records"


def test_names_that_are_compared_are_reported_with_their_line(doctor):
    plugin, printed, found = doctor(COMPARING)
    ((place, count),) = found["comparisons"].items()
    assert place == f"{plugin.name}:{line_of(plugin, 'right = yield read')} in sweep.2"
    assert f"compares names: {place}, {count} prompts\n" in printed


def test_prompts_of_other_puzzles_are_measured(coc):
    document = coc("doctor", "hanoi", "-n", "1-5", "--json")
    found = json.loads(document.out)
    assert (found["finite"], found["growing"], found["prompts"]) == (False, None, 36)
    assert [(row["prompts"], row["new"], row["steps"]) for row in found["sizes"][:3]] == [
        (1, 1, None),
        (4, 4, None),
        (9, 8, None),
    ]
    assert "hanoi on pda, symbolic: measured: 36 prompts for n = 1-5\n" in coc("doctor", "hanoi", "-n", "1-5").out
    tape = json.loads(coc("doctor", "hanoi", "-n", "1-3", "-m", "tape", "-a", "inline", "--json").out)
    assert [row["steps"] for row in tape["sizes"]] == [1, 4, 10]


def test_long_runs_are_cut(coc, monkeypatch):
    monkeypatch.setattr("coc_check.doctor.MOST_STEPS", 20)
    done = coc("doctor", "hanoi", "-n", "1-9", "-m", "tape", "-a", "inline")
    assert done.code == 0
    assert "runs were cut after" in done.out
    assert "for n = 1-4\n" in done.out


def test_a_policy_that_is_wrong_is_reported_before_anything_else(coc, refused, tmp_path):
    plugin = write_program(tmp_path, ("Swap(card)", "Swap(right)"))
    told = refused(4, "doctor", "cards", "--plugin", plugin, "-n", "4-6")
    assert "the policy of cards does not solve" in told
    assert "in sweep.2; run `coc check cards` first" in told
    lazy = write_program(tmp_path, ("    while (yield sweep(first)):\n        pass\n", "    yield sweep(first)\n"))
    told = refused(4, "doctor", "cards", "--plugin", lazy, "-n", "4-6")
    assert "the policy of cards does not solve" in told


def test_what_makes_no_sense_is_refused(refused, tmp_path):
    assert "unknown domain 'nothing'" in refused(2, "doctor", "nothing")
    assert "n is 1 to" in refused(2, "doctor", "hanoi", "-n", "0")
    assert "cards can't run on pda" in refused(2, "doctor", "cards", "-m", "pda", "--plugin", write_program(tmp_path))


FUNCTION = """
from coc_programs import Function, Steps, procedure, tell

@procedure
def found(a: bool) -> Steps[bool]:
    yield tell(a)
    return a

class Waits(Function):
    main = found

    def draw(self, n, rng):
        while n == 3:
            pass
        return True

    def reference(self, a):
        yield a
        return a
"""


def test_the_lines_of_a_program_and_draws_that_do_not_end(coc, refused, tmp_path, monkeypatch):
    (tmp_path / "waits.py").write_text(FUNCTION)
    options = "doctor", "waits", "--plugin", tmp_path / "waits.py", "-n"
    told = json.loads(coc(*options, "1-2", "--json").out)
    assert sum(told["lines"].values()) == told["prompts"]
    monkeypatch.setattr("coc_check.doctor.PATIENCE", 0.2)
    assert "a problem of waits is not drawn after 0.2 seconds: it is at waits.py:" in refused(4, *options, "1-4")
