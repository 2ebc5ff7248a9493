"""What a recorded run is read as: its trace, a record for each step, and its plan, one action after the other."""

import os
from abc import abstractmethod
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar, overload

from coc_core.api.plans import plan_file
from coc_core.domain import PlanFormat
from coc_core.execution import Listener, StepRecord
from coc_core.plugin import DEFAULT_FORMAT, open_format
from coc_core.runfile import RunFile
from coc_core.setting import Setting
from coc_core.text import quoted

ItemT = TypeVar("ItemT")

BLOCK = 1 << 12
"""How many steps are unpacked at once."""

_SHOWN = 3  # actions in a repr
_REMEMBERED = 1 << 12  # parsed actions


class Recorded(Sequence[ItemT]):
    """A sequence that is unpacked from a recording as it is read, so that a million items take little memory."""

    def __init__(self, recording: RunFile) -> None:
        self._recording = recording
        self._unpacked: tuple[int, Sequence[ItemT]] = -1, ()

    @overload
    def __getitem__(self, index: int) -> ItemT: ...

    @overload
    def __getitem__(self, index: slice) -> list[ItemT]: ...

    def __getitem__(self, index: int | slice) -> ItemT | list[ItemT]:
        """Return one item, or a list of those in a slice."""
        if isinstance(index, slice):
            return [self[place] for place in range(len(self))[index]]
        block, offset = self._find(range(len(self))[index])
        if self._unpacked[0] != block:
            first = BLOCK * block + 1
            records = self._recording.records(first, min(first + BLOCK - 1, self._recording.steps))
            self._unpacked = block, list(self._items(records))
        return self._unpacked[1][offset]

    def __iter__(self) -> Iterator[ItemT]:
        return self._items(self._recording.records())

    @abstractmethod
    def _items(self, records: Iterable[StepRecord]) -> Iterator[ItemT]:
        """Return the items of consecutive steps."""

    @abstractmethod
    def _find(self, place: int) -> tuple[int, int]:
        """Return the block that has an item, and where in the block the item is."""


class Trace(Recorded[StepRecord]):
    """The steps of a run, from the first to the last: of each the prompt, the target, the actions' texts, the pointer.

    The records have no states and no memory; `Run.view` shows these.
    """

    def __len__(self) -> int:
        return self._recording.steps

    def _items(self, records: Iterable[StepRecord]) -> Iterator[StepRecord]:
        return iter(records)

    def _find(self, place: int) -> tuple[int, int]:
        return divmod(place, BLOCK)

    def __repr__(self) -> str:
        return f"<Trace: {len(self):,} steps>"


class Plan(Recorded[str]):
    """The plan of a run: the text of each action, in order."""

    def __init__(self, recording: RunFile, setting: Setting, problem: Any) -> None:
        super().__init__(recording)
        self.problem = problem
        """The problem that the plan is for, as the domain has it."""

        self._registry = setting.registry
        self._domain = setting.domain

    def __len__(self) -> int:
        outcome = self._recording.outcome
        return outcome.actions if outcome else self._ends[-1]

    def write(self, path: str | os.PathLike[str], form: str | PlanFormat[Any, Any, Any] = DEFAULT_FORMAT) -> None:
        """Write the plan to a file, as `coc run --plan` does.

        Args:
            path: The file; what is there is replaced.
            form: The plan format, such as `json`; `coc plugins` lists them. Or a format for this problem.

        Raises:
            UsageError: There is no such format, it has no plans of this domain, or it is a grammar: `coc.plan` makes
                one, without every step.
            StorageError: The file can't be written.
        """
        if isinstance(form, str):
            form = open_format(self._registry, form, self._domain, self.problem)
        with plan_file(Path(path), form) as listen:
            self.replay(listen)

    def replay(self, listen: Listener) -> None:
        """Call a function with the record of each step, which has the state before it and the actions as values."""
        for record, state, actions in self._walk():
            listen(record._replace(before=state, actions=actions))

    def states(self) -> Iterator[Any]:
        """Yield the state at the beginning, then the one after each action, as the domain has them."""
        state = self._domain.initial(self.problem)
        yield state
        for _, before, actions in self._walk():
            for action in actions:
                before = self._domain.apply(before, action)
                yield before

    def _walk(self) -> Iterator[tuple[StepRecord, Any, tuple[Any, ...]]]:
        """Yield each step with the state before it and its actions."""
        parse = lru_cache(_REMEMBERED)(self._domain.actions.parse)
        state = self._domain.initial(self.problem)
        for record in self._recording.records():
            actions = tuple(map(parse, record.actions))
            yield record, state, actions
            for action in actions:
                state = self._domain.apply(state, action)

    @cached_property
    def _ends(self) -> "array[int]":
        """How many actions come before the end of each block, after a 0."""
        ends, records = array("Q", [0]), self._recording.records()
        while block := list(islice(records, BLOCK)):
            ends.append(ends[-1] + sum(len(record.actions) for record in block))
        return ends

    def _items(self, records: Iterable[StepRecord]) -> Iterator[str]:
        for record in records:
            yield from record.actions

    def _find(self, place: int) -> tuple[int, int]:
        block = bisect_right(self._ends, place) - 1
        return block, place - self._ends[block]

    def __repr__(self) -> str:
        first = ", ".join(quoted(action, 24) for action in islice(self, _SHOWN))
        return f"<Plan: {len(self):,} actions: {first}{', …' if len(self) > _SHOWN else ''}>"
