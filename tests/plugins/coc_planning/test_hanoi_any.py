"""Tower of Hanoi from any state to any other, in the encodings that benchmarks have."""

import random
from itertools import combinations, pairwise, product

import coc_core as coc
from tests.support.for_each import for_each

EFFECT = "(and (not (on ?k ?a)) (on ?k ?b) (clear ?a) (not (clear ?b)))"
NEEDS = "(on ?k ?a) (clear ?k) (clear ?b)"


def domain(operators, types):
    """A domain with an operator for each pair of kinds that a disk may be moved from and to."""
    actions = []
    for name, source, target in operators:
        typed = {"?k": "disk", "?a": source, "?b": target}
        parameters = " ".join(f"{each} - {kind}" if types == "typed" else each for each, kind in typed.items())
        needs = NEEDS + (" (smaller ?k ?b)" if target != "peg" else "")
        if types == "predicates":
            needs += "".join(f" ({kind} {each})" for each, kind in typed.items() if kind != "object")
        actions.append(f"(:action {name} :parameters ({parameters}) :precondition (and {needs}) :effect {EFFECT})")
    kinds = "(:types disk peg - object)" if types == "typed" else ""
    unary = "(disk ?x) (peg ?x)" if types == "predicates" else ""
    return (
        f"(define (domain towers) (:requirements :strips :typing) {kinds}\n"
        f"(:predicates (on ?x ?y) (clear ?x) (smaller ?x ?y) {unary})\n" + "\n".join(actions) + ")"
    )


def problem(rng, types, pegs, n, *, to_pegs):
    """A problem whose start and goal are drawn; the goal lacks some atoms in half of the cases."""
    disks, places = [f"k{number}" for number in range(1, n + 1)], [f"p{number}" for number in range(1, pegs + 1)]

    def standing():
        piles = [[place] for place in places]
        for disk in reversed(disks):
            rng.choice(piles).append(disk)
        on = [f"(on {upper} {lower})" for pile in piles for lower, upper in pairwise(pile)]
        return on, [f"(clear {pile[-1]})" for pile in piles]

    (start, clear), (goal, _) = standing(), standing()
    facts = [f"(smaller {one} {other})" for one, other in combinations(disks, 2)]
    facts += [f"(smaller {disk} {peg})" for disk, peg in product(disks, places)] if to_pegs else []
    facts += [f"(disk {disk})" for disk in disks] + [f"(peg {peg})" for peg in places] if types == "predicates" else []
    kinds = (" - disk", " - peg") if types == "typed" else ("", "")
    objects = f"{' '.join(disks)}{kinds[0]} {' '.join(places)}{kinds[1]}"
    wanted = goal if rng.random() < 0.5 else rng.sample(goal, rng.randint(1, n))
    return (
        f"(define (problem some) (:domain towers) (:objects {objects})\n"
        f"(:init {' '.join([*start, *clear, *facts])})\n(:goal (and {' '.join(wanted)})))"
    )


ONE = [("move", "object", "object")]
TWO = [("move-to-peg", "object", "peg"), ("move-to-disk", "object", "disk")]
FOUR = [(f"move-{source}-{target}", source, target) for source, target in product(("peg", "disk"), repeat=2)]


@for_each(
    ("operators", "types"),
    ((ONE, ""), (ONE, "typed"), (TWO, "typed"), (TWO, "predicates"), (FOUR, "typed"), (FOUR, "predicates")),
)
def test_any_state_leads_to_any_goal(operators, types, tmp_path):
    files = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    files[0].write_text(domain(operators, types))
    for number in (0, 2, 4):
        rng = random.Random(f"{len(operators)} {types} {number}")
        files[1].write_text(problem(rng, types, 3 + number % 3, 1 + number, to_pegs=len(operators) == 1))
        solution = coc.solve_pddl(*files, model="reference")
        assert solution.solved
        assert coc.validate_pddl(*files, solution.actions).solved
