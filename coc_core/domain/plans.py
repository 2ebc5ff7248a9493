"""Plan formats: how the plans for one problem are written and read, bit by bit."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic

from coc_core.domain.base import ActionT, Domain, ProblemT, StateT
from coc_core.errors import ActionFault, ArtefactError
from coc_core.storage import unique_keys
from coc_core.text import quoted

LONGEST = 1 << 16
"""The largest length of a line, in characters."""

LONGEST_PLAN = 1 << 28
"""The largest length of a plan in JSON that is read, in characters."""

_REMEMBERED = 1 << 12  # actions with their texts, since plans repeat a few again and again
_ACTIONS = "actions"


class PlanFormat(ABC, Generic[ProblemT, ActionT, StateT]):
    """Writes and reads the plans for one problem, entry by entry, so that no plan has to be in memory.

    An entry is usually an action. Its text may depend on the state that the action is taken in. A file is `opening`,
    the entries with `separator` between them, and `closing`. Formats of one entry a line are a `LineFormat`.
    """

    opening = ""
    separator = ""
    closing = ""

    def __init__(self, domain: Domain[ProblemT, object, ActionT, StateT], problem: ProblemT) -> None:
        self.domain, self.problem = domain, problem
        self._format = lru_cache(_REMEMBERED)(domain.actions.format)
        self._parse = lru_cache(_REMEMBERED)(domain.actions.parse)

    def files(self) -> Mapping[str, str]:
        """Return further files that state the problem, texts by name, for programs that check such plans."""
        return {}

    @abstractmethod
    def write(self, state: StateT, action: ActionT) -> str:
        """Return the text of a legal action; empty to leave it out."""

    @abstractmethod
    def begins(self, line: str) -> bool:
        """Return whether `line` can be the first line of such a plan; it is not blank, and no comment."""

    @abstractmethod
    def entries(self, lines: Iterable[str]) -> Iterator[str]:
        """Return the entries of a file, of which each is read when it is needed.

        Args:
            lines: The lines of the file with their ends. One of more than `LONGEST` characters comes in parts.

        Raises:
            ValueError: The file is not of this format, with one line that says why.
            ArtefactError: It is, but for another domain or problem.
        """

    def read(self, state: StateT, entry: str) -> Sequence[ActionT]:
        """Return the actions that an entry stands for in a state, by default the one whose text it is.

        Raises:
            ValueError: There is no such action.
            ActionFault: There is one, but it can't be taken in this state.
        """
        return (self._parse(entry),)


class LineFormat(PlanFormat[ProblemT, ActionT, StateT]):
    """A format of one entry a line. Blank lines and comments, which begin with a semicolon, are skipped."""

    def write(self, state: StateT, action: ActionT) -> str:
        line = self._line(state, action)
        return line and f"{line}\n"

    @abstractmethod
    def _line(self, state: StateT, action: ActionT) -> str:
        """Return the line of a legal action, without its end; empty to leave it out."""

    def begins(self, line: str) -> bool:
        return is_readable(self, line.strip())

    def entries(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            if len(line) == LONGEST and line[-1] != "\n":
                raise ValueError(f"a line has more than {LONGEST:,} characters")
            if has_entry(line):
                yield line.strip()


def has_entry(line: str) -> bool:
    """Return whether a line is neither blank nor a comment."""
    return not line.isspace() and not line.startswith(";")


def is_readable(form: PlanFormat[ProblemT, ActionT, StateT], entry: str) -> bool:
    """Return whether there is such an action, legal or not."""
    try:
        form.read(form.domain.initial(form.problem), entry)
    except ActionFault:
        return True
    except ValueError:
        return False
    return True


class TextPlan(LineFormat[Any, Any, Any]):
    """The texts of the actions, as the model writes them."""

    def _line(self, state: Any, action: Any) -> str:
        return self._format(action)


class JsonPlan(PlanFormat[Any, Any, Any]):
    """An object with the texts `domain` and `problem` and the list `actions`, or that list, in any layout."""

    separator = ","
    closing = "\n]}\n"

    def __init__(self, domain: Domain[Any, Any, Any, Any], problem: Any) -> None:
        super().__init__(domain, problem)
        self._names = {"domain": domain.name, "problem": domain.problems.format(problem)}
        heading = ", ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in self._names.items())
        self.opening = f'{{{heading}, "{_ACTIONS}": ['

    def write(self, state: Any, action: Any) -> str:
        return "\n" + json.dumps(self._format(action))

    def begins(self, line: str) -> bool:
        return line.lstrip().startswith(("{", "["))

    def entries(self, lines: Iterable[str]) -> Iterator[str]:
        parts, room = list[str](), LONGEST_PLAN
        for line in lines:
            parts.append(line)
            room -= len(line)
            if room < 0:
                raise ValueError(f"it has more than {LONGEST_PLAN:,} characters; write it as text")
        try:
            found = json.loads("".join(parts), object_pairs_hook=unique_keys)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        if isinstance(found, dict):
            for name in found:
                if name not in (_ACTIONS, *self._names):
                    raise ValueError(f"its key {quoted(name, 40)} is unknown")
            for name, value in self._names.items():
                if found.get(name, value) != value:
                    raise ArtefactError(f"the plan is for the {name} {quoted(str(found[name]))}, not {quoted(value)}")
            found = found.get(_ACTIONS)
        if not isinstance(found, list):
            raise ValueError(f'it is neither a list nor an object with the list "{_ACTIONS}"')
        for number, entry in enumerate(found, 1):
            if not isinstance(entry, str):
                raise ValueError(f"action {number:,} is not a text")
            yield entry


class PlanWriter:
    """Writes a plan in a format, a few actions at a time; `close` writes what comes after the last one."""

    def __init__(self, form: PlanFormat[Any, Any, Any], write: Callable[[bytes], object]) -> None:
        self._form, self._write, self._separator = form, write, ""
        write(_bytes(form.opening))

    def add(self, state: Any, actions: Sequence[Any]) -> None:
        """Write legal actions that are taken one after the other, the first of them in `state`."""
        for index, action in enumerate(actions):
            if index:
                state = self._form.domain.apply(state, actions[index - 1])
            text = self._form.write(state, action)
            if text:
                self._write(_bytes(self._separator + text))
                self._separator = self._form.separator

    def close(self) -> None:
        """Write the end of the plan."""
        self._write(_bytes(self._form.closing))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
