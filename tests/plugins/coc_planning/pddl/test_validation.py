"""Plans for any domain: what is wrong is named in the domain's words."""

import random
from collections import Counter
from itertools import permutations

import pytest

import coc_core as coc
from coc_core.errors import ActionFault, UsageError
from coc_planning.pddl.reading import read_task
from coc_planning.pddl.simulation import Simulation
from tests.support.drawn_tasks import DrawnTask, walk
from tests.support.for_each import for_each

DOMAIN = """(define (domain office)
  (:requirements :adl :action-costs)
  (:types room thing - object box key - thing)
  (:constants hall - room)
  (:predicates (in ?t - thing ?r - room) (at ?r - room) (locked ?r - room) (opens ?k - key ?r - room) (dusty ?r - room))
  (:functions (total-cost) (far ?r - room) - number)
  (:action go :parameters (?a ?b - room)
    :precondition (and (at ?a) (not (locked ?b)) (not (= ?a ?b)))
    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (+ 1 (far ?b)))))
  (:action unlock :parameters (?r - room)
    :precondition (exists (?k - key) (and (opens ?k ?r) (exists (?h - room) (and (in ?k ?h) (at ?h)))))
    :effect (not (locked ?r)))
  (:action push :parameters (?t - (either box key) ?a - room)
    :precondition (and (at ?a) (in ?t ?a) (or (dusty ?a) (imply (locked hall) (at hall))))
    :effect (and (in ?t hall) (when (not (= ?a hall)) (not (in ?t ?a)))))
  (:action sweep :parameters ()
    :precondition (forall (?t - thing ?r - room) (imply (in ?t ?r) (not (dusty ?r))))
    :effect (forall (?r - room) (when (dusty ?r) (and (not (dusty ?r)) (increase (total-cost) 2))))))
"""
PROBLEM = """(define (problem monday) (:domain office)
  (:objects cellar attic - room b - box k - key)
  (:init (at hall) (in b cellar) (in k hall) (opens k attic) (locked attic) (dusty attic) (dusty cellar)
    (= (far attic) 2.5) (= (far hall) 0) (= (far cellar) 1))
  (:goal (and (forall (?t - thing) (in ?t hall)) (not (dusty attic)) (exists (?r - room) (at ?r))))
  (:metric minimize (total-cost)))
"""
PLAN = "(go hall cellar) (push b cellar) (sweep) (go cellar hall) (unlock attic) (go hall attic)"


@pytest.fixture
def validate(texts):
    return lambda plan, domain=DOMAIN, problem=PROBLEM: coc.validate_pddl(*texts(domain, problem), plan)


def test_a_plan_with_all_that_adl_has(validate, tmp_path):
    found = validate(PLAN)
    assert (found.verdict, found.actions, found.cost, found.reason) == ("solved", 6, 10.5, "")
    assert repr(found) == "<PddlValidation: office monday: solved, 6 legal actions>"
    (tmp_path / "plan").write_text(PLAN)
    assert validate(tmp_path / "plan") == validate(PLAN.split(") ")[0] + ")" + PLAN.partition(")")[2]) == found
    assert "monday" in found._repr_html_()


@for_each(
    ("plan", "at", "why"),
    [
        ("(go hall attic)", 1, "the precondition (not (locked ?b)) does not hold for ?b = attic"),
        ("(go hall hall)", 1, "the precondition (not (= ?a ?b)) does not hold for ?a = hall, ?b = hall"),
        (
            "(go hall cellar) (unlock attic)",
            2,
            "the precondition (exists (?k - key) (and (opens ?k ?r) (exists (?h - room) (and (in ?k ?h) (at ?h))))) does"
            " not hold for ?r = attic",
        ),
        (
            "(sweep)",
            1,
            "the precondition (forall (?t - thing ?r - room) (imply (in ?t ?r) (not (dusty ?r)))) does not hold for"
            " ?t = b, ?r = cellar",
        ),
        ("(go hall cellar) (push k cellar)", 2, "the precondition (in ?t ?a) does not hold for ?a = cellar, ?t = k"),
        ("(go hall cellar) (fly b)", 2, "there is no action 'fly'"),
        ("(go hall)", 1, "'go' has 2 parameters, not 1"),
        ("(go hall nowhere)", 1, "there is no object 'nowhere'"),
        ("(go hall b)", 1, "'b' is of type box, and ?b is of room"),
        ("(push hall hall)", 1, "'hall' is of type room, and ?t is of box or key"),
    ],
)
def test_the_first_wrong_action_is_named(validate, plan, at, why):
    found = validate(plan)
    assert (found.verdict, found.at, found.why, found.actions) == ("illegal", at, why, at - 1)
    assert found.cost is None


def test_what_the_goal_lacks_is_listed(validate):
    found = validate("(go hall cellar)")
    assert (found.verdict, found.missing) == ("unsolved", ("(in b hall)", "(not (dusty attic))"))
    assert found.reason == "the goal lacks (in b hall), (not (dusty attic))"
    assert validate("", problem=PROBLEM.replace("(at ?r)", "(in k ?r)")).missing == found.missing
    many = PROBLEM.replace("b - box", " ".join(f"b{n}" for n in range(9)) + " b - box")
    assert validate("", problem=many).reason.endswith("(in b2 hall) and 8 more")


