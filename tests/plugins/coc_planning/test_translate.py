"""Translating problems: what coc solves is what was asked, and what it can't solve is refused with the reason."""

import pytest
from attrs import evolve

from coc_core.errors import UsageError
from coc_core.plugin import DomainSpec
from coc_planning.lifted import Facts
from coc_planning.models import MODELS
from coc_planning.pddl.task import Atom
from coc_planning.translate import translate
from tests.support.installed_plugins import REGISTRY
from tests.support.reworded_pddl import problem_of

BLOCKS, _, HANOI, HANOI_4, PANCAKE, RIVER, STACKS, TOWERS = MODELS[:8]


def on(*pairs):
    return tuple(Atom("on", tuple(pair.split())) for pair in pairs)


def hanoi(n=3, **changes):
    domain = REGISTRY.create(DomainSpec, "hanoi")
    _, lifted, facts = problem_of(domain, HANOI, n, 0)
    return lifted, Facts(facts.objects, facts.initial, facts.goal) if not changes else Facts(
        changes.get("objects", facts.objects), changes.get("initial", facts.initial), changes.get("goal", facts.goal)
    )


@pytest.mark.parametrize(
    "goal", [on("d3 peg2"), on("d1 d2", "d2 d3", "d3 peg2"), (Atom("clear", ("peg3",)), *on("d3 peg2"))]
)
def test_a_goal_of_hanoi_may_leave_out_what_follows(goal):
    assert translate(REGISTRY, *hanoi(goal=goal)).problem == "n=3 src=1 dst=2"


@pytest.mark.parametrize("goal", [on("d1 peg2"), on("d2 d1"), on("d3 peg1")])
def test_hanoi_moves_whole_towers_to_another_peg(goal):
    with pytest.raises(UsageError, match=r"hanoi moves (one whole|a) tower"):
        translate(REGISTRY, *hanoi(goal=goal), solve_as="hanoi")


@pytest.mark.parametrize(
    ("goal", "problem"),
    [
        (on("d1 peg2"), "pegs=3 start=[1, 1, 1] goal=[2, 1, 1]"),
        (on("d3 peg1"), "pegs=3 start=[1, 1, 1] goal=[1, 1, 1]"),
        (on("d1 d3", "d3 peg1", "d2 peg2"), "pegs=3 start=[1, 1, 1] goal=[1, 2, 1]"),
        ((Atom("clear", ("peg1",)), *on("d2 peg2", "d3 peg3")), "pegs=3 start=[1, 1, 1] goal=[2, 2, 3]"),
    ],
)
def test_other_goals_of_hanoi_are_completed_so_that_little_moves(goal, problem):
    found = translate(REGISTRY, *hanoi(goal=goal))
    assert (found.domain, found.problem) == ("hanoi-any", problem)


@pytest.mark.parametrize(
    "goal", [on("d2 d1"), on("d1 d2", "d1 d3"), on("d1 peg1", "d2 peg1"), (Atom("clear", ("d2",)), *on("d1 d2"))]
)
def test_a_goal_that_no_state_of_hanoi_has_is_refused(goal):
    with pytest.raises(UsageError, match="no state of the disks has all that the goal says"):
        translate(REGISTRY, *hanoi(goal=goal))


def test_a_peg_too_many_is_counted():
    lifted, facts = hanoi()
    objects, initial = facts.objects, facts.initial
    for peg in ("peg4", "peg5"):
        initial |= {Atom("clear", (peg,))} | {Atom("smaller", (disk, peg)) for disk in ("d1", "d2", "d3")}
        objects = (*objects, peg)
        if peg == "peg4":
            assert translate(REGISTRY, lifted, Facts(objects, initial, facts.goal)).domain == "hanoi-4"
    facts = Facts(objects, initial, facts.goal)
    assert translate(REGISTRY, lifted, facts).domain == "hanoi-any"
    for name, pegs in (("hanoi", 3), ("hanoi-4", 4)):
        with pytest.raises(UsageError, match=f"it has 5 pegs; {name} has {pegs}"):
            translate(REGISTRY, lifted, facts, solve_as=name)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (lambda initial: initial - {Atom("clear", ("peg2",))}, "at the beginning .* does not hold"),
        (lambda initial: initial | {Atom("clear", ("d3",))}, "at the beginning .* holds"),
        (lambda initial: initial - {Atom("smaller", ("d1", "d2"))}, "hanoi|beginning"),
    ],
)
def test_an_impossible_state_is_refused(changed, message):
    lifted, facts = hanoi()
    with pytest.raises(UsageError, match=message):
        translate(REGISTRY, lifted, Facts(facts.objects, frozenset(changed(facts.initial)), facts.goal))


def blocks(objects, initial, goal):
    return BLOCKS.lifted(None), Facts(objects, frozenset(initial), goal)


