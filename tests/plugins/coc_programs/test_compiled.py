"""What programs are compiled to: places, prompts and targets."""

import re
from itertools import pairwise
from types import SimpleNamespace

import pytest

from coc_core.errors import PluginError, UsageError
from coc_core.memories import StackConvention, tape_convention
from coc_core.setting import _check_needs
from coc_core.text import Form, Forms
from coc_problems import every_prompt
from coc_programs import Compiled, Record, chain, interpret
from coc_programs.heap.convention import HeapConvention
from coc_programs.heap.memory import Heap
from tests.support.installed_plugins import REGISTRY
from tests.support.program_runs import directly, domain_of, module_of, on_machine

HEAD = """
from typing import Annotated, Literal
from coc_programs import Record, Steps, chain, new, procedure, read, write
from tests.support.program_runs import Say, Think

class Cell(Record):
    next: "Cell | None" = None
    seen: bool = False
"""


@pytest.fixture
def compiled(tmp_path):
    """Compiles the rest of a module, in which `main` is what a run begins with; gives the module and a domain."""
    open_modules = []

    def make(text, begin=None):
        opened = module_of(HEAD + text, tmp_path)
        open_modules.append(opened)
        module = opened.__enter__()
        classes = [each for each in vars(module).values() if isinstance(each, type) and hasattr(each, "field_names")]
        classes = [each for each in classes if each.__module__ == module.__name__]
        return module, domain_of(module.main, begin and (lambda: begin(module)), *classes)

    yield make
    for each in open_modules:
        each.__exit__(None, None, None)


def on_heap(domain, notation="symbolic"):
    """Each prompt of the run on the heap with its target, and the outcome."""
    outcome = on_machine(domain, Heap(), HeapConvention(domain, notation))
    return outcome.pairs, outcome


def places(domain):
    return [re.sub(r"=\{v\d+\}", "", place.form.template.text) for place in domain.compiled.places]


# ── places ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_place_shows_what_is_still_needed_and_a_program_needs_what_it_uses(compiled):
    (_, with_records), (_, without), (_, bare) = map(compiled, (LOOPS, LOOPS_OF_NUMBERS, CONSTANTS))
    assert places(with_records)[:4] == [
        "CALL main first",
        "CALL main.1 first left AT {record}",
        "CALL main.2 first _1 cell cell.next left GOT {result}",
        "CALL main.3 first _1 cell left GOT {result}",
    ]
    assert [each.needs for each in (with_records, without, bare)] == [{"records", "results"}, {"results"}, set()]
    assert with_records.interchangeable_names == {"C"}
    for domain, convention, lacking in (
        (with_records, StackConvention(with_records, "symbolic"), "records, and pda has none; choose one of: heap"),
        (without, tape_convention(without, "symbolic"), "results, and tape has none; choose one of: heap, pda"),
    ):
        with pytest.raises(UsageError, match=f"drawn needs a memory with {lacking}"):
            _check_needs(REGISTRY, domain, SimpleNamespace(name=lacking.split()[2]), convention)


def test_labels_do_not_change_when_lines_are_added(compiled):
    _, before = compiled(LOOPS)
    _, after = compiled(
        "NOTHING = None\n" + LOOPS.replace("        if cell.seen:\n", "        kept = cell.seen\n        if kept:\n")
    )
    assert [place.name for place in before.compiled.places] == [place.name for place in after.compiled.places]
    assert places(before) == places(after)
    lines = [[place.line for place in each.compiled.places] for each in (before, after)]
    assert all(one < other for one, other in zip(*lines, strict=True))


