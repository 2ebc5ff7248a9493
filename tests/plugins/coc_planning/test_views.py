"""Domains that differ from coc's in what its plans do not depend on are solved; where a plan would be wrong, it is refused."""

import json
import random
from itertools import product

import pytest

import coc_core as coc_api
from coc_core.errors import UnsupportedError
from coc_planning.models import MODELS
from coc_planning.translate import translate_files
from tests.support import drafted_pddl as drafted
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.late_import import Late, needs

others = Late("tests.support.other_validators")
pytestmark = pytest.mark.filterwarnings("ignore:.* is not declared; it is taken as one of objects")
TOWERS = MODELS[4]  # with three operators
DOMAINS = ("blocks", "hanoi", "hanoi-4", TOWERS)


@pytest.fixture
def files(tmp_path):
    def write(domain, problem):
        paths = tmp_path / "domain.pddl", tmp_path / "p.pddl"
        for path, text in zip(paths, (domain, problem), strict=True):
            path.write_text(text)
        return paths

    return write


def solved(paths):
    """The actions of a plan that coc's own validator accepts; None if there is none."""
    solution = coc_api.solve_pddl(*paths, model="reference")
    if not solution.solved:
        return None
    assert coc_api.validate_pddl(*paths, list(solution.actions)).solved
    return solution.actions


def harmless(files, change, name, seed):
    """Whether a problem with such a difference is solved."""
    rng = random.Random(f"{change.__name__} {name} {seed}")
    draft = drafted.draft_of(name, 3, rng)
    change(draft, rng)
    return solved(files(*draft.files)) is not None


@for_each("change", drafted.HARMLESS)
def test_what_is_harmless_is_left_out(files, change):
    assert harmless(files, change, ("blocks", "hanoi", TOWERS)[drafted.HARMLESS.index(change) % 3], 0)


@pytest.mark.slow
def test_what_is_harmless_is_left_out_of_every_domain(files):
    for change, name, seed in product(drafted.HARMLESS, DOMAINS, range(3)):
        assert harmless(files, change, name, seed), (change.__name__, name, seed)


def valid_elsewhere(draft, actions):
    """Whether unified-planning accepts a plan."""
    theirs = others.Unified(*draft.files)
    return theirs.validated([each.strip("()").split(" ") for each in actions]) == (True, None)


@for_each("seed", range(3))
def test_several_differences_at_once(files, seed):
    rng = random.Random(f"several {seed}")
    draft = drafted.draft_of(("blocks", "hanoi", TOWERS)[seed % 3], 4, rng)
    for change in sorted(rng.sample(drafted.HARMLESS, 3), key=lambda each: each is not drafted.an_arm):
        change(draft, rng)
    paths = files(*draft.files)
    assert solved(paths) is not None, draft.files


def attack(seed):
    """A problem that differs from one of coc's in what its plans may depend on."""
    rng = random.Random(f"attack {seed}")
    draft = drafted.draft_of(rng.choice(DOMAINS), rng.choice([3, 4]), rng)
    drafted.MISLEADING[seed % len(drafted.MISLEADING)](draft, rng)
    if rng.random() < 0.3:
        rng.choice(drafted.HARMLESS)(draft, rng)
    return draft


def outcome(paths):
    """The plan, or why there is none: an attack is never found unsolvable, and its plan is never wrong."""
    try:
        return solved(paths)
    except UnsupportedError as error:
        return str(error)


def test_no_attack_gets_a_wrong_plan(files):
    found = [outcome(files(*attack(seed).files)) for seed in range(13)]
    assert None not in found
    assert sum("in its own words, action " in each for each in found) > 1
    assert sum(not isinstance(each, str) for each in found) > 2


@pytest.mark.slow
@needs("unified_planning")
@needs("pyval")
def test_220_attacks_get_no_wrong_plan(files):
    for seed in range(220):
        draft = attack(seed)
        actions = outcome(files(*draft.files))
        assert isinstance(actions, str) or valid_elsewhere(draft, actions), seed


@pytest.fixture
def misled(files):
    for seed in range(0, 220, len(drafted.MISLEADING)):  # where power fails
        paths = files(*attack(seed).files)
        if "own words" in outcome(paths):
            return paths
    raise AssertionError


def test_a_plan_that_would_be_wrong_is_not_written(coc, refused, misled, tmp_path):
    plan = tmp_path / "plan"
    plan.write_text("mine\n")
    line = refused(2, "run", "--pddl", *misled, "--model", "reference", "--plan", plan)
    assert "coc: error: it is not a problem of " in line
    assert "in the problem's own words, (" in line
    assert "is illegal: the precondition (power" in line
    assert plan.read_text() == "mine\n"
    assert "own words" in refused(2, "run", "--pddl", *misled, "--model", "reference")


def test_of_many_problems_it_is_a_failure(coc, misled, tmp_path):
    name = translate_files(REGISTRY, None, *misled).domain
    words = "eval", "-d", name, "--problems", misled[1], "--model", "reference", "--json"
    for more in ((), ("--plans", tmp_path / "plans", "--plan-format", "pddl")):
        done = coc(*words, *more)
        found = json.loads(done.out)
        assert (done.code, found["successes"]) == (1, 0)
        assert found["failures"][0]["kind"] == "action"
        assert "in the problem's own words" in found["failures"][0]["message"]
    assert not list((tmp_path / "plans").glob("*.plan"))


