"""Tasks that look at runs of the reference model; and which held-out pairs no training pair becomes by renumbering."""

import re
from collections import defaultdict
from itertools import chain

import coc_core as coc
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import DatasetSpec, HoldOutBy, PairStream, teacher_pairs
from coc_paper.work.reference import growth, isolated, pairs, renumbered

SETTING = Setting.of(Registry.installed(), "hanoi", "tape", "inline")
NUMBER = re.compile(r"(\S+?[ =\[]|from |to |disk )(-?[0-9]+)")


def runs(*sizes):
    return [list(teacher_pairs(SETTING, [SETTING.domain.problem(n)])) for n in sizes]


def in_words(pair):
    """A target whose numbers are replaced by where they come from in its prompt."""
    given = {name: int(text) for name, text in re.findall(r"(\w+)=(-?[0-9]+)", pair.prompt)}
    pegs = {given[name]: name for name in ("src", "dst", "aux") if name in given}
    disk = given.get("n", given.get("d"))

    def word(found):
        before, number = found[1], int(found[2])
        if before in ("src=", "dst=", "aux=", "from ", "to "):
            return before + pegs[number]
        if before in ("n=", "d=", "disk "):
            return f"{before}disk{number - disk:+}"
        return f"{before}prev" if number == given["prev"] else f"{before}NEXT_ID{number - given['NEXT_ID']:+}"

    return NUMBER.sub(word, pair.target)


def test_prompts_that_are_left_alike_have_one_target_up_to_the_numbers():
    targets = defaultdict(set)
    for pair in chain.from_iterable(runs(*range(1, 9))):
        targets[renumbered(pair.prompt)].add(in_words(pair))
    assert len(targets) == 7
    assert [kind for kind, found in targets.items() if len(found) > 1] == []


def test_a_size_needs_a_pair_if_its_run_has_it():
    for sizes, percent, seed in [((2, 3), 90, 4), *(((1, 2, 3, 4, 5, 6), 50, seed) for seed in range(12))]:
        (row,) = isolated(None, {}, sizes=list(sizes), held_out=[[percent, seed]])
        stream = PairStream(SETTING, DatasetSpec(sizes, by=HoldOutBy.pairs, holdout=percent / 100, seed=seed))
        every = list(stream)
        known = {renumbered(pair.prompt) for index, pair in enumerate(every) if index not in stream.held_out()}
        alone = {pair.prompt for pair in every if renumbered(pair.prompt) not in known}
        needing = [n for n, run in zip(sizes, runs(*sizes), strict=True) if alone & {pair.prompt for pair in run}]
        assert (row["alone"], row["sizes"]) == (len(alone), needing)
        if 1 in sizes:  # only the single disk has a pair that nothing else tells, the first one
            assert needing == ([1] if 0 in stream.held_out() else [])


def test_the_context_is_the_first_prompt_and_the_targets_so_far():
    found = growth(None, {}, "hanoi", 2, memory="tape", arith="inline", model="reference")
    steps = list(coc.run("hanoi", 2, memory="tape", arith="inline", model="reference").trace)
    assert [value for _, value in found["prompts"]] == [len(step.prompt) for step in steps]
    context = [len(steps[0].prompt) + sum(len(step.target) for step in steps[:k]) for k in range(len(steps))]
    assert [value for _, value in found["contexts"]] == context


def test_each_pair_is_counted_where_it_first_comes():
    distinct = set()
    for row in pairs(None, {}, "hanoi", "pda", "symbolic", "reference", [1, 2, 3]):
        run = coc.run("hanoi", row["n"], model="reference")
        new = {step.prompt for step in run.trace} - distinct
        assert (row["added"], row["actions"]) == (len(new), len(run.plan))
        distinct |= new