def test_costs_are_those_of_the_metric(validate):
    metric = "(:metric minimize (total-cost))"
    assert validate(PLAN, problem=PROBLEM.replace(metric, "")).cost == 10.5
    assert validate(PLAN, problem=PROBLEM.replace("minimize (total-cost)", "maximize (* 2 (total-time))")).cost == 12
    assert validate(PLAN, problem=PROBLEM.replace("(total-cost))", "(- (/ (total-cost) 2)))")).cost == -5.25
    assert validate(PLAN, problem=PROBLEM.replace("(total-cost))", "(/ 1 0))")).cost is None
    assert validate(PLAN, problem=PROBLEM.replace("(at hall)", "(at hall) (= (total-cost) 7)")).cost == 17.5
    free = DOMAIN.replace("(increase (total-cost) (+ 1 (far ?b)))", "").replace("(increase (total-cost) 2)", "")
    assert validate(PLAN, free, PROBLEM.replace(metric, "")).cost == 6
    unknown = validate(PLAN, problem=PROBLEM.replace("(= (far hall) 0)", ""))
    assert (unknown.at, unknown.why) == (4, "(far hall) has no value")


def test_inner_variables_hide_outer_ones(validate):
    """`?r` of the effect's condition is the action's, and the one inside is another."""
    domain = (
        DOMAIN.partition(":parameters ()")[0]
        + """:parameters (?r - room) :precondition (dusty ?r)
    :effect (when (dusty ?r) (forall (?r - room) (when (locked ?r) (not (dusty ?r)))))))
"""
    )
    goal = PROBLEM[PROBLEM.index("(:goal") : PROBLEM.index("  (:metric")]
    problem = PROBLEM.replace(goal, "(:goal (and (not (dusty attic)) (dusty cellar)))\n")
    assert validate("(sweep cellar)", domain, problem).solved
    assert validate("(sweep hall)", domain, problem).why == "the precondition (dusty ?r) does not hold for ?r = hall"


def test_what_takes_too_long_is_refused(validate):
    objects = " ".join(f"r{n}" for n in range(400))
    problem = PROBLEM.replace("cellar attic", f"cellar attic {objects}")
    wide = "(forall (?a ?b ?c ?d - room) (not (= ?a ?b)))"
    domain = DOMAIN.replace("(forall (?t - thing ?r - room) (imply (in ?t ?r) (not (dusty ?r))))", wide)
    assert validate("(sweep)", domain, problem).verdict == "illegal"
    wide = "(forall (?a ?b ?c - room) (or (and (= ?a ?a) (= ?b ?b) (= ?c ?c)) (= ?a ?b)))"
    domain = DOMAIN.replace("(forall (?t - thing ?r - room) (imply (in ?t ?r) (not (dusty ?r))))", wide)
    with pytest.raises(UsageError, match=r"a formula needs more than [0-9,]+ values of its variables"):
        validate("(sweep)", domain, problem)


def ends(task, *actions, at_once=False):
    """What holds after some actions, in order or at one time; None if one of them is illegal."""
    simulation = Simulation(task)
    try:
        for number, (name, *arguments) in enumerate(actions):
            simulation.take(name, arguments, at_once=at_once and number > 0)
    except ActionFault:
        return None
    return simulation.state


def test_what_is_accepted_at_one_time_leads_to_the_same_state_in_every_order(validate, tmp_path):
    rng, found = random.Random("at once"), Counter()
    for _ in range(25):
        drawn = DrawnTask(rng, typed=rng.random() < 0.5, adl=rng.random() < 0.6)
        validate("", drawn.domain, drawn.problem())
        task = read_task(tmp_path / "d.pddl", tmp_path / "p.pddl")
        first = [action for _ in range(8) for action in walk(rng, task, 1)[0]]
        for pair in permutations(first, 2):
            together, orders = ends(task, *pair, at_once=True), [ends(task, *pair), ends(task, *pair[::-1])]
            assert together is None or orders == [together, together]
            found[together is None, orders[0] is not None and orders[0] == orders[1]] += 1
    assert min(found[False, True], found[True, False]) > 15


@for_each(
    ("plan", "verdict"),
    [
        ("0: (go hall cellar) 1: (push b cellar) 1: (sweep)", "illegal"),  # which needs to know where things are
        ("0: (go hall cellar) 1: (push b cellar) 2: (sweep)", "solved"),
        ("0: (go hall cellar) 0: (push b cellar)", "illegal"),
        ("0: (push k hall) 0: (unlock attic)", "illegal"),  # which asks whether the key is in some room
        ("0: (push k hall) 0.1: (unlock attic)", "unsolved"),
        ("0: (go hall cellar) 1: (push b cellar) 1: (push b cellar)", "illegal"),
    ],
)
def test_times_say_what_is_taken_at_once(validate, plan, verdict):
    found = validate(plan)
    assert found.verdict == verdict
    if verdict == "illegal":
        assert "it interferes with (" in found.why or "does not hold" in found.why
        assert found.at == plan.count("(")


def test_what_is_odd_is_a_warning(validate):
    with pytest.warns(UserWarning, match=r"d\.pddl: the type 'shelf' is not declared; it is taken as one of objects"):
        assert validate(PLAN, DOMAIN.replace("(dusty ?r - room))", "(dusty ?r - room) (on ?s - shelf))")).solved