def test_tail_calls_leave_nothing_behind(compiled):
    text = """
@procedure
def main(a: Cell | None) -> Cell | None:
    if not a:
        return None
    x = yield read(a)
    if not x.next:
        return a
    return (yield main(x.next))
"""

    def begin(module):
        cells = [module.Cell() for _ in range(1000)]
        for one, other in pairwise(cells):
            one.next = other
        return module.main(cells[0]), cells

    _, domain = compiled(text, begin)
    pairs, outcome = on_heap(domain, "numeric")
    assert outcome.result.value.name == "C1000"
    assert outcome.deepest == 1000  # the records, and no instruction below the one on top
    assert pairs["CALL main.1 AT C1: next=C2 seen=no"] == "WRITE CALL main.1 AT C2"
    assert pairs["CALL main.1 AT C1000: next=- seen=no"] == "RETURN C1000"


# ── targets ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_new_record_is_named_by_the_machine_and_used_in_the_step_that_makes_it(compiled):
    text = """
@procedure
def main(first: Cell) -> Cell:
    fresh = yield told()
    before = yield new(Cell, next=fresh)
    other = yield new(Cell, next=before)
    yield write(first, next=other)
    yield write(other, seen=True)
    yield Say(first)
    return other

@procedure
def told() -> Cell:
    fresh = yield new(Cell)
    yield Say(fresh)
    return fresh
"""
    all_at_once = "OUTPUT say C1\nWRITE C1: next=C+1\n"
    _, domain = compiled(text, lambda module: (module.main(cell := module.Cell()), [cell]))
    for notation, name, other in (("numeric", "C2", "C3"), ("symbolic", "C1", "C2")):
        pairs, outcome = on_heap(domain, notation)
        assert [*pairs.items()] == [
            ("CALL main first=C1", "WRITE CALL main.1 first=C1 GOT ?\nWRITE CALL told"),
            ("CALL told", "WRITE C+1: next=- seen=no\nWRITE CALL told.1 fresh=C+1"),  # an action needs its number
            (f"CALL told.1 fresh={name}", f"OUTPUT say {name}\nRETURN {name}"),
            ("CALL main.1 first=C1 GOT C2", "WRITE C+1: next=C2 seen=no\nWRITE CALL main.2 first=C1 before=C+1"),
            (f"CALL main.2 first=C1 before={other}", f"{all_at_once}WRITE C+1: next={other} seen=yes\nRETURN C+1"),
        ]
        assert {name: str(fields) for name, fields in outcome.records.items()} == {
            "C1": "{'next': C4, 'seen': False}",
            "C2": "{'next': None, 'seen': False}",
            "C3": "{'next': C2, 'seen': False}",
            "C4": "{'next': C3, 'seen': True}",
        }
        assert (outcome.result.value.name, [each.what.name for each in outcome.emits]) == ("C4", ["C2", "C1"])


LEAVES = """
from typing import cast

class Leaf(Record):
    bit: bool

class Tree(Record):
    left: "Tree | Leaf"
    right: "Tree | Leaf | None" = None

@procedure
def main(a: Tree) -> bool:
    x = yield read(a)
    if isinstance(x.left, Tree):
        return (yield main(cast(Tree, x.left)))
    other = cast("Leaf | None", getattr(x, "right"))
    y = yield read(cast(Leaf, x.left))
    yield Say(y.bit == (other is None))
    return y.bit
"""


def test_a_cast_goes_wrong_for_a_reference_of_another_class(compiled):
    def begin(module):
        leaf = module.Leaf(bit=True)
        inner = module.Tree(left=leaf)
        return module.main(outer := module.Tree(left=inner)), [outer, inner, leaf]

    module, domain = compiled(LEAVES, begin)
    assert [each.what for each in directly(*begin(module)).emits] == [True]
    listed = every_prompt(HeapConvention(domain, "symbolic"))
    known = dict(listed.pairs)
    assert (len(known), on_heap(domain)[0].items() <= known.items()) == (9, True)
    assert known["CALL main.1 AT T1: left=T2 right=L3"] == "WRITE CALL main.1 AT T2"
    assert known["CALL main.1 AT T1: left=L2 right=L3"] == "WRITE CALL main.3 other=L3 AT L2"
    wrong = f"{module.__name__}.py, line 24, in main: \"getattr(x, 'right')\" is T3, not Leaf or -"
    assert dict(listed.wrong) == {"CALL main.1 AT T1: left=L2 right=T3": wrong}


