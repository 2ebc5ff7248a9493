"""What holds for every domain of the plugin, and for those that users state on the same base."""

import doctest
import random
import re
from itertools import islice

import pytest

from coc_algorithms import planning
from coc_algorithms.ipc.ferry import Ferry, Location, deliver
from coc_core.domain import parse_problem, why_unsolvable
from coc_core.errors import ActionFault, UsageError
from coc_core.plugin import DomainSpec
from coc_problems.plan import optimum
from tests.support.for_each import for_each
from tests.support.heap_runs import HeapRuns
from tests.support.installed_plugins import REGISTRY

NAMES = (
    "logistics",
    "gripper",
    "ferry",
    "miconic",
    "spanner",
    "visit-all",
    "childsnack",
    "rovers",
    "satellite",
    "transport",
    "floortile",
    "sokoban",
)
RUNS = {name: HeapRuns(REGISTRY.create(DomainSpec, name)) for name in NAMES}


def solved(runs, problem):
    """Whether the policy solves a problem, with the actions of the program as it stands, none of which is for nothing."""
    runs.actions(problem)
    machine = runs(problem)
    assert runs.domain.is_goal(problem, machine.state)
    return machine


def in_the_middle(domain, problem, rng):
    """The same problem from a state after some actions that no policy takes."""
    state = domain.initial(problem)
    for _ in range(rng.randrange(12)):
        state = rng.choice([state, *domain.neighbours(state)])
    return type(problem)(tuple(state.atoms), problem.goal)


@for_each("name", NAMES)
def test_drawn_problems_are_solved(name):
    for seed in range(6):
        domain = RUNS[name].domain
        problem = domain.problem(1 + seed % 6, seed)
        assert parse_problem(domain, domain.problems.format(problem)) == problem
        solved(RUNS[name], problem)


@for_each("name", NAMES)
def test_problems_are_solved_from_any_state_or_known_to_be_unsolvable(name):
    domain, rng = RUNS[name].domain, random.Random(name)
    for seed in range(6):
        largest = 2 if name in ("childsnack", "sokoban") else 3  # that can be searched
        try:
            problem = in_the_middle(domain, domain.problem(1 + seed % largest, seed), rng)
        except ValueError:
            assert name == "floortile"  # which takes no floor that is painted where robots have to go
            continue
        if why_unsolvable(domain, problem) is None:
            solved(RUNS[name], problem)
        else:
            assert name == "floortile" or optimum(domain, problem, 20_000) is None  # a floor has too many states
            domain.begin(problem)


@for_each("name", NAMES)
def test_where_the_goal_holds_no_action_is_taken(name):
    domain = RUNS[name].domain
    for seed in range(2):
        problem = domain.problem(2 + seed, seed)
        state = solved(RUNS[name], problem).state
        there = type(problem)(tuple(state.atoms), problem.goal)
        assert RUNS[name].actions(there) == []


@for_each("name", NAMES)
def test_moves_are_read_as_they_are_written(name):
    domain = RUNS[name].domain
    problem = domain.problem(4)
    state = domain.initial(problem)
    for action in islice(domain.every_action(state), 20):
        if (move := domain.effect(state, action)) is not None:
            assert domain.actions_for(state, move) == (action,)
        else:
            assert domain.apply(state, action) == state
    operator = move.split(" ")[0]
    for text, error in (
        ("jump", ValueError),
        (operator, ValueError),
        (f"{move} {move}", ValueError),
        (move.replace(" ", " no-", 1), ActionFault),
    ):
        with pytest.raises(error, match=r"is not one of|there is no object"):
            domain.actions_for(state, text)


def test_an_illegal_action_names_what_does_not_hold():
    domain = RUNS["ferry"].domain
    problem = parse_problem(
        domain, "start=[car c1, location l1, location l2, at c1 l1, at-ferry l2, empty-ferry] & goal=[at c1 l2]"
    )
    state = domain.initial(problem)
    for text, message in (
        ("board C1 L2", r"\(at-ferry l1\) does not hold"),
        ("board C1 L3", r"\(at c1 l2\) does not hold"),
        ("debark C1 L3", r"\(on c1\) does not hold"),
        ("sail L3 L9", r"\(location object 9\) does not hold"),
    ):
        with pytest.raises(ActionFault, match=message):
            domain.apply(state, domain.actions.parse(text))


