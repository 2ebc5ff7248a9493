"""Domains as the planning competitions have them, written from their descriptions, and small problems of each."""

from itertools import pairwise

from tests.support.drawn_tasks import problem_text

BLOCKS = """(define (domain blocks)
(:requirements :strips)
(:predicates (on ?x ?y) (ontable ?x) (clear ?x) (handempty) (holding ?x))
(:action pick-up :parameters (?x) :precondition (and (clear ?x) (ontable ?x) (handempty))
  :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x)))
(:action put-down :parameters (?x) :precondition (holding ?x)
  :effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x)))
(:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))
  :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty) (on ?x ?y)))
(:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (handempty))
  :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty)) (not (on ?x ?y)))))
"""
GRIPPER = """(define (domain gripper)
(:requirements :strips)
(:predicates (room ?r) (ball ?b) (gripper ?g) (at-robby ?r) (at ?b ?r) (free ?g) (carry ?o ?g))
(:action move :parameters (?from ?to) :precondition (and (room ?from) (room ?to) (at-robby ?from))
  :effect (and (at-robby ?to) (not (at-robby ?from))))
(:action pick :parameters (?obj ?room ?gripper)
  :precondition (and (ball ?obj) (room ?room) (gripper ?gripper) (at ?obj ?room) (at-robby ?room) (free ?gripper))
  :effect (and (carry ?obj ?gripper) (not (at ?obj ?room)) (not (free ?gripper))))
(:action drop :parameters (?obj ?room ?gripper)
  :precondition (and (ball ?obj) (room ?room) (gripper ?gripper) (carry ?obj ?gripper) (at-robby ?room))
  :effect (and (at ?obj ?room) (free ?gripper) (not (carry ?obj ?gripper)))))
"""
LOGISTICS = """(define (domain logistics)
(:requirements :strips :typing)
(:types truck airplane - vehicle package vehicle - physobj airport location - place city place physobj - object)
(:predicates (in-city ?loc - place ?city - city) (at ?obj - physobj ?loc - place) (in ?pkg - package ?veh - vehicle))
(:action load :parameters (?pkg - package ?veh - vehicle ?loc - place)
  :precondition (and (at ?veh ?loc) (at ?pkg ?loc)) :effect (and (not (at ?pkg ?loc)) (in ?pkg ?veh)))
(:action unload :parameters (?pkg - package ?veh - vehicle ?loc - place)
  :precondition (and (at ?veh ?loc) (in ?pkg ?veh)) :effect (and (not (in ?pkg ?veh)) (at ?pkg ?loc)))
(:action drive :parameters (?truck - truck ?from ?to - place ?city - city)
  :precondition (and (at ?truck ?from) (in-city ?from ?city) (in-city ?to ?city))
  :effect (and (not (at ?truck ?from)) (at ?truck ?to)))
(:action fly :parameters (?plane - airplane ?from ?to - airport) :precondition (at ?plane ?from)
  :effect (and (not (at ?plane ?from)) (at ?plane ?to))))
"""
MICONIC = """(define (domain miconic)
(:requirements :adl :typing)
(:types passenger - object floor - object)
(:predicates (origin ?p - passenger ?f - floor) (destin ?p - passenger ?f - floor) (above ?f1 ?f2 - floor)
  (boarded ?p - passenger) (served ?p - passenger) (lift-at ?f - floor))
(:action stop :parameters (?f - floor) :precondition (lift-at ?f)
  :effect (and (forall (?p - passenger) (when (and (boarded ?p) (destin ?p ?f)) (and (not (boarded ?p)) (served ?p))))
    (forall (?p - passenger) (when (and (origin ?p ?f) (not (served ?p))) (boarded ?p)))))
(:action up :parameters (?f1 ?f2 - floor) :precondition (and (lift-at ?f1) (above ?f1 ?f2))
  :effect (and (lift-at ?f2) (not (lift-at ?f1))))
(:action down :parameters (?f1 ?f2 - floor) :precondition (and (lift-at ?f1) (above ?f2 ?f1))
  :effect (and (lift-at ?f2) (not (lift-at ?f1)))))
"""
BRIEFCASE = """(define (domain briefcase)
(:requirements :adl :typing)
(:types portable location)
(:predicates (at ?y - portable ?x - location) (in ?x - portable) (is-at ?x - location))
(:action move :parameters (?m ?l - location) :precondition (and (is-at ?m) (not (= ?m ?l)))
  :effect (and (is-at ?l) (not (is-at ?m))
    (forall (?x - portable) (when (in ?x) (and (at ?x ?l) (not (at ?x ?m)))))))
(:action take-out :parameters (?x - portable) :precondition (in ?x) :effect (not (in ?x)))
(:action put-in :parameters (?x - portable ?l - location) :precondition (and (not (in ?x)) (at ?x ?l) (is-at ?l))
  :effect (in ?x)))
"""
FERRY = """(define (domain ferry)
(:requirements :strips :equality :negative-preconditions)
(:predicates (not-eq ?x ?y) (car ?c) (location ?l) (at-ferry ?l) (at ?c ?l) (empty-ferry) (on ?c))
(:action sail :parameters (?from ?to)
  :precondition (and (not-eq ?from ?to) (location ?from) (location ?to) (at-ferry ?from))
  :effect (and (at-ferry ?to) (not (at-ferry ?from))))
(:action board :parameters (?car ?loc)
  :precondition (and (car ?car) (location ?loc) (at ?car ?loc) (at-ferry ?loc) (empty-ferry))
  :effect (and (on ?car) (not (at ?car ?loc)) (not (empty-ferry))))
(:action debark :parameters (?car ?loc) :precondition (and (car ?car) (location ?loc) (on ?car) (at-ferry ?loc))
  :effect (and (at ?car ?loc) (empty-ferry) (not (on ?car)))))
"""
TRANSPORT = """(define (domain transport)
(:requirements :typing :action-costs)
(:types location target locatable - object vehicle package - locatable capacity-number - object)
(:predicates (road ?l1 ?l2 - location) (at ?x - locatable ?v - location) (in ?x - package ?v - vehicle)
  (capacity ?v - vehicle ?s1 - capacity-number) (capacity-predecessor ?s1 ?s2 - capacity-number))
(:functions (road-length ?l1 ?l2 - location) - number (total-cost) - number)
(:action drive :parameters (?v - vehicle ?l1 ?l2 - location) :precondition (and (at ?v ?l1) (road ?l1 ?l2))
  :effect (and (not (at ?v ?l1)) (at ?v ?l2) (increase (total-cost) (road-length ?l1 ?l2))))
(:action pick-up :parameters (?v - vehicle ?l - location ?p - package ?s1 ?s2 - capacity-number)
  :precondition (and (at ?v ?l) (at ?p ?l) (capacity-predecessor ?s1 ?s2) (capacity ?v ?s2))
  :effect (and (not (at ?p ?l)) (in ?p ?v) (capacity ?v ?s1) (not (capacity ?v ?s2)) (increase (total-cost) 1)))
(:action drop :parameters (?v - vehicle ?l - location ?p - package ?s1 ?s2 - capacity-number)
  :precondition (and (at ?v ?l) (in ?p ?v) (capacity-predecessor ?s1 ?s2) (capacity ?v ?s1))
  :effect (and (not (in ?p ?v)) (at ?p ?l) (capacity ?v ?s2) (not (capacity ?v ?s1)) (increase (total-cost) 1))))
"""
SPANNER = """(define (domain spanner)
  (:requirements :typing :strips)
  (:types location locatable - object man nut spanner - locatable)
  (:predicates (at ?m - locatable ?l - location) (carrying ?m - man ?s - spanner) (useable ?s - spanner)
    (link ?l1 - location ?l2 - location) (tightened ?n - nut) (loose ?n - nut))
  (:action walk :parameters (?start - location ?end - location ?m - man)
    :precondition (and (at ?m ?start) (link ?start ?end))
    :effect (and (not (at ?m ?start)) (at ?m ?end)))
  (:action pickup_spanner :parameters (?l - location ?s - spanner ?m - man)
    :precondition (and (at ?m ?l) (at ?s ?l))
    :effect (and (not (at ?s ?l)) (carrying ?m ?s)))
  (:action tighten_nut :parameters (?l - location ?s - spanner ?m - man ?n - nut)
    :precondition (and (at ?m ?l) (at ?n ?l) (carrying ?m ?s) (useable ?s) (loose ?n))
    :effect (and (not (loose ?n)) (not (useable ?s)) (tightened ?n))))
"""
VISIT_ALL = """(define (domain grid-visit-all)
(:requirements :typing)
(:types place - object)
(:predicates (connected ?x ?y - place) (at-robot ?x - place) (visited ?x - place))
(:action move :parameters (?curpos ?nextpos - place) :precondition (and (at-robot ?curpos) (connected ?curpos ?nextpos))
  :effect (and (at-robot ?nextpos) (not (at-robot ?curpos)) (visited ?nextpos))))
"""
CHILDSNACK = """(define (domain child-snack)
(:requirements :typing :equality)
(:types child bread-portion content-portion sandwich tray place)
(:constants kitchen - place)
(:predicates (at_kitchen_bread ?b - bread-portion) (at_kitchen_content ?c - content-portion)
  (at_kitchen_sandwich ?s - sandwich) (no_gluten_bread ?b - bread-portion) (no_gluten_content ?c - content-portion)
  (ontray ?s - sandwich ?t - tray) (no_gluten_sandwich ?s - sandwich) (allergic_gluten ?c - child)
  (not_allergic_gluten ?c - child) (served ?c - child) (waiting ?c - child ?p - place) (at ?t - tray ?p - place)
  (notexist ?s - sandwich))
(:action make_sandwich_no_gluten :parameters (?s - sandwich ?b - bread-portion ?c - content-portion)
  :precondition (and (at_kitchen_bread ?b) (at_kitchen_content ?c) (no_gluten_bread ?b) (no_gluten_content ?c)
    (notexist ?s))
  :effect (and (not (at_kitchen_bread ?b)) (not (at_kitchen_content ?c)) (at_kitchen_sandwich ?s)
    (no_gluten_sandwich ?s) (not (notexist ?s))))
(:action make_sandwich :parameters (?s - sandwich ?b - bread-portion ?c - content-portion)
  :precondition (and (at_kitchen_bread ?b) (at_kitchen_content ?c) (notexist ?s))
  :effect (and (not (at_kitchen_bread ?b)) (not (at_kitchen_content ?c)) (at_kitchen_sandwich ?s) (not (notexist ?s))))
(:action put_on_tray :parameters (?s - sandwich ?t - tray)
  :precondition (and (at_kitchen_sandwich ?s) (at ?t kitchen))
  :effect (and (not (at_kitchen_sandwich ?s)) (ontray ?s ?t)))
(:action serve_sandwich_no_gluten :parameters (?s - sandwich ?c - child ?t - tray ?p - place)
  :precondition (and (allergic_gluten ?c) (ontray ?s ?t) (waiting ?c ?p) (no_gluten_sandwich ?s) (at ?t ?p))
  :effect (and (not (ontray ?s ?t)) (served ?c)))
(:action serve_sandwich :parameters (?s - sandwich ?c - child ?t - tray ?p - place)
  :precondition (and (not_allergic_gluten ?c) (waiting ?c ?p) (ontray ?s ?t) (at ?t ?p))
  :effect (and (not (ontray ?s ?t)) (served ?c)))
(:action move_tray :parameters (?t - tray ?p1 ?p2 - place)
  :precondition (and (at ?t ?p1)) :effect (and (not (at ?t ?p1)) (at ?t ?p2))))
"""


