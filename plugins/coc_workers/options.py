"""The workers that a command is given: how many, and on which engine."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import frozen

from coc_core.errors import UsageError
from coc_core.options import Name, Option, Whole, option
from coc_core.plugin import EngineSpec, Registry
from coc_core.text import duration
from coc_workers.cores import usable_cores
from coc_workers.pool import Pool


@frozen(kw_only=True, slots=False)
class WorkerOptions:
    """Where work is done that several processes can share."""

    jobs: int | None = option(
        Option(
            "Use N worker processes. Results do not depend on N.",
            ("--jobs", "-j"),
            Whole(1, 1_024),
            shown="1; with --engine, the number of cores",
        ),
        None,
    )
    engine: str | None = option(
        Option(
            "Choose where workers run: processes (on this machine), or an engine from a plugin.",
            ("--engine",),
            shown="processes",
            completes="engines",
        ),
        None,
    )
    engine_address: str | None = option(
        Option(
            "Set the address at which the engine finds its workers, if it needs one.",
            ("--engine-address",),
            Name("ADDRESS"),
        ),
        None,
    )


def silent(_note: str) -> None:
    """Says nothing."""


@contextmanager
def open_pool(
    registry: Registry, options: WorkerOptions, note: Callable[[str], None] = silent
) -> Iterator[Pool | None]:
    """The pool of workers that `--jobs`, `--engine` and `--engine-address` choose; None to work in this process.

    The workers end with the block.

    Args:
        registry: The plugins.
        options: The workers.
        note: Is told, in a line, when one process would be faster.

    Raises:
        UsageError: The engine is unknown or not installed, or nobody answers at the address.
    """
    jobs, engine, address = options.jobs, options.engine, options.engine_address
    count = usable_cores() if jobs is None else jobs
    if engine is None:
        if address is not None:
            raise UsageError("an address belongs to an engine", remedy="choose one with --engine")
        if jobs is None or count == 1:
            yield None
            return
        engine = "processes"
    spec = registry.find(EngineSpec, engine)
    with Pool(lambda jobs: registry.make(spec, spec.factory, jobs, address), count) as pool:
        pool.open()
        yield pool
        here = min(1.0, usable_cores() / count) if address is None else 1.0  # more workers than cores wait in turns
        if pool.worked and pool.worked * here < pool.waited:
            took, work = duration(pool.waited), duration(pool.worked * here)
            note(f"one process would be faster, without --jobs: workers took {took} for {work} of work")
