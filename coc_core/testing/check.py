"""What a check is, and how it fails."""

import inspect
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from attrs import frozen

SubjectT = TypeVar("SubjectT")


class Nonconforming(AssertionError):
    """A part breaks a promise of its interface. The message says what was found; `example` is what it was found with.

    Checks try small examples before large ones, so the example is the smallest of those that were tried.
    """

    def __init__(self, complaint: str, example: str = "") -> None:
        super().__init__(complaint, example)
        self.complaint = complaint
        self.example = example

    def __str__(self) -> str:
        return f"{self.complaint}\n  with {self.example}" if self.example else self.complaint


@frozen
class Check:
    """A promise of the part `part` of a kind such as `domain`; `run` raises Nonconforming if it is broken.

    `promise` says in one line what is expected, `hint` where to look if it is broken.
    """

    kind: str
    part: str
    name: str
    promise: str
    hint: str
    run: Callable[[], None]

    @property
    def command(self) -> str:
        """What runs this check alone."""
        return f"coc check {shlex.quote(self.part)} --kind {self.kind} --only {self.name}"

    def __str__(self) -> str:
        return f"{self.kind}-{self.part}-{self.name}"


def bound(kind: str, part: str, check: Callable[[SubjectT], None], subject: SubjectT) -> Check:
    """The check of one subject that the function `check` makes.

    Its docstring's first paragraph is the promise, the rest the hint. Any other exception that comes out of it is a
    broken promise too: a part raises nothing but what its interface names.
    """
    promise, _, hint = map(_on_one_line, inspect.cleandoc(str(check.__doc__)).partition("\n\n"))
    return Check(kind, part, check.__name__, promise, hint, partial(_run, part, check, subject))


def require(condition: bool, complaint: str, example: str = "") -> None:
    """Raises Nonconforming with `complaint` unless `condition` holds."""
    if not condition:
        raise Nonconforming(complaint, example)


@contextmanager
def trying(example: str) -> Iterator[None]:
    """Whatever the block raises, but for a Nonconforming, is a broken promise with this example."""
    try:
        yield
    except Nonconforming:
        raise
    except (Exception, SystemExit) as error:
        raise Nonconforming(f"it raised {type(error).__name__}: {error}", example) from error


def _run(part: str, check: Callable[[SubjectT], None], subject: SubjectT) -> None:
    try:
        check(subject)
    except Nonconforming:
        raise
    except (Exception, SystemExit) as error:
        raise Nonconforming(f"{part} raised {type(error).__name__}: {error}") from error


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
