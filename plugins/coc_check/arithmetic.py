"""What every arithmetic has to get right: right numbers, always, and nothing else touched."""

import random
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import product
from types import MappingProxyType

from attrs import evolve, frozen

from coc_check import hostile
from coc_check.check import Subject, needs, one_line, require
from coc_check.plain import run_plainly
from coc_check.stage import Stage, own_memories, stages
from coc_core.arithmetic import ArithmeticOracle, Inline, Symbolic
from coc_core.errors import ArithmeticFault, UsageError
from coc_core.plugin import ArithmeticSpec, CheckpointSpec, Registry
from coc_core.text import quoted
from coc_core.types import Registers

EXACT: dict[str, type[ArithmeticOracle]] = {"numeric": Inline, "symbolic": Symbolic}
BOUNDARIES = (-1, 0, 9, 10, 99, 100, 999_999)
SMALL, MORE = (3, 995), (1, 2, 3, 4, 7, 9, 10, 11, 19, 99, 100, 1_000)
LARGE = (2**31 - 1, 2**53 + 1, 10**17)
FEW = 12  # expressions that a trained model is tried with
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


Oracle = tuple[Callable[[], ArithmeticOracle], bool]
"""What makes an oracle, always a new one; and whether it calls a trained model, so that it is tried but a little."""


