"""Records: what a policy stores beside the instructions that wait, and reads one at a time.

A policy whose instructions hold everything that is still to be done has prompts that grow with the problem. One that
stores records has an instruction that names a record, or none, and a prompt shows the two together:

    B7: on=B3 under=-                      a record, which has a name
    CALL lift block=B2 AT B7               an instruction that names it
    CALL lift block=B2 AT B7: on=B3 under=-    the same as the model reads it

These rules are about texts, so that a memory needs to know nothing of a domain.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic

from coc_core.domain.base import InstructionT, ProblemT

_RECORD = re.compile(r"([^ :]+): (.*)")
_NEW = re.compile(r"([A-Za-z]+)\+1")
_NAMES_RECORD = re.compile(r"(.* AT [^ :]+)(: .*)?")


class StoresRecords(ABC, Generic[ProblemT, InstructionT]):
    """A domain whose policy stores records. Domains inherit from it beside `Domain`.

    Records are instructions that are never run: `then` of a step may have some, before the instructions. `start` and
    `expand` deal with instructions as a prompt shows them, together with the record that they name. A record that is
    written may have some of its fields; the memory has the others. One that is new has a name such as `B+1`, in place
    of which the memory puts the next number. Of the `interchangeable_names` none are compared, but for `comparisons`: a
    step is the same whether two of them in a prompt are the same or not.

    Attributes:
        finitely_many_kinds: Whether, up to these names, problems of all sizes have finitely many instructions and
            records: no field holds a list or a number. Then all prompts can be listed without a run, and `expand` deals
            with each instruction and each record together, also where no run has them together.
        edition: Which texts its instructions and records have, if it had others before, which checkpoints and datasets
            still know. Dialects from the second on say it.
    """

    finitely_many_kinds: ClassVar[bool] = False
    edition: ClassVar[int] = 1

    @abstractmethod
    def records(self, problem: ProblemT) -> Iterable[InstructionT]:
        """Return the records that a run of the problem begins with."""

    def kinds(self) -> Iterable[Any] | None:
        """Return what runs begin with, one of each kind, whatever its names: records and first instructions; or None.

        All prompts follow from these, and a run that begins with another is refused. For a program they are records and
        calls, and None stands for all that the types allow (`coc_programs.every`).
        """
        return None

    def comparisons(self, instruction: InstructionT) -> Sequence[tuple[int, int]]:
        """Return the numbers of each two names that the step for an instruction finds to be different, by default none.

        Where names are numbered by place, those that are compared and are the same have the same number.
        """
        return ()


def split_record(text: str) -> tuple[str, str] | None:
    """Return the name and the contents of a record; None for the text of an instruction."""
    found = _RECORD.fullmatch(text)
    return (found[1], found[2]) if found else None


def without_record(text: str) -> str:
    """Return the text of an instruction without the contents of the record that it names."""
    found = _NAMES_RECORD.fullmatch(text)
    return found[1] if found else text


def record_named(text: str) -> str | None:
    """Return the name of the record that an instruction names, without its contents; None if it names none."""
    _, names, name = text.rpartition(" AT ")
    return name if names else None


def with_changed(contents: str, fields: str) -> str:
    """Return the contents of a record with some of its fields changed: `a=C1 b=-` and `b=C2` give `a=C1 b=C2`."""
    text = f" {contents} "
    for field in fields.split(" "):
        begin = text.find(f" {field.partition('=')[0]}=") + 1 or len(text)
        text = f"{text[:begin]}{field}{text[text.find(' ', begin) :]}"
    return text[1:-1]


def number_new(text: str, number: int) -> str:
    """Return the text with a number in the name of the record that is new: `B+1` and 7 give `B7`."""
    return _NEW.sub(rf"\g<1>{number}", text)