def test_a_cast_may_give_a_word(compiled):
    text = "from typing import cast\nKind = Cell | Literal['red']\n@procedure\n"
    text += "def main(a: Kind | Literal['green']) -> None:\n    yield Say(cast(Kind, a))\n"
    assert both_ways(compiled, text, lambda module: (module.main("red"), [])) == [["red"]] * 3


COMPARES = """
@procedure
def main(a: Cell, b: Cell, c: Cell) -> bool:
    yield Say(c)
    return a == b
"""


@pytest.mark.parametrize(
    ("which", "prompt"),
    [
        ((0, 0, 0), "CALL main a=C1 b=C1 c=C3"),
        ((0, 1, 0), "CALL main a=C1 b=C2 c=C3"),
        ((1, 0, 2), "CALL main a=C1 b=C2 c=C3"),
    ],
)
def test_equal_names_get_equal_numbers_only_where_they_are_compared(compiled, which, prompt):
    def begin(module):
        cells = [module.Cell(), module.Cell(), module.Cell()]
        return module.main(*(cells[place] for place in which)), cells

    _, domain = compiled(COMPARES, begin)
    pairs, outcome = on_heap(domain)
    assert [*pairs] == [prompt]
    assert pairs[prompt].endswith("RETURN yes" if which[0] == which[1] else "RETURN no")
    assert [each.what.number for each in outcome.emits] == [which[2] + 1]


def test_the_compiler_lists_what_grows(compiled):
    _, domain = compiled(
        """
class Box(Record):
    many: int
    few: Annotated[int, range(3)] = 0

@procedure
def main(box: Box, n: int, flag: bool) -> int:
    x = yield read(box)
    k = 0
    while flag:
        k = k + 1
        flag = yield low(k)
    return x.many + n + k

@procedure
def low(n: Annotated[int, range(3)]) -> bool:
    yield Say(n)
    return n < 2
"""
    )
    assert domain.compiled.growing == [
        "main: n",
        "main.1: n",
        "main.2: n",
        "main.2: k",
        "main.2: x.many",
        "Box.many",
        "the result of main",
    ]


# ── what goes wrong in a run ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("yield Say(1)\nyield read(None if n else a) #!", "there is no record to read: 'None if n else a' is None"),
        ("yield write(None if n else a, few=0) #!", "there is no record to write: 'None if n else a' is None"),
        ("yield read(a)\nyield write(a, few=n + 2) #!", "3 is not 0 to 2"),
        ("yield new(Box, few=n + 2) #!\nyield Say(2)", "3 is not 0 to 2"),
        ("yield write(a, few=truth(n)) #!", "True is not 0 to 2"),
        ("yield read(a)\nreturn n + 2 #!", "3 is not 0 to 2"),
        ("yield read(a)\nyield low(n + 2) #-", "'n': 3 is not 0 to 2"),
        ("k: Annotated[int, range(2)] = n + 1\nyield read(a) #!\nyield Say(k)", "'k': 2 is not 0 to 1"),
        ("k = 1 // (n - 1) #!\nyield Say(k)", "ZeroDivisionError"),
        ("while n: #!\n    n = 1\nyield Say(1)", "a loop goes on without reading or calling"),
        ("yield Say(TABLE[n]) #!", "KeyError"),
        ("yield Say(n + 9) #!", "10 is not"),
        ("for x in chain(a, 'other'):\n    x = yield read(x.other) #!\n    yield Say(1)", "there is no record to read"),
    ],
)
def test_what_goes_wrong_names_its_line(compiled, body, words):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"""
TABLE = {{0: 0}}

def truth(n: int) -> int:
    return n > 0

class Box(Record):
    few: Annotated[int, range(3)] = 0
    other: "Box | None" = None

@procedure
def low(n: Annotated[int, range(3)]) -> None:
    yield Say(n)

@procedure
def main(a: Box | None, n: int) -> Annotated[int, range(3)]:
{lines}    return 0
"""

    def begin(module):
        boxes = [module.Box()]
        return module.main(boxes[0], 1), boxes

    _, domain = compiled(text, begin)
    _, outcome = on_heap(domain, "numeric")
    assert isinstance(outcome.error, PluginError)
    assert words in str(outcome.error)
    whole = (HEAD + text).splitlines()
    line = next((number for number, each in enumerate(whole, 1) if each.endswith("#!")), None)
    line = line or whole.index("def low(n: Annotated[int, range(3)]) -> None:") + 1
    assert re.match(rf"drawn_\d+\.py, line {line}, in (main|low): ", str(outcome.error)), str(outcome.error)