def test_a_plan_is_checked_action_by_action_unless_the_problem_is_the_same(coc, refused, files, tmp_path):
    rng = random.Random("hanoi")
    draft = drafted.draft_of("hanoi", 3, rng)
    grammar = "--model", "reference", "--memory", "pda", "--plan", tmp_path / "plan", "--plan-format", "grammar"
    done = coc("run", "--pddl", *files(*draft.files), *grammar)
    assert done.code == 0, done.err
    drafted.differing(draft, rng)
    line = refused(2, "run", "--pddl", *files(*draft.files), *grammar)
    assert "this plan is checked action by action, and --plan-format grammar skips them" in line


def test_only_what_is_exactly_a_domain_of_coc_is_unsolvable(files):
    rng = random.Random("unsolvable")
    draft = drafted.draft_of("blocks", 3, rng)
    on = next(name for name, arity in draft.predicates.items() if arity == 2)
    one, other, _ = draft.objects
    draft.goal = [f"({on} {one} {other})", f"({on} {other} {one})"]
    assert coc_api.solve_pddl(*files(*draft.files), model="reference").status == "unsolvable"
    drafted.idle_operators(draft, rng)
    with pytest.raises(UnsupportedError, match="it is not exactly a problem of blocks, which had no solution: "):
        coc_api.solve_pddl(*files(*draft.files), model="reference")


RUSSELL_NORVIG = """(define (domain bb) (:requirements :strips :equality)
  (:predicates (clear ?x) (on ?x ?y) (block ?x)) (:constants table)
  (:action move :parameters (?b ?x ?y)
    :precondition (and (on ?b ?x) (clear ?b) (clear ?y) (block ?b) (block ?y)
      (not (= ?b ?y)) (not (= ?b ?x)) (not (= ?x ?y)))
    :effect (and (on ?b ?y) (clear ?x) (not (on ?b ?x)) (not (clear ?y))))
  (:action move-to-table :parameters (?b ?x)
    :precondition (and (on ?b ?x) (clear ?b) (block ?b) (block ?x) (not (= ?b ?x)))
    :effect (and (on ?b table) (clear ?x) (not (on ?b ?x)))))
"""


TABLE = (
    "(define (problem q) (:domain bb) (:objects a b c)"
    "(:init (on c a) (on a table) (on b table) (clear b) (clear c) (block a) (block b) (block c))"
    "(:goal (and (on a b) (on b c) (on c table))))"
)


def test_a_table_may_be_an_object(files):
    """As in the textbook, where one operator moves blocks from a block and from the table."""
    paths = files(RUSSELL_NORVIG, TABLE)
    assert list(solved(paths)) == ["(move-to-table c a)", "(move b table c)", "(move a table b)"]
    paths[1].write_text(paths[1].read_text().replace("(clear b)", "(clear a) (clear b)"))
    with pytest.raises(
        UnsupportedError, match=r"^at the beginning \(clear a\) holds, so this is not a state of blocks"
    ):
        solved(paths)


PDDLGYM = """(define (domain blocks) (:requirements :strips :typing) (:types block robot)
  (:predicates (on ?x - block ?y - block) (ontable ?x - block) (clear ?x - block) (handempty ?x - robot)
    (handfull ?x - robot) (holding ?x - block) (pickup ?x - block) (putdown ?x - block) (stack ?x ?y - block)
    (unstack ?x - block))
  (:action pick-up :parameters (?x - block ?robot - robot)
    :precondition (and (pickup ?x) (clear ?x) (ontable ?x) (handempty ?robot))
    :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty ?robot)) (handfull ?robot) (holding ?x)))
  (:action put-down :parameters (?x - block ?robot - robot)
    :precondition (and (putdown ?x) (holding ?x) (handfull ?robot))
    :effect (and (not (holding ?x)) (clear ?x) (handempty ?robot) (not (handfull ?robot)) (ontable ?x)))
  (:action stack :parameters (?x ?y - block ?robot - robot)
    :precondition (and (stack ?x ?y) (holding ?x) (clear ?y) (handfull ?robot))
    :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty ?robot) (not (handfull ?robot)) (on ?x ?y)))
  (:action unstack :parameters (?x ?y - block ?robot - robot)
    :precondition (and (unstack ?x) (on ?x ?y) (clear ?x) (handempty ?robot))
    :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty ?robot)) (handfull ?robot) (not (on ?x ?y)))))
"""


def test_actions_may_be_literals_and_the_robot_an_object(files):
    """As in pddlgym, where what may be done is written into the start."""
    blocks = "abc"
    may = " ".join(
        f"(pickup {x}) (putdown {x}) (unstack {x}) {' '.join(f'(stack {x} {y})' for y in blocks)}" for x in blocks
    )
    paths = files(
        PDDLGYM,
        "(define (problem q) (:domain blocks) (:objects a b c - block robot - robot)"
        f"(:init (clear c) (on c a) (ontable a) (clear b) (ontable b) (handempty robot) {may})"
        "(:goal (and (on a b) (on b c))))",
    )
    assert len(solved(paths)) == 6


def test_what_a_goal_forbids_is_looked_at_in_the_end(files, refused, tmp_path):
    problem = TABLE.replace("(on c table)", "(on c table) (not (clear {}))")
    assert solved(files(RUSSELL_NORVIG, problem.format("b"))) is not None
    paths = files(RUSSELL_NORVIG, problem.format("a"))
    with pytest.raises(UnsupportedError, match=r"in its own words, the goal lacks \(not \("):
        solved(paths)
    plan = tmp_path / "plan"
    line = refused(2, "run", "--pddl", *paths, "--model", "reference", "--plan", plan)
    assert "in the problem's own words, the goal lacks (not (" in line
    assert not plan.exists()
