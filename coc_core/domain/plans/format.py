"""The interface of a plan format: how the plans for one problem are written and read."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from coc_core.domain.base import Domain
from coc_core.errors import ActionFault

ProblemT = TypeVar("ProblemT")
ActionT = TypeVar("ActionT")
StateT = TypeVar("StateT")

LONGEST = 1 << 16
"""The largest length of a line, in characters."""

REMEMBERED = 1 << 12
"""How many actions a format remembers with their texts, since plans repeat a few again and again."""


class PlanFormat(ABC, Generic[ProblemT, ActionT, StateT]):
    """Writes and reads the plans for one problem, entry by entry, so that no plan has to be in memory.

    An entry is usually an action. Its text may depend on the state that the action is taken in. A file is `opening`,
    the entries with `separator` between them, and `closing`. Formats of one entry a line are a `LineFormat`.
    """

    opening = ""
    separator = ""
    closing = ""

    def __init__(self, domain: Domain[ProblemT, object, ActionT, StateT], problem: ProblemT) -> None:
        self.domain = domain
        self.problem = problem

    def files(self) -> Mapping[str, str]:
        """The texts of further files that say what the problem is, by name, for programs that check such plans."""
        return {}

    @abstractmethod
    def write(self, state: StateT, action: ActionT) -> str:
        """The text of a legal action; empty to leave it out."""

    @abstractmethod
    def begins(self, line: str) -> bool:
        """Whether `line` can be the first line of such a plan; it is not blank, and no comment."""

    @abstractmethod
    def entries(self, lines: Iterable[str]) -> Iterator[str]:
        """The entries of a file, of which each is read when it is needed.

        Args:
            lines: The lines of the file with their ends. One of more than `LONGEST` characters comes in parts.

        Raises:
            ValueError: The file is not of this format, with one line that says why.
            ArtefactError: It is, but for another domain or problem.
        """

    @abstractmethod
    def read(self, state: StateT, entry: str) -> Sequence[ActionT]:
        """The actions that an entry stands for in a state; one, unless the format leaves some out.

        Raises:
            ValueError: There is no such action.
            ActionFault: There is one, but it can't be taken in this state.
        """


class LineFormat(PlanFormat[ProblemT, ActionT, StateT]):
    """A format of one entry a line. Blank lines and comments, which begin with a semicolon, are skipped."""

    def write(self, state: StateT, action: ActionT) -> str:
        line = self._line(state, action)
        return line and f"{line}\n"

    @abstractmethod
    def _line(self, state: StateT, action: ActionT) -> str:
        """The line of a legal action, without its end; empty to leave it out."""

    def begins(self, line: str) -> bool:
        return is_readable(self, line.strip())

    def entries(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            if len(line) == LONGEST and line[-1] != "\n":
                raise ValueError(f"a line has more than {LONGEST:,} characters")
            if has_entry(line):
                yield line.strip()


def has_entry(line: str) -> bool:
    """Whether a line is neither blank nor a comment."""
    return not line.isspace() and not line.startswith(";")


def is_readable(form: PlanFormat[ProblemT, ActionT, StateT], entry: str) -> bool:
    """Whether there is such an action, legal or not."""
    try:
        form.read(form.domain.initial(form.problem), entry)
    except ActionFault:
        return True
    except ValueError:
        return False
    return True
