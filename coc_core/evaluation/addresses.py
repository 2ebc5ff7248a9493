"""Checking the arithmetic of a setting on the addresses of a range, since a run can reach any of them.

The expressions are collected from the targets of the reference model in a few small runs.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from attrs import Factory, asdict, define, evolve

from coc_core.arithmetic import ArithmeticOracle, Symbolic, address_prompts, registers_of
from coc_core.errors import ArithmeticFault, UsageError
from coc_core.execution import Cached
from coc_core.memories import HALT, Reference
from coc_core.models import Model, Response, WrongTarget, call_each
from coc_core.setting import Setting
from coc_core.types import Registers

BATCH = 4_096
"""Prompts in one model call."""

MOST_WRONG = 1_000
"""Wrong targets that are recorded; further ones are only counted."""

_SIZES, _SEEDS = 4, 3  # the small runs: how many sizes, and how many problems of each


@define
class AddressCheck:
    """Compares a model with exact arithmetic: each expression with all `values`, in ascending order, of its register.

    Another thread may read the counts and call `interrupt` during a run.
    """

    model: Model
    expressions: Sequence[str]
    values: Sequence[int]
    checked: int = 0
    wrong: int = 0
    wrong_targets: list[WrongTarget] = Factory(list)
    by_digits: dict[int, list[int]] = Factory(dict)
    """For each number of digits of an address, how many prompts were checked, and how many of them were wrong."""
    interrupted: bool = False

    @property
    def total(self) -> int:
        """The number of prompts."""
        return sum(len(values) for _, _, values in self._expression_values())

    def run(self) -> None:
        """Call the model in batches, with the exact targets as drafts, until the last prompt or an interruption.

        Raises:
            PluginError: If the model raises an exception.
            UsageError: If an expression names several registers, or a result has too many digits.
        """
        exact = Symbolic()
        for expression, register, values in self._expression_values():
            try:
                exact.resolve([expression], {register: values[-1]})
            except ArithmeticFault as fault:
                raise UsageError(f"for the address {values[-1]:,}, {fault}", remedy="check smaller ones") from None
        for expression, register, values in self._expression_values():
            for start in range(0, len(values), BATCH):
                if self.interrupted:
                    return
                batch = values[start : start + BATCH]
                prompts = address_prompts(expression, register, batch) if register else [expression]
                targets = [str(*exact.resolve([expression], {register: value})) for value in batch]
                responses = call_each(self.model, prompts, targets)
                for value, prompt, target, response in zip(batch, prompts, targets, responses, strict=True):
                    self._count(len(str(max(0, value))), prompt, target, response)

    def interrupt(self) -> None:
        """Stop after the current batch."""
        self.interrupted = True

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

    def _count(self, digits: int, prompt: str, target: str, response: Response) -> None:
        counts = self.by_digits.setdefault(digits, [0, 0])
        self.checked += 1
        counts[0] += 1
        if response != target:
            self.wrong += 1
            counts[1] += 1
            if len(self.wrong_targets) < MOST_WRONG:
                self.wrong_targets.append(WrongTarget.of(prompt, target, response))


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
        "checked": check.checked,
        "wrong": check.wrong,
        "by_digits": {
            digits: {"checked": checked, "wrong": wrong} for digits, (checked, wrong) in sorted(check.by_digits.items())
        },
        "margin": check.model.margin,
        "interrupted": check.interrupted,
        "wrong_targets": [asdict(wrong) for wrong in check.wrong_targets],
        "wrong_targets_left_out": check.wrong - len(check.wrong_targets),
    }
