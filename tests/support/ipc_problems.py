"""Problems of the planning competitions' small domains, in PDDL as their generators write them."""

from itertools import pairwise

from coc_algorithms.ipc.grids.floortile import FloorTile
from coc_algorithms.ipc.grids.sokoban import Sokoban
from tests.support.ipc_domains import CHILDSNACK, FERRY, GRIPPER, SPANNER, VISIT_ALL

MICONIC = """(define (domain miconic)
  (:requirements :strips :typing)
  (:types passenger - object floor - object)
  (:predicates (origin ?person - passenger ?floor - floor) (destin ?person - passenger ?floor - floor)
    (above ?floor1 - floor ?floor2 - floor) (boarded ?person - passenger) (not-boarded ?person - passenger)
    (served ?person - passenger) (not-served ?person - passenger) (lift-at ?floor - floor))
  (:action board :parameters (?f - floor ?p - passenger)
    :precondition (and (lift-at ?f) (origin ?p ?f))
    :effect (boarded ?p))
  (:action depart :parameters (?f - floor ?p - passenger)
    :precondition (and (lift-at ?f) (destin ?p ?f) (boarded ?p))
    :effect (and (not (boarded ?p)) (served ?p)))
  (:action up :parameters (?f1 - floor ?f2 - floor)
    :precondition (and (lift-at ?f1) (above ?f1 ?f2))
    :effect (and (lift-at ?f2) (not (lift-at ?f1))))
  (:action down :parameters (?f1 - floor ?f2 - floor)
    :precondition (and (lift-at ?f1) (above ?f2 ?f1))
    :effect (and (lift-at ?f2) (not (lift-at ?f1)))))
"""
FLOORTILE = """(define (domain floortile)
  (:requirements :typing)
  (:types robot tile color - object)
  (:predicates (robot-at ?r - robot ?x - tile) (up ?x ?y - tile) (down ?x ?y - tile) (right ?x ?y - tile)
    (left ?x ?y - tile) (clear ?x - tile) (painted ?x - tile ?c - color) (robot-has ?r - robot ?c - color)
    (available-color ?c - color) (free-color ?r - robot))
  (:action change_color :parameters (?r - robot ?c - color ?c2 - color)
    :precondition (and (robot-has ?r ?c) (available-color ?c2))
    :effect (and (not (robot-has ?r ?c)) (robot-has ?r ?c2)))
"""
FLOORTILE += "".join(
    f"""  (:action paint_{way} :parameters (?r - robot ?y - tile ?x - tile ?c - color)
    :precondition (and (robot-has ?r ?c) (robot-at ?r ?x) ({way} ?y ?x) (clear ?y))
    :effect (and (not (clear ?y)) (painted ?y ?c)))
"""
    for way in ("up", "down")
)
FLOORTILE += "".join(
    f"""  (:action move_{way} :parameters (?r - robot ?x - tile ?y - tile)
    :precondition (and (robot-at ?r ?x) ({way} ?y ?x) (clear ?y))
    :effect (and (robot-at ?r ?y) (not (robot-at ?r ?x)) (clear ?x) (not (clear ?y))))
"""
    for way in ("up", "down", "right", "left")
)
FLOORTILE += ")\n"
SOKOBAN = """(define (domain sokoban)
  (:requirements :typing)
  (:types location direction box)
  (:constants down up left right - direction)
  (:predicates (at-robot ?l - location) (at ?o - box ?l - location) (adjacent ?l1 ?l2 - location ?d - direction)
    (clear ?l - location))
  (:action move :parameters (?from - location ?to - location ?dir - direction)
    :precondition (and (clear ?to) (at-robot ?from) (adjacent ?from ?to ?dir))
    :effect (and (at-robot ?to) (not (at-robot ?from))))
  (:action push :parameters (?start - location ?middle - location ?end - location ?dir - direction ?b - box)
    :precondition (and (at-robot ?start) (at ?b ?middle) (clear ?end) (adjacent ?start ?middle ?dir)
      (adjacent ?middle ?end ?dir))
    :effect (and (at-robot ?middle) (at ?b ?end) (clear ?middle) (not (at-robot ?start)) (not (at ?b ?middle))
      (not (clear ?end)))))
"""


def _problem(domain, objects, init, goal):
    return (
        f"(define (problem drawn) (:domain {domain})\n(:objects {objects})\n"
        f"(:init {' '.join(init)})\n(:goal (and {' '.join(goal)})))\n"
    )


def gripper(rng, n):
    """n balls in one of two rooms, all of which go to the other one."""
    balls = [f"ball{number}" for number in range(n, 0, -1)]
    init = ["(room rooma)", "(room roomb)", "(at-robby rooma)", "(free left)", "(free right)", "(gripper left)"]
    init += ["(gripper right)", *(f"(ball {each})" for each in balls), *(f"(at {each} rooma)" for each in balls)]
    goal = [f"(at {each} roomb)" for each in balls]
    return GRIPPER, _problem("gripper", f"rooma roomb left right {' '.join(balls)}", init, goal)