class ArithmeticSubject(Subject):
    """One installed arithmetic; UsageError if it calls a model and none can be had."""

    kind = ArithmeticSpec

    def __init__(self, registry: Registry, name: str) -> None:
        super().__init__(registry, name)
        dialect = self.spec.dialect
        ships = any(dialect in shipped.dialects for shipped in registry.specs(CheckpointSpec))
        self._models = [*(["reference"] if self.spec.reference else []), *([None] if ships or dialect is None else [])]
        if not self._models:
            raise UsageError(
                f"the arithmetic {name!r} calls a model, and neither a reference nor a checkpoint ships",
                remedy=f"name a `reference`, or a checkpoint for {dialect!r}",
            )

    @cached_property
    def oracles(self) -> tuple[Oracle, ...]:
        """What is tried: the oracle itself, or with its reference model, and with the model that ships."""
        return tuple(self._oracle(model) for model in self._models)

    def _oracle(self, model: str | None) -> Oracle:
        first, make, spec = next(self._stages(model), None), self.registry.make, self.spec  # any one opens the model
        require(first is not None, f"no installed domain can be run with {self.name} arithmetic")
        opened = [first.setting.arith_model] if first is not None and first.setting.arith_model else []
        return lambda: make(spec, spec.factory, *opened), bool(opened) and model is None

    def _stages(self, model: str | None) -> Iterator[Stage]:
        return stages(self.registry, own_memories(self.registry), [self.name], model)

    @cached_property
    def exact(self) -> ArithmeticOracle:
        """The exact oracle of the same notation."""
        return EXACT[self.oracles[0][0]().notation]()

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """What the conventions write in runs of the reference, and the same with numbers at the edges."""
        found, numeric = dict[str, Expression](), self.exact.notation == "numeric"

        def note(text: str, registers: Registers) -> None:
            one = Expression(text, registers, *self.exact.resolve([text], registers))
            found.setdefault(str(one), one)

        for stage in self._stages(self._models[0]):
            convention, exactly = stage.setting.convention, evolve(stage.setting, arithmetic=self.exact)
            for record in (record for task in stage.tasks for record in run_plainly(exactly, task.problem).steps):
                for text in convention.parse(record.target).expressions:
                    note(text, dict(convention.registers(record.window)))
        written = list(found.values())
        names = sorted({name for one in written for name in one.registers})
        for number in BOUNDARIES:
            for text in {str(number)} if numeric else sorted({one.text for one in written}):
                note(text, {} if numeric else dict.fromkeys(names, number))
        return tuple(sorted(found.values(), key=written.__contains__))

    @cached_property
    def large(self) -> tuple[Expression, ...]:
        """Large numbers; in symbolic notation each register, plus as much as steps with many windows add."""
        found = [Expression(str(number), {}, number) for number in LARGE]
        names = sorted({name for one in self.expressions for name in one.registers})
        for first in (*SMALL, *LARGE) if self.exact.notation == "symbolic" else ():
            registers = {name: first + 7 * place for place, name in enumerate(names)}
            for name, more in product(names, (0, *MORE)):
                text = f"{name}+{more}" if more else name
                found.append(Expression(text, registers, *self.exact.resolve([text], registers)))
        self.tried["numbers"] = f"up to {max(LARGE):,}"
        return tuple(found)

    @cached_property
    def watched(self) -> set[type]:
        return {type(fresh()) for fresh, _ in self.oracles}

    def each(self) -> Iterator[tuple[Callable[[], ArithmeticOracle], bool, list[Expression]]]:
        """Yield each oracle with all expressions; for a trained model only a few, and no large numbers."""
        for fresh, trained in self.oracles:
            some = self.expressions[:: len(self.expressions) // FEW + 1]
            yield fresh, trained, [*some] if trained else [*self.expressions, *self.large]

    def check_numbers(self, oracle: ArithmeticOracle, expressions: list[Expression]) -> None:
        """Nonconforming unless expressions with the same registers have the right values, in one batch."""
        self.at = " and ".join(map(str, expressions))
        found = oracle.resolve([one.text for one in expressions], expressions[0].registers if expressions else {})
        wanted = tuple(one.number for one in expressions)
        require(tuple(found) == wanted, f"in another order, or with others, the results are {found}, not {wanted}")


def inputs_are_unchanged(subject: ArithmeticSubject) -> None:
    """The registers and the list of expressions are left as they were, and read-only registers are enough.

    An oracle looks at registers; the memory changes them.
    """
    for fresh, trained, some in subject.each():
        tried = fresh()
        for one in some[: 1 if trained else None]:
            subject.at, registers, expressions = str(one), dict(one.registers), [one.text]
            tried.resolve(expressions, registers)
            same = (registers, expressions) == (one.registers, [one.text])
            require(same, f"it made {expressions} and {registers} of what it was given")
            tried.resolve((one.text,), MappingProxyType(registers))


@needs("inputs_are_unchanged")
def numbers_are_right(subject: ArithmeticSubject) -> None:
    """Every expression that a convention writes has the right value, also at carries and edges.

    If a model works it out, the model has it wrong: train it on such expressions.
    """
    for fresh, _, some in subject.each():
        for one in some:
            subject.at = str(one)
            (found,) = fresh().resolve([one.text], one.registers)
            require(found == one.number, f"the result is {found}, not {one.number}")


@needs("numbers_are_right")
def numbers_do_not_depend_on_order(subject: ArithmeticSubject) -> None:
    """A number does not depend on earlier expressions, on the order, or on the others of a batch.

    What an oracle remembers has to know the registers, too.
    """
    for fresh, trained, some in subject.each():
        tried, by_registers = fresh(), dict[str, list[Expression]]()
        random.Random("order").shuffle(some)
        for one in some if trained else (*some, *some[::-1], *some):
            subject.check_numbers(tried, [one])
        for one in [] if trained else some:
            by_registers.setdefault(str(one.registers), []).append(one)
        for group in by_registers.values():
            for batch in (group, group[::-1], MANY * group):
                subject.check_numbers(tried, batch)
        subject.check_numbers(fresh(), [])


@needs("numbers_do_not_depend_on_order")
def malformed_expressions_are_faults(subject: ArithmeticSubject) -> None:
    """An expression that has no number is an ArithmeticFault that says why, and nothing changes by it.

    Read expressions with a parser of your own, never with `eval` or `int`.
    """
    for fresh, trained in subject.oracles:
        tried = fresh()
        for text in (*hostile.NOT_EXPRESSIONS, *(() if trained else hostile.NUMBERS)):
            subject.at = quoted(text)
            try:
                tried.resolve([text], KNOWN)
            except ArithmeticFault as fault:
                plain = one_line(fault.message)
                require(plain, f"the fault of {quoted(text)} is not one plain line: {fault.message!a}")
            else:
                require(text not in hostile.NOT_EXPRESSIONS, f"{quoted(text)} is taken for a number")
        for one in () if trained else subject.expressions:
            subject.check_numbers(tried, [one])
