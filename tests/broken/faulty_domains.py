"""A domain that keeps every promise, and domains that break one each: the check that finds it, and what it says."""

import random
from itertools import product

from attrs import define, evolve, field, frozen

from coc_core.domain import Domain, HasOperators, Operator
from coc_core.errors import ActionFault
from coc_core.text import Codec, Form, Forms, Template, list_of, parse_decimal
from coc_core.types import Expectation, Step

RNG = random.Random(0)


def _parse_lamps(text):
    if set(text) - {*"01."}:
        raise ValueError(f"{text!a} is no row of lamps")
    return text


LAMPS = Codec(_parse_lamps)
BY_HEART = Codec({str(lamp): lamp for lamp in range(1, 40)}.__getitem__)
AS_LIST = Codec(list, "".join)
ROWS = Codec({"".join(row): "".join(row) for n in range(1, 7) for row in product("01", repeat=n)}.__getitem__)


@frozen
class Row:
    """The problem: light all lamps; 1 is a lamp that is lit."""

    lamps: str


@frozen
class Light:
    """The instruction: light `lamps`, of which the first is number `at`."""

    lamps: str
    at: int


@frozen
class Toggle:
    """The action that switches a lamp on or off."""

    lamp: int


@frozen
class Look:
    """The action that does nothing."""

    lamp: int


LOOK = Form.of(Look, "Look at lamp {lamp}")


class Least(Domain):
    """A row of lamps that are all off, with no more than a domain has to state."""

    name = "faulty"
    sizes = range(1, 20)
    problems = Forms(Row)
    instructions = Forms(Light)
    actions = Forms(Toggle)

    def _problem(self, n, rng):
        return Row("0" * n)

    def size(self, problem):
        return len(problem.lamps)

    def start(self, problem):
        return Light(problem.lamps, 1)

    def expand(self, instruction):
        rest = instruction.lamps[1:]
        return Step((Toggle(instruction.at),), then=(Light(rest, instruction.at + 1),) if rest else ())

    def initial(self, problem):
        return problem.lamps

    def apply(self, state, action):
        if not 1 <= action.lamp <= len(state):
            raise ActionFault(f"there is no lamp {action.lamp}")
        return switched(state, action.lamp)

    def is_goal(self, problem, state):
        return "0" not in state


class Sound(Least):
    """A row of lamps; the policy goes from one to the next."""

    problems = Forms(Form.of(Row, "lamps={lamps}", lamps=LAMPS))
    instructions = Forms(Form.of(Light, "LIGHT lamps={lamps} at={at}", lamps=LAMPS))
    actions = Forms(Form.of(Toggle, "Toggle lamp {lamp}"), LOOK)

    def _problem(self, n, rng):
        return Row("".join(rng.choices("01", k=n)))

    def _every_problem(self, n):
        return (Row("".join(lamps)) for lamps in product("01", repeat=n))

    def expand(self, instruction):
        action = (Toggle if instruction.lamps[0] == "0" else Look)(instruction.at)
        return evolve(super().expand(instruction), emits=(action,))

    def apply(self, state, action):
        after = super().apply(state, action)
        return after if isinstance(action, Toggle) else state

    def effect(self, state, action):
        return f"toggle {action.lamp}" if isinstance(action, Toggle) else None

    def neighbours(self, state):
        return (switched(state, lamp) for lamp in range(1, len(state) + 1))

    def render(self, state, width):
        return state

    def expect(self, problem):
        return Expectation(actions=len(problem.lamps), steps=len(problem.lamps))


def switched(lamps, lamp):
    return lamps[: lamp - 1] + "10"[int(lamps[lamp - 1])] + lamps[lamp:]


@define(unsafe_hash=True)
class Board:
    lamps: str
    log: list[Toggle] = field(factory=list, eq=False)


class OnABoard(Sound):
    """Keeps every promise, with states that could be changed."""

    def initial(self, problem):
        return Board(problem.lamps)

    def apply(self, state, action):
        return Board(super().apply(state.lamps, action), [*state.log, action])

    def effect(self, state, action):
        return super().effect(state.lamps, action)

    def neighbours(self, state):
        return map(Board, super().neighbours(state.lamps))

    def is_goal(self, problem, state):
        return super().is_goal(problem, state.lamps)

    def render(self, state, width):
        return state.lamps


