"""Checks of an arithmetic: right numbers, always, and nothing else touched."""

import random
from types import MappingProxyType

from coc_check.arithmetic.subject import EXACT, ArithmeticSubject, Expression, trace_with
from coc_check.check import needs, one_line, require
from coc_check.comparison import require_same
from coc_check.texts import hostile
from coc_core.arithmetic import ArithmeticOracle, Inexact
from coc_core.errors import ArithmeticFault
from coc_core.text import quoted
from coc_core.types import Registers

KNOWN: Registers = MappingProxyType({"NEXT_ID": 7, "PTR": 3, "prev": -1})

MANY = 20  # times that expressions are repeated in a batch


def inputs_are_unchanged(subject: ArithmeticSubject) -> None:
    """The registers and the list of expressions are left as they were, and read-only registers are enough.

    An oracle looks at registers; the memory changes them.
    """
    for oracle in subject.oracles:
        tried = oracle.fresh()
        for one in subject.few(oracle):
            registers, expressions = dict(one.registers), [one.text]
            tried.resolve(expressions, registers)
            same = (registers, expressions) == (one.registers, [one.text])
            require(same, f"it made {expressions} and {registers} of what it was given", str(one))
            tried.resolve((one.text,), MappingProxyType(registers))
            if oracle.trained:
                break


@needs("inputs_are_unchanged")
def numbers_are_right(subject: ArithmeticSubject) -> None:
    """Every expression that a convention writes has the right value, also at carries and edges.

    If a model works it out, the model has it wrong: train it on such expressions.
    """
    for oracle in subject.oracles:
        for one in subject.few(oracle):
            (found,) = oracle.fresh().resolve([one.text], one.registers)
            require(found == one.number, f"the result is {found}, not {one.number}", str(one))


@needs("numbers_are_right")
def numbers_do_not_depend_on_order(subject: ArithmeticSubject) -> None:
    """A number does not depend on earlier expressions, on the order, or on the others of a batch.

    What an oracle remembers has to know the registers, too.
    """
    for oracle in subject.oracles:
        if not oracle.trained:
            expressions = list(subject.few(oracle))
            random.Random("order").shuffle(expressions)
            tried = oracle.fresh()
            for order in (expressions, expressions[::-1], expressions):
                for one in order:
                    _is(tried, [one])
            by_registers: dict[str, list[Expression]] = {}
            for one in expressions:
                by_registers.setdefault(str(one.registers), []).append(one)
            for group in by_registers.values():
                _is(tried, group)
                _is(tried, group[::-1])
                _is(tried, MANY * group)
        _is(oracle.fresh(), [])


def _is(oracle: ArithmeticOracle, expressions: list[Expression]) -> None:
    """Nonconforming unless expressions with the same registers have the right values, in one batch."""
    registers = expressions[0].registers if expressions else {}
    found = oracle.resolve([one.text for one in expressions], registers)
    wanted = tuple(one.number for one in expressions)
    complaint = f"in another order, or with others, the results are {found}, not {wanted}"
    require(found == wanted, complaint, " and ".join(map(str, expressions)))


@needs("numbers_do_not_depend_on_order")
def malformed_expressions_are_faults(subject: ArithmeticSubject) -> None:
    """An expression that has no number is an ArithmeticFault that says why, and nothing changes by it.

    Read expressions with a parser of your own, never with `eval` or `int`.
    """
    for oracle in subject.oracles:
        tried = oracle.fresh()
        for text in hostile.NOT_EXPRESSIONS:
            require(not _has_number(tried, text), f"{quoted(text)} is taken for a number")
        if not oracle.trained:
            for text in hostile.NUMBERS:
                _has_number(tried, text)
            for one in subject.expressions:
                _is(tried, [one])


def _has_number(oracle: ArithmeticOracle, text: str) -> bool:
    """Whether an expression comes to a number; Nonconforming if the fault is not one plain line."""
    try:
        oracle.resolve([text], KNOWN)
    except ArithmeticFault as fault:
        plain = one_line(fault.message)
        require(plain, f"the fault of {quoted(text)} is not one plain line: {fault.message!a}")
        return False
    return True


@needs("numbers_are_right")
def no_mistake_is_claimed(subject: ArithmeticSubject) -> None:
    """Where the numbers are right they don't come as `Inexact`, and no mistake is listed.

    If there is a mistake, the machine takes it for the cause of a refused address.
    """
    for oracle in subject.oracles:
        tried = oracle.fresh()
        for one in subject.few(oracle)[: 1 if oracle.trained else None]:
            numbers = tried.resolve([one.text], one.registers)
            claimed = numbers.mistake if isinstance(numbers, Inexact) else list(tried.mistakes)
            require(not claimed, f"it claims a mistake: {claimed}", str(one))


@needs("numbers_do_not_depend_on_order", "no_mistake_is_claimed")
def runs_match_exact_arithmetic(subject: ArithmeticSubject) -> None:
    """A run of the reference model with this arithmetic is the one with exact numbers, step by step.

    Look at the numbers that it gave at the first step that differs.
    """
    for oracle in subject.oracles:
        for stage in oracle.stages():
            for task in stage.tasks[:1] if oracle.trained else stage.tasks:
                exact = EXACT[oracle.fresh().notation]()
                wanted, found = trace_with(exact, stage, task), trace_with(oracle.fresh(), stage, task)
                require_same(wanted, found, stage.named(task), "with exact numbers")