FERRY = "car c1, location l1, location l2, at-ferry l1"
TRUCK = "package p1, truck t1, location l1, city c1, in-city l1 c1"
LIFT = "passenger p1, floor f1, floor f2, lift-at f1, origin p1 f1"
MAN = "man bob, nut n1, spanner s1, location l1, location l2, at bob l1"
SNACK = "child c1, bread-portion b1, content-portion f1, sandwich s1, tray t1, place p1, at_kitchen_bread b1"
LUNCH = f"{SNACK}, at_kitchen_content f1, notexist s1, at_kitchen t1, waiting c1 p1"
VAN = "package p1, vehicle v1, location l1, location l2, size c0, size c1, at v1 l1, capacity-predecessor c0 c1"
ROVER = "waypoint w1, waypoint w2, rover r1, lander g, at r1 w1, at_lander g w2, visible w1 w2, at_soil_sample w1"
SIGHT = "direction d1, satellite s1, instrument i1, mode m1, on_board i1 s1, calibration_target i1 d1"
TILES = "robot r1, tile t1, tile t2, color c1, up t2 t1, down t1 t2, robot-at r1 t1, robot-has r1 c1"
FLOOR = f"{TILES}, clear t2, available-color c1"
BOX = "box b1, location l1, location l2, direction d, direction e, at b1 l1, clear l2, at-robot l2"
HOSTILE = {
    ("ferry", "start=[] & goal=[]"): r"\(at-ferry \.\.\.\) is missing",
    ("ferry", f"start=[{FERRY}, at c1 l1] & goal=[]"): r"\(on \.\.\.\) or \(empty-ferry\) is missing",
    ("ferry", f"start=[{FERRY}, empty-ferry] & goal=[]"): r"\(at c1 \.\.\.\) or \(on c1\) is missing",
    ("ferry", f"start=[{FERRY}, at c1 l1, at c1 l2, empty-ferry] & goal=[]"): "can't both hold",
    ("ferry", f"start=[{FERRY}, at c1 c1, empty-ferry] & goal=[]"): "c1 is a car",
    (
        "ferry",
        f"start=[{FERRY}, at c1 l1, empty-ferry] & goal=[on c1]",
    ): r"the goal has \(on c1\); it may have \(at \?car _\), \(at-ferry _\)",
    ("ferry", f"start=[{FERRY}, at c1 l1, empty-ferry] & goal=[at c2 l1]"): "'c2' is none of car, location",
    ("ferry", f"start=[{FERRY}, at c1 l1, empty-ferry, car l1] & goal=[]"): "'l1' is a car and a location",
    ("ferry", f"start=[{FERRY}, at c1 l1, empty-ferry, car c1] & goal=[]"): "an atom is twice",
    ("ferry", f"start=[{FERRY}, flies c1] & goal=[]"): "is none of these",
    ("ferry", f"start=[{FERRY}, at c1] & goal=[]"): "'.at c1.' is none of these, with so many arguments: ",
    ("ferry", "start=[car C1] & goal=[]"): "'C1' is not a name",
    ("logistics", f"start=[{TRUCK}, at t1 l1, at p1 l1, airplane a1, at a1 l1] & goal=[]"): "not at an airport",
    ("miconic", f"start=[{LIFT}, destin p1 f2] & goal=[]"): "does not order all floors",
    ("miconic", f"start=[{LIFT}, destin p1 f2, above f1 f2, above f2 f1] & goal=[]"): "does not order all floors",
    ("spanner", f"start=[{MAN}, at n1 l2, at s1 l1, link l1 l2, link l2 l1] & goal=[]"): "leads in a circle",
    ("spanner", f"start=[{MAN}, at n1 l2, at s1 l1, man joe, at joe l1] & goal=[]"): "there are 2 men",
    ("spanner", f"start=[{MAN}, at n1 l2, at s1 l1] & goal=[at s1 l2]"): "it may have",
    (
        "childsnack",
        f"start=[{LUNCH}, allergic_gluten c1, ontray s1 t1] & goal=[]",
    ): r"\(notexist s1\) and \(ontray s1 t1\) can't both hold",
    ("visit-all", "start=[at-robot a, connected a b] & goal=[]"): "not the other way round",
    ("rovers", f"start=[{ROVER}, can_traverse r1 w1 w2] & goal=[]"): "w1 is connected to w2, and not the other way",
    ("rovers", f"start=[{ROVER}, lander h, at_lander h w1] & goal=[]"): "there are 2 landers",
    ("satellite", f"start=[{SIGHT}] & goal=[]"): r"\(pointing s1 ...\) is missing",
    ("transport", f"start=[{VAN}, at p1 l1, capacity v1 c0, road l1 l2] & goal=[]"): "not the other way round",
    (
        "floortile",
        f"start=[{TILES}, robot r2, robot-at r2 t2, robot-has r2 c1] & goal=[painted t2 c1]",
    ): "two robots begin in the same column",
    ("floortile", f"start=[{FLOOR}] & goal=[painted t1 c1]"): "t1 is in the lowest row",
    ("floortile", f"start=[{TILES}, clear t2] & goal=[painted t2 c1]"): "c1 is not available",
    ("floortile", f"start=[{FLOOR}, tile t3, up t3 t2, clear t3] & goal=[painted t2 c1]"): "t2 is not down of t3",
    (
        "floortile",
        f"start=[{FLOOR}, tile t3, left t3 t1, right t1 t3, clear t3] & goal=[painted t2 c1]",
    ): "are not a rectangle",
    ("floortile", f"start=[{FLOOR}, up t1 t2] & goal=[painted t2 c1]"): "do not lie in a grid",
    (
        "floortile",
        f"start=[{FLOOR}, tile t3, up t3 t2, down t2 t3, painted t3 c1, tile t4, up t4 t3, down t3 t4, clear t4]"
        " & goal=[painted t4 c1]",
    ): "t3 is painted, or a robot is there",
    ("sokoban", f"start=[{BOX}, adjacent l1 l2 d, adjacent l2 l1 d] & goal=[]"): "do not lie in a grid",
    (
        "sokoban",
        "start=[location l1, location l2, clear l1, clear l2, at-robot l1, "
        + ", ".join(
            f"direction {each}, adjacent l{1 + number % 2} l{2 - number % 2} {each}"
            for number, each in enumerate("abcdef")
        )
        + "] & goal=[]",
    ): "the directions are not four",
}


