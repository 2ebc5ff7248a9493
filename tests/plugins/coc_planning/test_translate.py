"""Translating problems: what coc solves is what was asked, and what it can't solve is refused with the reason."""

import pytest
from planning_domains import problem_of

from coc_core.errors import UsageError
from coc_core.plugin import DomainSpec, Registry
from coc_planning.lifted import Atom, Facts
from coc_planning.models import MODELS
from coc_planning.translate import translate

REGISTRY = Registry.installed()
BLOCKS, MOVED, HANOI, PANCAKE, TOWERS = MODELS[:5]


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
    with pytest.raises(UsageError, match="hanoi moves one whole tower from a peg to another"):
        translate(REGISTRY, *hanoi(goal=goal))


def test_a_peg_too_many_is_counted():
    lifted, facts = hanoi()
    more = facts.initial | {Atom("clear", ("peg4",))} | {Atom("smaller", (disk, "peg4")) for disk in ("d1", "d2", "d3")}
    with pytest.raises(UsageError, match="it has 4 pegs; hanoi has 3"):
        translate(REGISTRY, lifted, Facts((*facts.objects, "peg4"), more, facts.goal))


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


def test_a_goal_over_unknown_predicates_is_refused():
    with pytest.raises(UsageError, match=r"the goal \(painted d1\) is none of hanoi"):
        translate(REGISTRY, *hanoi(goal=(Atom("painted", ("d1",)),)))


def blocks(objects, initial, goal):
    return BLOCKS.lifted(None), Facts(objects, frozenset(initial), goal)


def test_blocks_keep_their_names_unless_coc_can_not_say_them():
    start = {Atom("handempty", ()), Atom("ontable", ("red-block",)), Atom("clear", ("red-block",))}
    translated = translate(REGISTRY, *blocks(("red-block",), start, ()))
    assert translated.problem == "start=[[red-block]] & hand=[] & goal=[]"
    odd = {Atom(atom.predicate, ("ö",) * len(atom.arguments)) for atom in start}
    assert translate(REGISTRY, *blocks(("ö",), odd, ())).problem == "start=[[b1]] & hand=[] & goal=[]"


def test_a_block_on_two_others_is_no_state():
    initial = {
        Atom("handempty", ()), *on("a b", "a c"), Atom("clear", ("a",)), Atom("ontable", ("b",)), Atom("ontable", ("c",))
    }  # fmt: skip
    with pytest.raises(UsageError, match=r"at the beginning|appears twice"):
        translate(REGISTRY, *blocks(("a", "b", "c"), initial, ()))


def test_blocks_in_a_circle_are_no_state():
    initial = {Atom("handempty", ()), *on("a b", "b a")}
    with pytest.raises(UsageError, match="blocks has no problem of size n=0"):
        translate(REGISTRY, *blocks(("a", "b"), initial, ()))


def test_too_many_blocks_are_refused():
    names = tuple(f"b{number}" for number in range(20_000))
    initial = {Atom("handempty", ())} | {Atom(name, (each,)) for each in names for name in ("ontable", "clear")}
    with pytest.raises(UsageError, match="20,000 blocks are too many"):
        translate(REGISTRY, *blocks(names, initial, ()))


def test_pancakes_need_a_place_each():
    domain = REGISTRY.create(DomainSpec, "pancake")
    _, lifted, facts = problem_of(domain, PANCAKE, 4, 0)
    with pytest.raises(UsageError, match="pancake needs a place for every pancake"):
        translate(REGISTRY, lifted, Facts(facts.objects, facts.initial, facts.goal[1:]))
    twice = (*facts.goal[1:], Atom(facts.goal[0].predicate, facts.goal[1].arguments))
    with pytest.raises(UsageError, match="pancake needs one place for every pancake"):
        translate(REGISTRY, lifted, Facts(facts.objects, facts.initial, twice))


def test_towers_are_read_as_blocks():
    domain = REGISTRY.create(DomainSpec, "blocksworld")
    _, lifted, facts = problem_of(domain, TOWERS, 5, 0)
    assert translate(REGISTRY, lifted, facts).domain == "blocks"
    with pytest.raises(UsageError, match="read as those of blocks"):
        TOWERS.read(facts)


def test_blocks_in_a_circle_beside_others_are_no_state():
    initial = {Atom("handempty", ()), *on("a b", "b a"), Atom("ontable", ("c",)), Atom("clear", ("c",))}
    with pytest.raises(UsageError, match="at the beginning"):
        translate(REGISTRY, *blocks(("a", "b", "c"), initial, ()))
