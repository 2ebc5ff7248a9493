"""What a sequence of operators needs and sets."""

from hypothesis import given, strategies as st

from coc_core.domain import HasOperators, Operator, compose, has_operators

ASSIGNMENTS = st.dictionaries(st.sampled_from("abc"), st.integers(0, 1))
OPERATORS = st.builds(Operator, ASSIGNMENTS, ASSIGNMENTS)
STATES = st.fixed_dictionaries(dict.fromkeys("abc", st.integers(0, 1)))


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


class Coin:
    def apply(self, state, action):
        return not state


class Stated(Coin, HasOperators):
    def variables(self, state):
        return {"heads": state}

    def operator(self, action):
        return Operator()

    def assign(self, state, sets):
        return sets.get("heads", state)


class Replaced(Stated):
    def apply(self, state, action):
        raise ValueError(action)


class StatedAgain(Replaced):
    def operator(self, action):
        return None


def test_operators_speak_for_the_actions_of_their_own_class():
    assert [has_operators(kind()) for kind in (Coin, Stated, Replaced, StatedAgain)] == [False, True, False, True]
