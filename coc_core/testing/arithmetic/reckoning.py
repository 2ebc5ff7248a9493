"""An arithmetic under test: oracles to try, and the expressions that the conventions really write."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from attrs import evolve, frozen

from coc_core.arithmetic import ArithmeticOracle, Inline, Symbolic
from coc_core.errors import UsageError
from coc_core.memories import Reference
from coc_core.plugin import ArithmeticSpec, CheckpointSpec, Registry
from coc_core.setting import Setting
from coc_core.testing.check import require
from coc_core.testing.domain.subject import MEMORIES
from coc_core.testing.plain import run_plainly
from coc_core.testing.stage import Stage, stages
from coc_core.types import Registers

EXACT: dict[str, type[ArithmeticOracle]] = {"numeric": Inline, "symbolic": Symbolic}
BOUNDARIES = (-1, 0, 9, 10, 99, 100, 999_999)
FEW = 12  # sums that a trained model is asked about


@frozen
class Sum:
    """An expression, the registers, and the number that it comes to."""

    expression: str
    registers: Registers
    number: int

    def __str__(self) -> str:
        return f"{self.expression!r} with {dict(self.registers)}"


@frozen
class Oracle:
    """A way to make an oracle, always a new one. One that asks a trained model is asked but a little."""

    fresh: Callable[[], ArithmeticOracle]
    trained: bool


class Listening(ArithmeticOracle):
    """An exact oracle that remembers what it was asked."""

    name = "listening"
    notation = "symbolic"

    def __init__(self, exact: ArithmeticOracle) -> None:
        self._exact = exact
        self.asked: dict[str, Sum] = {}

    def _resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]:
        numbers = self._exact.resolve(expressions, registers)
        for expression, number in zip(expressions, numbers, strict=True):
            found = Sum(expression, dict(registers), number)
            self.asked.setdefault(str(found), found)
        return numbers


class Reckoning:
    """One installed arithmetic."""

    def __init__(self, registry: Registry, name: str) -> None:
        self.spec = registry.find(ArithmeticSpec, name)
        self._registry = registry
        dialect = self.spec.dialect
        ships = any(dialect in shipped.dialects for shipped in registry.specs(CheckpointSpec))
        if dialect is not None and self.spec.reference is None and not ships:
            raise UsageError(
                f"the arithmetic {name!r} asks a model, and neither a reference nor a checkpoint ships",
                remedy=f"name a `reference`, or a checkpoint that speaks {dialect!r}",
            )
        self._chosen = [*(["reference"] if self.spec.reference else []), *([None] if ships or dialect is None else [])]

    @cached_property
    def oracles(self) -> tuple[Oracle, ...]:
        """What is tried: the oracle itself, or with its reference model, and with the model that ships."""
        return tuple(self._oracle(choice) for choice in self._chosen)

    def _oracle(self, choice: str | None) -> Oracle:
        # Any setting opens the model.
        first = next(iter(self.stages(choice)), None)
        require(first is not None, f"no installed domain can be run with {self.spec.name} arithmetic")
        asked = [first.setting.arith_model] if first is not None and first.setting.arith_model else []
        make, spec = self._registry.make, self.spec
        return Oracle(lambda: make(spec, spec.factory, *asked), bool(asked) and choice is None)

    def stages(self, choice: str | None) -> Iterator[Stage]:
        """Where it is used, with that model."""
        for memory in MEMORIES:
            yield from stages(self._registry, memory, self.spec.name, model=choice)

    @property
    def choices(self) -> Sequence[str | None]:
        """The models that it can ask; None is the one that ships, or none at all."""
        return self._chosen

    @cached_property
    def sums(self) -> tuple[Sum, ...]:
        """What the conventions write in runs of the reference, and the same with numbers at the edges."""
        exact = EXACT[self.oracles[0].fresh().notation]()
        listening = Listening(exact)
        for stage in self.stages(self._chosen[0]):
            for task in stage.tasks:
                setting = _with(stage, listening)
                run_plainly(setting, task.problem, Reference(setting.convention))
        written = {found.expression for found in listening.asked.values()}
        names = {name for found in listening.asked.values() for name in found.registers}
        edges = [Sum(str(number), {}, number) for number in BOUNDARIES] if exact.notation == "numeric" else []
        for expression in sorted(written) if exact.notation == "symbolic" else ():
            for number in BOUNDARIES:
                registers = dict.fromkeys(sorted(names), number)
                edges.append(Sum(expression, registers, exact.resolve([expression], registers)[0]))
        return tuple(edges) + tuple(listening.asked.values())

    def asked(self, oracle: Oracle) -> tuple[Sum, ...]:
        """All sums; of those only a few for a trained model."""
        return self.sums[:: len(self.sums) // FEW + 1] if oracle.trained else self.sums


def _with(stage: Stage, oracle: ArithmeticOracle) -> Setting:
    return evolve(stage.setting, arithmetic=oracle)
