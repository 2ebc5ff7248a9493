"""Checking the arithmetic of a setting on the addresses of a range, since a run can reach any of them.

The expressions are collected from the targets of the reference model in a few small runs.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attrs import evolve

from coc_core.arithmetic import Symbolic
from coc_core.errors import ArithmeticFault, UsageError
from coc_core.memories import HALT
from coc_core.models import Pair
from coc_core.setting import Setting
from coc_core.text import parse_decimal, quoted
from coc_learn.addresses.dialect import address_prompt, drawn_addresses, registers_of
from coc_learn.datasets import teacher_pairs

_MOST = 100_000_000  # addresses
_SIZES, _SEEDS = 4, 3  # the small runs: how many sizes, and how many problems of each


def address_parts(
    setting: Setting, text: str, instances: int | None, seed: int
) -> Iterator[tuple[str, Iterable[Pair]]]:
    """Give the pairs of each expression of a setting, under its name, on a range of addresses, such as `0-2000000`;
    with `instances`, so many of each number of digits are drawn by the seed. UsageError if it is no range, or the
    setting calls no model for these addresses.
    """
    values = _parse_range(text)
    if setting.arith_model is None:
        raise UsageError(f"{setting.arithmetic.name} arithmetic calls no model", remedy="choose --arith learned")
    found = expressions(setting, small_problems(setting))
    if not found:
        raise UsageError(f"on {setting.memory.name} there are no addresses", remedy="choose --memory tape")
    if instances is None and len(values) > _MOST:
        raise UsageError(
            f"{quoted(text, 48)} has more than {_MOST:,} addresses",
            remedy="check a part of them, or draw some of each number of digits with --instances",
        )
    return parts_of(found, values if instances is None else drawn_addresses(values, instances, seed))


def parts_of(found: Sequence[str], values: Sequence[int]) -> Iterator[tuple[str, Iterable[Pair]]]:
    """Give the pairs of each expression with all values, ascending, of its registers; `prev` may be the sentinel, too.
    UsageError if a result has too many digits.
    """
    try:
        for expression in found:
            Symbolic().resolve([expression], dict.fromkeys(registers_of(expression), values[-1]))
    except ArithmeticFault as fault:
        raise UsageError(f"for the address {values[-1]:,}, {fault}", remedy="check smaller ones") from None
    with_sentinel = [(f"prev={HALT}", "prev", [HALT])] if "prev" in found else []
    parts = [*with_sentinel, *((each, each, values if registers_of(each) else [0]) for each in found)]
    return ((name, _pairs(expression, some)) for name, expression, some in parts)


def _pairs(expression: str, values: Iterable[int]) -> Iterator[Pair]:
    names = registers_of(expression)
    for value in values:
        registers = dict.fromkeys(names, value)
        yield Pair(address_prompt(expression, registers), str(*Symbolic().resolve([expression], registers)))


def _parse_range(text: str) -> range:
    """Return the addresses that a text such as `0-2000000` names; UsageError for anything else."""
    first, _, last = text.partition("-")
    try:
        values = range(parse_decimal(first), parse_decimal(last or first) + 1)
    except ValueError:
        values = range(0)
    if not values:
        raise UsageError(f"{quoted(text, 24)} is not a range of addresses", remedy="write it like 0-2000000")
    return values


def expressions(setting: Setting, problems: Iterable[Any]) -> list[str]:
    """Return the distinct expressions, sorted, that the reference model writes when it runs `problems`."""
    exactly, parse = evolve(setting, arithmetic=Symbolic()), setting.convention.parse
    return sorted({text for pair in teacher_pairs(exactly, problems) for text in parse(pair.target).expressions})


def small_problems(setting: Setting) -> list[Any]:
    """Return a few problems of the smallest sizes."""
    return [setting.domain.problem(n, seed) for n in setting.domain.sizes[:_SIZES] for seed in range(_SEEDS)]