def test_a_run_begins_with_main_and_with_records_that_it_refers_to(compiled):
    text = """
class Box(Record):
    few: bool

@procedure
def main(a: Cell | None) -> None:
    yield other(a)

@procedure
def other(a: Cell | None) -> None:
    yield Say(a)
"""
    for begin, message in (
        (lambda module: (module.other(None), []), "a run begins with main, not other"),
        (lambda module: (module.main(None), [module.Box(few=True)]), "refers to a Box"),
    ):
        _, domain = compiled(text, begin)
        with pytest.raises(TypeError, match=message):
            domain.start(None)


PARSED = """
@procedure
def main(a: Cell | None, n: Annotated[int, range(3)]) -> None:
    x = yield read(a)
    y = yield first(n)
    yield Say(x.seen)
    yield Say(y)

@procedure
def first(n: Annotated[int, range(3)]) -> Literal["red", "green"]:
    yield Say(n)
    return "red"
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CALL main a=- n=3", "'3' is not 0 to 2"),
        ("CALL main a=- n=two", "'two' is not a plain decimal number"),
        ("CALL main a=C0 n=1", "0 stands where a number from 1 is expected"),
        ("CALL main.1 n=1 AT C1: next=C2", "does not have the fields next, seen in this order"),
        ("CALL main.1 n=1 AT C1: next=C2 seen=maybe", "'maybe' is not no or yes"),
        ("CALL main.1 n=1 AT C1: next=C2 seen=no other=no", "'other=no' is not a field of next, seen"),
        ("CALL main.1 n=1 AT D1: next=C2 seen=no", "'D1' is not Cell"),
        ("CALL main.2 x.seen=no GOT blue", "'blue' is not 'green' or 'red'"),
    ],
)
def test_a_text_that_is_no_instruction_is_refused(compiled, text, message):
    _, domain = compiled(PARSED)
    with pytest.raises(ValueError, match=re.escape(message)):
        domain.instructions.parse(text)


@pytest.mark.parametrize("text", ["CALL main.1 n=1 AT C1", "CALL main.2 x.seen=no GOT ?", "C1: next=- seen=no"])
def test_an_instruction_does_nothing_as_long_as_what_it_waits_for_is_not_there(compiled, text):
    _, domain = compiled(PARSED)
    step = domain.expand(domain.instructions.parse(text))
    assert [domain.notes.format(each) for each in step.emits] == ["RETURN"]
    assert not step.then


def test_an_instruction_has_a_place(compiled):
    _, domain = compiled(PARSED)
    place = domain.compiled.place(domain.instructions.parse("CALL main.2 x.seen=no GOT red"))
    assert (place.name, place.line, *place.variables) == ("main.2", 13, "x.seen")
    assert domain.compiled.place(domain.instructions.parse("C1: next=- seen=no")) is None


# ── names, and what Python would run ──────────────────────────────────────────────────────────────────────────────────


def both_ways(compiled, text, begin):
    """What a program says directly, and with the names of the problem and by place."""
    module, domain = compiled(text, begin)
    runs = [on_heap(domain, notation)[1] for notation in ("numeric", "symbolic")]
    assert [each.error for each in runs] == [None, None]
    return [[each.what for each in run.emits] for run in (directly(*begin(module)), *runs)]


LOOPS = """
import coc_programs as language

