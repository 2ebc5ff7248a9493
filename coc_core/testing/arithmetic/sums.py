"""Checks of an arithmetic: right numbers, always, and nothing else touched."""

import random
from types import MappingProxyType

from attrs import evolve

from coc_core.arithmetic import ArithmeticOracle, Inexact
from coc_core.errors import ArithmeticFault
from coc_core.execution import StepRecord
from coc_core.memories import Reference
from coc_core.testing.arithmetic.reckoning import EXACT, Reckoning, Sum
from coc_core.testing.check import require
from coc_core.testing.plain import run_plainly
from coc_core.testing.stage import Stage, Task
from coc_core.text import find_unprintable, quoted
from coc_core.types import Outcome, Registers

NONSENSE = (
    "",
    " ",
    "+",
    "NEXT_ID+",
    "+ 1",
    "nobody",
    "nobody+1",
    "1 000",
    "\u0661",
    "9" * 25,
    "1+" * 200 + "1",
    "\x00",
)
"""Expressions that have no number, in either notation."""

DOUBTFUL = (
    "NEXT_ID",
    "NEXT_ID+2",
    "--1",
    "2*3",
    "(1)",
    "0x10",
    "-1",
    "-2",
    "1.0",
    "1e3",
    "NEXT_ID-NEXT_ID",
    "prev+prev",
)
"""Expressions that may have one."""

KNOWN: Registers = MappingProxyType({"NEXT_ID": 7, "PTR": 3, "prev": -1})


def numbers_are_right(subject: Reckoning) -> None:
    """Every expression that a convention writes comes to its number, at carries and edges, too.

    If a model works it out, the model has it wrong: train it on such sums.
    """
    for oracle in subject.oracles:
        for one in subject.asked(oracle):
            (found,) = oracle.fresh().resolve([one.expression], one.registers)
            require(found == one.number, f"it comes to {found}, not to {one.number}", str(one))


def numbers_stay(subject: Reckoning) -> None:
    """A number does not depend on what was asked before, on the order, or on what is asked with it.

    What an oracle remembers has to know the registers, too.
    """
    for oracle in subject.oracles:
        if not oracle.trained:
            sums = list(subject.sums)
            random.Random("order").shuffle(sums)
            one = oracle.fresh()
            for order in (sums, sums[::-1], sums):
                for asked in order:
                    _is(one, [asked])
            by_registers: dict[str, list[Sum]] = {}
            for asked in sums:
                by_registers.setdefault(str(asked.registers), []).append(asked)
            for group in by_registers.values():
                _is(one, group)
                _is(one, group[::-1])
        _is(oracle.fresh(), [])


def _is(oracle: ArithmeticOracle, sums: list[Sum]) -> None:
    """Nonconforming unless sums of the same registers come to their numbers, asked together."""
    registers = sums[0].registers if sums else {}
    found = oracle.resolve([one.expression for one in sums], registers)
    wanted = tuple(one.number for one in sums)
    told = f"asked in another order, or with others, it comes to {found}, not to {wanted}"
    require(found == wanted, told, " and ".join(map(str, sums)))


def what_is_asked_stays(subject: Reckoning) -> None:
    """The registers and the list of expressions are left as they were, and read-only registers are enough.

    An oracle looks at registers; the memory changes them.
    """
    for oracle in subject.oracles:
        one = oracle.fresh()
        for asked in subject.asked(oracle):
            registers, expressions = dict(asked.registers), [asked.expression]
            one.resolve(expressions, registers)
            same = (registers, expressions) == (asked.registers, [asked.expression])
            require(same, f"it made {expressions} and {registers} of what it was asked", str(asked))
            one.resolve((asked.expression,), MappingProxyType(registers))
            if oracle.trained:
                break


def malformed_expressions_are_faults(subject: Reckoning) -> None:
    """An expression that has no number is an ArithmeticFault that says why, and nothing changes by it.

    Read expressions with a parser of your own, never with `eval` or `int`.
    """
    for oracle in subject.oracles:
        one = oracle.fresh()
        for text in NONSENSE:
            require(not _has_number(one, text), f"{quoted(text)} is taken for a number")
        if not oracle.trained:
            for text in DOUBTFUL:
                _has_number(one, text)
            for asked in subject.sums:
                _is(one, [asked])


def _has_number(oracle: ArithmeticOracle, text: str) -> bool:
    """Whether an expression comes to a number; Nonconforming if the fault is not one plain line."""
    try:
        oracle.resolve([text], KNOWN)
    except ArithmeticFault as fault:
        clean = bool(fault.message) and find_unprintable(fault.message) is None and "\n" not in fault.message
        require(clean, f"the fault of {quoted(text)} is not one plain line: {fault.message!a}")
        return False
    return True


def no_mistake_is_claimed(subject: Reckoning) -> None:
    """Where the numbers are right they don't come as `Inexact`, and no mistake is listed.

    The machine blames a refused address on the arithmetic if there is one.
    """
    for oracle in subject.oracles:
        one = oracle.fresh()
        for asked in subject.asked(oracle)[: 1 if oracle.trained else None]:
            numbers = one.resolve([asked.expression], asked.registers)
            claimed = numbers.mistake if isinstance(numbers, Inexact) else list(one.mistakes)
            require(not claimed, f"it claims a mistake: {claimed}", str(asked))


def runs_are_those_of_exact_sums(subject: Reckoning) -> None:
    """A run of the reference model with this arithmetic is the one with exact sums, step by step.

    Look at the numbers that it gave at the first step that differs.
    """
    for choice, oracle in zip(subject.choices, subject.oracles, strict=True):
        for stage in subject.stages(choice):
            for task in stage.tasks[:1] if oracle.trained else stage.tasks:
                found = _run(stage, task, oracle.fresh())
                wanted = _run(stage, task, EXACT[oracle.fresh().notation]())
                require(found == wanted, f"the run is {found[0]}, with exact sums it is {wanted[0]}", stage.named(task))


def _run(stage: Stage, task: Task, oracle: ArithmeticOracle) -> tuple[Outcome, list[tuple[str, str]]]:
    heard: list[StepRecord] = []
    setting = evolve(stage.setting, arithmetic=oracle)
    outcome = run_plainly(setting, task.problem, Reference(setting.convention), [heard.append]).outcome
    return outcome, [(record.prompt, record.target) for record in heard]
