"""Planning tasks with all that ADL has, drawn at random.

Each is a domain and a problem as texts. `walks` takes actions at random and gives the plan, a goal that it reaches, and
damaged copies of it.
"""

from coc_core.errors import ActionFault
from coc_planning.pddl.simulation import Simulation

TYPES = {"thing": "object", "cup": "thing", "red-cup": "cup", "plate": "thing", "room": "object"}
ABOVE = {"object": ["object"]}
"""The types that each type is a part of, itself first."""
for _name, _kind in TYPES.items():
    ABOVE[_name] = [_name, *ABOVE[_kind]]


class DrawnTask:
    """A domain and a problem, drawn by a random number generator.

    With `typed` false there is but one type; with `adl` false, conditions and effects are those of STRIPS.
    """

    def __init__(self, rng, *, typed=True, adl=True):
        self.rng, self.typed, self.adl = rng, typed, adl
        self.costs = rng.random() < 0.4
        kinds = list(TYPES) if typed else ["object"]
        self.predicates = {
            f"p{number}": [rng.choice(kinds) for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))] for number in range(5)
        } | {"base": []}
        # There is something of each type; `test_other_validators` has what others make of types without objects.
        more = [rng.choice(kinds) for _ in range(rng.randint(1, 4))]
        leaves = ["red-cup", "plate", "room"] if typed else ["object"]
        self.objects = {f"o{number}": kind for number, kind in enumerate([*leaves, *more])}
        self.constants = {f"c{number}": rng.choice(kinds) for number in range(rng.randint(0, 2))}
        self.actions = [self._action(f"act-{number}") for number in range(rng.randint(2, 4))]
        self.initial = self._initial()

    def _action(self, name):
        rng = self.rng
        scope = {f"?x{number}": self._kind() for number in range(rng.randint(0, 3))}
        needs = self._condition(scope, 2)
        effect = " ".join(self._effect(scope, 2) for _ in range(rng.randint(1, 3)))
        if self.costs:
            effect += f" (increase (total-cost) {rng.choice(['1', '2', '2.5', '(price)'])})"
        return f"(:action {name} :parameters ({self._typed(scope)})\n  :precondition {needs}\n  :effect (and {effect}))"

    def _kind(self):
        return self.rng.choice(list(TYPES)) if self.typed else "object"

    def _typed(self, names):
        return " ".join(f"{name} - {kind}" if self.typed else name for name, kind in names.items())

    def _atom(self, scope):
        """An atom over what is in scope."""
        known = {**scope, **self.constants}
        fitting = []
        for name, kinds in self.predicates.items():
            choices = [[each for each, own in known.items() if kind in ABOVE[own]] for kind in kinds]
            if all(choices):
                fitting.append((name, choices))
        name, choices = self.rng.choice(fitting)
        return f"({' '.join([name, *map(self.rng.choice, choices)])})"

    def _condition(self, scope, depth):
        rng = self.rng
        if not self.adl:
            atoms = [self._atom(scope) for _ in range(rng.randint(0, 3))]
            return f"(and {' '.join(f'(not {each})' if rng.random() < 0.2 else each for each in atoms)})"
        kind = rng.choice(["and", "or", "not", "imply", "forall", "exists", "atom", "atom", "="]) if depth else "atom"
        if kind in ("and", "or"):
            return f"({kind} {' '.join(self._condition(scope, depth - 1) for _ in range(rng.randint(1, 3)))})"
        if kind == "not":
            return f"(not {self._condition(scope, depth - 1)})"
        if kind == "imply":
            return f"(imply {self._condition(scope, depth - 1)} {self._condition(scope, depth - 1)})"
        if kind in ("forall", "exists"):
            bound = {f"?y{depth}{number}": self._kind() for number in range(rng.randint(1, 2))}
            return f"({kind} ({self._typed(bound)}) {self._condition({**scope, **bound}, depth - 1)})"
        if kind == "=" and scope:
            one, known = rng.choice(list(scope)), {**scope, **self.constants}
            alike = [each for each, own in known.items() if own in ABOVE[scope[one]] or scope[one] in ABOVE[own]]
            return f"(= {one} {rng.choice(alike)})"
        return self._atom(scope)

    def _effect(self, scope, depth):
        rng = self.rng
        kind = rng.choice(["add", "add", "delete", "when", "forall"]) if depth and self.adl else rng.choice("ad")
        if kind == "when":
            return f"(when {self._condition(scope, 1)} {self._effect(scope, 0)})"
        if kind == "forall":
            bound = {f"?z{depth}{number}": self._kind() for number in range(rng.randint(1, 2))}
            inner = {**scope, **bound}
            return f"(forall ({self._typed(bound)}) (when {self._condition(inner, 1)} {self._effect(inner, 0)}))"
        atom = self._atom(scope)
        return f"(not {atom})" if kind.startswith("d") else atom

    @property
    def domain(self):
        types = " ".join(f"{name} - {kind}" for name, kind in TYPES.items())
        predicates = " ".join(
            f"({name} {self._typed({f'?a{n}': kind for n, kind in enumerate(kinds)})})"
            for name, kinds in self.predicates.items()
        )
        further = " :adl" if self.adl else " :negative-preconditions"
        parts = [
            f"(define (domain drawn)\n(:requirements :strips{' :typing' if self.typed else ''}{further}"
            f"{' :action-costs' if self.costs else ''})",
            f"(:types {types})" if self.typed else "",
            f"(:constants {self._typed(self.constants)})" if self.constants else "",
            f"(:predicates {predicates})",
            "(:functions (total-cost) - number (price) - number)" if self.costs else "",
            *self.actions,
        ]
        return "\n".join([*filter(None, parts), ")\n"])

    def _initial(self):
        rng, known, atoms = self.rng, {**self.objects, **self.constants}, set()
        for _ in range(rng.randint(2, 12)):
            name = rng.choice(list(self.predicates))
            choices = [[each for each, own in known.items() if kind in ABOVE[own]] for kind in self.predicates[name]]
            if all(choices):
                atoms.add(f"({' '.join([name, *map(rng.choice, choices)])})")
        return sorted(atoms) + (["(= (total-cost) 0)", "(= (price) 3)"] if self.costs else [])

    def goal(self):
        """A formula over the objects, without equality, which pddl-pyvalidator takes as false in goals."""
        return next(goal for goal in iter(lambda: self._condition(self.objects, 2), None) if "(=" not in goal)

    def problem(self, goal="(and)"):
        metric = "(:metric minimize (total-cost))" if self.costs else ""
        return problem_text("drawn", self._typed(self.objects), self.initial, goal, metric)


