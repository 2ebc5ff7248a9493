"""Functions: their problems as people write them, and their answers on the machine, beside those of Python."""

import json
import random
from collections import deque
from enum import Enum
from itertools import accumulate, pairwise
from typing import Annotated, Literal

import pytest
from hypothesis import given, strategies as st

import coc_core
from coc_core.domain import parse_problem
from coc_core.errors import ActionFault, PluginError, UsageError
from coc_programs import Function, Record, Steps, Told, each, interpret, new, procedure, read, tell, write
from coc_programs.functions.values import Parameters, Values, readings, written
from coc_programs.library import Array, List, Map, Number, Text, TextMap, add, append, less, same
from tests.support.heap_runs import HeapRuns
from tests.support.program_checker import imported_checker, listed_alike

Few = Annotated[int, range(10)]


class Node(Record):
    """A place on a way."""

    weight: Number
    colour: Literal["red", "blue"] = "red"
    next: "Node | None" = None


class Ring(Record):
    """A record that a result goes round with."""

    next: "Ring | None" = None

    def load(self, read):
        return 0


class Odd(Record):
    """A record of which nothing can be made."""

    one: bool = True

    def load(self, read):
        raise ValueError("it is odd")


@procedure
def chosen(items: List[Number], limit: Number, above: bool) -> Steps[tuple[List[Number], Few]]:
    """Tell the elements above a limit, or those that are not; return them in opposite order, and how many, up to 9."""
    found = yield new(List)
    count: Few = 0
    for n in each(items):
        if (yield less(limit, n)) == above:
            yield tell(n)
            found = yield new(List, first=n, next=found)
            count = min(count + 1, 9)
    return found, count


class Chosen(Function):
    main = chosen
    sizes = range(1, 50)

    def draw(self, n, rng):
        return [rng.randrange(-300, 300) for _ in range(n)], rng.randrange(-300, 300), rng.random() < 0.5

    def reference(self, items, limit, above):
        found = [each for each in items if (each > limit) == above]
        yield from found
        return found[::-1], min(len(found), 9)


@procedure
def before(start: Node, weight: Number) -> Steps[Node | None]:
    """Return the last blue place on a way, up to a weight of all places so far."""
    found: Node | None = None
    at: Node | None = start
    while at:
        x = yield read(at)
        total = yield add(weight, x.weight)
        weight = total
        yield write(at, colour="red")
        if x.colour == "blue":
            found = at
        if (yield same(total, total)):
            at = x.next
    return found


class LastBlue(Function):
    """The last blue place on a way."""

    name = "blue"
    main = before

    def draw(self, n, rng):
        nodes = [Node(weight=rng.randrange(9), colour=rng.choice(("red", "blue"))) for _ in range(n)]
        for one, other in pairwise(nodes):
            one.next = other
        return nodes[0], rng.randrange(-9, 9)

    def reference(self, start, weight):
        found = None
        while start:
            found = start if start.colour == "blue" else found
            start = start.next
        return found


@procedure
def ring(odd: bool) -> Steps[Ring | Odd]:
    if odd:
        return (yield new(Odd))
    one = yield new(Ring)
    yield write(one, next=one)
    return one


class GoesRound(Function):
    main = ring

    def draw(self, n, rng):
        return False

    def reference(self, odd):
        return 0


@procedure
def kept(texts: Map[TextMap[Text]], array: Array[Number]) -> Steps[tuple[Map[TextMap[Text]], Array[Number]]]:
    yield append(array, (yield read(array)).length)
    return texts, array


class Kept(Function):
    main = kept

    def draw(self, n, rng):
        return {each: {"a" * n: "b"} for each in range(n, -n, -1)}, [*range(-n, n)]

    def reference(self, texts, array):
        return texts, [*array, len(array)]


class Colour(Enum):
    RED = 1
    BLUE = 2


@procedure
def other(colour: Colour, flag: bool) -> Steps[Colour]:
    """Tell a colour, and return another if a flag is set."""
    yield tell(colour)
    return turned(colour) if flag else colour


def turned(colour: Colour) -> Colour:
    return Colour.BLUE if colour == Colour.RED else Colour.RED


class Other(Function):
    main = other

    def draw(self, n, rng):
        return rng.choice([*Colour]), rng.random() < 0.5

    def reference(self, colour, flag):
        yield colour
        return turned(colour) if flag else colour


