"""Pairs that workers write: the problems go to them in shards, and what comes back is put together in order.

A worker knows nothing of the problems before its shard, so the same pair may come from several of them. Leaving out
what came before gives exactly the pairs that one process writes, in its order: what follows from an instruction that
came before has come before, too.
"""

import json
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.models import Pair
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.text import counted
from coc_core.types import Limits
from coc_learn.datasets.pairs import Seen
from coc_learn.datasets.teacher import teacher_pairs
from coc_problems import has_few_kinds
from coc_workers.attribution import attributed
from coc_workers.pool import Lost, Pool, worker_error
from coc_workers.shards import in_shards, one_at_a_time

SHARD = 32
"""Problems of one size that one worker writes the pairs of."""

_BLOCK = 1_024  # pairs that are packed together
_LEVEL = 1  # of compression


@frozen
class _Parts:
    """A setting by name, and the plugins that are files, as another process can put it together."""

    domain: str
    memory: str
    arith: str
    limits: Limits
    plugins: tuple[Path, ...]


@frozen
class PairWorkers:
    """The workers of a pool, for writing pairs.

    Args:
        pool: The pool.
        plugins: The plugins that are files.
    """

    pool: Pool
    plugins: tuple[Path, ...] = ()

    def pairs(self, setting: Setting, problems: Iterable[Any], seen: Seen) -> Iterator[Pair]:
        """What `teacher_pairs` gives, in its order.

        Args:
            setting: The setting of the runs.
            problems: The problems.
            seen: The prompts that earlier calls have given, which are left out; the new ones are added.

        Raises:
            PluginError: If the policy does not solve a problem.
            WorkerError: If every worker that tried some of the problems was lost.
        """
        domain = setting.domain
        if has_few_kinds(setting.convention):  # the instructions of one shard go with the records of another
            yield from teacher_pairs(setting, problems, seen)
            return
        parts = _Parts(domain.name, setting.memory.name, setting.arithmetic.name, setting.limits, self.plugins)
        texts = (tuple(map(domain.problems.format, shard)) for shard in in_shards(problems, SHARD, domain.size))
        for found in self.pool.map(partial(_write, parts), texts):
            if isinstance(found, Lost):
                raise worker_error(f"no pairs of {counted(len(found.shard), 'problem')}", found.shard[0])
            for pair in _unpacked(found):
                if seen.add(pair.prompt):
                    yield pair


@lru_cache(maxsize=1)
def _opened(parts: _Parts) -> Setting:
    registry = Registry.installed(parts.plugins)
    return Setting.of(registry, parts.domain, parts.memory, parts.arith, parts.limits)


@one_at_a_time
@attributed()
def _write(parts: _Parts, texts: tuple[str, ...]) -> list[bytes]:
    setting = _opened(parts)
    return _packed(teacher_pairs(setting, map(setting.domain.problems.parse, texts)))


def _packed(pairs: Iterable[Pair]) -> list[bytes]:
    """The pairs in compressed blocks, since a single problem may have a million of them."""
    return [zlib.compress(json.dumps(block).encode(), _LEVEL) for block in in_shards(pairs, _BLOCK)]


def _unpacked(blocks: Iterable[bytes]) -> Iterator[Pair]:
    for block in blocks:
        yield from map(Pair._make, json.loads(zlib.decompress(block)))
