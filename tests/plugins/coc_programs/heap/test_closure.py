"""With names numbered in their order, all prompts of problems of all sizes can be listed without a run."""

import random
from itertools import islice

import pytest
from attrs import evolve

from coc_core.domain import why_unsolvable
from coc_core.errors import PluginError
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import teacher_pairs
from coc_problems import closure, every_prompt, is_closed, policy_steps
from coc_programs import Record, new, procedure, read, write
from coc_programs.heap.convention import HeapConvention
from coc_programs.heap.kinds import first_kinds, kinds_begun
from coc_programs.heap.memory import Heap
from coc_puzzles.pancake.linked import LinkedPancake
from tests.support.program_runs import Say, domain_of, on_machine

COUNTS = {
    "blocks": 421,
    "blocksworld": 8,
    "blocksworld-extended": 12,
    "childsnack": 51,
    "exact-cover": 248,
    "ferry": 67,
    "floortile": 223,
    "gripper": 99,
    "hanoi-any": 143,
    "logistics": 77,
    "maze": 42,
    "maze-dfs": 21,
    "miconic": 78,
    "pancake": 40,
    "rotten-oranges": 353,
    "rovers": 186,
    "satellite": 63,
    "scheme": 1077,
    "sokoban": 607,
    "sort": 52,
    "sort-insertion": 44,
    "spanner": 128,
    "tiles": 48,
    "transport": 163,
    "visit-all": 19,
}
"""The prompts of each domain with a finite list."""

SETTINGS = {name: Setting.of(Registry.installed(), name, "heap", "symbolic") for name in COUNTS}
LARGEST = {"exact-cover": 3, "tiles": 2}


def problems(domain, sizes, count, seed=0):
    rng = random.Random(seed)
    drawn = (domain.problem(rng.choice(sizes), rng.randrange(10**12)) for _ in range(count))
    return [problem for problem in drawn if not why_unsolvable(domain, problem)]


@pytest.fixture(scope="module")
def closures():
    return {name: dict(closure(setting.convention, ())) for name, setting in SETTINGS.items()}


def prompt_of(setting, text):
    return setting.convention.prompt(setting.convention.window(text))


def outside(setting, known, some):
    """The first prompt of a run, or the first kind that it begins with, that is not in the lists."""
    first = first_kinds(setting.domain)
    for problem in some:
        yield from (kind for kind in kinds_begun(setting.domain, problem) if kind not in first)
        for instruction, _ in islice(policy_steps(setting.domain, problem), 400):
            prompt = prompt_of(setting, setting.domain.instructions.format(instruction))
            if known.get(prompt) != setting.convention.target_for(prompt):
                yield prompt


def test_no_run_has_a_prompt_that_is_not_listed(closures):
    assert {name: len(known) for name, known in closures.items()} == COUNTS
    for name, setting in SETTINGS.items():
        sizes = setting.domain.sizes
        drawn = problems(setting.domain, sizes[: LARGEST.get(name, 8)], 2)
        drawn += problems(setting.domain, sizes[: LARGEST.get(name, 25)], 1, seed=1)
        assert not [*islice(outside(setting, closures[name], drawn), 3)], name


def test_kinds_without_end_are_an_error_of_the_domain(monkeypatch):
    monkeypatch.setattr("coc_problems.prompts.MOST_KINDS", 100)
    setting = SETTINGS["blocks"]
    with pytest.raises(
        PluginError, match="blocks says that its records are of finitely many kinds, and its steps lead"
    ):
        list(closure(setting.convention, ()))


class Undeclared(LinkedPancake):
    finitely_many_kinds = False


def test_where_kinds_may_be_without_end_the_pairs_are_those_of_runs():
    setting = SETTINGS["pancake"]
    undeclared = evolve(setting, domain=Undeclared(), convention=HeapConvention(Undeclared(), "symbolic"))
    assert not is_closed(undeclared.convention)
    some = problems(setting.domain, range(1, 8), 100)
    found = dict(teacher_pairs(undeclared, some))
    assert len(found) == 11
    assert found.items() <= dict(teacher_pairs(setting, some)).items()


class Knot(Record):
    left: "Knot | None" = None
    right: "Knot | None" = None


class Bound(Record, letters="T"):
    other: "Bound | None" = None
    own: "Bound"


@procedure
def tangle(a: Knot, b: Knot) -> None:
    """Write two records, which may be one."""
    x = yield read(a)
    if not x.right:
        return
    yield write(b, left=None, right=None)
    yield write(a, left=b)
    x = yield read(a)
    yield Say(x.right == None)  # noqa: E711


@procedure
def make(a: Knot, b: Knot) -> None:
    """Compare a record with one that is new."""
    made = yield new(Knot, left=a)
    if made == b or b == made:
        yield Say("red")
    x = yield read(a)
    yield Say(x.left == b)


@procedure
def tie(a: Bound) -> None:
    """Write None where it can't be."""
    x = yield read(a)
    yield write(a, own=x.other)


@pytest.mark.parametrize(("main", "prompts"), [(tangle, 6), (make, 5)])
def test_the_prompts_of_records_that_may_be_the_same_are_listed(main, prompts):
    one, other = Knot(), Knot()
    other.left = other.right = one
    one.left = one.right = one
    pairs = [(one, one), (one, other), (other, one), (other, other)]
    known, runs = {}, {}
    for arguments in pairs:
        domain = domain_of(main, lambda arguments=arguments: (main(*arguments), [one, other]), Knot)
        domain.kinds = lambda: [main(*each) for each in pairs] + [one, other]
        convention = HeapConvention(domain, "symbolic")
        known |= closure(convention, ())
        target_for = convention.target_for
        convention.target_for = lambda prompt, ask=target_for: runs.setdefault(prompt, ask(prompt))
        on_machine(domain, Heap(), convention)
    assert runs.items() <= known.items()
    assert len(known) == prompts


def test_a_step_that_no_text_is_for_is_in_no_run():
    alone = Bound(own=Bound.at(1))
    domain = domain_of(tie, lambda: (tie(alone), [alone]), Bound)
    domain.kinds = lambda: [tie(alone), alone]
    listed = every_prompt(HeapConvention(domain, "symbolic"))
    assert (listed.pairs, *listed.wrong) == ((), "CALL tie.1 AT T1: other=- own=T2")
    line = tie.function.__code__.co_firstlineno + 4
    wrong = f"test_closure.py, line {line}, in tie: None is not Bound"
    assert [*listed.wrong.values()] == [wrong]
    domain = domain_of(tie, lambda: (tie(alone), [alone]), Bound)
    listed = every_prompt(HeapConvention(domain, "symbolic"))
    assert dict(listed.pairs) == {"CALL tie.1 AT T1: other=T2 own=T3": "WRITE T1: own=T2"}
    assert [*listed.wrong.values()] == [wrong]
