"""`coc eval --addresses`: the arithmetic on the addresses of a range, one model call each."""

from coc_core.cli import console
from coc_core.cli.interrupt import interruptible
from coc_core.cli.progress import progress
from coc_core.errors import EXIT_INTERRUPTED, EXIT_NOT_SOLVED, EXIT_SOLVED, UsageError
from coc_core.setting import Setting
from coc_core.text import parse_decimal, quoted
from coc_learn.addresses.pairs import drawn_addresses
from coc_learn.measure.addresses import AddressCheck, addresses_document, expressions, small_problems
from coc_learn.measure.shards import Workers

SHOWN = 10  # wrong results that are printed for a person

_MOST = 100_000_000  # addresses


def prepare(setting: Setting, text: str, instances: int | None, seed: int) -> AddressCheck:
    """The check of the arithmetic model on a range of addresses, written like 0-2000000.

    With `instances`, so many addresses of each number of digits are drawn by the seed. UsageError if the text is no
    range, or if this setting calls no model for addresses.
    """
    values = _parse_range(text)
    if instances is None and values.stop - values.start > _MOST:  # more than `len` can count
        raise UsageError(
            f"{quoted(text, 48)} has more than {_MOST:,} addresses",
            remedy="check a part of them, or draw some of each number of digits with --instances",
        )
    if setting.arith_model is None:
        raise UsageError(f"{setting.arithmetic.name} arithmetic calls no model", remedy="choose --arith learned")
    found = expressions(setting, small_problems(setting))
    if not found:
        raise UsageError(f"on {setting.memory.name} there are no addresses", remedy="choose --memory tape")
    return AddressCheck(
        setting.arith_model, found, values if instances is None else drawn_addresses(values, instances, seed)
    )


def check(setting: Setting, checked: AddressCheck, workers: Workers | None, as_json: bool) -> int:
    """Check the addresses, here or in workers, and report; gives the exit code.

    WorkerError, after the report, if no worker could check some of them.
    """
    total = checked.total

    def note() -> str:
        return f"{checked.wrong:,} wrong"

    with (
        progress(console.err(), "checking address arithmetic", lambda: total, lambda: checked.pairs, note),
        interruptible(checked),
    ):
        checked.run(workers)
    if as_json:
        heading = {"domain": setting.domain.name, "memory": setting.memory.name, "arith": setting.arithmetic.name}
        console.document({**heading, "model": checked.model.describe(), **addresses_document(checked)})
    else:
        _print(checked)
    if checked.interrupted:
        return EXIT_INTERRUPTED
    checked.check_lost()
    return EXIT_NOT_SOLVED if checked.wrong else EXIT_SOLVED


def _parse_range(text: str) -> range:
    """The addresses that a text such as `0-2000000` names; UsageError for anything else."""
    first, _, last = text.partition("-")
    try:
        values = range(parse_decimal(first), parse_decimal(last or first) + 1)
    except ValueError:
        values = range(0)
    if not values:
        raise UsageError(f"{quoted(text, 24)} is not a range of addresses", remedy="write it like 0-2000000")
    return values


def _print(checked: AddressCheck) -> None:
    smallest = "–" if checked.margin is None else f"{checked.margin:.2f}"
    of = "" if isinstance(checked.values, range) else f"{len(checked.values):,} of the "
    console.line(
        f"{checked.pairs - checked.wrong:,} of {checked.pairs:,} results correct:"
        f" {', '.join(checked.expressions)} for {of}addresses {checked.values[0]:,} to {checked.values[-1]:,};"
        f" smallest logit margin {smallest}; model: {checked.model.describe()}"
    )
    for wrong in checked.wrong_targets[:SHOWN]:
        got = f"computed {quoted(wrong.got)}" if wrong.fault is None else f"no result: {quoted(wrong.fault)[1:-1]}"
        console.detail("  ", (wrong.prompt, "red"), f" is {wrong.expected}; {got}")
    if checked.wrong > SHOWN:
        console.detail(f"  and {checked.wrong - SHOWN:,} more; --json lists them")
    if checked.wrong:
        counts = sorted(checked.by_digits.items())
        shares = [f"{digits}: {bad:,} of {all:,}" for digits, (all, bad) in counts if bad]
        console.detail(f"wrong by the number of digits: {', '.join(shares)}")
