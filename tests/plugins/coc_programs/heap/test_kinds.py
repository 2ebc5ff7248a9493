"""The kinds of records and instructions that runs begin with: stated by a domain, or all that its types allow."""

import json
import re
from typing import Annotated, Literal

import pytest

from coc_core.arithmetic import Symbolic
from coc_core.domain import KnowsUnsolvable, StoresRecords
from coc_core.errors import PluginError, UnsupportedError
from coc_core.execution import Machine
from coc_core.memories import StackConvention
from coc_core.setting import Setting
from coc_problems import closure, every_prompt, has_few_kinds
from coc_programs import Record, every, procedure, read, write
from coc_programs.heap.convention import HeapConvention
from coc_programs.heap.kinds import first_kinds, kinds_begun
from coc_programs.heap.memory import Heap
from tests.broken.faulty_records import Linked
from tests.support.installed_plugins import REGISTRY
from tests.support.program_runs import Go, Say, domain_of
from tests.support.shipped_checkpoints import SETTINGS

Few = Annotated[int, range(2, 4)]


class Pen(Record):
    ink: Literal["red", "blue"]
    next: "Pen | None" = None


class Box(Record):
    """A box, which has a field that `Pen` has, too."""

    next: "Box"
    pens: Few


class Reed(Record):
    ink: Literal["red", "blue"]
    next: Pen | None = None


class Quill(Record):
    ink: Literal["red", "blue"]
    next: Pen | None = None
    cap: bool = False


MANY = "abcdefghijklmnopq"
Wide = type("Wide", (Record,), {"__annotations__": dict.fromkeys(MANY, Few)})


class Endless(Record):
    number_of: int


@procedure
def draw(pen: Pen | None, box: Box, bold: bool) -> None:
    if pen:
        seen = yield read(pen)
        yield Say(seen.ink)
        yield write(pen, next=None)
    held = yield read(box)
    yield Say(held.pens)


@procedure
def meet(one: Pen, other: Pen, third: Pen) -> None:
    """Compare references before anything is read."""
    if one == other or other == third:
        seen = yield read(one)
        yield Say(seen.ink)


@procedure
def both(pen: Pen, reed: Reed) -> None:
    seen = yield read(pen)
    yield Say(seen.ink)
    other = yield read(reed)
    yield Say(other.ink)


@procedure
def dip(quill: Quill, pen: Pen) -> None:
    seen = yield read(quill)
    if seen.cap:
        yield write(pen, ink="red", next=None)
        yield write(quill, ink="red")
        yield dip(quill, pen)


@procedure
def count(left: Few) -> None:
    if left > 2:
        yield Say("red")
        yield count(left - 1)


@procedure
def look(at: Wide) -> None:
    seen = yield read(at)
    yield Say(seen.a)


def domain(main, *classes, begin=lambda: None, kinds=None):
    made = domain_of(main, begin, *classes)
    if kinds is not None:
        made.kinds = kinds
    return made


def shown(each):
    return {name: repr(value) for name, value in each.fields.items()}


def test_every_record_and_call_that_the_types_allow_is_listed_once():
    assert [shown(each) for each in every(Pen)] == [
        {"ink": f"'{ink}'", "next": to} for ink in ("blue", "red") for to in ("None", "P2")
    ]
    assert [shown(each) for each in every(Box)] == [{"next": "B1", "pens": str(n)} for n in (2, 3)]
    assert [repr(each.arguments) for each in every(draw)] == [
        f"({pen}, B2, {bold})" for pen in ("None", "P1") for bold in (False, True)
    ]


def test_types_that_allow_too_many_are_refused_with_what_to_do():
    told = "the types of {} allow more than 100,000 kinds; state those that runs begin with in `kinds()` of the domain"
    for thing in (Wide, Endless):
        with pytest.raises(PluginError, match=re.escape(told.format(thing.__name__))):
            next(every(thing))
    many = HeapConvention(domain(look, Wide), "symbolic")
    with pytest.raises(PluginError, match=re.escape(told.format("Wide"))):
        every_prompt(many)
    few = [dict.fromkeys(MANY, 2), dict.fromkeys(MANY, 3)]
    stated = domain(look, Wide, kinds=lambda: [look(Wide.at(9)), *(Wide(**each) for each in few)])
    assert len(every_prompt(HeapConvention(stated, "symbolic")).pairs) == 2


def test_by_default_a_program_has_all_kinds_that_its_types_allow():
    assert [*first_kinds(domain(draw, Pen, Box))] == [
        "CALL draw.2 AT B1",
        "CALL draw.1 box=B1 AT P2",
        "B1: next=B2 pens=2",
        "B1: next=B2 pens=3",
        "P1: ink=blue next=-",
        "P1: ink=blue next=P2",
        "P1: ink=red next=-",
        "P1: ink=red next=P2",
    ]


def test_references_that_the_first_call_compares_may_be_the_same():
    found = [each for each in first_kinds(domain(meet, Pen)) if each.startswith("CALL")]
    assert found == ["CALL meet one=P1 other=P2 third=P3", "CALL meet.1 AT P1"]
    one, other = Pen(ink="red"), Pen(ink="blue")
    runs = {kind for some in ((one, one, other), (one, other, other), (one, other, one)) for kind in begun(meet, some)}
    assert runs - {*first_kinds(domain(meet, Pen))} == set()
    assert {each for each in runs if each.startswith("CALL")} == {*found}


def begun(main, records):
    each = list(dict.fromkeys(records))
    return kinds_begun(domain(main, Pen, begin=lambda: (main(*records), each)), Go())


