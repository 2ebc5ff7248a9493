"""Checking the arithmetic of a setting on the addresses of a range, since a run can reach any of them.

The expressions are collected from the targets of the reference model in a few small runs.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from attrs import Factory, asdict, define, evolve

from coc_core.arithmetic import ArithmeticOracle, Symbolic
from coc_core.errors import ArithmeticFault, UsageError
from coc_core.execution import Cached
from coc_core.memories import HALT, Reference
from coc_core.models import Pair, Response
from coc_core.setting import Setting
from coc_core.types import Registers
from coc_learn.addresses.dialect import address_prompts, registers_of
from coc_learn.measure.exactness import PairCheck, PairChecker
from coc_workers.pool import in_shards

_SIZES, _SEEDS = 4, 3  # the small runs: how many sizes, and how many problems of each


@define
class AddressCheck(PairCheck):
    """Compares a model with exact arithmetic: each expression with all `values`, ascending, of its register."""

    batch = 4_096
    most_wrong = 1_000
    of_arithmetic = True

    expressions: Sequence[str]
    values: Sequence[int]
    by_digits: dict[int, list[int]] = Factory(dict)
    """For each number of digits of an address, how many prompts were checked, and how many of them were wrong."""

    @property
    def total(self) -> int:
        """The number of prompts."""
        return sum(len(values) for _, _, values in self._expression_values())

    def run(self, workers: PairChecker | None = None) -> None:
        """Check all prompts as `check` does; UsageError if one has several registers or a result of too many digits."""
        for expression, register, values in self._expression_values():
            try:
                Symbolic().resolve([expression], {register: values[-1]})
            except ArithmeticFault as fault:
                raise UsageError(f"for the address {values[-1]:,}, {fault}", remedy="check smaller ones") from None
        self.check(self._pairs(), workers)

    def _expression_values(self) -> Iterator[tuple[str, str, Sequence[int]]]:
        """Each expression, its register ("" if it has none) and the register's values; `prev` may be the sentinel."""
        for expression in self.expressions:
            names = registers_of(expression)
            if len(names) > 1:
                raise UsageError(f"{expression} names several registers; only expressions of one can be checked")
            if not names:
                yield expression, "", range(1)
                continue
            if names[0] == "prev":
                yield expression, names[0], range(HALT, HALT + 1)
            yield expression, names[0], self.values

    def _pairs(self) -> Iterator[Pair]:
        exact = Symbolic()
        for expression, register, values in self._expression_values():
            for some in in_shards(values, self.batch):
                prompts = address_prompts(expression, register, some) if register else [expression]
                for prompt, value in zip(prompts, some, strict=True):
                    yield Pair(prompt, str(*exact.resolve([expression], {register: value})))

    def _count(self, pair: Pair, wrong: Response | None) -> None:
        super()._count(pair, wrong)
        value = pair.prompt.partition(" ")[0].partition("=")[2]
        counts = self.by_digits.setdefault(len(value) if value.isdecimal() else 1, [0, 0])
        counts[0] += 1
        counts[1] += wrong is not None


class _Recorder(ArithmeticOracle):
    """Evaluates expressions exactly and records them."""

    name = "recorder"
    notation = "symbolic"

    def __init__(self) -> None:
        self.expressions: dict[str, None] = {}

    def _resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]:
        self.expressions |= dict.fromkeys(expressions)
        return Symbolic().resolve(expressions, registers)


def expressions(setting: Setting, problems: Iterable[Any]) -> list[str]:
    """The distinct expressions, sorted, that the reference model writes when it runs `problems`."""
    recorder = _Recorder()
    recorded = evolve(setting, arithmetic=recorder)
    for problem in problems:
        Cached().run([recorded.machine(problem)], Reference(setting.convention))
    return sorted(recorder.expressions)


def small_problems(setting: Setting) -> list[Any]:
    """A few problems of the smallest sizes."""
    sizes = list(islice(setting.domain.sizes, _SIZES))
    return [setting.domain.problem(n, seed) for n in sizes for seed in range(_SEEDS)]


def addresses_document(check: AddressCheck) -> dict[str, Any]:
    """The result as plain data, ready for JSON."""
    return {
        "expressions": list(check.expressions),
        "first": check.values[0],
        "last": check.values[-1],
        "checked": check.pairs,
        "wrong": check.wrong,
        "by_digits": {
            digits: {"checked": checked, "wrong": wrong} for digits, (checked, wrong) in sorted(check.by_digits.items())
        },
        "margin": check.margin,
        "interrupted": check.interrupted,
        "lost": check.lost,
        "wrong_targets": [asdict(wrong) for wrong in check.wrong_targets],
        "wrong_targets_left_out": check.wrong - len(check.wrong_targets),
    }