class Switched(Sound, HasOperators):
    """Sound, and its actions are operators: a lamp is toggled only if it is off."""

    def apply(self, state, action):
        if isinstance(action, Toggle) and state[action.lamp - 1 : action.lamp] == "1":
            raise ActionFault(f"lamp {action.lamp} is lit")
        return super().apply(state, action)

    def variables(self, state):
        lamps = range(1, len(state) + 1)
        return {**dict(zip(lamps, state, strict=True)), **{("exists", lamp): True for lamp in lamps}}

    def operator(self, action):
        if isinstance(action, Look):
            return Operator({("exists", action.lamp): True})
        return Operator({action.lamp: "0"}, {action.lamp: "1"})

    def assign(self, state, sets):
        return "".join(sets.get(lamp, value) for lamp, value in enumerate(state, 1))


NAME = Codec(lambda text: parse_decimal(text.removeprefix("L")), lambda lamp: f"L{lamp}")


def _parse_lamp(text):
    name, _, lit = text.partition(":")
    return NAME.parse(name), _parse_lamps(lit)


LAMP = Codec(_parse_lamp, lambda lamp: f"{NAME.format(lamp[0])}:{lamp[1]}")


@frozen
class Rest:
    """The instruction: light these lamps; of each its number, and 1 if it is lit."""

    lamps: tuple[tuple[int, str], ...]


class NamedLamps(Sound):
    """Sound, with lamps that have names, and with another policy that keeps a record of each."""

    policies = (("heap", "tests.broken.faulty_records:Linked"),)
    interchangeable_names = ("L",)
    actions = Forms(Form.of(Toggle, "Toggle {lamp}", lamp=NAME), Form.of(Look, "Look at {lamp}", lamp=NAME))
    instructions = Forms(Form.of(Rest, "LIGHT {lamps}", lamps=list_of(LAMP, "lamp")))

    def start(self, problem):
        return Rest(tuple(enumerate(problem.lamps, 1)))

    def expand(self, instruction):
        (lamp, lit), *rest = instruction.lamps
        return Step(((Look if lit == "1" else Toggle)(lamp),), then=(Rest(tuple(rest)),) if rest else ())


# ── sound, but for what is said here ──────────────────────────────────────────────────────────────────────────────────


class Wasteful(Sound):
    """Its policy switches each lamp that is off three times, as if a rule that `apply` has lost made it."""

    def expand(self, instruction):
        step = super().expand(instruction)
        return evolve(step, emits=step.emits * (3 if isinstance(step.emits[0], Toggle) else 1))

    def expect(self, problem):
        return None


class Remembers(Sound):
    """What an instruction does depends on the one before it, in a way that no run shows."""

    _before = _last = None

    def expand(self, instruction):
        if instruction != self._last:
            self._before, self._last = self._last, instruction
        step = super().expand(instruction)
        return evolve(step, emits=(*step.emits, Look(1))) if self._before in step.then else step


@frozen
class Noted(Light):
    """An instruction with a part that its text leaves out."""

    note: str = ""


class Forgets(Sound):
    instructions = Forms(Form(Noted, Template("LIGHT lamps={lamps} at={at}"), {"lamps": LAMPS}))

    def start(self, problem):
        return Noted(problem.lamps, 1)

    def expand(self, instruction):
        step = super().expand(instruction)
        return evolve(step, then=tuple(Noted(each.lamps, each.at, instruction.lamps) for each in step.then))


class Hoards(Sound):
    def expand(self, instruction):
        left, _, past = instruction.lamps.partition(".")
        step = super().expand(evolve(instruction, lamps=left))
        return evolve(step, then=tuple(Light(f"{light.lamps}.{past}{100 * '0'}", light.at) for light in step.then))


class ReadsActionsAsText(Sound):
    actions = Forms(Form.of(Toggle, "Toggle lamp {lamp}", lamp=Codec(str)), LOOK)

    def apply(self, state, action):
        return super().apply(state, evolve(action, lamp=int(action.lamp)))


class Mutates(OnABoard):
    def apply(self, state, action):
        state.lamps = Sound.apply(self, state.lamps, action)
        return Board(state.lamps)