def _blocks(rng):
    names = [f"b{n}" for n in range(rng.randint(2, 6))]
    initial, below = ["(handempty)"], None
    for name in names:
        below = None if rng.random() < 0.4 else below
        initial.append(f"(on {name} {below})" if below else f"(ontable {name})")
        below = name
    lower = {each.split()[2].strip(")") for each in initial if each.startswith("(on ")}
    return " ".join(names), initial + [f"(clear {name})" for name in names if name not in lower]


def _gripper(rng):
    balls = [f"ball{n}" for n in range(rng.randint(1, 4))]
    initial = [f"(ball {each}) (at {each} {rng.choice(['rooma', 'roomb'])})" for each in balls]
    initial += ["(room rooma) (room roomb) (at-robby rooma)", "(gripper l) (gripper r) (free l) (free r)"]
    return f"rooma roomb l r {' '.join(balls)}", initial


def _logistics(rng):
    places = [f"{kind}{n}" for n in range(2) for kind in ("air", "loc")]
    packages = [f"pkg{n}" for n in range(rng.randint(1, 3))]
    initial = [f"(in-city {each} city{each[-1]})" for each in places]
    initial += [f"(at {each} {rng.choice(places)})" for each in packages]
    initial += [f"(at truck{n} {rng.choice(['air', 'loc'])}{n})" for n in range(2)] + [
        f"(at plane air{rng.choice('01')})"
    ]
    return (
        f"air0 air1 - airport loc0 loc1 - location city0 city1 - city truck0 truck1 - truck plane - airplane"
        f" {' '.join(packages)} - package"
    ), initial