def test_kinds_can_be_stated_by_what_a_run_begins_with():
    """References in them may be to records without a number, as those that `begin` gives."""
    first, last = Pen(ink="red"), Pen(ink="blue")
    first.next = last
    box = Box(pens=3, next=Box.at(7))
    stated = domain(draw, Pen, Box, kinds=lambda: iter([first, last, box, draw(first, box, True)]))
    assert [*first_kinds(stated)] == [
        "P1: ink=red next=P2",
        "P1: ink=blue next=-",
        "B1: next=B2 pens=3",
        "CALL draw.1 box=B1 AT P2",
    ]


def test_a_record_of_one_class_is_not_read_as_one_of_another_with_the_same_fields():
    kinds = [both(Pen.at(1), Reed.at(2)), Pen(ink="red", next=Pen.at(1)), Reed(ink="blue")]
    stated = domain(both, Pen, Reed, kinds=lambda: kinds)
    assert dict(every_prompt(HeapConvention(stated, "symbolic")).pairs).keys() == {
        "CALL both.1 reed=R1 AT P2: ink=red next=P3",
        "CALL both.2 AT R1: ink=blue next=-",
    }


def test_a_record_of_another_class_is_not_the_one_that_is_read():
    """So what a step writes of the two is not mixed."""
    quills = [Quill(ink="blue", cap=True), Quill(ink="blue")]
    kinds = [dip(Quill.at(1), Pen.at(2)), *quills, Pen(ink="red")]
    stated = every_prompt(HeapConvention(domain(dip, Pen, Quill, kinds=lambda: kinds), "symbolic"))
    read = {prompt.partition(": ")[2] for prompt, _ in stated.pairs}
    assert read == {"ink=blue next=- cap=yes", "ink=blue next=- cap=no", "ink=red next=- cap=yes"}


def test_what_is_stated_wrongly_is_an_error_of_the_domain():
    for kinds, told in (
        (lambda: [meet(Pen.at(1), Pen.at(2), Pen.at(3))], "TypeError: a run begins with draw, not meet"),
        (lambda: [Wide(**dict.fromkeys(MANY, 2))], "TypeError: no argument, variable or field of the"),
        (lambda: [Pen(ink="green")], "'green' is not 'blue' or 'red'"),
        (lambda: [1 // 0], "ZeroDivisionError"),
        (lambda: 1, "TypeError"),
    ):
        with pytest.raises(PluginError, match="`kinds\\(\\)` of the domain drawn: .*" + re.escape(told)):
            first_kinds(domain(draw, Pen, Box, kinds=kinds))

    class Silent(Linked):
        kinds = StoresRecords.kinds

    Silent.name = "silent"
    with pytest.raises(
        PluginError, match="silent says that its records are of finitely many kinds, and not which; state"
    ):
        first_kinds(Silent())


def test_a_run_that_begins_with_another_kind_is_refused():
    red, blue, box = Pen(ink="red"), Pen(ink="blue"), Box(pens=2, next=Box.at(2))
    kinds = [draw(red, box, True), red, box]

    def run(pen, call):
        made = domain(draw, Pen, Box, begin=lambda: (call, [pen, box]), kinds=lambda: kinds)
        return Machine(made, Go(), Heap(), HeapConvention(made, "symbolic"), Symbolic()).peek()

    assert run(red, draw(red, box, False)) == "CALL draw.1 box=B1 AT P2: ink=red next=-"
    with pytest.raises(UnsupportedError) as refused:
        run(blue, draw(blue, box, True))
    assert str(refused.value) == (
        "the run begins with 'P1: ink=blue next=-', which is none of the 3 kinds that drawn states;"
        " choose another problem; in a domain of your own, add it to `kinds()`"
    )
    with pytest.raises(UnsupportedError, match=re.escape("begins with 'CALL draw.2 AT B2', which")):
        run(red, draw(None, box, True))


def test_a_problem_without_a_solution_may_begin_otherwise():
    red, blue, box = Pen(ink="red"), Pen(ink="blue"), Box(pens=2, next=Box.at(2))
    made = domain(draw, Pen, Box, begin=lambda: (draw(blue, box, True), [blue, box]), kinds=lambda: [red, box])
    with pytest.raises(UnsupportedError):
        list(closure(HeapConvention(made, "symbolic"), [Go()]))
    kind = type("Hopeless", (type(made), KnowsUnsolvable), {"unsolvable": lambda self, problem: "there is no way"})
    hopeless = kind()
    hopeless.kinds = made.kinds
    machine = Machine(hopeless, Go(), Heap(), HeapConvention(hopeless, "symbolic"), Symbolic())
    assert (machine.status, machine.peek()) == ("unsolvable", None)


def test_only_a_memory_that_refuses_other_kinds_has_a_list_of_those_that_are_stated():
    for stated in (None, lambda: [count(3)]):
        made = domain(count, kinds=stated)
        assert has_few_kinds(HeapConvention(made, "symbolic"))
        assert has_few_kinds(StackConvention(made, "symbolic")) == (stated is None)


FINITE = [setting.domain.name for setting in SETTINGS if has_few_kinds(setting.convention)]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name != "spanner")) for name in FINITE]
)
def test_the_doctor_counts_the_same_whatever_is_drawn(coc, name):
    sizes = Setting.of(REGISTRY, name, "heap", "symbolic").domain.sizes
    draws = (
        ((sizes[1], 1, 0), (sizes[1], 3, 5))
        if name == "tiles"
        else ((sizes[1], 1, 0), (f"{sizes[0]}-{sizes[3]}", 3, 5))
    )
    few, many = (
        json.loads(coc("doctor", name, "-m", "heap", "-n", n, "--instances", count, "--seed", seed, "--json").out)
        for n, count, seed in draws
    )
    assert few["finite"] is True
    for part in ("prompts", "wrong"):
        assert few[part] == many[part]
    assert few["kinds"]["first"] == many["kinds"]["first"]
