"""Computing tasks: those that others need first, as many at a time as there are workers, each result kept at once."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from attrs import Factory, define

from coc_core.engines import Lost, Pool
from coc_core.errors import CocError, StorageError
from coc_paper.store import Store
from coc_paper.tasks import Task, with_needs


@define
class Schedule:
    """The tasks of a reproduction. `compute` computes those that have no result yet; others may look on.

    Attributes:
        store: Where results are kept.
        tasks: All tasks, each after those that it needs.
        failed: Why a task could not be computed, by its key.
        done: The keys of those that there are results for, as far as this is known.
        running: What is being done at the moment.
    """

    store: Store
    tasks: Sequence[Task]
    failed: dict[str, str] = Factory(dict)
    done: set[str] = Factory(set)
    running: str = ""
    _stopped: threading.Event = Factory(threading.Event)
    _started: float = Factory(time.monotonic)
    _before: frozenset[str] = frozenset()

    @classmethod
    def of(cls, store: Store, tasks: Iterable[Task]) -> "Schedule":
        """The schedule of these tasks and of all that they need, each once."""
        return cls(store, sorted(with_needs(tasks).values(), key=lambda task: task.depth))

    def interrupt(self) -> None:
        """Stop soon; what was computed stays."""
        self._stopped.set()

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped."""
        return self._stopped.is_set()

    def minutes_left(self) -> float | None:
        """About how many minutes are left; None before anything was computed."""
        minutes = {task.key: task.minutes for task in self.tasks}
        computed = sum(minutes[key] for key in self.done - self._before)
        missing = sum(minutes[key] for key in minutes.keys() - self.done - self.failed.keys())
        return missing * (time.monotonic() - self._started) / 60 / computed if computed else None

    def count_done(self) -> int:
        """How many tasks have results, those included that a worker has just kept."""
        self.done |= {task.key for task in self.tasks if task.key not in self.done and self.store.has(task)}
        return len(self.done)

    def compute(self, pool: Pool | None) -> None:
        """Compute what is missing, here or by the workers of a pool.

        Raises:
            StorageError: A result can't be kept.
            ArtefactError: A result that was kept is damaged.
        """
        self.done = {task.key for task in self.tasks if self.store.find(task) is not None}
        self._before = frozenset(self.done)
        for _, level in groupby(self.tasks, key=lambda task: task.depth):
            missing = [task for task in level if task.key not in self.done and not self._blocked(task)]
            # The longest first, so that no worker is left with a long one at the end.
            for task, outcome in self._outcomes(sorted(missing, key=lambda task: -task.minutes), pool):
                if outcome is None:
                    self.done.add(task.key)
                else:
                    self.failed[task.key] = outcome

    def _outcomes(self, tasks: Sequence[Task], pool: Pool | None) -> Iterator[tuple[Task, str | None]]:
        """Each task with the reason why it failed, None if it did not."""
        call: Callable[[Task], str | None] = partial(perform, self.store.folder.absolute())
        if pool is None:
            for task in tasks:
                if self.interrupted:
                    return
                self.running = task.doing
                yield task, call(task)
            return
        self.running = ""
        for task, outcome in zip(tasks, pool.map(call, tasks, self._stopped.is_set), strict=False):
            yield task, "every worker that tried it was lost" if isinstance(outcome, Lost) else outcome

    def _blocked(self, task: Task) -> bool:
        """Whether something that a task needs could not be computed; it then can't be either."""
        for need in task.needs.values():
            if need.key in self.failed:
                self.failed[task.key] = f"{need.doing or need.function} failed"
                return True
        return False


def perform(folder: Path, task: Task) -> str | None:
    """Compute one task in this process, and keep its result; gives the reason if it can't be computed.

    The folder has to be one that this process and the one that reads the results both reach.

    Raises:
        StorageError: The result can't be kept, or what the task needs is not there.
    """
    store = Store.open(folder, create=False)
    needs = {}
    for name, need in task.needs.items():
        found = store.find(need)
        if found is None:
            raise StorageError(f"{folder} lacks a result", remedy="choose an --out that all workers reach")
        needs[name] = found
    started = time.monotonic()
    try:
        result = task.call(store.make_files(task), needs)
    except StorageError:
        raise
    except CocError as error:
        return str(error)
    store.keep(task, result, time.monotonic() - started)
    return None
