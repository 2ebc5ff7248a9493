"""What a model reads and writes beside a heap, with names as they are and with names by their place in the prompt."""

import pytest

from coc_core.errors import ProtocolFault
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.types import Limits
from coc_programs.heap.convention import HeapConvention
from coc_programs.heap.memory import Window
from coc_puzzles.blocksworld.blocks.policy import LinkedBlocks
from coc_puzzles.hanoi.any_state import HanoiAny
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower
from tests.support.cells_program import Cells

RECORD = "below=- above=B12 next_tower=- goal_on=B3 held=no placed=no next=-"
WINDOW = f"CALL arrange.3 build=B3 clear=B12 AT B7: {RECORD}"


def convention(notation, domain=LinkedBlocks):
    return HeapConvention(domain(), notation)


def written(spoken, target, window):
    """What a target writes, as texts: names with contents, instructions with the names that they read, and a result."""
    records, pushed, result, given = spoken.write(target, window, ())

    def text(template, pick):
        return template % pick(given)

    made = [(text(*name), text(*changes[""][:2])) for name, changes in records]
    return made, [(text(*one), text(*other)) for one, other in pushed], result and text(*result)


def test_without_records_it_is_a_stack():
    spoken = convention("symbolic", Hanoi)
    assert (spoken.dialect, spoken.local_names) == ("hanoi/heap", False)
    window = spoken.first_window(Tower(2))
    assert spoken.prompt(spoken.window(window)) == window == "CALL n=2 src=1 dst=3 aux=2"
    target = spoken.parse(spoken.target_for(window))
    assert (target.expressions, spoken.registers(window)) == ((), {})
    assert written(spoken, target, spoken.window(window)) == ([], [(text, "") for text in target.windows], None)
    assert target.windows[-1] == "CALL n=1 src=1 dst=2 aux=3"


def test_names_are_numbered_by_place_in_symbolic_notation():
    spoken = convention("symbolic")
    assert (spoken.dialect, spoken.local_names) == ("blocks/heap-2/symbolic", True)
    window = spoken.window(WINDOW)
    assert str(window) == WINDOW
    assert spoken.prompt(window) == (
        "CALL arrange.3 build=B1 clear=B2 AT B3: below=- above=B4 next_tower=- goal_on=B5 held=no placed=no next=-"
    )
    target = spoken.parse(
        "OUTPUT Stack B3 on B5\nWRITE B4: " + RECORD.replace("B12", "B2") + "\nWRITE CALL put.2 block=B1 AT B2"
    )
    assert [spoken.domain.actions.format(action) for action in spoken.actions(target, window)] == ["Stack B7 on B3"]
    assert written(spoken, target, window) == (
        [("B12", "below=- above=B12 next_tower=- goal_on=B7 held=no placed=no next=-")],
        [("CALL put.2 block=B3 AT B12", "B12")],
        None,
    )


def test_a_new_record_gets_the_number_of_the_window():
    spoken = convention("symbolic", Cells)
    window = Window("CALL copy.1 last=C%s AT C%s: next=C%s colour=red", ("8", "9", "8"), 70)
    target = spoken.parse("WRITE C+1: next=C3 colour=red\nRETURN C+1")
    assert written(spoken, target, window) == ([("C70", "next=C8 colour=red")], [], "C70")
    assert written(convention("numeric", Cells), target, window) == ([("C70", "next=C3 colour=red")], [], "C70")
    with pytest.raises(ProtocolFault, match="the target returns a result, and has more to run"):
        spoken.write(spoken.parse("WRITE CALL both first=C2 last=C3\nRETURN C2"), window, ())


def test_a_name_that_is_not_in_the_prompt_is_a_fault():
    spoken = convention("symbolic")
    target = spoken.parse("OUTPUT Pick up B3\nWRITE CALL put.2 block=B6 AT B1")
    with pytest.raises(ProtocolFault, match="the prompt has 5 names, and the target has B6") as caught:
        spoken.write(target, spoken.window(WINDOW), ())
    assert target.text[caught.value.offset :].startswith("B6")


def test_an_action_that_is_none_with_what_its_names_stand_for_is_a_fault():
    spoken = convention("symbolic", HanoiAny)
    target = spoken.parse("OUTPUT Move D2 from P3 to P1.\nWRITE D2: peg=P1")
    with pytest.raises(ProtocolFault, match="with the names that the prompt stands for, the pegs must differ"):
        spoken.actions(target, spoken.window("CALL move.1 to=P7 AT D2: peg=P7 to=P4 smaller=-"))


@pytest.mark.parametrize("arith", ["inline", "symbolic"])
def test_a_thousand_blocks_are_within_the_limits(arith):
    setting = Setting.of(Registry.installed(), "blocks", "heap", arith)
    machine = setting.machine(setting.domain.problem(1000, 5))
    assert machine.pointer == 1000
    small = Setting.of(Registry.installed(), "blocks", "heap", arith, Limits(stack_depth=4))
    machine = small.machine(setting.domain.problem(8, 5))
    model = small.model("reference")
    machine.step(model.complete([machine.peek()])[0])
    assert machine.fault.kind == "limit"
