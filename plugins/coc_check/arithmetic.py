"""What every arithmetic has to get right: right numbers, always, and nothing else touched."""

import random
from functools import cached_property
from itertools import product
from types import MappingProxyType

from attrs import evolve, frozen

from coc_check import hostile
from coc_check.check import Subject, one_line, require
from coc_check.plain import run_plainly
from coc_check.stage import stages
from coc_core.arithmetic import ArithmeticOracle, Inline, Symbolic
from coc_core.errors import ArithmeticFault, UsageError
from coc_core.plugin import ArithmeticSpec, Registry
from coc_core.setting import make_a
from coc_core.text import quoted
from coc_core.types import Registers

EXACT: dict[str, type[ArithmeticOracle]] = {"numeric": Inline, "symbolic": Symbolic}
SMALL = (-1, 0, 3, 9, 10, 99, 100, 995, 999_999)
LARGE = (2**31 - 1, 2**53 + 1, 10**17)
MORE = (1, 2, 3, 4, 7, 9, 10, 11, 19, 99, 100, 1_000)  # as much as steps with many windows add
MANY = 20  # times that expressions are repeated in a batch
KNOWN: Registers = MappingProxyType({"NEXT_ID": 7, "PTR": 3, "prev": -1})


@frozen
class Expression:
    """An expression, the registers, and the number that it comes to."""

    text: str
    registers: Registers
    number: int

    def __str__(self) -> str:
        return f"{self.text!r} with {dict(self.registers)}"


class ArithmeticSubject(Subject):
    """One installed arithmetic, which calls its reference model if it calls one; UsageError if it has none."""

    kind = ArithmeticSpec

    def __init__(self, registry: Registry, name: str) -> None:
        super().__init__(registry, name)
        if self.spec.dialect and not self.spec.reference:
            raise UsageError(f"the arithmetic {name!r} calls a model, and names no `reference` to be checked with")

    @cached_property
    def watched(self) -> tuple[type]:
        return (type(self.made()),)

    def made(self) -> ArithmeticOracle:
        """Make a new oracle."""
        model = [self.registry.make(self.spec, self.spec.reference)] if self.spec.dialect else []
        return make_a(ArithmeticOracle, self.registry, self.spec, self.spec.factory, *model)  # type: ignore[no-any-return]

    @cached_property
    def expressions(self) -> list[Expression]:
        """What the conventions write in runs of the reference, and that with numbers at the edges, and large ones."""
        exact, found = EXACT[self.made().notation](), dict[str, Expression]()

        def note(text: str, registers: Registers) -> None:
            one = Expression(text, registers, *exact.resolve([text], registers))
            found.setdefault(str(one), one)

        model = "reference" if self.spec.dialect else None
        for stage in stages(self.registry, ariths=[self.name], model=model):
            convention, exactly = stage.setting.convention, evolve(stage.setting, arithmetic=exact)
            for record in (record for task in stage.tasks for record in run_plainly(exactly, task.problem).steps):
                for text in convention.parse(record.target).expressions:
                    note(text, dict(convention.registers(record.window)))
        require(bool(found), f"no installed domain can be run with {self.name} arithmetic")
        names = {name for one in found.values() for name in one.registers}
        texts = {one.text for one in found.values()} | {f"{name}+{more}" for name, more in product(names, MORE)}
        for number in (*SMALL, *LARGE):
            registers = {name: number + 7 * place for place, name in enumerate(sorted(names))}
            for text in [str(number)] if exact.notation == "numeric" else sorted(texts):
                note(text, registers if exact.notation == "symbolic" else {})
        self.tried["numbers"] = f"up to {max(LARGE):,}"
        return list(found.values())

    def check_numbers(self, oracle: ArithmeticOracle, expressions: list[Expression]) -> None:
        """Nonconforming unless expressions with the same registers have the right values in one batch."""
        self.at = " and ".join(map(str, expressions))
        texts, registers = [one.text for one in expressions], dict(expressions[0].registers) if expressions else {}
        for given in (registers, MappingProxyType(registers)):
            found, wanted = oracle.resolve(texts, given), tuple(one.number for one in expressions)
            right = tuple(found) == wanted and all(type(number) is int for number in found)
            require(right, f"the results are {found}, not {wanted}")
            same = [(one.text, one.registers) for one in expressions] == [(text, registers) for text in texts]
            require(same, f"it made {texts} and {registers} of what it was given")


def numbers_are_right(subject: ArithmeticSubject) -> None:
    """Every expression that a convention writes has the right value, in any order and batch, and no register changes.

    If a model works it out, the model has it wrong: train it on such expressions. An oracle looks at registers, which
    may be read-only; the memory changes them. What an oracle remembers has to know the registers, too.
    """
    tried, some, by_registers = subject.made(), [*subject.expressions], dict[str, list[Expression]]()
    random.Random("order").shuffle(some)
    for one in (*subject.expressions, *some, *some[::-1]):
        subject.check_numbers(tried, [one])
    for one in some:
        by_registers.setdefault(str(one.registers), []).append(one)
    for group in by_registers.values():
        for batch in (group, group[::-1], MANY * group):
            subject.check_numbers(tried, batch)
    subject.check_numbers(subject.made(), [])


def malformed_expressions_are_faults(subject: ArithmeticSubject) -> None:
    """An expression that has no number is an ArithmeticFault that says why, and nothing changes by it.

    Read expressions with a parser of your own, never with `eval` or `int`.
    """
    tried = subject.made()
    for text in (*hostile.NOT_EXPRESSIONS, *hostile.NUMBERS):
        subject.at = quoted(text)
        try:
            tried.resolve([text], KNOWN)
        except ArithmeticFault as fault:
            require(one_line(fault.message), f"the fault of {quoted(text)} is not one plain line: {fault.message!a}")
        else:
            require(text not in hostile.NOT_EXPRESSIONS, f"{quoted(text)} is taken for a number")
    for one in subject.expressions:
        subject.check_numbers(tried, [one])