def problem_text(domain, objects, initial, goal, metric=""):
    lines = [f"(define (problem p) (:domain {domain})", f"(:objects {objects})", f"(:init {' '.join(initial)})"]
    return "\n".join([*lines, f"(:goal {goal})", metric, ")\n"])


def walk(rng, task, length, tries=60):
    """A plan of actions taken at random, and the simulation where it ends."""
    simulation, plan = Simulation(task), []
    names = list(task.actions)
    for _ in range(length):
        for _ in range(tries):
            action = task.actions[rng.choice(names)]
            choices = [list(task.of(types)) for types in action.parameters.values()]
            if not all(choices):
                continue
            chosen = [rng.choice(each) for each in choices]
            try:
                simulation.take(action.name, chosen)
            except ActionFault:
                continue
            plan.append([action.name, *chosen])
            break
    return plan, simulation


def reached(rng, simulation, most=4):
    """A goal that a simulation has reached: some atoms that hold, and some that do not."""
    holding = [
        f"({' '.join([name, *each])})" for name, found in simulation.state.items() for each in found if name != "="
    ]
    chosen = rng.sample(sorted(holding), min(len(holding), rng.randint(0, most)))
    return f"(and {' '.join(chosen)})"


def damaged(rng, plan, task):
    """A copy of a plan with something wrong, or not: an action left out, twice, moved, changed or made up."""
    plan = [list(each) for each in plan]
    objects = [*task.objects, "nobody"]
    kind = rng.choice(["drop", "twice", "swap", "argument", "arity", "unknown", "truncate", "add", "same"])
    place = rng.randrange(len(plan)) if plan else 0
    if kind == "add" or not plan:
        name = rng.choice(list(task.actions))
        plan.insert(place, [name, *(rng.choice(objects) for _ in task.actions[name].parameters)])
    elif kind == "drop":
        del plan[place]
    elif kind == "twice":
        plan.insert(place, plan[place])
    elif kind == "swap":
        other = rng.randrange(len(plan))
        plan[place], plan[other] = plan[other], plan[place]
    elif kind == "argument" and len(plan[place]) > 1:
        plan[place][rng.randrange(1, len(plan[place]))] = rng.choice(objects)
    elif kind == "arity":
        plan[place] = plan[place][:-1] if rng.random() < 0.5 and len(plan[place]) > 1 else [*plan[place], objects[0]]
    elif kind == "unknown":
        plan[place][0] += "-too"
    elif kind == "truncate":
        plan = plan[:place]
    return plan


def plan_text(plan):
    return "".join(f"({' '.join(each)})\n" for each in plan)