def answered(function, text):
    """The state at the end of the run of a problem."""
    return HeapRuns(function)(parse_problem(function, text)).state


@pytest.mark.parametrize("function", [Chosen(), LastBlue(), Kept(), Other()], ids=["chosen", "blue", "kept", "other"])
def test_the_machine_gives_what_python_gives(function):
    runs = HeapRuns(function)
    for n in (*range(1, 8), 20):
        problem = function.problem(n, n)
        state = function.initial(problem)
        for action in runs.actions(problem):
            before, state = state, function.apply(state, action)
            assert function.added(before, state) in ("", function.render(state, 10**6).split("\n")[-1] + "\n")
        assert function.doubt(problem, state) == ""
        assert function.size(problem) == n
        assert parse_problem(function, function.problems.format(problem)) == problem


def test_the_answer_has_what_was_told_and_the_results():
    state = answered(Chosen(), "[5, -7, 100] 5 false")
    assert Chosen().answer(state) == [5, -7, [-7, 5], 2]
    assert Chosen().render(state, 80) == "5\n-7\n[-7, 5]\n2"
    assert Chosen().answer(answered(Chosen(), "[[], 0, true]")) == [[], 0]


@pytest.mark.parametrize(
    "text",
    ["[1, 2]\n0\ntrue", "[[1, 2], 0, true]", '{"above": true, "items": [1,2],\n "limit": 0}', "n=2 [[1, 2], 0, true]"],
)
def test_a_problem_as_people_write_it(text):
    assert parse_problem(Chosen(), text).text == "[[1, 2], 0, true]"


WAY = '{"start": "home", "weight": -3, "records": {"home": {"weight": 12, "colour": "blue", "next": "hill"}, "hill": {"weight": 0}}}'


def test_records_go_by_names():
    state = answered(LastBlue(), WAY)
    assert LastBlue().answer(state) == "home"
    assert LastBlue().is_goal(state.problem, state)
    assert LastBlue().answer(answered(LastBlue(), WAY.replace("blue", "red"))) is None


BAD = [
    (Chosen, "[1, 2] 0", "2 values for the arguments items, limit, above"),
    (Chosen, "[1, 2] 0 1", "above: '1' is not false or true"),
    (Chosen, '["x"] 0 true', "items: '[\"x\"]' is not List"),
    (Chosen, "[1] 0.5 true", "'0.5' is not a whole number"),
    (Chosen, "[1] 0 yes", "'yes' in line 1 is not JSON"),
    (Chosen, "[NaN] 0 true", "'NaN' is not a whole number"),
    (Chosen, "", "0 values for"),
    (Chosen, f"{[1] * 1_000_000} 0 true", "there are 1,000,002 values in all, and the most is 200,000"),
    (Chosen, f"[] {'7' * 10_000} true", "a number has 10,000 digits"),
    (Chosen, "[" * 10_000, "recursion"),
    (Other, '"GREEN" true', 'colour: \'"GREEN"\' is not "BLUE" or "RED"'),
    (LastBlue, '"home" 3 {"hill": {"weight": 1}}', "start: '\"home\"' is not Node"),
    (LastBlue, '"home" 3 {"home": {"weight": "x"}}', "home: '\"x\"' is not Number"),
    (LastBlue, '"home" 3 {"home": {"weight": 1, "color": "red"}}', "home: Node has no field 'color'"),
    (LastBlue, '"home" 3 {"home": {}}', "home: Node needs a value for 'weight'"),
    (LastBlue, '"home" 3 ["home"]', "the records must be an object of objects"),
]


@pytest.mark.parametrize(("function", "text", "message"), BAD, ids=[message for *_, message in BAD])
def test_bad_input_is_refused_in_one_line(function, text, message):
    with pytest.raises(UsageError) as caught:
        parse_problem(function(), text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**4000), 10**4000) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(VALUES)
def test_values_are_read_as_they_are_written(value):
    text = written(value)
    assert readings(f" {text}\n{text}") == [value, value]
    assert text.isascii()
    assert json.loads(text) == value


def test_a_wrong_answer_is_shown_beside_the_right_one():
    class Wrong(Chosen):
        def reference(self, items, limit, above):
            return [], 3

    problem = parse_problem(Wrong(), "[1, 2] 7 true")
    state = HeapRuns(Wrong())(problem).state
    assert Wrong().doubt(problem, state) == "value 2 is 0, and right is 3"
    assert Wrong().doubt(problem, Wrong().initial(problem)) == "value 1 is nothing, and right is []"


