import re
from types import SimpleNamespace

import pytest
from hypothesis import given, settings, strategies as st

from coc_core.arithmetic import Inline, Symbolic
from coc_core.domain import HasSource
from coc_core.errors import ProtocolFault, StepFault
from coc_core.memories import Reference, StackConvention, Target, tape_convention, target as memo
from coc_core.memories.stack import Returned
from coc_core.memories.tape import TapeWindow, TapeWrite
from coc_core.text import Form, Forms
from coc_core.types import Expectation, Limits, Step
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Call, Move, Tower
from coc_puzzles.pancake.domain import Pancake
from tests.support.for_each import for_each
from tests.support.machines import SETTINGS, convention
from tests.support.toy_parts import Head, Line, Nobody, Queue, Serve, SpokenQueue, Take

KEPT = [("tape", "inline"), ("tape", "symbolic"), ("pda", "symbolic")]  # a stack is written alike in both notations
ALL = [(memory, arith, domain) for memory, arith in KEPT for domain in (Hanoi, Queue, SpokenQueue)]
some = settings(max_examples=25)

pegs = st.permutations([1, 2, 3])
disks = st.integers(1, 64)
moves = st.builds(lambda disk, pegs: Move(disk, pegs[0], pegs[1]), disks, pegs)
calls = st.builds(lambda n, pegs: Call(n, *pegs), disks, pegs)
hanoi_texts = st.one_of(calls, moves).map(Hanoi.instructions.format)
queue_texts = st.lists(st.integers(0, 99), max_size=5).map(lambda items: Queue.instructions.format(Serve(tuple(items))))
takes = st.builds(Take, st.integers(0, 99))
notes = st.one_of(st.builds(Head, st.integers(0, 99)), st.just(Nobody()))
numbers = st.integers(-1, 10**6).map(str)
sums = st.sampled_from(["NEXT_ID", "NEXT_ID+1", "PTR+1", "prev", "-1"])
PIECES = ["OUTPUT ", "APPEND[", "]", "PUSH ", "PTR=", "NEXT_ID=", "prev=", "CALL n=", " src=1 dst=2 aux=3", "left=["]
PIECES += ["]", " ", "  ", "\n", "1", "-1"]
PIECES += ["Move disk ", " from 1 to 2", "CALL instruction ", " pointer=", ".", "é", "\x1b", "\r"]


def fields(**names):
    return st.fixed_dictionaries(names)


def targets(memory, arith, domain):
    """Any target of a convention, sensible or not."""
    value = numbers if arith == "inline" else sums
    instruction = hanoi_texts if domain is Hanoi else queue_texts
    emits = st.lists(moves if domain is Hanoi else takes, max_size=4).map(tuple)
    if memory == "pda":
        writes, registers = st.lists(fields(instruction=instruction), max_size=4).map(tuple), st.just({})
    elif domain is Hanoi:
        writes = st.lists(fields(address=value, instruction=instruction, prev=value), max_size=4).map(tuple)
        registers = fields(PTR=value, NEXT_ID=value)
    elif domain is Queue:
        writes = st.lists(fields(address=value, instruction=instruction), max_size=1).map(tuple)
        registers = fields(PTR=value)
    else:
        writes, registers = st.tuples(fields(address=value, instruction=instruction, PTR=value)), st.just({})
    if domain is SpokenQueue:  # a line for each item, so notes may stand anywhere
        emits = st.lists(st.one_of(takes, notes), max_size=6).map(tuple)
    return st.builds(Target, emits, writes, registers).filter(lambda t: t.emits or t.writes or t.registers)


@pytest.mark.parametrize(("memory", "arith", "domain"), ALL)
@some
@given(data=st.data())
def test_a_target_is_read_as_it_was_written(memory, arith, domain, data):
    spoken = convention(memory, arith, domain())
    target = data.draw(targets(memory, arith, domain))
    reply = spoken.parse(spoken.format(target))
    assert reply.target == target
    assert spoken.format(reply.target) == reply.text
    assert reply.actions == tuple(item for item in target.emits if isinstance(item, Move | Take))
    assert reply.windows == tuple(write["instruction"] for write in target.writes)