def _miconic(rng):
    people, floors = ([f"{kind}{n}" for n in range(rng.randint(2, 4))] for kind in "pf")
    initial = [f"(above {low} {high})" for n, low in enumerate(floors) for high in floors[n + 1 :]]
    for each in people:
        start, end = rng.sample(floors, 2)
        initial += [f"(origin {each} {start})", f"(destin {each} {end})"]
    return f"{' '.join(people)} - passenger {' '.join(floors)} - floor", [*initial, f"(lift-at {rng.choice(floors)})"]


def _briefcase(rng):
    things, places = ([f"{kind}{n}" for n in range(rng.randint(2, 4))] for kind in "ol")
    initial = [f"(at {each} {rng.choice(places)})" for each in things] + [f"(is-at {rng.choice(places)})"]
    return f"{' '.join(things)} - portable {' '.join(places)} - location", initial


def _ferry(rng):
    cars, places = ([f"{kind}{n}" for n in range(rng.randint(2, 4))] for kind in "cl")
    initial = [f"(car {each}) (at {each} {rng.choice(places)})" for each in cars]
    initial += [f"(location {each})" for each in places] + [f"(at-ferry {rng.choice(places)})", "(empty-ferry)"]
    return " ".join(cars + places), initial + [f"(not-eq {a} {b})" for a in places for b in places if a != b]


