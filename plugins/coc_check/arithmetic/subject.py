"""An arithmetic under test: oracles to try, and the expressions that the conventions really write."""

from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from itertools import product

from attrs import evolve, frozen

from coc_check.check import require
from coc_check.plain import Trace, run_plainly
from coc_check.stage import Stage, Subject, Task, own_memories, stages
from coc_core.arithmetic import ArithmeticOracle, Inline, Symbolic
from coc_core.errors import UsageError
from coc_core.memories import Reference
from coc_core.plugin import ArithmeticSpec, CheckpointSpec, Registry
from coc_core.types import Registers

EXACT: dict[str, type[ArithmeticOracle]] = {"numeric": Inline, "symbolic": Symbolic}
BOUNDARIES = (-1, 0, 9, 10, 99, 100, 999_999)
SMALL, MORE = (3, 995), (1, 2, 3, 4, 7, 9, 10, 11, 19, 99, 100, 1_000)
LARGE = (2**31 - 1, 2**53 + 1, 10**17)
FEW = 12  # expressions that a trained model is tried with


@frozen
class Expression:
    """An expression, the registers, and the number that it comes to."""

    text: str
    registers: Registers
    number: int

    def __str__(self) -> str:
        return f"{self.text!r} with {dict(self.registers)}"


@frozen
class Oracle:
    """A way to make an oracle, always a new one. One that calls a trained model is tried but a little."""

    fresh: Callable[[], ArithmeticOracle]
    trained: bool
    stages: Callable[[], Iterator[Stage]]


class ArithmeticSubject(Subject):
    """One installed arithmetic; UsageError if it calls a model and none can be had."""

    kind = ArithmeticSpec

    def __init__(self, registry: Registry, name: str) -> None:
        super().__init__(registry, name)
        dialect = self.spec.dialect
        ships = any(dialect in shipped.dialects for shipped in registry.specs(CheckpointSpec))
        if dialect is not None and self.spec.reference is None and not ships:
            raise UsageError(
                f"the arithmetic {name!r} calls a model, and neither a reference nor a checkpoint ships",
                remedy=f"name a `reference`, or a checkpoint for {dialect!r}",
            )
        self._models = [*(["reference"] if self.spec.reference else []), *([None] if ships or dialect is None else [])]

    @cached_property
    def oracles(self) -> tuple[Oracle, ...]:
        """What is tried: the oracle itself, or with its reference model, and with the model that ships."""
        return tuple(self._oracle(model) for model in self._models)

    def _oracle(self, model: str | None) -> Oracle:
        def places() -> Iterator[Stage]:
            for memory in own_memories(self.registry):
                yield from stages(self.registry, memory, self.name, model=model)

        # Any setting opens the model.
        first = next(places(), None)
        require(first is not None, f"no installed domain can be run with {self.name} arithmetic")
        opened = [first.setting.arith_model] if first is not None and first.setting.arith_model else []
        make, spec = self.registry.make, self.spec
        return Oracle(lambda: make(spec, spec.factory, *opened), bool(opened) and model is None, places)

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """What the conventions write in runs of the reference, and the same with numbers at the edges."""
        first = self.oracles[0]
        exact, found = EXACT[first.fresh().notation](), dict[str, Expression]()

        def note(text: str, registers: Registers) -> None:
            (number,) = exact.resolve([text], registers)
            one = Expression(text, registers, number)
            found.setdefault(str(one), one)

        for stage in first.stages():
            convention = stage.setting.convention
            for task in stage.tasks:
                for record in trace_with(exact, stage, task).steps:
                    for text in convention.parse(record.target).expressions:
                        note(text, dict(convention.registers(record.window)))
        written, numeric = list(found.values()), exact.notation == "numeric"
        names = sorted({name for one in written for name in one.registers})
        for number in BOUNDARIES:
            for text in {str(number)} if numeric else sorted({one.text for one in written}):
                note(text, {} if numeric else dict.fromkeys(names, number))
        return tuple(sorted(found.values(), key=written.__contains__))

    @cached_property
    def large(self) -> tuple[Expression, ...]:
        """Large numbers; in symbolic notation each register, plus as much as steps with many windows add."""
        exact = EXACT[self.oracles[0].fresh().notation]()
        found = [Expression(str(number), {}, number) for number in LARGE]
        if exact.notation == "symbolic":
            names = sorted({name for one in self.expressions for name in one.registers})
            for first in (*SMALL, *LARGE):
                registers = {name: first + 7 * place for place, name in enumerate(names)}
                for name, more in product(names, (0, *MORE)):
                    text = f"{name}+{more}" if more else name
                    found.append(Expression(text, registers, *exact.resolve([text], registers)))
        self.tried["numbers"] = f"up to {max(LARGE):,}"
        return tuple(found)

    @property
    def watched(self) -> Collection[type]:
        """The classes of the oracles."""
        return {type(oracle.fresh()) for oracle in self.oracles}

    def few(self, oracle: Oracle) -> tuple[Expression, ...]:
        """All expressions; for a trained model only a few, and no large numbers."""
        some = self.expressions[:: len(self.expressions) // FEW + 1]
        return some if oracle.trained else (*self.expressions, *self.large)


def trace_with(oracle: ArithmeticOracle, stage: Stage, task: Task) -> Trace:
    """The reference's run of a task with this arithmetic."""
    setting = evolve(stage.setting, arithmetic=oracle)
    return run_plainly(setting, task.problem, Reference(setting.convention))
