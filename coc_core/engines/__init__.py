"""Engines: where shards of work are done by many workers, and what becomes of them when workers are lost."""

from coc_core.engines.cores import usable_cores
from coc_core.engines.pool import Lost, Pool, worker_error
from coc_core.engines.processes import open_processes
from coc_core.engines.shards import in_shards, one_at_a_time

__all__ = ["Lost", "Pool", "in_shards", "one_at_a_time", "open_processes", "usable_cores", "worker_error"]