@for_each(("case", "message"), HOSTILE.items())
def test_what_is_no_problem_is_refused_in_one_line(case, message):
    with pytest.raises(UsageError, match=message) as caught:
        parse_problem(RUNS[case[0]].domain, case[1])
    assert "\n" not in str(caught.value)


UNSOLVABLE = {
    ("ferry", f"start=[{FERRY}, at c1 l1, empty-ferry] & goal=[at c1 l1, at c1 l2]"): "can't both hold",
    ("ferry", f"start=[{FERRY}, at c1 l1, empty-ferry] & goal=[car l1]"): r"\(car l1\) never holds",
    ("logistics", f"start=[{TRUCK}, at t1 l1, at p1 l1, location l2, city c2, in-city l2 c2] & goal=[at p1 l2]"): (
        "no airplane can bring p1 from c1 to c2"
    ),
    ("logistics", "start=[package p1, location l1, location l2, city c1, in-city l1 c1, in-city l2 c1, at p1 l1]"
     " & goal=[at p1 l2]"): "there is no truck in c1 for p1",
    ("gripper", "start=[ball b, room r, room s, at b r, at-robby r] & goal=[at b s]"): "no gripper to move b",
    ("spanner", f"start=[{MAN}, at n1 l2, at s1 l2, loose n1, useable s1] & goal=[tightened n1]"): "not on the way",
    ("spanner", f"start=[{MAN}, at n1 l1, at s1 l1, loose n1] & goal=[tightened n1]"): "not enough spanners",
    ("spanner", f"start=[{MAN}, at n1 l1, at s1 l1, useable s1] & goal=[tightened n1]"): "n1 is not loose",
    ("childsnack", f"start=[{LUNCH}, allergic_gluten c1] & goal=[served c1]"): "not enough bread without gluten",
    ("childsnack", f"start=[{SNACK}, not_allergic_gluten c1, at t1 p1, waiting c1 p1] & goal=[served c1]"): (
        "not enough content"
    ),
    ("visit-all", "start=[at-robot a, connected b b] & goal=[visited b]"): "no way leads to b",
    ("miconic", "start=[passenger p, floor f, lift-at f, destin p f] & goal=[served p]"): "p is nowhere",
    ("rovers", f"start=[{ROVER}] & goal=[communicated_soil_data w1]"): "no rover can send the soil of w1",
    ("satellite", f"start=[{SIGHT}, pointing s1 d1, supports i1 m1] & goal=[have_image d1 m1]"): (
        "no instrument can be used for m1"
    ),
    ("transport", f"start=[{VAN}, at p1 l2, capacity v1 c1] & goal=[at p1 l1]"): "no vehicle can bring p1 to l1",
    ("visit-all", "start=[at-robot a] & goal=[visited a]"): "no way leads to a",
    ("floortile", f"start=[{TILES}, color c2, painted t2 c2] & goal=[painted t2 c1]"): "t2 is painted in another",
    ("sokoban", f"start=[{BOX}, adjacent l1 l2 d, adjacent l2 l1 e] & goal=[at b1 l2]"): "b1 can't be pushed to l2",
}  # fmt: skip


@for_each(("case", "message"), UNSOLVABLE.items())
def test_what_nothing_solves_is_known_before_any_step(case, message):
    domain = RUNS[case[0]].domain
    problem = parse_problem(domain, case[1])
    assert re.search(message, why_unsolvable(domain, problem))
    assert optimum(domain, problem) is None
    domain.begin(problem)


def test_the_example_of_the_base_is_right():
    assert doctest.testmod(planning) == doctest.TestResults(failed=0, attempted=8)


def test_mistakes_of_a_statement_are_named(monkeypatch):
    with pytest.raises(ValueError, match="is not of the form NAME"):
        planning.operators("sail ?start (at ?start) -> (gone ?start)")
    with pytest.raises(ValueError, match=r"sail has no parameter \?end"):
        planning.operators("sail ?start: (at ?start) -> (gone ?end)")
    monkeypatch.setattr(Ferry, "build", lambda self, world: deliver(world[Location][0], None, None, None))
    with pytest.raises(TypeError, match="Car needs a value for 'to'"):
        Ferry().problem(1)
