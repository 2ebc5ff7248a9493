"""`coc doctor`: what a model has to learn of a domain, before any training."""

import json
import re
import shlex

import pytest

from tests.support.program_plugin import write_program

GROWING = ("value = right.value", "value = max(value, right.value)")


@pytest.fixture
def doctor(coc):
    """Runs `coc doctor`; gives what it printed and the document."""

    def run(*arguments):
        done, document = coc("doctor", *arguments), coc("doctor", *arguments, "--json")
        assert (done.code, done.err, document.code, document.err) == (0, "", 0, "")
        return done.out, json.loads(document.out)

    return run


def test_a_finite_list_is_counted_and_listed_with_its_lines(doctor, coc, tmp_path):
    arguments = "cards", "--plugin", write_program(tmp_path), "-n", "1-6"
    printed, found = doctor(*arguments)
    assert (found["finite"], found["growing"], found["cut"], found["sizes"]) == (True, None, False, [1, 6])
    assert found["prompts"] == len(found["pairs"]) == sum(found["lines"].values()) == 67
    reached = [pair["prompt"] for pair in found["pairs"] if pair["reached"]]
    assert found["reached"] == len(reached) < 67
    assert "cards on heap, symbolic: finite: 67 prompts for problems of every size; runs of n = 1-6 reach" in printed
    listed = coc("doctor", *arguments, "--list").out
    assert listed.count("    (in no run)\n") == 67 - len(reached)
    for pair in found["pairs"]:
        assert f"\n{pair['prompt']}{'' if pair['reached'] else '    (in no run)'}\n{pair['target']}\n" in listed


def test_it_names_where_the_program_goes_wrong(doctor, coc):
    arguments = ("sort", "-n", "2", "--instances", 1)
    (_, found), printed = doctor(*arguments), coc("doctor", *arguments, "--list").out
    stated = "52 prompts from all 7 kinds of first records and instructions that its types allow"
    assert f"\n  {stated}; at 8 more the program itself goes wrong\n" in printed
    assert (len(found["wrong"]), len(found["kinds"]["first"]), found["kinds"]["stated"]) == (8, 7, False)
    for prompt, fault in found["wrong"].items():
        assert re.match(r"sort\.py, line \d+, in \w+: there is no record to read: ", fault)
        assert f"\n{prompt}    (the program goes wrong)\n{fault}\n" in printed
        assert f"\n  {fault}, {[*found['wrong'].values()].count(fault)} prompt" in printed


@pytest.mark.slow
def test_the_command_that_it_prints_trains_an_exact_model(doctor, coc, tmp_path, monkeypatch):
    printed, found = doctor("cards", "--plugin", write_program(tmp_path), "-n", "1-6")
    monkeypatch.chdir(tmp_path)
    command = printed.splitlines()[-1]
    assert command == found["training"]["command"]
    done = coc(*shlex.split(command)[1:])
    assert "exact targets: 67 of 67 training pairs, 0 of 0 held-out pairs\n" in done.out


def test_what_makes_prompts_grow_is_named(doctor, tmp_path):
    printed, found = doctor("cards", "--plugin", write_program(tmp_path, GROWING), "-n", "1-6")
    assert (found["finite"], found["growing"]) == (False, "numbers without a limit: sweep.2: value")
    assert f"growing: {found['prompts']} prompts for n = 1-6\n  the prompts grow: {found['growing']}\n" in printed
    numeric = doctor("cards", "--plugin", write_program(tmp_path), "-n", "1-6", "--arith", "inline")[1]
    assert numeric["growing"] == "numeric notation shows the numbers of records"


def test_prompts_of_other_puzzles_are_measured(doctor, monkeypatch):
    printed, found = doctor("hanoi", "-n", "1-5")
    assert (found["finite"], found["growing"], found["prompts"], found["steps"]) == (False, None, 36, None)
    assert "hanoi on pda, symbolic: measured: 36 prompts for n = 1-5\n" in printed
    tape = "hanoi", "-n", "1-9", "-m", "tape", "-a", "inline", "--instances", "1"
    monkeypatch.setattr("coc_check.commands.doctor.MOST_STEPS", 20)
    printed, found = doctor(*tape)
    assert "runs were cut after 20 steps in all" in printed
    assert (found["cut"], found["sizes"], found["steps"]) == (True, [1, 4], 20)


def test_what_makes_no_sense_or_is_not_solved_is_refused(refused, tmp_path):
    assert "unknown domain 'nothing'" in refused(2, "doctor", "nothing")
    assert "n is 1 to" in refused(2, "doctor", "hanoi", "-n", "0")
    assert "cards can't run on pda" in refused(2, "doctor", "cards", "-m", "pda", "--plugin", write_program(tmp_path))
    wrong = write_program(tmp_path, ("Swap(card)", "Swap(right)"))
    told = refused(4, "doctor", "cards", "--plugin", wrong, "-n", "4-6")
    assert "the policy of cards does not solve" in told
    assert "in sweep.2; run `coc check cards` first" in told
    lazy = write_program(tmp_path, ("    while (yield sweep(first)):\n        pass\n", "    yield sweep(first)\n"))
    assert "the policy of cards does not solve" in refused(4, "doctor", "cards", "--plugin", lazy, "-n", "4-6")
