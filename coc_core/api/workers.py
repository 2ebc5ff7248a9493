"""Workers: the engine, how many jobs, and where."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import evolve

from coc_core.api.values import whole
from coc_core.engines import Pool
from coc_core.errors import UsageError
from coc_core.evaluation import Choices, Workers
from coc_core.models import requested_device
from coc_core.plugin import EngineSpec, Registry

DEFAULT_ENGINE = "processes"
MOST_JOBS = 1_024


def open_pool(
    registry: Registry, jobs: int | None = None, engine: str | None = None, address: str | None = None
) -> Pool | None:
    """The pool of workers that `--jobs`, `--engine` and `--engine-address` choose; None to work in this process.

    Raises:
        UsageError: The engine is unknown or not installed, or nobody answers at the address.
    """
    count = len(os.sched_getaffinity(0)) if jobs is None else whole("--jobs", jobs, 1, MOST_JOBS)
    if engine is None:
        if address is not None:
            raise UsageError("an address belongs to an engine", remedy="choose one with --engine")
        if jobs is None or count == 1:
            return None
        engine = DEFAULT_ENGINE
    spec = registry.find(EngineSpec, engine)
    pool = Pool(lambda jobs: registry.make(spec, spec.factory, jobs, address), count)
    pool.open()
    return pool


@contextmanager
def open_workers(
    registry: Registry, choices: Choices, jobs: int | None, engine: str | None, address: str | None
) -> Iterator[Workers | None]:
    """The workers for an evaluation, which end with the block; arguments and errors as for `open_pool`."""
    pool = open_pool(registry, jobs, engine, address)
    if pool is None:
        yield None
        return
    device = requested_device()
    with pool:
        yield Workers(pool, evolve(choices, device=device and device[0]))
