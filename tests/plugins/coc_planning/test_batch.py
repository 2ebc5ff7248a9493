"""Many problems in PDDL, by `coc eval --problems '*.pddl'`."""

import json
from pathlib import Path

import pytest

import coc_core as coc_api
from coc_core.plugin import DomainSpec, Registry
from coc_planning.lifting import lift
from coc_planning.models import MODELS
from coc_planning.pddl.reading import read_task
from coc_planning.translate import translate_files
from coc_problems import Instance
from tests.support.reworded_pddl import problem_of, rng_of, shuffled, write

BLOCKS, HANOI = MODELS[0], MODELS[2]


@pytest.fixture
def folder(tmp_path):
    """Problems of blocks of 3 to 5 blocks with a domain beside them, all in odd words."""
    place = tmp_path / "odd"
    place.mkdir()
    for n in (3, 4, 5):
        _, lifted, facts = problem_of(BLOCKS, n)
        write(place, *shuffled(lifted, facts, rng_of(n)), (f"p{n}-domain.pddl", f"p{n}.pddl"))
    return place


def evaluate(coc, folder, plans, *more):
    done = coc(
        "eval", "-d", "blocks", "--problems", f"{folder}/*.pddl", "--plans", plans, "--plan-format", "pddl",
        "--model", "reference", "--json", *more,
    )  # fmt: skip
    assert done.code == 0, done.err
    return json.loads(done.out)


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--jobs", "2")])
def test_plans_are_in_the_words_of_each_file(coc, folder, tmp_path, more):
    found = evaluate(coc, folder, tmp_path / "plans", *more)
    assert [(each["n"], each["successes"]) for each in found["sizes"]] == [(3, 1), (4, 1), (5, 1)]
    for n in (3, 4, 5):
        lifted, _ = lift(read_task(folder / f"p{n}-domain.pddl", folder / f"p{n}.pddl"))
        lines = (tmp_path / "plans" / f"p{n}.pddl.plan").read_text().splitlines()
        assert {line.strip("()").split()[0] for line in lines} <= {each.name for each in lifted.operators}
    again = evaluate(coc, folder, tmp_path / "plans")
    assert again["restored"] == 3


def test_other_words_are_another_problem(coc, folder, tmp_path):
    evaluate(coc, folder, tmp_path / "plans")
    plan = (tmp_path / "plans" / "p3.pddl.plan").read_text()
    lifted, _ = lift(read_task(folder / "p3-domain.pddl", folder / "p3.pddl"))
    domain = folder / "p3-domain.pddl"
    domain.write_text(domain.read_text().replace(f"(:action {lifted.operators[0].name}", "(:action renamed"))
    assert evaluate(coc, folder, tmp_path / "plans")["restored"] == 2
    assert (tmp_path / "plans" / "p3.pddl.plan").read_text() == plan.replace(lifted.operators[0].name, "renamed")


def test_an_instance_of_a_translation_says_so(folder):
    registry = Registry.installed()
    translation = translate_files(registry, None, folder / "p3-domain.pddl", folder / "p3.pddl")
    domain = registry.create(DomainSpec, "blocks")
    problem = domain.problems.parse(translation.problem)
    assert Instance(3, None, problem).text(domain) == translation.problem
    text = Instance(3, None, problem, "", translation).text(domain)
    assert text == f"{translation.problem} ({translation.fingerprint})"


def test_the_domain_is_beside_the_problem(refused, folder, tmp_path):
    (folder / "p3-domain.pddl").rename(folder / "domain_p3.pddl")
    (folder / "p4-domain.pddl").rename(folder / "domain-p4.pddl")
    assert coc_api.evaluate("blocks", problems=folder, model="reference").total.successes == 3
    (folder / "p5-domain.pddl").unlink()
    line = refused(2, "eval", "-d", "blocks", "--problems", folder, "--model", "reference")
    names = "p5-domain.pddl, domain-p5.pddl, domain_p5.pddl or domain.pddl"
    assert f"there is no domain beside {folder / 'p5.pddl'}; name it {names}" in line


def test_all_files_that_are_wrong_are_named(refused, folder):
    (folder / "domain.pddl").write_text((folder / "p3-domain.pddl").read_text())
    (folder / "p3.pddl").write_text("(define (problem p3)")
    (folder / "zero.pddl").write_text("")
    line = refused(2, "eval", "-d", "blocks", "--problems", folder, "--model", "reference")
    assert "p3.pddl:1 is not PDDL that can be read: the parenthesis of line 1 is not closed; " in line
    assert line.endswith(f"{Path(folder / 'zero.pddl')} is empty\n")


@pytest.fixture
def mixed(folder):
    """The problems of `folder`, one of disks, one of no domain of coc's, and what is no problem."""
    write(folder, *problem_of(HANOI, 4)[1:], ("disks-domain.pddl", "disks.pddl"))
    (folder / "gripper-domain.pddl").write_text(
        "(define (domain gripper) (:predicates (at ?x)) (:action go :parameters (?x) :effect (at ?x)))"
    )
    (folder / "gripper.pddl").write_text("(define (problem g) (:domain gripper) (:objects a) (:init) (:goal (at a)))")
    (folder / "README.md").write_text("a benchmark")
    return folder


def test_the_domain_of_each_file_is_found(coc, refused, mixed, tmp_path):
    words = "eval", "--problems", mixed, "--model", "reference", "--plans", tmp_path / "plans"
    assert "README.md has an unknown extension" in refused(2, *words)
    done = coc(*words, "--skip-unsupported", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    rows = [(each["domain"], each["problems"], each["instances"], each["successes"]) for each in found["domains"]]
    assert rows == [("blocks", str(mixed), 3, 3), ("hanoi", str(mixed), 1, 1)]
    assert len(found["unsupported"]) == 2
    assert "2 problems left out, such as the problem file" in done.err
    assert (tmp_path / "plans" / "hanoi" / "disks.pddl.plan").is_file()
    (mixed / "README.md").unlink()
    assert "gripper.pddl: coc does not know this domain" in refused(2, *words)


def test_what_needs_one_domain_is_refused(refused, mixed, tmp_path):
    words = "eval", "--problems", mixed, "--skip-unsupported", "--model", "reference"
    assert "take one domain, not blocks, hanoi" in refused(2, *words, "--csv", tmp_path / "rows.csv")
    (tmp_path / "one.txt").write_text("n=2 src=1 dst=3")
    assert "one.txt does not tell its domain" in refused(2, "eval", "--problems", tmp_path / "one.txt")
    assert "Missing option '--domain'" in refused(2, "eval", "-n", 3)
    only = mixed / "gripper.pddl"
    assert "there is no problem of coc's in" in refused(2, "eval", "--problems", only, "--skip-unsupported")