class FaultsWithAnother(Sound):
    def apply(self, state, action):
        if action.lamp > len(state):
            raise IndexError(action.lamp)
        return super().apply(state, action)


@frozen
class Done:
    """A note."""


def emitting(emits):
    """The sound policy, but for what it emits, which is a function of its step and the instruction."""

    def expand(self, instruction):
        step = Sound.expand(self, instruction)
        return evolve(step, emits=tuple(emits(step, instruction)))

    return expand


def _dark(self, state):
    return (switched(state, lamp) for lamp in range(1, len(state) + 1) if state[lamp - 1] == "0")


def _once_more(step, instruction):
    return step.emits if step.then else (*step.emits, *2 * (Toggle(instruction.at),))


VARIANTS = {
    "Vast": {"sizes": range(14, 17)},  # sound, but too large to search for shortest plans
    "Long": {"sizes": range(100, 103)},  # sound, with more steps than other parts are tried on
    "Endless": {"sizes": range(3_000, 3_010)},
    "Shouts": {"name": "FAULTY"},
    "IgnoresTheSeed": {"_problem": lambda self, n, rng: Sound._problem(self, n, RNG)},
    "ListsTwice": {"_every_problem": lambda self, n: (Row(n * "0"), Row(n * "0"))},
    "ListsHalf": {"_every_problem": lambda self, n: (Row(f"0{''.join(row)}") for row in product("01", repeat=n - 1))},
    "DrawsOne": {"_problem": lambda self, n, rng: Row(n * "0")},
    "ReadsProblemsAsLists": {"problems": Forms(Form.of(Row, "lamps={lamps}", lamps=AS_LIST))},
    "KnowsProblemsByHeart": {"problems": Forms(Form.of(Row, "lamps={lamps}", lamps=ROWS))},
    "ReadsInstructionsAsLists": {"instructions": Forms(Form.of(Light, "LIGHT lamps={lamps} at={at}", lamps=AS_LIST))},
    "KnowsActionsByHeart": {"actions": Forms(Form.of(Toggle, "Toggle lamp {lamp}", lamp=BY_HEART), LOOK)},
    "OnlyLooks": {"expand": emitting(lambda step, instruction: (Look(instruction.at),))},
    "Fickle": {"expand": emitting(lambda step, _: (*step.emits, *RNG.choice(((), (Look(1),)))))},
    "Silent": {"expand": emitting(lambda step, _: (each for each in step.emits if isinstance(each, Toggle)))},
    "NeverEnds": {"expand": lambda self, instruction: evolve(Sound.expand(self, instruction), then=(instruction,))},
    "ForgetsToReturn": {"expand": lambda self, instruction: None},
    "SaysNothing": {"effect": lambda self, state, action: None},
    "NamesNoLamp": {"effect": lambda self, state, action: "toggle a lamp" if isinstance(action, Toggle) else None},
    "KnowsNoMoves": {"neighbours": lambda self, state: ()},
    "TogglesTheLit": {"neighbours": _dark},  # `apply` forgets that a lamp which is lit stays so; no plan shows it
    "CannotDrawSmall": {"render": lambda self, state, width: state if width > 1 else ""},
    "CountsLamps": {"render": lambda self, state, width: f"{state.count('1')} are lit"},
    "PlaysFavourites": {
        "interchangeable_names": frozenset({"L"}),
        "instructions": Forms(Form.of(Light, "LIGHT lamps={lamps} at={at}", lamps=LAMPS, at=NAME)),
    },
    "StartsSolved": {  # no plan has an action
        "notes": Forms(Form.of(Done, "Nothing is left to do.")),
        "_problem": lambda self, n, rng: Row(n * "1"),
        "_every_problem": lambda self, n: (Row(n * "1"),),
        "expand": lambda self, instruction: Step((Done(),)),
        "expect": lambda self, problem: Expectation(actions=0, steps=1),
    },
    "ExpectsTooMuchFarOut": {  # beyond the sizes that are run
        "expect": lambda self, problem: Expectation((n := len(problem.lamps)) + (n == 17), n),
    },
    "ClaimsAnOptimum": {
        "expand": emitting(_once_more),
        "expect": lambda self, problem: Expectation((n := len(problem.lamps)) + 2, n, optimum="n + 2"),
    },
}
OF_OTHERS = {
    "NeedsNothing": (Switched, {"operator": lambda self, action: evolve(Switched.operator(self, action), needs={})}),
    "SetsNothing": (Switched, {"operator": lambda self, action: evolve(Switched.operator(self, action), sets={})}),
    "AssignsOne": (Switched, {"assign": lambda self, at, sets: Switched.assign(self, at, dict([*sets.items()][:1]))}),
    "HasBadRecords": (NamedLamps, {"policies": (("heap", "tests.broken.faulty_records:TakesForGranted"),)}),
}
globals().update({name: type(name, (Sound,), changes) for name, changes in VARIANTS.items()})
globals().update({name: type(name, (base,), changes) for name, (base, changes) in OF_OTHERS.items()})