def ferry(rng, n):
    """n cars at up to n places."""
    places, cars = (
        [f"{letter}{number}" for number in range(count)] for letter, count in (("l", rng.randint(2, n + 1)), ("c", n))
    )
    init = [f"(location {each})" for each in places] + [f"(car {each})" for each in cars]
    init += [f"(not-eq {one} {other})" for one in places for other in places if one != other]
    init += [
        "(empty-ferry)",
        *(f"(at {each} {rng.choice(places)})" for each in cars),
        f"(at-ferry {rng.choice(places)})",
    ]
    goal = [f"(at {each} {rng.choice(places)})" for each in cars]
    return FERRY, _problem("ferry", " ".join(places + cars), init, goal)


def miconic(rng, n):
    """n passengers in a house of twice as many floors."""
    floors, people = [f"f{number}" for number in range(2 * n)], [f"p{number}" for number in range(n)]
    init = [f"(above {low} {high})" for number, high in enumerate(floors) for low in floors[:number]]
    for each in people:
        here, there = rng.sample(floors, 2)
        init += [f"(origin {each} {here})", f"(destin {each} {there})", f"(not-boarded {each})", f"(not-served {each})"]
    goal = [f"(served {each})" for each in people]
    objects = f"{' '.join(people)} - passenger {' '.join(floors)} - floor"
    return MICONIC, _problem("miconic", objects, [*init, "(lift-at f0)"], goal)


def spanner(rng, n):
    """n nuts at the gate, and at least as many spanners on the way."""
    count, length = n + rng.randrange(3), rng.randint(1, n + 2)
    places = ["shed", *(f"location{number}" for number in range(1, length + 1)), "gate"]
    spanners, nuts = (
        [f"{kind}{number}" for number in range(1, many + 1)] for kind, many in (("spanner", count), ("nut", n))
    )
    init = ["(at bob shed)", *(f"(at {each} {rng.choice(places[1:-1])}) (useable {each})" for each in spanners)]
    init += [f"(loose {each}) (at {each} gate)" for each in nuts]
    init += [f"(link {one} {other})" for one, other in pairwise(places)]
    objects = f"bob - man {' '.join(spanners)} - spanner {' '.join(nuts)} - nut {' '.join(places)} - location"
    return SPANNER, _problem("spanner", objects, init, [f"(tightened {each})" for each in nuts])


def visit_all(rng, n):
    """A grid of n x n places, of which all or half shall be visited."""

    def name(x, y):
        return f"loc-x{x}-y{y}"

    places = [(x, y) for x in range(n) for y in range(n)]
    init = [f"(at-robot {name(0, 0)})", f"(visited {name(0, 0)})"]
    for x, y in places:
        beside = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        init += [f"(connected {name(x, y)} {name(*each)})" for each in beside if each in places]
    goal = [f"(visited {name(*each)})" for each in rng.sample(places, rng.choice([n * n, (n * n + 1) // 2]))]
    objects = " ".join(name(*each) for each in places)
    return VISIT_ALL, _problem("grid-visit-all", f"{objects} - place", init, goal)


def childsnack(rng, n):
    """n children at three tables, some of whom must not eat gluten, and just enough portions."""
    numbers = {"child": n, "bread": n, "content": n, "sandw": n + n // 3, "tray": 1 + n // 3, "table": 3}
    groups = [[f"{kind}{number}" for number in range(1, count + 1)] for kind, count in numbers.items()]
    children, breads, contents, sandwiches, trays, tables = groups
    allergic = rng.sample(children, round(0.4 * n))
    init = [f"(at {each} kitchen)" for each in trays] + [f"(notexist {each})" for each in sandwiches]
    for kind, names in (("bread", breads), ("content", contents)):
        init += [f"(at_kitchen_{kind} {each})" for each in names]
        init += [f"(no_gluten_{kind} {each})" for each in rng.sample(names, len(allergic))]
    init += [f"({'' if each in allergic else 'not_'}allergic_gluten {each})" for each in children]
    init += [f"(waiting {each} {rng.choice(tables)})" for each in children]
    kinds = ("child", "bread-portion", "content-portion", "sandwich", "tray", "place")
    objects = " ".join(f"{' '.join(names)} - {kind}" for kind, names in zip(kinds, groups, strict=True))
    return CHILDSNACK, _problem("child-snack", objects, init, [f"(served {each})" for each in children])


def as_coc_draws(rng, n, domain, text, constants=None):
    """A domain, as `text` says it, and a problem that it draws."""
    objects, init, goal = domain.draw(n, rng)
    typed = " ".join(f"{' '.join(names)} - {kind}" for kind, names in objects.items() if kind != constants)
    return text, _problem(domain.name, typed, map("({})".format, init), map("({})".format, goal))


GENERATORS = {
    "gripper": gripper,
    "ferry": ferry,
    "miconic": miconic,
    "spanner": spanner,
    "visit-all": visit_all,
    "childsnack": childsnack,
    "floortile": lambda rng, n: as_coc_draws(rng, n, FloorTile(), FLOORTILE),
    "sokoban": lambda rng, n: as_coc_draws(rng, n, Sokoban(), SOKOBAN, "direction"),
}
