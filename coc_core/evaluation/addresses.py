"""Checking the arithmetic of a setting on every address of a range, as a run can come to all of them.

Which expressions there are is learned from the reference model's targets of a few small runs.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from attrs import Factory, asdict, define, evolve

from coc_core.arithmetic import ArithmeticOracle, Symbolic, address_prompts, registers_of
from coc_core.errors import UsageError
from coc_core.execution import Cached
from coc_core.memories import HALT, Reference
from coc_core.models import Model, Response, WrongTarget, call_each
from coc_core.setting import Setting
from coc_core.types import Registers

BATCH = 4_096  # prompts that are asked at once
MOST_WRONG = 1_000  # that are kept; the others are only counted
_SIZES, _SEEDS = 4, 3  # of the small runs: the smallest sizes, and so many problems of each


@define
class AddressCheck:
    """Asks about one expression after the other, for all values of its register. It may be watched and interrupted."""

    model: Model
    expressions: Sequence[str]
    values: range
    checked: int = 0
    wrong: int = 0
    wrong_sums: list[WrongTarget] = Factory(list)
    interrupted: bool = False

    @property
    def total(self) -> int:
        """How many prompts there are."""
        return sum(len(values) for _, _, values in self._lines())

    def run(self) -> None:
        """Ask in batches, with the exact sums as drafts, until there are no more or someone interrupts.

        PluginError if the model raises.
        """
        exact = Symbolic()
        for expression, register, values in self._lines():
            for start in range(0, len(values), BATCH):
                if self.interrupted:
                    return
                batch = values[start : start + BATCH]
                asked = address_prompts(expression, register, batch) if register else [expression]
                wanted = [str(*exact.resolve([expression], {register: value})) for value in batch]
                answers = call_each(self.model, asked, wanted)
                for sum_, right, got in zip(asked, wanted, answers, strict=True):
                    self._count(sum_, right, got)

    def interrupt(self) -> None:
        """Stop after the batch under way."""
        self.interrupted = True

    def _lines(self) -> Iterator[tuple[str, str, range]]:
        """The expressions, each with its register, if it has one, and values of it; `prev` may be the sentinel too."""
        for expression in self.expressions:
            names = registers_of(expression)
            if len(names) > 1:
                raise UsageError(f"{expression} names several registers, so its values can't be listed")
            if not names:
                yield expression, "", range(1)
                continue
            if names[0] == "prev":
                yield expression, names[0], range(HALT, HALT + 1)
            yield expression, names[0], self.values

    def _count(self, asked: str, right: str, got: Response) -> None:
        self.checked += 1
        if got != right:
            self.wrong += 1
            if len(self.wrong_sums) < MOST_WRONG:
                self.wrong_sums.append(WrongTarget.of(asked, right, got))


class _Recorder(ArithmeticOracle):
    """Works sums out and remembers which there were."""

    name = "recorder"
    notation = "symbolic"

    def __init__(self) -> None:
        self.expressions: dict[str, None] = {}

    def _resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]:
        self.expressions |= dict.fromkeys(expressions)
        return Symbolic().resolve(expressions, registers)


def expressions(setting: Setting, problems: Iterable[Any]) -> list[str]:
    """The expressions in the reference model's targets of the runs of `problems`, sorted."""
    recorder = _Recorder()
    watched = evolve(setting, arithmetic=recorder)
    for problem in problems:
        Cached().run([watched.machine(problem)], Reference(setting.convention))
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
        "margin": check.model.margin,
        "interrupted": check.interrupted,
        "wrong_sums": [asdict(sum_) for sum_ in check.wrong_sums],
        "wrong_sums_left_out": check.wrong - len(check.wrong_sums),
    }
