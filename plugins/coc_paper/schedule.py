"""Computing tasks: one after the other, or as many at a time as there are workers. Each result is kept at once."""

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from attrs import Factory, define

from coc_core.errors import CocError, StorageError
from coc_core.storage import refusing
from coc_paper.store import Store
from coc_paper.tasks import Task
from coc_workers.attribution import attributed
from coc_workers.pool import Lost, Pool

_APART = "its worker has another folder, other code or other versions"


@define
class Schedule:
    """The tasks of a reproduction. `compute` computes those that have no result yet; others may look on.

    Attributes:
        store: Where results are kept.
        tasks: All tasks, each after those that it needs.
        failed: Why a task could not be computed, by its key.
        running: What is being done at the moment.
        interrupted: Whether to stop soon; what was computed stays.
    """

    store: Store
    tasks: Sequence[Task]
    failed: dict[str, str] = Factory(dict)
    running: str = ""
    interrupted: bool = False

    def interrupt(self) -> None:
        """Stop soon."""
        self.interrupted = True

    def count_done(self) -> int:
        """Return how many tasks have results, those included that a worker has just kept."""
        return sum(map(self.store.has, self.tasks))

    def compute(self, pool: Pool | None) -> None:
        """Compute what is missing: the next task here, or by a pool all that need nothing else, until none is left.

        Raises:
            StorageError: A result can't be kept.
            ArtefactError: A result that a task needs is damaged.
        """
        function = partial(perform, self.store.folder.absolute())
        waiting = {task.key: task for task in self.tasks if not self.store.has(task)}
        while waiting and not self.interrupted:
            free = [task for task in waiting.values() if not any(need.key in waiting for need in task.needs.values())]
            batch = []
            for task in free if pool else free[:1]:
                del waiting[task.key]
                if failed := [need for need in task.needs.values() if need.key in self.failed]:
                    self.failed[task.key] = f"{failed[0].doing} failed"
                else:
                    batch.append(task)
            self.running = batch[0].doing if len(batch) == 1 else ""
            found = pool.map(function, batch, lambda: self.interrupted) if pool else map(function, batch)
            for task, failure in zip(batch, found, strict=False):
                if isinstance(failure, Lost):
                    self.failed[task.key] = "every worker that tried it was lost"
                elif failure or not self.store.has(task):
                    self.failed[task.key] = failure or _APART


def perform(folder: Path, task: Task) -> str | None:
    """Compute one task in this process, and keep its result; return the reason if it can't be computed.

    Args:
        folder: The store's, which this process and the one that reads the results both reach.
        task: The task.

    Raises:
        StorageError: The result can't be kept.
        ArtefactError: A result that the task needs was changed.
    """
    store = Store.open(folder, create=False)
    if not all(map(store.has, task.needs.values())):
        return _APART
    needs = {name: done for name, need in task.needs.items() if (done := store.find(need, with_files=True))}
    files, started = store.files(task), time.monotonic()
    try:
        with refusing(files, "folder"):
            files.mkdir(parents=True, exist_ok=True)
        with attributed():
            store.keep(task, task.run(files, needs), time.monotonic() - started)
    except StorageError:
        raise
    except CocError as error:
        return str(error)
    return None
