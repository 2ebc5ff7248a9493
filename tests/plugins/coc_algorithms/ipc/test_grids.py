"""Floortile and sokoban, whose policies do not solve every problem: no wrong plan is reported as right."""

import ast
import random
import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import coc_core as coc
from coc_algorithms.ipc.grids import floortile, sokoban
from coc_core.arithmetic import Symbolic
from coc_core.errors import CocError, PluginError
from coc_core.execution import Machine
from coc_core.types import Limits
from coc_programs.heap.convention import HeapConvention
from coc_programs.heap.memory import Heap
from tests.support.ipc_problems import GENERATORS
from tests.support.late_import import Late, needs

others = Late("tests.support.other_validators")
MODULES = {"floortile": (floortile, "FloorTile"), "sokoban": (sokoban, "Sokoban")}
SWAPPED = {"left": "right", "above": "below", "start": "to", "goal": "cell", "middle": "end", "one": "other"}
SWAPPED |= {other: one for one, other in SWAPPED.items()} | {"first": "next", "next": "last", "done": "first"}
COUNTS = [3, pytest.param(20, marks=pytest.mark.slow)]


def edits(tree):
    """What can be changed in procedures: a node, its field, and a new value for that."""
    procedures = [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.decorator_list]
    for node in (node for each in procedures for node in ast.walk(each)):
        match node:
            case ast.If(test=test):
                yield node, "test", ast.UnaryOp(ast.Not(), test)
            case ast.Compare(ops=[ast.Eq()]):
                yield node, "ops", [ast.NotEq()]
            case ast.Compare(ops=[ast.NotEq()]):
                yield node, "ops", [ast.Eq()]
            case ast.Expr(value=ast.Yield()):
                yield node, "value", ast.Constant(None)
            case ast.Attribute(attr=name) if name in SWAPPED:
                yield node, "attr", SWAPPED[name]
            case ast.Constant(value=str(name)) if name in SWAPPED:
                yield node, "value", SWAPPED[name]


def changed(name, number, folder, patch):
    """The domain with one small thing in a procedure changed; None if coc refuses it."""
    module, made = MODULES[name]
    tree = ast.parse(Path(module.__file__).read_text())
    found = [*edits(tree)]
    setattr(*found[(37 * number + 5) % len(found)])
    file = folder / f"{name}_mutant{number}.py"
    file.write_text(ast.unparse(ast.fix_missing_locations(tree)))
    spec = spec_from_file_location(file.stem, file)
    patch.setitem(sys.modules, file.stem, mutant := module_from_spec(spec))
    try:
        spec.loader.exec_module(mutant)
    except PluginError:
        return None
    return getattr(mutant, made)()


def run(domain, problem):
    """Whether a run is reported as solved, and its plan in PDDL; not solved, if a step goes wrong as a program."""
    taken, names, convention = [], [*problem.kind_of], HeapConvention(domain, "symbolic")
    listeners = [lambda step: taken.extend(step.actions)]
    machine = Machine(domain, problem, Heap(), convention, Symbolic(), limits=Limits(steps=20_000), listeners=listeners)
    try:
        machine.run(convention.target_for)
    except PluginError:
        return False, []
    objects = ([getattr(each, name[1:]) for name in each.schema.parameters] for each in taken)
    plan = [
        f"({' '.join((each.schema.name, *(names[number - 1] for number in numbers)))})"
        for each, numbers in zip(taken, objects, strict=True)
    ]
    return machine.fault is None and domain.is_goal(problem, machine.state), plan


def pushed(*rows):
    """The run of a picture: `@` is the robot, `A` a box, and `a` its goal; whether it is solved, and the boxes pushed."""
    cells = {(x, y): each for y, row in enumerate(rows) for x, each in enumerate(row) if each != "#"}
    ways = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}
    start, goal = [f"direction {way}" for way in ways], []
    for (x, y), each in cells.items():
        name = f"c{x}-{y}"
        start += [f"location {name}", *([f"box {each.lower()}", f"at {each.lower()} {name}"] if each.isupper() else [])]
        start += [f"clear {name}"] * (not each.isupper()) + [f"at-robot {name}"] * (each == "@")
        goal += [f"at {each} {name}"] * each.islower()
        beside = ((way, (x + dx, y + dy)) for way, (dx, dy) in ways.items())
        start += [f"adjacent {name} c{to[0]}-{to[1]} {way}" for way, to in beside if to in cells]
    domain = sokoban.Sokoban()
    solved, plan = run(domain, domain.problem_class.of_texts(start, goal))
    return solved, [line[-2] for line in plan if line.startswith("(push")]


def test_boxes_that_are_left_over_come_first():
    """In the corridor, the box that is nearer at the start bars the way of the other one."""
    room = ("......####", "......####", ".@A...a..b", "..B...####", "......####")
    solved, boxes = pushed(*room)
    assert (solved, [*dict.fromkeys(boxes)]) == (True, ["b", "a"])


def test_where_no_order_helps_the_run_ends_unsolved():
    solved, boxes = pushed("#.....#", "@A.ab.B", "#.....#")
    assert (solved, boxes) == (False, [])


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", MODULES)
def test_changed_policies_get_no_wrong_plan(name, count, tmp_path, monkeypatch):
    files, found = [tmp_path / "domain.pddl", tmp_path / "problem.pddl"], []
    for file, text in zip(files, GENERATORS[name](random.Random(1), 2), strict=True):
        file.write_text(text)
    for number in range(count):
        if domain := changed(name, number, tmp_path, monkeypatch):
            solved, plan = run(domain, domain._problem(2, random.Random(1)))
            found.append(solved)
            if plan:
                assert coc.validate_pddl(*files, plan).solved == solved, number
    assert False in found


@needs("unified_planning")
@needs("pyval")
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", MODULES)
def test_changed_operators_get_no_wrong_plan(name, count, tmp_path):
    files, refused = [tmp_path / "domain.pddl", tmp_path / "problem.pddl"], 0
    for number in range(count):
        rng = random.Random(f"{name} {number}")
        domain, problem = GENERATORS[name](rng, 1)
        atoms = [*re.finditer(r"\((?:not \([^()]*\)|[\w-]+(?: \?\w+)+)\)", domain)]
        atom = rng.choice([each for each in atoms if each.start() > domain.index(":action")])
        variables = re.findall(r"\?\w+", atom[0])
        new = rng.choice(["", atom[0].replace(rng.choice(variables), rng.choice(variables))])
        domain = domain[: atom.start()] + new + domain[atom.end() :]
        for file, text in zip(files, (domain, problem), strict=True):
            file.write_text(text)
        try:
            solution = coc.solve_pddl(*files, model="reference")
        except CocError:
            refused += 1
            continue
        words = [each.strip("()").split() for each in solution.actions]
        assert not solution.solved or others.Unified(domain, problem).validated(words) == (True, None), domain
    assert refused
