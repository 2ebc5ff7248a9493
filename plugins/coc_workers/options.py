"""The workers that a command is given: how many, and on which engine."""

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import frozen

from coc_core.errors import UsageError
from coc_core.options import option, shared
from coc_core.plugin import EngineSpec, Registry
from coc_workers.cores import usable_cores
from coc_workers.pool import Pool


@frozen(kw_only=True, slots=False)
class WorkerOptions:
    """Where work is done that several processes can share."""

    jobs: int | None = option(shared.JOBS, None)
    engine: str | None = option(shared.ENGINE, None)
    engine_address: str | None = option(shared.ENGINE_ADDRESS, None)


@contextmanager
def open_pool(registry: Registry, options: WorkerOptions) -> Iterator[Pool | None]:
    """The pool of workers that `--jobs`, `--engine` and `--engine-address` choose; None to work in this process.

    The workers end with the block.

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
