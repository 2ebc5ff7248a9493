"""Computing tasks: chains of tasks that need each other, as many at a time as there are workers, each result kept at
once.
"""

import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, takewhile
from pathlib import Path

from attrs import Factory, define

from coc_core.errors import CocError, StorageError
from coc_paper.store import Store
from coc_paper.tasks import Task, with_needs
from coc_workers.attribution import attributed
from coc_workers.pool import Lost, Pool

_OTHER_CODE = "the worker has other code, versions or hardware"


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

        What builds on a result follows it at once, so that a computation that is cut off leaves whole results.

        Raises:
            StorageError: A result can't be kept.
            ArtefactError: A result that was kept is damaged.
        """
        self.done = {task.key for task in self.tasks if self.store.find(task) is not None}
        self._before = frozenset(self.done)
        while (missing := self._missing()) and not self.interrupted:
            # The longest first, so that no worker is left with a long one at the end.
            chains = sorted(split(missing), key=lambda tasks: -sum(task.minutes for task in tasks))
            for task, outcome in self._outcomes(chains, pool):
                if outcome is None:
                    self.done.add(task.key)
                else:
                    self.failed[task.key] = outcome

    def _missing(self) -> list[Task]:
        """The tasks that have no result and can have one; those that can't, as what they need failed, are noted."""
        missing = []
        for task in self.tasks:
            if task.key not in self.done and task.key not in self.failed:
                if reason := _blocked(task, self.failed):
                    self.failed[task.key] = reason
                else:
                    missing.append(task)
        return missing

    def _outcomes(self, chains: Sequence[list[Task]], pool: Pool | None) -> Iterator[tuple[Task, str | None]]:
        """Each task with the reason why it failed, None if it did not.

        Of a chain that every worker was lost with, those after the one that they got to are left out: they may do well.
        So are those after one that failed.
        """
        folder = self.store.folder.absolute()
        if pool is None:
            for task in chain.from_iterable(chains):
                if self.interrupted:
                    return
                self.running = task.doing
                yield task, _blocked(task, self.failed) or perform(folder, task)
            return
        self.running = ""
        keyed = [[(task.key, task) for task in tasks] for tasks in chains]
        found = pool.map(partial(perform_chain, folder), keyed, self._stopped.is_set)
        for tasks, outcomes in zip(chains, found, strict=False):
            if isinstance(outcomes, Lost):
                kept = list(takewhile(self.store.has, tasks))
                yield from ((task, None) for task in kept)
                yield from ((task, "every worker that tried it was lost") for task in tasks[len(kept) :][:1])
            else:
                yield from zip(tasks, outcomes, strict=False)


def split(tasks: Iterable[Task]) -> list[list[Task]]:
    """The tasks in chains, none of which needs anything of another; in each, what is needed stays before what needs it.

    Args:
        tasks: Each after those of them that it needs.
    """
    chains: dict[str, list[Task]] = {}
    for task in tasks:
        joined = {id(chains[need.key]): chains[need.key] for need in task.needs.values() if need.key in chains}
        one = [*chain.from_iterable(joined.values()), task]
        chains |= dict.fromkeys((each.key for each in one), one)
    return list({id(one): one for one in chains.values()}.values())


def perform_chain(folder: Path, tasks: Sequence[tuple[str, Task]]) -> list[str | None]:
    """Compute the tasks of a chain up to the first that fails, but for those that a worker before this one has.

    The others are for later: if one of them lost the worker, the reason why the first one failed would be lost with it.

    Args:
        folder: The store's.
        tasks: Each with its key where it was scheduled, which is another one if the code or the versions differ.

    Returns:
        The outcome of each task that was got to: the reason why it failed, None if it did not.
    """
    store, outcomes = Store.open(folder, create=False), list[str | None]()
    for key, task in tasks:
        same = key == task.key
        outcomes.append((None if store.has(task) else perform(folder, task)) if same else _OTHER_CODE)
        if outcomes[-1] is not None:
            break
    return outcomes


def _blocked(task: Task, failed: Mapping[str, str]) -> str:
    """Why a task can't be computed, since something that it needs could not be; empty if it can."""
    blocking = [need.doing or need.function for need in task.needs.values() if need.key in failed]
    return f"{blocking[0]} failed" if blocking else ""


def perform(folder: Path, task: Task) -> str | None:
    """Compute one task in this process, and keep its result; gives the reason if it can't be computed.

    Args:
        folder: A folder that this process and the one that reads the results both reach.
        task: The task.

    Raises:
        StorageError: The result can't be kept, or what the task needs is not there.
    """
    store = Store.open(folder, create=False)
    needs = {}
    for name, need in task.needs.items():
        found = store.find(need, with_files=True)
        if found is None:
            raise StorageError(f"{folder} lacks a result", remedy="choose an --out that all workers reach")
        needs[name] = found
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