@procedure
def main(first: Cell | None) -> None:
    left = 3
    for cell in language.chain(first, "next"):
        if cell.seen:
            continue
        yield count(1)
        if not cell.next:
            break
        left -= 1
        if (yield count(left)):
            yield Say(cell)
            continue
        break
    yield count((yield length(first)))

@procedure
def count(n: int) -> bool:
    yield Say(n)
    return n > 1

@procedure
def length(first: Cell | None) -> int:
    n = 0
    for cell in chain(first, "next"):
        n += 1
    return n
"""


LOOPS_OF_NUMBERS = LOOPS[LOOPS.index("@procedure\ndef count") : LOOPS.index("@procedure\ndef length")].replace(
    "count", "main"
)


@pytest.mark.parametrize(("several", "says"), [((0, 1, 1, 0, 0), "1 2 C1 1 1 5"), ((1, 0, 1, 0), "1 2 C2 1 4")])
def test_loops_are_left_and_go_on_and_a_procedure_may_read_by_a_chain_alone(compiled, several, says):
    def begin(module):
        cells = [module.Cell(seen=bool(each)) for each in several]
        for one, other in pairwise(cells):
            one.next = other
        return module.main(cells[0]), cells

    direct, *runs = both_ways(compiled, LOOPS, begin)
    assert runs == [direct, direct]
    assert " ".join(map(str, direct)) == says


@pytest.mark.parametrize(
    ("promised", "given", "result", "words"),
    [
        ("bool", "bool | None", "None", "None is not no or yes"),
        ("Annotated[int, range(2)]", "Annotated[int, range(3)]", "2", "2 is not 0 to 1"),
        ("int", "Annotated[int, range(3)]", "2", None),
    ],
)
def test_a_result_that_a_caller_does_not_promise_names_its_line(compiled, promised, given, result, words):
    text = f"""
@procedure
def main() -> {promised}:
    return (yield low())

@procedure
def low() -> {given}:
    yield Say(1)
    return {result}
"""
    _, domain = compiled(text, lambda module: (module.main(), []))
    pairs, outcome = on_heap(domain)
    assert (f"line 12, in main: {words}" in str(outcome.error)) == (words is not None)
    assert pairs["CALL main"] == f"WRITE CALL {'main.1 GOT ?' if words else 'low'}" + "\nWRITE CALL low" * bool(words)


CONSTANTS = """
LIMIT = 1
WAYS = [1, 2]

@procedure
def main(n: int) -> None:
    for way in WAYS:
        yield Say(way + LIMIT + 0)
"""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda module: setattr(module, "LIMIT", 2), "'LIMIT' was something else"),
        (lambda module: module.WAYS.append(3), "'WAYS' was something else"),
        (lambda module: delattr(module, "LIMIT"), "'LIMIT' was something else"),
    ],
)
def test_a_constant_that_changes_after_it_was_compiled_is_refused(compiled, change, words):
    module, domain = compiled(CONSTANTS, lambda module: (module.main(1), []))
    assert [each.what for each in on_heap(domain)[1].emits] == [2, 3]
    change(module)
    with pytest.raises(PluginError, match=f"line 14, in main: {words}"):
        domain.start(None)


def test_a_source_that_is_not_what_python_runs_is_refused(compiled, tmp_path):
    module, _ = compiled(CONSTANTS)
    path = tmp_path / f"{module.__name__}.py"
    text = path.read_text()
    for old, new in (("way + LIMIT", "way - LIMIT"), ("LIMIT + 0", "LIMIT + False")):
        path.write_text(text.replace(old, new))
        with pytest.raises(PluginError, match="line 14, in main: Python runs something else than this source; import"):
            Compiled(module.main)


def test_a_comment_may_stand_at_the_margin_and_a_procedure_in_a_block(compiled):
    text = "if True:\n    @procedure\n    def main(n: int) -> None:\n# here\n        yield Say(n)\n"
    assert both_ways(compiled, text, lambda module: (module.main(2), [])) == [[2], [2], [2]]


def test_fields_mean_what_they_do_in_the_module_of_their_class(compiled):
    other, _ = compiled(
        "Kind = bool\nclass Far(Record):\n    kind: 'Kind' = False\n@procedure\ndef main() -> None:\n    yield Say(1)\n"
    )
    text = f"""
