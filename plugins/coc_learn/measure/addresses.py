"""Checking the arithmetic of a setting on the addresses of a range, since a run can reach any of them.

The expressions are collected from the targets of the reference model in a few small runs.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Protocol

from attrs import Factory, asdict, define, evolve, frozen

from coc_core.arithmetic import ArithmeticOracle, Symbolic
from coc_core.errors import ArithmeticFault, UsageError
from coc_core.execution import Cached
from coc_core.memories import HALT, Reference
from coc_core.models import Model, call_each
from coc_core.setting import Setting
from coc_core.text import counted
from coc_core.types import Registers
from coc_learn.addresses.dialect import address_prompts, registers_of
from coc_learn.measure.wrong_targets import WrongTarget
from coc_workers.pool import Lost, worker_error

BATCH = 4_096
"""Prompts in one model call."""

MOST_WRONG = 1_000
"""Wrong targets that are recorded; further ones are only counted."""

_SIZES, _SEEDS = 4, 3  # the small runs: how many sizes, and how many problems of each


@frozen
class AddressBatch:
    """An expression, its register ("" if it has none), and some of the register's values."""

    expression: str
    register: str
    values: Sequence[int]

    @property
    def prompts(self) -> list[str]:
        """The prompts, one for each value."""
        return address_prompts(self.expression, self.register, self.values) if self.register else [self.expression]


@frozen
class CheckedAddresses:
    """What came of a batch: the targets that are wrong, by the index of the value, and the smallest logit margin so
    far.
    """

    batch: AddressBatch
    wrong: dict[int, WrongTarget]
    margin: float | None


def check_addresses(model: Model, batch: AddressBatch) -> CheckedAddresses:
    """Compare a model's responses with exact arithmetic; PluginError if the model raises an exception."""
    exact, prompts = Symbolic(), batch.prompts
    targets = [str(*exact.resolve([batch.expression], {batch.register: value})) for value in batch.values]
    responses = call_each(model, prompts, targets)
    wrong = {
        index: WrongTarget.of(prompt, target, response)
        for index, (prompt, target, response) in enumerate(zip(prompts, targets, responses, strict=True))
        if response != target
    }
    return CheckedAddresses(batch, wrong, model.margin)


class AddressChecker(Protocol):
    """Has batches of addresses checked by workers."""

    def addresses(
        self, batches: Iterable[AddressBatch], stopped: Callable[[], bool]
    ) -> Iterator[CheckedAddresses | Lost[AddressBatch]]:
        """What came of each batch, in their order, until `stopped` says to stop."""


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
    margin: float | None = None
    """The smallest logit margin of a token over the next best one; None if the model has no logits."""

    lost: int = 0
    """The number of prompts that no worker could check, since each that tried was lost."""

    first_lost: str = ""
    """The first of these prompts."""

    @property
    def total(self) -> int:
        """The number of prompts."""
        return sum(len(values) for _, _, values in self._expression_values())

    def run(self, workers: AddressChecker | None = None) -> None:
        """Call the model in batches, with the exact targets as drafts, until the last prompt or an interruption.

        Args:
            workers: Check the batches; by default they are checked here.

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
        for found in (workers.addresses if workers else self._here)(self._batches(), lambda: self.interrupted):
            if isinstance(found, Lost):
                self.lost += len(found.shard.values)
                self.first_lost = self.first_lost or found.shard.prompts[0]
            else:
                self._count(found)

    def check_lost(self) -> None:
        """WorkerError if there are prompts that no worker could check."""
        if self.lost:
            raise worker_error(f"{counted(self.lost, 'prompt')} not checked", self.first_lost)

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

    def _batches(self) -> Iterator[AddressBatch]:
        for expression, register, values in self._expression_values():
            for start in range(0, len(values), BATCH):
                yield AddressBatch(expression, register, values[start : start + BATCH])

    def _here(self, batches: Iterable[AddressBatch], stopped: Callable[[], bool]) -> Iterator[CheckedAddresses]:
        remaining = map(partial(check_addresses, self.model), batches)
        while not stopped() and (found := next(remaining, None)) is not None:
            yield found

    def _count(self, found: CheckedAddresses) -> None:
        for index, value in enumerate(found.batch.values):
            counts = self.by_digits.setdefault(len(str(max(0, value))), [0, 0])
            counts[0] += 1
            counts[1] += index in found.wrong
        self.checked += len(found.batch.values)
        self.wrong += len(found.wrong)
        self.wrong_targets += list(found.wrong.values())[: MOST_WRONG - len(self.wrong_targets)]
        if found.margin is not None:
            self.margin = found.margin if self.margin is None else min(self.margin, found.margin)


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
        "margin": check.margin,
        "interrupted": check.interrupted,
        "lost": check.lost,
        "wrong_targets": [asdict(wrong) for wrong in check.wrong_targets],
        "wrong_targets_left_out": check.wrong - len(check.wrong_targets),
    }
