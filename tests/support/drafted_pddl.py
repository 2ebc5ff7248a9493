"""Problems in PDDL that are almost those of a domain of coc: harmless differences, and misleading ones."""

import re
from itertools import permutations

from attrs import define, field

from coc_planning.models import MODELS
from tests.support.reworded_pddl import problem_of, shuffled


@define
class Draft:
    """A domain and a problem as texts that can be changed."""

    predicates: dict
    operators: list
    objects: list
    initial: list
    goal: list
    requirements: list = field(factory=lambda: [":strips"])
    more: list = field(factory=list)

    @classmethod
    def of(cls, lifted, facts):
        def texts(true, false=()):
            return [*map(str, true), *(f"(not {atom})" for atom in sorted(false))]

        operators = [
            [
                each.name,
                [*each.parameters],
                texts(sorted(each.needs), each.forbids),
                texts(sorted(each.adds), each.deletes),
            ]
            for each in lifted.operators
        ]
        predicates = {name: arity for name, arity in lifted.predicates.items() if name != "="}
        return cls(predicates, operators, [*facts.objects], texts(sorted(facts.initial)), texts(facts.goal))

    def deletes(self, name):
        """Whether an operator deletes an atom of a predicate that begins so."""
        return any(f"(not ({name}" in each for *_, effects in self.operators for each in effects)

    @property
    def files(self):
        """The two texts."""
        predicates = " ".join(
            f"({' '.join([name, *map('?a{}'.format, range(arity))])})" for name, arity in self.predicates.items()
        )
        actions = [
            f"(:action {name} :parameters ({' '.join(parameters)})\n  :precondition (and {' '.join(needs)})\n"
            f"  :effect (and {' '.join(effects)}))"
            for name, parameters, needs, effects in self.operators
        ]
        parts = [f"(:requirements {' '.join(self.requirements)})", f"(:predicates {predicates})"]
        domain = "\n".join(["(define (domain draft)", *parts, *actions, *self.more, ")\n"])
        problem = (
            f"(define (problem p) (:domain draft)\n(:objects {' '.join(self.objects)})\n(:init {' '.join(self.initial)})\n"
            f"(:goal (and {' '.join(self.goal)})))\n"
        )
        return domain, problem


def draft_of(name, n, rng):
    """A problem of a domain of coc, with other names and orders."""
    model = next(model for model in MODELS if model.domain == name) if isinstance(name, str) else name
    _, lifted, facts = problem_of(model, n, rng.randrange(1_000))
    return Draft.of(*shuffled(lifted, facts, rng))


def atoms_of(draft, name):
    """The arguments of the atoms of a predicate that hold at the start."""
    found = (each.strip("()").split(" ") for each in draft.initial)
    return [rest for predicate, *rest in found if predicate == name]


def differing(draft, rng):
    """Parameters that differ: `(not (= ?x ?y))`."""
    for _, parameters, needs, _ in draft.operators:
        pairs = [(one, other) for one in parameters for other in parameters if one < other]
        needs += [
            f"(not (= {one} {other}))" for one, other in rng.sample(pairs, len(pairs) and rng.randint(1, len(pairs)))
        ]


def ask(draft, name, cases, needed):
    """Let a new predicate hold of some objects, or pairs of them, and have operators need what their parameters say."""
    draft.predicates[name] = 1 + any(isinstance(each, tuple) for each in cases)
    draft.initial += [f"({name} {each if isinstance(each, str) else ' '.join(each)})" for each in cases]
    for _, parameters, needs, _ in draft.operators:
        needs += needed(parameters)


def a_kind(draft, rng):
    """All objects are of a kind, for which some operators ask."""
    ask(draft, "thing", draft.objects, lambda names: [f"(thing {each})" for each in names if rng.random() < 0.8])


def different_atoms(draft, rng):
    """An atom says which objects differ: `(differs ?x ?y)`."""
    pairs = list(permutations(draft.objects, 2))
    ask(draft, "differs", pairs, lambda names: [f"(differs {names[0]} {names[-1]})"] * (len(names) > 1))


def idle_operators(draft, rng):
    """Operators that coc has no use for, also with conditions that it does not know."""
    name = rng.choice(list(draft.predicates))
    variables = " ".join(f"?v{n}" for n in range(draft.predicates[name]))
    draft.requirements.append(":adl")
    draft.more += [
        "(:action wait :parameters () :precondition () :effect ())",
        f"(:action look :parameters ({variables}) :precondition (or ({name} {variables})) :effect ({name} {variables}))",
    ]


def a_building_site(draft, rng):
    """An operator makes true what is never changed otherwise, and objects are there that nothing is said of."""
    unary = [name for name, arity in draft.predicates.items() if arity]
    name = rng.choice(unary)
    variables = " ".join(f"?v{n}" for n in range(draft.predicates[name]))
    draft.more.append(f"(:action build :parameters ({variables}) :precondition (and) :effect ({name} {variables}))")
    draft.objects.insert(0, "crane")


def an_arm(draft, rng):
    """The only arm is a parameter of each operator, and an argument of some predicates that change."""
    if "arm" in draft.predicates:
        return
    draft.predicates |= {"arm": 1, "ready": 1}
    draft.objects.append("left-arm")
    draft.initial += ["(arm left-arm)", "(ready left-arm)"]
    for _, parameters, needs, _ in draft.operators:
        place = rng.randint(0, len(parameters))
        parameters.insert(place, "?arm")
        needs += ["(arm ?arm)", "(ready ?arm)"]
    changing = [name for name in draft.predicates if draft.deletes(name)]
    for name in rng.sample(changing, min(2, len(changing))):
        draft.predicates[name] += 1
        for _, _, needs, effects in draft.operators:
            for atoms in (needs, effects):
                atoms[:] = [_longer(each, name, "?arm") for each in atoms]
        draft.initial[:] = [_longer(each, name, "left-arm") for each in draft.initial]
        draft.goal[:] = [_longer(each, name, "left-arm") for each in draft.goal]


