"""What a sequence of operators needs and sets."""

import pytest
from attrs import frozen
from hypothesis import given, strategies as st

from coc_core.domain import HasOperators, Operator, compose
from coc_core.errors import ActionFault
from coc_core.text import Forms
from coc_core.types import Step
from coc_problems import optimum

OTHER = {"heads": "tails", "tails": "heads"}

ASSIGNMENTS = st.dictionaries(st.sampled_from("abc"), st.integers(0, 1))
OPERATORS = st.builds(Operator, ASSIGNMENTS, ASSIGNMENTS)
STATES = st.fixed_dictionaries(dict.fromkeys("abc", st.integers(0, 1)))


@frozen
class Turn:
    """The action."""

    up: str


def run(operators, state):
    """The last state, None if one of the operators is not applicable."""
    for operator in operators:
        if not all(state[variable] == value for variable, value in operator.needs.items()):
            return None
        state = {**state, **operator.sets}
    return state


@given(st.lists(OPERATORS, max_size=5), STATES)
def test_a_sequence_is_one_operator(operators, state):
    operator, last = compose(operators), run(operators, state)
    applicable = operator is not None and operator.applicable(state)
    assert applicable == (last is not None)
    if applicable:
        assert {**state, **operator.sets} == last


@given(st.lists(OPERATORS, max_size=3), st.lists(OPERATORS, max_size=3))
def test_composition_is_associative(some, others):
    one, other = compose(some), compose(others)
    if one is not None and other is not None:
        assert compose([one, other]) == compose([*some, *others])


def test_nothing_needs_nothing():
    assert compose([]) == Operator() == Operator({}, {})


def test_what_a_state_does_not_have_is_not_there():
    assert not Operator({"d": None}).applicable({"a": None})
    assert Operator({"a": None}).applicable({"a": None})


class Coin(HasOperators):
    """It can be turned from tails to heads, and back."""

    name = "coin"
    sizes = range(1, 2)
    actions = Forms(Turn)

    def _problem(self, n, rng):
        return None

    def size(self, problem):
        return 1

    def start(self, problem):
        return None

    def expand(self, instruction):
        return Step()

    def initial(self, problem):
        return "tails"

    def is_goal(self, problem, state):
        return state == "heads"

    def variables(self, state):
        return {"up": state}

    def operator(self, action):
        return None if action.up == "edge" else Operator({"up": action.up}, {"up": OTHER[action.up]})

    def assign(self, state, sets):
        return sets["up"]

    def every_action(self, state):
        return map(Turn, OTHER)


def test_the_rules_follow_from_the_operators():
    coin = Coin()
    assert coin.apply("tails", Turn("tails")) == "heads"
    assert list(coin.neighbours("heads")) == ["tails"]
    assert optimum(coin, None) == 1
    assert isinstance(coin, HasOperators)
    for up in ("heads", "edge"):
        with pytest.raises(ActionFault, match=f"not now: Turn up={up}"):
            coin.apply("tails", Turn(up))
