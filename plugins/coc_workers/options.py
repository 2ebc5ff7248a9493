"""The workers that a command is given: how many, and on which engine."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import partial

from attrs import frozen

from coc_core.errors import UsageError
from coc_core.options import Choice, Name, Option, Whole, option
from coc_workers.engines import dask, processes, usable_cores
from coc_workers.pool import Pool


class Engine(StrEnum):
    """Where workers run."""

    processes = "processes"
    dask = "dask"


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
    engine: Engine | None = option(
        Option(
            "Choose where workers run: processes (on this machine), or dask (on this machine or at an address).",
            ("--engine",),
            Choice(annotation=Engine),
            shown="processes",
        ),
        None,
    )
    engine_address: str | None = option(
        Option("Set the address at which the engine dask finds its scheduler.", ("--engine-address",), Name("ADDRESS")),
        None,
    )


@contextmanager
def open_pool(options: WorkerOptions) -> Iterator[Pool | None]:
    """Give the workers that the options choose until the block ends; None to work in this process.

    UsageError if the engine is not installed or nobody answers at the address, WorkerError if no worker answers.
    """
    jobs, engine, address = options.jobs, options.engine, options.engine_address
    count = usable_cores() if jobs is None else jobs
    if address is not None and engine is not Engine.dask:
        raise UsageError("--engine-address is of use with --engine dask only", remedy="leave it out")
    if engine is None and (jobs is None or count == 1):
        yield None
        return
    with Pool(partial(dask, address=address) if engine is Engine.dask else processes, count) as pool:
        pool.open()
        yield pool