def test_a_reference_that_raises_and_a_draw_that_does_not_fit_are_named():
    class Raises(Chosen):
        def reference(self, items, limit, above):
            return items[7]

        def draw(self, n, rng):
            return [n], "x", True

    problem = parse_problem(Raises(), "[1] 0 true")
    with pytest.raises(PluginError, match=r"the reference of chosen, given '.*': IndexError: list index out of range"):
        Raises().is_goal(problem, Raises().initial(problem))
    with pytest.raises(PluginError, match=r"draw\(3\) of chosen gives .* limit: '\"x\"' is not Number"):
        Raises()._problem(3, random.Random(0))


def test_a_result_that_cant_be_read_back_is_a_fault():
    for odd, message in ((False, "goes round: R"), (True, "no Odd can be made of what is told: ValueError: it is odd")):
        problem = parse_problem(GoesRound(), json.dumps(odd))
        actions, first = interpret(*GoesRound().begin(problem)), GoesRound().initial(problem)
        with pytest.raises(ActionFault, match=message):
            deque(accumulate(actions, GoesRound().apply, initial=first))


def test_records_are_told_in_one_order():
    problem = parse_problem(Chosen(), "[4, 5] 0 true")
    first, second, *_ = (each for each in interpret(*Chosen().begin(problem)))
    state = Chosen().apply(Chosen().initial(problem), first)
    for action in (first, Told(True)):
        with pytest.raises(ActionFault, match="has to be told next"):
            Chosen().apply(state, action)
    assert Chosen().apply(state, second) != state
    with pytest.raises(ActionFault, match="is none of the records of the problem"):
        LastBlue().apply(answered(LastBlue(), WAY), Told(Node.at(3)))


def test_what_could_not_be_told_is_refused_where_it_is_defined():
    @procedure
    def lost() -> Steps[Node]:
        return (yield new(Node, weight=None))

    @procedure
    def partly(start: Node, odd: Odd) -> Steps[Node | Odd]:
        x = yield read(start)
        return odd if x.next else start

    @procedure
    def bare(items: List) -> Steps[bool]:
        return (yield read(items)).next is None

    @procedure
    def untyped(a) -> Steps[bool]:
        yield tell(a)

    wrong = [(lost, "has a Node, which has no `load`"), (partly, "partly told by its name")]
    wrong += [(bare, r"line \d+, in bare: the type of elements is missing"), (untyped, "'a' has no type")]
    for main, message in (*wrong, (len, "`main` is not a procedure")):
        with pytest.raises(PluginError, match=message):
            type("Bad", (Function,), {"main": main})


@pytest.mark.parametrize("function", [Chosen(), Other()], ids=["chosen", "other"])
def test_the_checker_of_certificates_takes_the_same_steps(function):
    with imported_checker() as checker:
        assert listed_alike(checker, function)


def test_the_keys_of_a_map_are_numbers():
    parameters = Parameters({"items": Values.of(Map[Number])})
    assert parameters.read('{"-3": 5}')[1] == ({-3: 5},)
    with pytest.raises(ValueError, match="items: invalid literal for int"):
        parameters.read('{"a": 5}')


PLUGIN = '''
from coc_programs import Function, Steps, procedure, tell
from coc_programs.library import Number, add

@procedure
def double(n: Number) -> Steps[Number]:
    return (yield add(n, n))

class Twice(Function):
    """Twice a number."""

    main = double

    def draw(self, n, rng):
        return rng.randrange(10**n)

    def reference(self, n):
        return 2 * n
'''


def test_a_file_with_a_function_and_no_hook_is_a_plugin(coc, tmp_path):
    path = tmp_path / "twice_file.py"
    path.write_text(PLUGIN)
    done = coc_core.run("twice", problem=-21, model="reference", plugins=[path])
    assert (done.answer, done.solved) == (-42, True)
    (tmp_path / "given.json").write_text("-21\n")
    shown = coc("run", "-d", "twice", "--plugin", path, "--problem", tmp_path / "given.json", "--model", "reference")
    assert (shown.code, shown.out.split("\n")[0]) == (0, "-42")
    assert coc("check", "twice", "--plugin", path).code == 0
    with pytest.raises(UsageError, match="is neither a path, nor a text, nor data for JSON"):
        coc_core.run("twice", problem={1j}, model="reference", plugins=[path])