class AnsweringQueue(Queue):
    results = Forms(Form.of(Take, "number {item}"))


def test_a_target_on_a_stack_returns_a_result_and_has_no_more_to_run():
    spoken = convention("pda", "symbolic", AnsweringQueue())
    returned = spoken.parse("RETURN number 3")
    assert returned.target.result == Take(3)
    assert spoken.write(returned, "", ()) == (Returned(returned.result),) == ("number 3",)
    with pytest.raises(ProtocolFault, match="the target returns a result, and has more to run"):
        spoken.write(spoken.parse("PUSH left=[1]\nRETURN number 3"), "", ())


@pytest.mark.parametrize(("memory", "arith", "domain"), ALL)
@some
@given(text=st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_any_text_is_a_target_or_a_protocol_fault(memory, arith, domain, text):
    spoken = convention(memory, arith, domain())
    try:
        read = spoken.format(spoken.parse(text).target)
    except ProtocolFault as fault:
        read, offset = text, fault.offset or 0
    else:
        offset = 0
    assert read == text
    assert 0 <= offset <= len(text)


def refusal(text, memory="pda", arith="symbolic", domain=None, limits=Limits()):
    with pytest.raises(ProtocolFault) as refused:
        convention(memory, arith, domain, limits).parse(text)
    assert refused.value.text == (text if len(text) <= limits.target_chars else "")
    return refused.value


LIMITED = Limits(target_chars=10)


def test_a_long_target_is_refused_by_every_memory():
    assert "is not of the form" in refusal("PUSH aaaaa", limits=LIMITED).message
    for spoken in (
        convention(limits=LIMITED),
        *(tape_convention(each(), "symbolic", LIMITED) for each in (Hanoi, Queue)),
    ):
        with pytest.raises(ProtocolFault, match=r"^the target has 11 characters, the limit is 10$"):
            spoken.parse("a" * 11)


@for_each("character", ["\x00", "\x1b", "\r", "\t", "\x85", "\u2028", "é", "１", "\ud800"])
def test_what_is_not_printable_ascii_is_refused_with_its_offset(character):
    fault = refusal("OUTPUT " + character)
    assert fault.message == f"the model wrote an unprintable character ({character!a})"
    assert fault.offset == 7


class Silent(Queue):
    notes = Forms(Form.of(Nobody, ""))


MOVED, REGISTERS = "OUTPUT Move disk 1 from 1 to 3", "PTR=-1 NEXT_ID=1"
MISPLACED = "^the parts of the target are out of order or wrongly spaced$"


@for_each(
    ("text", "setting", "message", "offset"),
    [
        ("", (), "the target is empty", None),
        (f"\n{MOVED}", (), "nothing is expected here", 0),
        (f"{MOVED}\n", (), "nothing is expected here", len(MOVED) + 1),
        (f"{MOVED}\nPULL CALL n=1 src=1 dst=2 aux=3", (), "nothing is expected here", len(MOVED) + 1),
        ("PUSH CALL n=0 src=1 dst=2 aux=3", (), "'n' must be >= 1: 0", 0),
        ("PUSH JUMP n=1", (), "is not of the form", 0),
        ("OUTPUT Move disk 1 from 1 to 4", (), "4 is not one of the pegs 1, 2, 3", 0),
        (f"PUSH MOVE d=1 src=1 dst=2\n{MOVED}", (), MISPLACED, 0),
        (f"{MOVED} {REGISTERS}", ("tape", "inline"), MISPLACED, len(MOVED)),
        (MOVED, ("tape",), "ends without 'PTR={PTR} NEXT_ID={NEXT_ID}'", len(MOVED)),
        (f"{REGISTERS}\n{REGISTERS}", ("tape", "inline"), "the registers are written twice", None),
        ("RETURN number 1\nRETURN number 2", ("pda", "symbolic", AnsweringQueue()), "two results are returned", None),
        ("APPEND[1] left=[] APPEND[1] left=[] PTR=1", ("tape", "inline", Queue()), "2 windows", None),
        ("\n", ("pda", "symbolic", Silent()), MISPLACED, 0),  # a note of no letters makes no empty line
    ],
)
def test_a_text_that_is_no_target_is_refused_where_it_goes_wrong(text, setting, message, offset):
    fault = refusal(text, *setting)
    assert re.search(message, fault.message)
    assert offset is None or fault.offset == offset


def test_a_target_is_parsed_once(monkeypatch):
    spoken = convention()
    text = "OUTPUT Move disk 1 from 1 to 3"
    assert spoken.parse(text) is spoken.parse(text)
    monkeypatch.setattr(memo, "_MAX_TEXTS", 1)
    assert spoken.parse("OUTPUT Move disk 2 from 1 to 3") == spoken.parse("OUTPUT Move disk 2 from 1 to 3")
    assert spoken.parse(text).text == text


@for_each(("memory", "arith", "domain"), [case for case in ALL if case[:2] != ("tape", "inline")])
def test_a_prompt_that_shows_no_numbers_is_known_from_its_instruction(memory, arith, domain):
    spoken = convention(memory, arith, domain())
    instruction = Call(3, 1, 2, 3) if domain is Hanoi else Serve((3, 1))
    assert spoken.memoryless
    assert spoken.parse_prompt(spoken.instruction_prompt(instruction)) == (instruction, {})


LIST, MOVE = TapeWindow(4, 5, "left=[1, 2]"), TapeWindow(4, 9, "MOVE d=2 src=1 dst=3 prev=3")


@for_each(
    ("arith", "domain", "window", "prompt", "parsed"),
    [
        (
            "inline",
            Hanoi,
            MOVE,
            "PTR=4 NEXT_ID=9 INSTR[4] MOVE d=2 src=1 dst=3 prev=3",
            (Move(2, 1, 3), {"PTR": 4, "NEXT_ID": 9, "prev": 3}),
        ),
        ("symbolic", Hanoi, TapeWindow(4, 9, "SAY prev=8 prev=3"), "INSTR SAY prev=8 prev=prev", None),
        ("inline", Queue, LIST, "PTR=4 left=[1, 2]", (Serve((1, 2)), {"PTR": 4})),
        ("symbolic", Queue, LIST, "left=[1, 2]", (Serve((1, 2)), {})),
        ("inline", SpokenQueue, LIST, "CALL instruction pointer=4 left=[1, 2]", (Serve((1, 2)), {"PTR": 4})),
    ],
)
def test_a_prompt_on_a_tape_shows_the_numbers_of_its_surface(arith, domain, window, prompt, parsed):
    spoken = convention("tape", arith, domain())
    assert spoken.prompt(window) == prompt
    assert parsed is None or spoken.parse_prompt(prompt) == parsed
    assert spoken.memoryless == (arith == "symbolic")


@for_each(
    ("setting", "prompt"),
    [
        *(
            (("pda",), text)
            for text in ("", "CALL n=1 src=1 dst=2 aux=3", "INSTR CALL n=1 src=1 dst=1 aux=3", "INSTR x\n")
        ),
        (("tape", "inline"), "PTR=4 NEXT_ID=9 INSTR[5] MOVE d=2 src=1 dst=3 prev=3"),
    ],
)
def test_what_is_no_prompt_is_refused(setting, prompt):
    with pytest.raises(ValueError, match=r"form|differ"):
        convention(*setting).parse_prompt(prompt)


@for_each(
    ("memory", "arith", "domain", "certain"),
    [
        ("pda", "symbolic", Hanoi, True),
        ("tape", "symbolic", Hanoi, True),
        ("tape", "inline", Hanoi, False),
        ("tape", "inline", Queue, False),
        ("tape", "symbolic", Queue, False),
    ],
)
def test_prompts_are_known_beforehand_where_they_show_no_numbers_and_are_sure_to_come(memory, arith, domain, certain):
    spoken = convention(memory, arith, domain())
    first = spoken.first_window(Tower(2) if domain is Hanoi else Line((1, 2)))
    text = spoken.target_for(spoken.prompt(first if memory == "pda" else TapeWindow(0, 1, first)))
    windows = spoken.parse(text).windows
    assert len(windows) == text.count("PUSH") + text.count("APPEND") > 0
    assert spoken.certain_prompts(text) == (
        tuple(spoken.instruction_prompt(Hanoi.instructions.parse(window)) for window in windows) if certain else ()
    )
    assert spoken.certain_prompts("nonsense") == ()


def test_a_dialect_names_what_makes_a_difference():
    dialects = {case[:2]: convention(*case[:2]).dialect for case in SETTINGS}
    assert dialects == {
        ("tape", "inline"): "hanoi/linked/numeric",
        ("tape", "symbolic"): "hanoi/linked/symbolic",
        ("pda", "inline"): "hanoi/stack",
        ("pda", "symbolic"): "hanoi/stack",
    }
    assert convention("tape", "inline", Queue()).dialect == "queue/chain/numeric"


ORACLES = {"inline": Inline(), "symbolic": Symbolic()}


@for_each(
    ("domain", "arith", "left", "target", "write"),
    [
        (Queue, "inline", "[7, 8]", "The head is 7. OUTPUT Take 7 APPEND[5] left=[8] PTR=5", (5, "left=[8]")),
        (Queue, "symbolic", "[7, 8]", "The head is 7. OUTPUT Take 7 APPEND[PTR+1] left=[8] PTR=PTR+1", (5, "left=[8]")),
        (
            SpokenQueue,
            "inline",
            "[7, 8]",
            "The head is 7.\nOUTPUT Take 7\nAPPEND[5] CALL instruction left=[8] pointer=5.",
            (5, "left=[8]"),
        ),
        (
            SpokenQueue,
            "symbolic",
            "[7, 8]",
            "The head is 7.\nOUTPUT Take 7\nAPPEND[PTR+1] CALL instruction left=[8] pointer=PTR+1.",
            (5, "left=[8]"),
        ),
        *(
            (Queue, arith, "[7]", "The head is 7. OUTPUT Take 7 APPEND[-1] left=[] PTR=-1", (-1, "left=[]"))
            for arith in ORACLES
        ),
    ],
)
def test_a_chain_appends_its_successor_and_moves_to_it(domain, arith, left, target, write):
    spoken, window = convention("tape", arith, domain()), TapeWindow(4, 5, f"left={left}")
    assert spoken.target_for(spoken.prompt(window)) == target
    assert spoken.resolve(spoken.parse(target), window, ORACLES[arith]) == TapeWrite((write,), write[0])


def test_a_chain_knows_the_next_free_address_and_a_stack_drops_what_meets_the_goal():
    spoken, window = convention("tape", "symbolic", Queue()), TapeWindow(4, 9, "left=[7, 8]")
    write = spoken.resolve(spoken.parse("APPEND[NEXT_ID] left=[8] PTR=NEXT_ID"), window, Symbolic())
    assert write == TapeWrite(((9, "left=[8]"),), 9)
    assert convention("pda", domain=Queue()).target_for("INSTR left=[7]") == "The head is 7.\nOUTPUT Take 7"


LINKED_TARGETS = {
    (Call(2, 1, 3, 2), "inline"): (
        "APPEND[9] CALL n=1 src=2 dst=3 aux=1 prev=3\n"
        "APPEND[10] MOVE d=2 src=1 dst=3 prev=9\n"
        "APPEND[11] CALL n=1 src=1 dst=2 aux=3 prev=10\n"
        "PTR=11 NEXT_ID=12"
    ),
    (Call(2, 1, 3, 2), "symbolic"): (
        "APPEND[NEXT_ID] CALL n=1 src=2 dst=3 aux=1 prev=prev\n"
        "APPEND[NEXT_ID+1] MOVE d=2 src=1 dst=3 prev=NEXT_ID\n"
        "APPEND[NEXT_ID+2] CALL n=1 src=1 dst=2 aux=3 prev=NEXT_ID+1\n"
        "PTR=NEXT_ID+2 NEXT_ID=NEXT_ID+3"
    ),
    (Move(2, 1, 3), "inline"): "OUTPUT Move disk 2 from 1 to 3\nPTR=3 NEXT_ID=9",
    (Move(2, 1, 3), "symbolic"): "OUTPUT Move disk 2 from 1 to 3 PTR=prev NEXT_ID=NEXT_ID",
}


@pytest.mark.parametrize(("instruction", "arith"), LINKED_TARGETS)
def test_a_linked_tape_appends_the_successors_and_moves_to_the_last(instruction, arith):
    spoken = convention("tape", arith)
    window = TapeWindow(4, 9, f"{Hanoi.instructions.format(instruction)} prev=3")
    assert spoken.target_for(spoken.prompt(window)) == LINKED_TARGETS[instruction, arith]


def test_a_chain_with_registers_may_end_without_writing():
    class Quiet(Queue):
        def expand(self, instruction):
            return Step((Take(instruction.left[0]),))

    spoken = convention("tape", "symbolic", Quiet())
    assert spoken.target_for("left=[7]") == "OUTPUT Take 7 PTR=-1"
    write = spoken.resolve(spoken.parse("OUTPUT Take 7 PTR=-1"), TapeWindow(0, 1, "left=[7]"), Symbolic())
    assert write == TapeWrite((), -1)


@pytest.mark.parametrize(
    ("domain", "step"),
    [(Queue, Step(then=(Serve((1,)), Serve((2,))))), (SpokenQueue, Step((Nobody(),)))],
)
def test_a_policy_or_a_target_that_is_not_a_chain_is_reported(domain, step):
    with pytest.raises(TypeError, match="a chain needs one successor a step"):
        convention("tape", "symbolic", domain()).compose(step, {})
    with pytest.raises(ProtocolFault, match=r"^the target names no pointer$"):
        convention("tape", "symbolic", SpokenQueue()).parse("OUTPUT Take 1")


windows = st.one_of(
    st.builds(
        lambda text, ptr, next_id, prev: (Hanoi, TapeWindow(ptr, next_id, f"{text} prev={prev}")),
        hanoi_texts,
        st.integers(0, 9),
        st.integers(10, 99),
        st.integers(-1, 9),
    ),
    st.tuples(st.sampled_from([Queue, SpokenQueue]), queue_texts.map(lambda text: TapeWindow(4, 5, text))),
)


@given(windows)
def test_both_notations_of_a_tape_mean_the_same(case):
    domain, window = case
    writes = []
    for arith, oracle in ORACLES.items():
        spoken = convention("tape", arith, domain())
        writes.append(spoken.resolve(spoken.parse(spoken.target_for(spoken.prompt(window))), window, oracle))
    assert writes[0] == writes[1]


def test_a_first_window_of_a_linked_tape_has_no_predecessor():
    assert convention("tape").first_window(Tower(1)) == "CALL n=1 src=1 dst=3 aux=2 prev=-1"
    window = convention("pda").first_window(Tower(1))
    assert window == "CALL n=1 src=1 dst=3 aux=2"
    assert convention("pda").prompts_like(window) == (f"INSTR {window}",)  # no names stand in its place
    assert convention("tape", domain=Queue()).first_window(Line((1,))) == "left=[1]"


def test_expressions_reach_the_oracle_with_the_registers():
    asked = SimpleNamespace()

    class Listening(Symbolic):
        def _resolve(self, expressions, registers):
            asked.expressions, asked.registers = expressions, registers
            return super()._resolve(expressions, registers)

    spoken = convention("tape", "symbolic")
    text = "APPEND[NEXT_ID] MOVE d=1 src=1 dst=2 prev=prev\nPTR=NEXT_ID NEXT_ID=NEXT_ID+1"
    window = TapeWindow(2, 7, "CALL n=1 src=1 dst=2 aux=3 prev=1")
    write = spoken.resolve(spoken.parse(text), window, Listening())
    assert asked.expressions == ("NEXT_ID", "prev", "NEXT_ID", "NEXT_ID+1")
    assert asked.registers == {"PTR": 2, "NEXT_ID": 7, "prev": 1}
    assert write == TapeWrite(((7, "MOVE d=1 src=1 dst=2 prev=1"),), 7, 8)
    spoken = convention("tape", "inline")
    with pytest.raises(StepFault, match="'prev' is not a plain decimal number"):
        spoken.resolve(spoken.parse("PTR=prev NEXT_ID=1"), TapeWindow(0, 1, "MOVE d=1 src=1 dst=2 prev=-1"), Inline())


class Whispered(StackConvention):
    """A convention with the words of another."""

    name, wording = "whispered", "stack"


class InOneStep(StackConvention):
    max_writes = 0


def test_a_convention_may_use_the_words_that_a_domain_has_for_another():
    assert Whispered(Hanoi(), "symbolic").surface == StackConvention.defaults["symbolic"]
    assert Whispered(Pancake(), "symbolic").surface == Pancake.surfaces["stack", "symbolic"]


def test_how_a_prompt_is_matched_is_up_to_the_convention():
    spoken = convention()
    form = spoken.match_prompt
    spoken.match_prompt = lambda text: form(text.rpartition("|")[2])
    assert spoken.parse_prompt("what was before|INSTR MOVE d=2 src=1 dst=3") == (Move(2, 1, 3), {})
    with pytest.raises(ValueError, match="is not of the form"):
        spoken.parse_prompt("INSTR MOVE d=2 src=1 dst=3|what was before")


def test_a_run_has_a_step_for_each_instruction_unless_nothing_may_be_written():
    problem = Tower(4)
    assert convention().expect(problem) == Hanoi().expect(problem) == Expectation(actions=15, steps=22)
    assert InOneStep(Hanoi(), "symbolic").expect(problem) == Expectation(actions=15, steps=1)
    assert InOneStep(Pancake(), "symbolic").expect(Pancake().problem(4)) is None
    assert (convention().count_steps(22), InOneStep(Hanoi(), "symbolic").count_steps(22)) == (22, 1)


class Sourced(Queue, HasSource):
    def source_of(self, instruction):
        return f"queue.py:{len(instruction.left)} in serve"


def test_a_window_has_a_source_where_the_domain_says_so():
    mine = convention("pda", "symbolic", Sourced())
    assert mine.source_of(mine.first_window(Sourced().problem(3))) == "queue.py:3 in serve"
    assert mine.source_of("no window") == ""
    assert convention("pda", "symbolic", Queue()).source_of("no window") == ""


def test_it_writes_the_targets_of_the_policy():
    model = Reference(convention())
    prompts = ["INSTR CALL n=1 src=1 dst=3 aux=2", "INSTR MOVE d=2 src=1 dst=2"]
    assert model.complete(prompts) == ["OUTPUT Move disk 1 from 1 to 3", "OUTPUT Move disk 2 from 1 to 2"]
    assert (model.calls, model.describe(), model.deterministic) == (2, "reference", True)


@given(st.lists(st.text("ab", max_size=9), max_size=40))
def test_a_memo_computes_a_value_once_and_forgets_all_when_it_holds_too_much(texts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memo, "_MAX_TEXTS", 4)
        patch.setattr(memo, "_MAX_CHARACTERS", 10)
        computed, expected, held = [], [], []
        made = memo.Memo(lambda text: computed.append(text) or text.upper())
        for text in texts:
            if text not in held:
                full = len(held) >= 4 or len("".join([*held, text])) > 10
                held = [text] if full else [*held, text]
                expected.append(text)
            assert made[text] == text.upper()
            assert (computed, dict(made)) == (expected, {each: each.upper() for each in held})
