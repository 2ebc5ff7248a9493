"""Engines: where shards of work are done by many workers, and what becomes of them when workers are lost."""

from coc_core.engines.pool import Lost, Pool
from coc_core.engines.processes import open_processes

__all__ = ["Lost", "Pool", "open_processes"]
