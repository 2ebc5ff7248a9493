"""Problems in PDDL as benchmarks write them, solved; the plans are judged by validators that others wrote."""

import random
import re

import pytest

import coc_core as coc
from tests.support.for_each import for_each
from tests.support.ipc_logistics import drawn
from tests.support.ipc_problems import GENERATORS
from tests.support.late_import import Late, needs
from tests.support.track_problems import TRACK, drawn as drawn_of_track

judged = Late("tests.support.judged_plans")
pytestmark = [needs("unified_planning"), needs("pyval")]


def solved(folder, domain, problem, name, model="reference"):
    """Solve a problem as one of a domain of coc's, and have the plan judged; how many actions it has."""
    files = [folder / each for each in ("domain.pddl", "problem.pddl", "plan")]
    files[0].write_text(domain)
    files[1].write_text(problem)
    solution = coc.solve_pddl(*files[:2], model=model)
    assert (solution.status, solution.run.setting.domain.name) == ("solved", name)
    solution.write(files[2])
    assert judged.by_both(*files)
    return len(solution.actions)


def reworded(rng, *texts):
    """The same texts with other words for all names that begin with a letter and are no keywords, as PlanBench has them."""
    keep = {"define", "domain", "problem", "and", "not", "object"}
    found = sorted({each for text in texts for each in re.findall(r"(?<![:\w?-])[a-z][\w-]*", text.lower())} - keep)
    new = dict(zip(found, rng.sample([f"o{number}" for number in range(9 * len(found))], len(found)), strict=True))
    return [re.sub(r"(?<![:\w?-])[a-z][\w-]*", lambda each: new.get(each[0], each[0]), text.lower()) for text in texts]


def logistics(folder, numbers, model):
    """Problems of the size of PlanBench's, and each tenth one larger."""
    for number in numbers:
        rng = random.Random(f"logistics {number}")
        texts = drawn(rng, rng.randint(1, 5 if number % 10 else 25), typed=number % 3 == 1)
        if number % 3 == 2:
            texts = reworded(rng, *texts)
        solved(folder, *texts, "logistics", model)


def test_logistics_is_solved_in_all_its_encodings(tmp_path):
    logistics(tmp_path, range(1, 4), "reference")


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 500, 50))
def test_logistics_is_solved_by_the_trained_model(tmp_path, first):
    logistics(tmp_path, range(first, first + 50), "logistics")


def test_the_engine_of_unified_planning_solves_them(tmp_path):
    files = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    for file, text in zip(files, drawn(random.Random(5), 3, typed=True), strict=True):
        file.write_text(text)
    status, actions = judged.by_engine(*files, model="reference")
    assert (status, actions) == ("SOLVED_SATISFICING", len(coc.solve_pddl(*files, model="reference").actions))
    files[1].write_text(files[1].read_text().replace("(:goal (and", "(:goal (and (at p0 l0-0) (at p0 l1-0)"))
    assert judged.by_engine(*files, model="reference") == ("UNSOLVABLE_PROVEN", None)


@for_each("name", GENERATORS)
def test_the_small_domains_are_solved(name, tmp_path):
    solved(tmp_path, *GENERATORS[name](random.Random(name), 1), name)


def test_an_operator_that_can_never_be_used_is_paired(tmp_path):
    """No child of this problem is allergic, so nothing is without gluten."""
    assert solved(tmp_path, *GENERATORS["childsnack"](random.Random(0), 1), "childsnack") == 4


@pytest.mark.slow
@pytest.mark.parametrize("name", GENERATORS)
def test_the_small_domains_are_solved_by_their_trained_models(name, tmp_path):
    for number in range(60):
        rng = random.Random(f"{name} {number}")
        texts = GENERATORS[name](rng, rng.randint(1, 8))
        solved(tmp_path, *(reworded(rng, *texts) if number % 2 else texts), name, name)


@for_each("name", TRACK)
def test_the_domains_of_the_learning_track_are_solved(name, tmp_path):
    solved(tmp_path, *drawn_of_track(name, random.Random(name), 2), name)


@pytest.mark.slow
@pytest.mark.parametrize("name", TRACK)
def test_the_domains_of_the_learning_track_are_solved_by_their_trained_models(name, tmp_path):
    for number in range(60):
        rng = random.Random(f"{name} {number}")
        texts = drawn_of_track(name, rng, rng.randint(1, 8))
        solved(tmp_path, *(reworded(rng, *texts) if number % 2 else texts), name, name)
