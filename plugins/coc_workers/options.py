"""The workers that a command is given."""

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import frozen

from coc_core.options import Option, Whole, option
from coc_workers.pool import Pool
from coc_workers.processes import processes


@frozen(kw_only=True, slots=False)
class WorkerOptions:
    """By how many processes work is done that several can share."""

    jobs: int | None = option(
        Option("Use N worker processes. Results do not depend on N.", ("--jobs", "-j"), Whole(1, 1_024), shown="1"),
        None,
    )


@contextmanager
def open_pool(options: WorkerOptions) -> Iterator[Pool | None]:
    """Give the workers that the options choose until the block ends; None to work in this process.

    WorkerError if no worker answers.
    """
    if options.jobs in (None, 1):
        yield None
        return
    with Pool(processes, options.jobs) as pool:
        pool.open()
        yield pool