def _longer(text, name, argument):
    for head in (f"({name} ", f"({name})"):
        if text.startswith((head, f"(not {head}")):
            return text.replace(head, f"({name} {argument}{head[-1]}", 1)
    return text


def an_opposite(draft, rng):
    """A predicate holds whenever another one, without arguments or with one, does not hold."""
    changing = [name for name, arity in draft.predicates.items() if arity < 2 and draft.deletes(name)]
    if not changing:
        return
    name = rng.choice(changing)
    draft.predicates[f"no-{name}"] = draft.predicates[name]
    for _, _, _, effects in draft.operators:
        deleted = [each[5:-1] for each in effects if each.startswith((f"(not ({name} ", f"(not ({name})"))]
        added = [each for each in effects if each.startswith((f"({name} ", f"({name})"))]
        effects += [each.replace(f"({name}", f"(no-{name}", 1) for each in deleted if each not in added]
        effects += [f"(not {each.replace(f'({name}', f'(no-{name}', 1)})" for each in added]
    cases = [[each] for each in draft.objects] if draft.predicates[name] else [[]]
    holding = atoms_of(draft, name)
    draft.initial += [f"({' '.join([f'no-{name}', *each])})" for each in cases if each not in holding]


def surplus_facts(draft, rng):
    """What never changes holds of an object and itself, too, as in `(smaller d1 d1)`."""
    for name, arity in draft.predicates.items():
        if arity == 2 and not any(f"({name} " in each for *_, effects in draft.operators for each in effects):
            own = [f"({name} {each} {each})" for each in sorted({one for one, _ in atoms_of(draft, name)})]
            draft.initial += [each for each in own if each not in draft.initial]


def negations(draft, rng):
    """Conditions that say again what others say: `(not (p))` where `(q)` holds."""
    for _, _, needs, effects in draft.operators:
        for each in effects:
            stated = each.startswith("(not") or f"(not {each})" in needs or each in needs
            if not stated and rng.random() < 0.4:
                needs.append(f"(not {each})")


def restated(draft, rng):
    """What actions need and keep is made true again, as far as it changes elsewhere."""
    gone = [each for *_, effects in draft.operators for each in effects if each.startswith("(not (")]
    changing = {re.split(r"[ )]", each.removeprefix("(not ("))[0] for each in gone}
    for _, _, needs, effects in draft.operators:
        kept = [each for each in needs if re.split(r"[ )]", each[1:])[0] in changing and f"(not {each})" not in effects]
        effects += [each for each in kept if each not in effects]


HARMLESS = (
    differing,
    a_kind,
    different_atoms,
    idle_operators,
    a_building_site,
    an_arm,
    an_opposite,
    surplus_facts,
    restated,
)
"""Differences that no plan of coc's depends on."""


def power_fails(draft, rng):
    """An operator switches off what another one, or the same, needs."""
    draft.predicates["power"] = 0
    draft.initial.append("(power)")
    for _, _, needs, effects in draft.operators:
        if rng.random() < 0.7:
            needs.append("(power)")
        if rng.random() < 0.5:
            effects.append("(not (power))")


def some_are_fixed(draft, rng):
    """Some objects can't be used by an operator."""
    some = [each for each in draft.objects if rng.random() < 0.7]
    ask(draft, "free-to-go", some, lambda names: one_of(rng, "(free-to-go {})", names))


def some_are_forbidden(draft, rng):
    """Some objects can't be used, as a negative condition says."""
    some = [each for each in draft.objects if rng.random() < 0.3]
    ask(draft, "fragile", some, lambda names: one_of(rng, "(not (fragile {}))", names))


def one_of(rng, text, names):
    """Perhaps a condition on one of some parameters."""
    return [text.format(rng.choice(names))] if names and rng.random() < 0.7 else []


def a_broken_arm(draft, rng):
    """The only arm is not ready, or becomes so."""
    an_arm(draft, rng)
    if rng.random() < 0.5:
        draft.initial.remove("(ready left-arm)")
    else:
        rng.choice(draft.operators)[3].append("(not (ready ?arm))")


def a_goal_elsewhere(draft, rng):
    """The goal asks for something that coc's domain does not have."""
    draft.predicates["painted"] = 1
    draft.goal.append(f"(painted {rng.choice(draft.objects)})")
    draft.more.append("(:action paint :parameters (?v) :precondition (and) :effect (painted ?v))")


def a_way_out(draft, rng):
    """A goal that contradicts itself in coc's domain, and an operator that reaches it."""
    name = rng.choice([name for name, arity in draft.predicates.items() if arity == 2] or list(draft.predicates))
    variables = " ".join(f"?v{n}" for n in range(draft.predicates[name]))
    draft.more.append(
        f"(:action wish :parameters ({variables}) :precondition (and) :effect ({' '.join([name, variables])}))"
    )
    if draft.predicates[name] == 2:
        one, other = rng.sample(draft.objects, 2)
        draft.goal = [f"({name} {one} {other})", f"({name} {other} {one})"]


def an_equality(draft, rng):
    """Parameters have to be the same."""
    several = [each for each in draft.operators if len(each[1]) > 1]
    if several:
        operator = rng.choice(several)
        operator[2].append(f"(= {operator[1][0]} {operator[1][1]})")


MISLEADING = (power_fails, some_are_fixed, some_are_forbidden, a_broken_arm, a_goal_elsewhere, a_way_out, an_equality, negations)  # fmt: skip
"""Differences that coc's plans may fail on."""
