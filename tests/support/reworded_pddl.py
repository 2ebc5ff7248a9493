"""Planning domains and problems in other words: names and orders shuffled, or one atom changed."""

import random
from itertools import product

from attrs import evolve

from coc_core.domain import scene_of
from coc_core.plugin import DomainSpec
from coc_planning.lifted import Facts, Lifted, Operator, written_domain, written_problem
from coc_planning.pddl.task import EQUALS, Atom
from tests.support.installed_plugins import REGISTRY


def words(rng, count, prefix):
    """Distinct names that say nothing."""
    numbers = rng.sample(range(10 * count + 10), count)
    return [f"{prefix}{number}" for number in numbers]


def shuffled(domain, facts, rng):
    """The same domain and problem with other names, and other orders of operators, parameters and arguments."""
    names = dict(zip(domain.predicates, words(rng, len(domain.predicates), "p"), strict=True))
    names |= {EQUALS: EQUALS} if EQUALS in names else {}
    orders = {name: rng.sample(range(arity), arity) for name, arity in domain.predicates.items()}
    objects = dict(zip(facts.objects, words(rng, len(facts.objects), "o"), strict=True))

    def atom(each, arguments):
        return Atom(names[each.predicate], tuple(arguments[each.arguments[place]] for place in orders[each.predicate]))

    def operator(each, name):
        variables = dict(zip(each.parameters, words(rng, len(each.parameters), "?v"), strict=True))
        parameters = rng.sample(list(variables.values()), len(variables))
        return Operator(
            name, tuple(parameters), *(frozenset(atom(one, variables) for one in part) for part in each.parts)
        )

    operators = [
        operator(each, name)
        for each, name in zip(domain.operators, words(rng, len(domain.operators), "a"), strict=True)
    ]
    rng.shuffle(operators)
    goal = [atom(each, objects) for each in facts.goal]
    rng.shuffle(goal)
    return (
        Lifted.of("shuffled", *operators),
        Facts(
            tuple(rng.sample(list(objects.values()), len(objects))),
            frozenset(atom(each, objects) for each in facts.initial),
            tuple(goal),
        ),
    )


def damaged(domain, rng):
    """The domain without one of its atoms, or with one more, in a condition or an effect."""
    place = rng.randrange(len(domain.operators))
    operator = domain.operators[place]
    parts = [set(part) for part in operator.parts]
    part = rng.choice([0, 2, 3])
    if rng.random() < 0.5 and parts[part]:
        parts[part].remove(rng.choice(sorted(parts[part])))
    else:
        parts[part].add(rng.choice([each for each in every_atom(domain, operator) if each not in parts[part]]))
    changed = Operator(operator.name, operator.parameters, *map(frozenset, parts))
    return evolve(domain, operators=(*domain.operators[:place], changed, *domain.operators[place + 1 :]))


def every_atom(domain, operator):
    """All atoms over an operator's variables."""
    names = operator.parameters
    return [Atom(name, each) for name, arity in domain.predicates.items() for each in product(names, repeat=arity)]


def problem_of(model, n, seed=0):
    """A problem of coc's domain, and its domain and facts in PDDL."""
    domain = REGISTRY.create(DomainSpec, model.domain)
    problem = domain.problem(n, seed)
    return problem, model.forms[0], model.facts(problem, scene_of(domain, domain.initial(problem)))


def write(folder, domain, facts, names=("domain.pddl", "problem.pddl")):
    """Write a domain and a problem to two files; their paths."""
    files = [folder / name for name in names]
    files[0].write_text(written_domain(domain))
    files[1].write_text(written_problem(domain, facts, "p"))
    return files


def rng_of(*words):
    return random.Random(" ".join(map(str, words)))