FAULTS = [
    ("ForgetsToReturn", "policy_is_deterministic", "`expand` returned None, not a Step; is a `return` missing?"),
    ("NeverEnds", "policy_is_deterministic", "the policy never ends: LIGHT lamps="),
    ("TogglesTheLit", "moves_are_by_the_rules", "does what no physical move does"),
    ("ListsHalf", "problems_are_listed", "it is drawn, and not among the listed problems of size 1"),
    ("DrawsOne", "problems_are_listed", "60 seeds draw the same one of 2 problems of size 1"),
    ("NamesNoLamp", "effects_match_changes", "which leads elsewhere"),
    ("CountsLamps", "moves_are_by_the_rules", "have the same picture"),
    ("StartsSolved", "goal_is_reached", "every problem is solved at its start"),
    ("ExpectsTooMuchFarOut", "expectation_holds", "takes (actions, steps) (17, 17), not (18, 17)"),
    ("ClaimsAnOptimum", "no_plan_beats_the_optimum", "`expect` says that no plan is shorter than the policy's"),
    ("Shouts", "attributes_are_right", "the domain is called 'FAULTY', and it is offered as 'faulty'"),
    ("IgnoresTheSeed", "seeds_decide", "draws another problem the second time"),
    ("ListsTwice", "problems_are_listed", "a problem of size 1 is listed twice"),
    ("ReadsProblemsAsLists", "texts_round_trip", "which is read as another"),
    ("KnowsProblemsByHeart", "texts_round_trip", "KeyError"),
    ("OnlyLooks", "goal_is_reached", "is unsolved at step"),
    ("Fickle", "policy_is_deterministic", "at first, and later to"),
    ("Remembers", "policy_is_deterministic", "at first, and later to"),
    ("Forgets", "policy_is_deterministic", "it is the text of two instructions"),
    ("Fickle", "goal_is_reached", "this gives another plan than"),
    ("Silent", "goal_is_reached", "the target is empty"),
    ("Hoards", "prompts_are_short", "characters, more than"),
    ("ReadsInstructionsAsLists", "texts_round_trip", "which is read as another"),
    ("ReadsActionsAsText", "texts_round_trip", "which is read as another"),
    ("KnowsActionsByHeart", "texts_round_trip", "KeyError"),
    ("Mutates", "actions_make_new_states", "changes the state that it is tried in"),
    ("FaultsWithAnother", "actions_make_new_states", "IndexError"),
    ("SaysNothing", "effects_match_changes", "the picture stays: False"),
    ("KnowsNoMoves", "moves_are_by_the_rules", "does what no physical move does"),
    ("KnowsNoMoves", "no_plan_beats_the_optimum", "no physical moves solve"),
    ("PlaysFavourites", "names_are_interchangeable", "with other names this leads to"),
    ("CannotDrawSmall", "pictures_can_be_drawn", "at width 1 is empty"),
    ("NeedsNothing", "operators_match_actions", "is applicable, and the action is illegal"),
    ("SetsNothing", "operators_match_actions", "and the action to"),
    ("AssignsOne", "operators_match_actions", "they lead to"),
    ("HasBadRecords", "prompts_are_short", "faulty raised KeyError"),
]
FAULTS = [(globals()[part], check, complaint) for part, check, complaint in FAULTS]