def _transport(rng):
    places, packages = [f"city{n}" for n in range(rng.randint(2, 4))], [f"p{n}" for n in range(rng.randint(1, 3))]
    initial = ["(= (total-cost) 0)", "(capacity-predecessor c0 c1)", "(capacity-predecessor c1 c2)", "(capacity t c2)"]
    for one in places:
        for other in places:
            if one != other:
                initial += [f"(road {one} {other})", f"(= (road-length {one} {other}) {rng.randint(1, 50)})"]
    initial += [f"(at {each} {rng.choice(places)})" for each in ["t", *packages]]
    return (
        f"{' '.join(places)} - location t - vehicle {' '.join(packages)} - package c0 c1 c2 - capacity-number"
    ), initial


def _spanner(rng):
    places = [f"l{n}" for n in range(rng.randint(2, 4))]
    tools, nuts = ([f"{kind}{n}" for n in range(rng.randint(1, 3))] for kind in "sn")
    initial = [f"(link {a} {b})" for a, b in pairwise(places)] + [f"(at bob {places[0]})"]
    initial += [f"(at {each} {rng.choice(places)}) (useable {each})" for each in tools]
    initial += [f"(at {each} {places[-1]}) (loose {each})" for each in nuts]
    return f"{' '.join(places)} - location bob - man {' '.join(tools)} - spanner {' '.join(nuts)} - nut", initial


def _visit_all(rng):
    wide, high = rng.randint(1, 3), rng.randint(2, 3)
    names = {(x, y): f"loc-x{x}-y{y}" for x in range(wide) for y in range(high)}
    initial = [
        f"(connected {name} {names[x + dx, y + dy]})"
        for (x, y), name in names.items()
        for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
        if (x + dx, y + dy) in names
    ]
    return f"{' '.join(names.values())} - place", [*initial, "(at-robot loc-x0-y0)", "(visited loc-x0-y0)"]


IPC = {
    "blocks": (BLOCKS, _blocks, ""),
    "gripper": (GRIPPER, _gripper, ""),
    "logistics": (LOGISTICS, _logistics, ""),
    "miconic": (MICONIC, _miconic, ""),
    "briefcase": (BRIEFCASE, _briefcase, ""),
    "ferry": (FERRY, _ferry, ""),
    "transport": (TRANSPORT, _transport, "(:metric minimize (total-cost))"),
    "spanner": (SPANNER, _spanner, ""),
    "grid-visit-all": (VISIT_ALL, _visit_all, ""),
}


class Competition:
    """A problem of one of these domains, drawn by a random number generator."""

    def __init__(self, rng, name):
        self.domain, draw, self._metric = IPC[name]
        self._name = name
        self._objects, self._initial = draw(rng)

    def problem(self, goal="(and)"):
        return problem_text(self._name, self._objects, self._initial, goal, self._metric)