from {other.__name__} import Far
Kind = Literal["red"]

class Near(Far, letters="N"):
    own: "Kind" = "red"
    near: "Near | None" = None

hidden = type("Near", (Record,), {{"__module__": __name__}})

@procedure
def main(a: Near) -> None:
    x = yield read(a)
    yield Say(x.kind)
    yield Say(x.own)
    yield Say(x.near)
    word = min("red", "green")
    yield turn(word)

@procedure
def turn(word: Literal["red", "green"]) -> None:
    yield Say(word)
"""

    def begin(module):
        near = module.Near(kind=True)
        return module.main(near), [near]

    assert both_ways(compiled, text, begin) == [[True, "red", None, "green"]] * 3


def test_two_runs_of_the_source_may_take_turns(compiled):
    module, _ = compiled(LOOPS)

    def cells(*seen):
        found = [module.Cell(seen=each) for each in seen]
        for one, other in pairwise(found):
            one.next = other
        return found

    several = [cells(False, True, False), cells(True, False, False, False), cells(False)]
    alone = [list(interpret(module.main(each[0]), each)) for each in several]
    runs = [interpret(module.main(each[0]), each) for each in several]
    turns = [[], [], []]
    for place in 3 * [0, 1, 1, 2] + 8 * [2, 1, 0]:
        turns[place] += [each for each in [next(runs[place], None)] if each is not None]
    assert turns == alone
    with pytest.raises(LookupError):
        next(chain(several[0][0], "next"))
    assert len({*map(len, alone)}) == 3


def test_a_list_of_records_has_each_of_them_once(compiled):
    module, _ = compiled(LOOPS)
    one, other = module.Cell(), module.Cell()
    with pytest.raises(PluginError, match="C1 is also record 2 of the list; list each record once"):
        next(interpret(module.main(one), [one, one]))
    assert len(list(interpret(module.main(one), [other, one]))) == 2
    one.next = other
    knot = type("Knot", (Record,), {"__annotations__": {"flag": bool}})(flag=True)
    calls = [module.main(one), module.main(other), module.main(one), module.main(module.Cell.at(1))]
    for call, records in zip(calls, ([other], [one], [one], [knot]), strict=True):
        with pytest.raises(PluginError, match="a Cell is missing in the list of records"):
            next(interpret(call, records))


@pytest.mark.parametrize(
    ("given", "template", "words"),
    [
        ("n", "Put C{what}", "Put reads 'Put C0' where it is given no record; choose other words"),
        ("a.number", "Put {what}", "Put reads 'Put 1' where it is given C1; give it the record itself"),
        ("a.number", "Put C{what}", None),
        ("n", "Put D{what}", None),
    ],
)
def test_the_text_of_an_action_has_the_names_of_its_records_alone(tmp_path, given, template, words):
    put = "from attrs import frozen\n@frozen\nclass Put:\n    what: int\n"
    text = f"@procedure\ndef main(a: Cell, n: int) -> None:\n    yield Put({given})\n"
    with module_of(HEAD + put + text, tmp_path) as module:
        forms = Forms(Form.of(module.Put, template))
        if words is None:
            Compiled(module.main).check_emissions(forms)
        else:
            with pytest.raises(PluginError, match=f"line 15, in main: {words}"):
                Compiled(module.main).check_emissions(forms)
