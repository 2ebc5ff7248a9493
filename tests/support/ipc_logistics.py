"""Logistics as benchmarks write it: untyped as in 1998 and in PlanBench, obfuscated as there, and typed as in 2000."""

UNTYPED = """(define (domain logistics-strips)
  (:requirements :strips)
  (:predicates (OBJ ?obj) (TRUCK ?truck) (LOCATION ?loc) (AIRPLANE ?airplane) (CITY ?city) (AIRPORT ?airport)
               (at ?obj ?loc) (in ?obj ?obj2) (in-city ?obj ?city))
  (:action LOAD-TRUCK :parameters (?obj ?truck ?loc)
    :precondition (and (OBJ ?obj) (TRUCK ?truck) (LOCATION ?loc) (at ?truck ?loc) (at ?obj ?loc))
    :effect (and (not (at ?obj ?loc)) (in ?obj ?truck)))
  (:action LOAD-AIRPLANE :parameters (?obj ?airplane ?loc)
    :precondition (and (OBJ ?obj) (AIRPLANE ?airplane) (LOCATION ?loc) (at ?obj ?loc) (at ?airplane ?loc))
    :effect (and (not (at ?obj ?loc)) (in ?obj ?airplane)))
  (:action UNLOAD-TRUCK :parameters (?obj ?truck ?loc)
    :precondition (and (OBJ ?obj) (TRUCK ?truck) (LOCATION ?loc) (at ?truck ?loc) (in ?obj ?truck))
    :effect (and (not (in ?obj ?truck)) (at ?obj ?loc)))
  (:action UNLOAD-AIRPLANE :parameters (?obj ?airplane ?loc)
    :precondition (and (OBJ ?obj) (AIRPLANE ?airplane) (LOCATION ?loc) (in ?obj ?airplane) (at ?airplane ?loc))
    :effect (and (not (in ?obj ?airplane)) (at ?obj ?loc)))
  (:action DRIVE-TRUCK :parameters (?truck ?loc-from ?loc-to ?city)
    :precondition (and (TRUCK ?truck) (LOCATION ?loc-from) (LOCATION ?loc-to) (CITY ?city)
                       (at ?truck ?loc-from) (in-city ?loc-from ?city) (in-city ?loc-to ?city))
    :effect (and (not (at ?truck ?loc-from)) (at ?truck ?loc-to)))
  (:action FLY-AIRPLANE :parameters (?airplane ?loc-from ?loc-to)
    :precondition (and (AIRPLANE ?airplane) (AIRPORT ?loc-from) (AIRPORT ?loc-to) (at ?airplane ?loc-from))
    :effect (and (not (at ?airplane ?loc-from)) (at ?airplane ?loc-to))))
"""
TYPED = """(define (domain logistics)
  (:requirements :strips :typing)
  (:types truck airplane - vehicle package vehicle - physobj airport location - place city place physobj - object)
  (:predicates (in-city ?loc - place ?city - city) (at ?obj - physobj ?loc - place) (in ?pkg - package ?veh - vehicle))
  (:action LOAD-TRUCK :parameters (?pkg - package ?truck - truck ?loc - place)
    :precondition (and (at ?truck ?loc) (at ?pkg ?loc))
    :effect (and (not (at ?pkg ?loc)) (in ?pkg ?truck)))
  (:action LOAD-AIRPLANE :parameters (?pkg - package ?airplane - airplane ?loc - place)
    :precondition (and (at ?pkg ?loc) (at ?airplane ?loc))
    :effect (and (not (at ?pkg ?loc)) (in ?pkg ?airplane)))
  (:action UNLOAD-TRUCK :parameters (?pkg - package ?truck - truck ?loc - place)
    :precondition (and (at ?truck ?loc) (in ?pkg ?truck))
    :effect (and (not (in ?pkg ?truck)) (at ?pkg ?loc)))
  (:action UNLOAD-AIRPLANE :parameters (?pkg - package ?airplane - airplane ?loc - place)
    :precondition (and (in ?pkg ?airplane) (at ?airplane ?loc))
    :effect (and (not (in ?pkg ?airplane)) (at ?pkg ?loc)))
  (:action DRIVE-TRUCK :parameters (?truck - truck ?from - place ?to - place ?city - city)
    :precondition (and (at ?truck ?from) (in-city ?from ?city) (in-city ?to ?city))
    :effect (and (not (at ?truck ?from)) (at ?truck ?to)))
  (:action FLY-AIRPLANE :parameters (?airplane - airplane ?from - airport ?to - airport)
    :precondition (at ?airplane ?from)
    :effect (and (not (at ?airplane ?from)) (at ?airplane ?to))))
"""
TYPES = {"obj": "package", "truck": "truck", "airplane": "airplane", "location": "location", "city": "city"}


def drawn(rng, packages, *, typed=False, cities=None, size=None):
    """The domain and a problem with so many packages, as the generator of the benchmarks draws them.

    There is a truck in each city, and the first place of each is its airport.
    """
    cities, size = cities or rng.randint(1, 2 + packages // 3), size or rng.randint(1, 3 + packages // 5)
    planes = rng.randint(1, 3)
    places = [f"l{city}-{number}" for city in range(cities) for number in range(size)]
    airports = [f"l{city}-0" for city in range(cities)]
    kinds = {
        "airplane": [f"a{number}" for number in range(planes)],
        "city": [f"c{city}" for city in range(cities)],
        "truck": [f"t{city}" for city in range(cities)],
        "location": places,
        "obj": [f"p{number}" for number in range(packages)],
    }
    init = [f"(at {name} {rng.choice(places)})" for name in kinds["obj"]]
    init += [f"(at t{city} l{city}-{rng.randrange(size)})" for city in range(cities)]
    init += [f"(at {name} {rng.choice(airports)})" for name in kinds["airplane"]]
    init += [f"(in-city l{city}-{number} c{city})" for city in range(cities) for number in range(size)]
    goal = [f"(at {name} {rng.choice(places)})" for name in kinds["obj"]]
    names = " ".join(name for some in kinds.values() for name in some)
    if typed:
        kinds["location"] = [name for name in places if name not in airports]
        listed = {TYPES[kind]: some for kind, some in kinds.items() if some} | {"airport": airports}
        names = " ".join(f"{' '.join(some)} - {kind}" for kind, some in listed.items())
    else:
        init += [f"({kind.upper()} {name})" for kind, some in kinds.items() for name in some]
        init += [f"(AIRPORT {name})" for name in airports]
    domain = "logistics" if typed else "logistics-strips"
    return (TYPED if typed else UNTYPED), (
        f"(define (problem logistics-c{cities}-s{size}-p{packages}-a{planes})\n(:domain {domain})\n(:objects {names})\n"
        f"(:init {' '.join(init)})\n(:goal (and {' '.join(goal)})))\n"
    )