def test_blocks_keep_their_names_unless_coc_can_not_say_them():
    start = {Atom("handempty", ()), Atom("ontable", ("red-block",)), Atom("clear", ("red-block",))}
    translated = translate(REGISTRY, *blocks(("red-block",), start, ()))
    assert translated.problem == "start=[[red-block]] & hand=[] & goal=[]"
    odd = {Atom(atom.predicate, ("ö",) * len(atom.arguments)) for atom in start}
    assert translate(REGISTRY, *blocks(("ö",), odd, ())).problem == "start=[[b1]] & hand=[] & goal=[]"


def test_too_many_blocks_are_refused():
    names = tuple(f"b{number}" for number in range(10_001))
    initial = {Atom("handempty", ())} | {Atom(name, (each,)) for each in names for name in ("ontable", "clear")}
    with pytest.raises(UsageError, match="10,001 blocks are too many"):
        translate(REGISTRY, *blocks(names, initial, ()))


def test_pancakes_need_a_place_each():
    domain = REGISTRY.create(DomainSpec, "pancake")
    _, lifted, facts = problem_of(domain, PANCAKE, 4, 0)
    with pytest.raises(UsageError, match="pancake needs a place for every pancake"):
        translate(REGISTRY, lifted, Facts(facts.objects, facts.initial, facts.goal[1:]))
    twice = (*facts.goal[1:], Atom(facts.goal[0].predicate, facts.goal[1].arguments))
    for goal in (twice, (*twice, *facts.goal)):
        with pytest.raises(UsageError, match="pancake needs one place for every pancake"):
            translate(REGISTRY, lifted, Facts(facts.objects, facts.initial, goal))


def problem(model, n, seed=0):
    domain = REGISTRY.create(DomainSpec, model.domain)
    _, lifted, facts = problem_of(domain, model, n, seed)
    return lifted, facts


@pytest.mark.parametrize("model", [HANOI, HANOI_4, STACKS], ids=repr)
def test_types_are_read_and_have_to_be_right(model):
    domain = REGISTRY.create(DomainSpec, model.domain)
    lifted, facts = problem(model, 3)
    (typed,) = [each for each in model.variants(lifted) if each != lifted]
    kinds = model.typed(domain.problem(3, 0))
    assert translate(REGISTRY, typed, evolve(facts, initial=facts.initial | kinds)).domain == model.domain
    some = {atom for atom in kinds if "3" not in str(atom)}
    with pytest.raises(UsageError, match=r"at the beginning \(type:\w+ \w3\) does not hold"):
        translate(REGISTRY, typed, evolve(facts, initial=facts.initial | some))


def test_stacks_need_a_place_for_each_block_and_three_places():
    lifted, facts = problem(STACKS, 4)
    with pytest.raises(UsageError, match="blocks-3 needs one place for every block in the goal"):
        translate(REGISTRY, lifted, evolve(facts, goal=facts.goal[1:]))
    with pytest.raises(UsageError, match="blocks-3 needs one place for every block in the goal"):
        translate(REGISTRY, lifted, evolve(facts, goal=(*facts.goal, Atom("clear", (facts.goal[0].arguments[1],)))))
    clear = Atom("clear", ("stack4",))
    more = evolve(facts, objects=(*facts.objects, "stack4"), initial=facts.initial | {clear})
    with pytest.raises(UsageError, match="it has room for 4 stacks; blocks-3 has room for 3"):
        translate(REGISTRY, lifted, more)


def test_everybody_crosses_the_river():
    lifted, facts = problem(RIVER, 3)
    short = evolve(facts, goal=tuple(atom for atom in facts.goal if atom.predicate == "at"))
    assert translate(REGISTRY, lifted, short).problem == translate(REGISTRY, lifted, facts).problem
    with pytest.raises(UsageError, match="river-crossing brings everybody to the other bank"):
        translate(REGISTRY, lifted, evolve(facts, goal=facts.goal[1:]))
    with pytest.raises(UsageError, match=r"at the beginning .* does not hold"):
        translate(REGISTRY, lifted, evolve(facts, initial=facts.initial - {Atom("fine", ("n0", "n1"))}))
    with pytest.raises(UsageError, match="river-crossing"):
        translate(REGISTRY, lifted, evolve(facts, initial=frozenset()))


def test_a_goal_that_only_operators_without_a_hand_can_reach_is_refused():
    """They may move a block onto itself, so such a goal is not unsolvable there."""
    lifted, facts = problem(TOWERS, 3)
    block = facts.objects[0]
    with pytest.raises(UsageError, match=r"the goal \(on b1 b1\) puts a block on itself"):
        translate(REGISTRY, lifted, evolve(facts, goal=on(f"{block} {block}")))
