"""Computing tasks: one after the other, or as many at a time as there are workers. Each result is kept at once."""

import threading
import time
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from attrs import Factory, define

from coc_core.errors import CocError, StorageError
from coc_paper.store import Store
from coc_paper.tasks import Task, with_needs
from coc_paper.work import Done
from coc_workers.attribution import attributed
from coc_workers.pool import Lost, Pool


@define
class Schedule:
    """The tasks of a reproduction. `compute` computes those that have no result yet; others may look on.

    Attributes:
        store: Where results are kept.
        tasks: All tasks, each after those that it needs.
        failed: Why a task could not be computed, by its key.
        running: What is being done at the moment.
    """

    store: Store
    tasks: Sequence[Task]
    failed: dict[str, str] = Factory(dict)
    running: str = ""
    _stopped: threading.Event = Factory(threading.Event)

    @classmethod
    def of(cls, store: Store, tasks: Iterable[Task]) -> "Schedule":
        """Return the schedule of these tasks and of all that they need, each once."""
        return cls(store, [*with_needs(tasks).values()])

    def interrupt(self) -> None:
        """Stop soon; what was computed stays."""
        self._stopped.set()

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped."""
        return self._stopped.is_set()

    def count_done(self) -> int:
        """Return how many tasks have results, those included that a worker has just kept."""
        return sum(map(self.store.has, self.tasks))

    def compute(self, pool: Pool | None) -> None:
        """Compute what is missing: here, or, level by level of what needs what, by the workers of a pool.

        Raises:
            StorageError: A result can't be kept.
            ArtefactError: A result that was kept is damaged.
        """
        missing = [task for task in self.tasks if self.store.find(task) is None]
        levels = [[task] for task in missing] if pool is None else _levels(missing)
        function = partial(perform, self.store.folder.absolute())
        for tasks in levels:
            self.failed |= {task.key: reason for task in tasks if (reason := self._blocked(task))}
            ready = [task for task in tasks if task.key not in self.failed]
            if self.interrupted:
                return
            self.running = ready[0].doing if len(ready) == 1 else ""
            found = map(function, ready) if pool is None else pool.map(function, ready, self._stopped.is_set)
            for task, failure in zip(ready, found, strict=False):
                if isinstance(failure, Lost):
                    self.failed[task.key] = "every worker that tried it was lost"
                elif failure or not self.store.has(task):
                    self.failed[task.key] = failure or "the worker has other code or versions"

    def _blocked(self, task: Task) -> str:
        """Return why a task can't be computed, since something that it needs could not be; empty if it can."""
        blocking = [need.doing or need.function for need in task.needs.values() if need.key in self.failed]
        return f"{blocking[0]} failed" if blocking else ""


def _levels(tasks: Sequence[Task]) -> list[list[Task]]:
    """Return the tasks in groups, none of which needs another one of its group or a later one.

    Args:
        tasks: Each after those of them that it needs.
    """
    levels: dict[str, int] = {}
    for task in tasks:
        levels[task.key] = 1 + max((levels.get(need.key, 0) for need in task.needs.values()), default=0)
    return [[task for task in tasks if levels[task.key] == level] for level in sorted({*levels.values()})]


def perform(folder: Path, task: Task) -> str | None:
    """Compute one task in this process, and keep its result; return the reason if it can't be computed.

    Args:
        folder: The store's, which this process and the one that reads the results both reach.
        task: The task.

    Raises:
        StorageError: The result can't be kept, or what the task needs is not there.
        ArtefactError: A file that the task needs was changed.
    """
    store = Store.open(folder, create=False)
    needs = {name: _needed(store, need) for name, need in task.needs.items()}
    started = time.monotonic()
    try:
        with attributed():
            result = task.run(store.make_files(task), needs)
        store.keep(task, result, time.monotonic() - started)
    except StorageError:
        raise
    except CocError as error:
        return str(error)
    return None


def _needed(store: Store, task: Task) -> Done:
    found = store.find(task, with_files=True)
    if found is None:
        raise StorageError(f"{store.folder} lacks a result", remedy="choose an --out that all workers reach")
    return found
