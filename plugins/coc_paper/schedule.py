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
from coc_workers.pool import Lost, Pool, attributed

_APART = "its worker has another folder, other code or other versions"


@define
class Schedule:
    """The tasks of a reproduction, each after those that it needs. Others may look on while they are computed.

    `failed` says why a task could not be computed, by its key, and `running` what is being done.
    """

    store: Store
    tasks: Sequence[Task]
    failed: dict[str, str] = Factory(dict)
    running: str = ""
    interrupted: bool = False

    def interrupt(self) -> None:
        """Stop soon; what was computed stays."""
        self.interrupted = True

    def compute(self, pool: Pool | None) -> None:
        """Compute what has no result: one task after the other or, by a pool, at a time all that need nothing else."""
        function = partial(perform, self.store.folder.absolute())
        waiting = {task.key: task for task in self.tasks if not self.store.has(task)}
        while waiting and not self.interrupted:
            free = [task for task in waiting.values() if not any(need.key in waiting for need in task.needs.values())]
            batch = []
            for task in free if pool else free[:1]:
                del waiting[task.key]
                if failed := [name for name, need in task.needs.items() if need.key in self.failed]:
                    self.failed[task.key] = f"what it needs failed: {failed[0]}"
                else:
                    batch.append(task)
            self.running = str(batch[0]) if len(batch) == 1 else ""
            found = pool.map(function, batch, lambda: self.interrupted) if pool else map(function, batch)
            for task, failure in zip(batch, found, strict=False):
                if isinstance(failure, Lost):
                    self.failed[task.key] = "every worker that tried it was lost"
                elif failure or not self.store.has(task):
                    self.failed[task.key] = failure or _APART


def perform(folder: Path, task: Task) -> str | None:
    """Compute one task in this process, and keep its result in a store; return the reason if it can't be computed.

    StorageError if the result can't be kept, ArtefactError if one that the task needs was changed.
    """
    store, started = Store.open(folder, create=False), time.monotonic()
    if not all(map(store.has, task.needs.values())):
        return _APART
    needs = {name: found for name, need in task.needs.items() if (found := store.find(need, with_files=True))}
    try:
        with refusing(store.files(task), "folder"):
            store.files(task).mkdir(exist_ok=True)
        with attributed():
            store.keep(task, task.run(store.files(task), needs), time.monotonic() - started)
    except StorageError:
        raise
    except CocError as error:
        return str(error)
    return None
