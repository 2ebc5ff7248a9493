"""Which held-out pairs nothing else tells: those that no training pair becomes when numbers are renumbered."""

import re
from collections import defaultdict
from itertools import chain

from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import DatasetSpec, HoldOutBy, PairStream, teacher_pairs
from coc_paper.work.reference import isolated, renumbered

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
        if number == given["prev"]:
            return f"{before}prev"
        return f"{before}NEXT_ID{number - given['NEXT_ID']:+}"

    return NUMBER.sub(word, pair.target)


def test_prompts_that_are_left_alike_have_one_target_up_to_the_numbers():
    targets = defaultdict(set)
    for pair in chain.from_iterable(runs(*range(1, 9))):
        targets[renumbered(pair.prompt)].add(in_words(pair))
    assert len(targets) == 7
    assert [kind for kind, found in targets.items() if len(found) > 1] == []


def test_only_the_single_disk_has_a_pair_that_nothing_else_tells():
    for row in isolated(None, {}, sizes=list(range(1, 7)), held_out=[[50, seed] for seed in range(12)]):
        spec = DatasetSpec(tuple(range(1, 7)), by=HoldOutBy.pairs, holdout=0.5, seed=row["seed"])
        stream = PairStream(SETTING, spec)
        pairs = list(stream)
        held = 0 in stream.held_out()  # the first pair is that of one disk
        assert pairs[0].prompt == runs(1)[0][0].prompt
        assert (row["alone"], row["sizes"]) == ((1, [1]) if held else (0, []))


def test_a_size_needs_a_pair_if_its_run_has_it():
    (row,) = isolated(None, {}, sizes=[2, 3], held_out=[[90, 4]])
    stream = PairStream(SETTING, DatasetSpec((2, 3), by=HoldOutBy.pairs, holdout=0.9, seed=4))
    pairs = list(stream)
    known = {renumbered(pair.prompt) for index, pair in enumerate(pairs) if index not in stream.held_out()}
    alone = {pair.prompt for pair in pairs if renumbered(pair.prompt) not in known}
    sizes = [n for n, run in zip((2, 3), runs(2, 3), strict=True) if alone & {pair.prompt for pair in run}]
    assert (row["alone"], row["sizes"]) == (len(alone), sizes)
    assert alone
