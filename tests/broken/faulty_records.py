"""Policies that store a record for each lamp: one that keeps every promise, and one that does not."""

from typing import Annotated

from attrs import frozen

from coc_core.domain import At, Record, StoresRecords, stored_forms
from coc_core.text import Codec
from coc_core.types import Step
from tests.broken.faulty_domains import NAME, Look, NamedLamps, Toggle

NONE = 0


def _parse_next(text):
    if text == "[]":
        return NONE
    if text[:1] + text[-1:] != "[]":
        raise ValueError(f"{text!a} is not in brackets")
    return NAME.parse(text[1:-1])


def _parse_lit(text):
    if text not in ("yes", "no"):
        raise ValueError(f"{text!a} is neither yes nor no")
    return text == "yes"


@frozen
class Contents:
    """What the record of a lamp says: whether it is lit, and which comes next."""

    lit: Annotated[bool, Codec(_parse_lit, lambda lit: "yes" if lit else "no")]
    next: Annotated[int, Codec(_parse_next, lambda lamp: f"[{NAME.format(lamp)}]" if lamp else "[]")]


@frozen
class Begin:
    """Light the lamp named, and those after it, of which there are some."""

    at: At


@frozen
class Go:
    """Light the lamp named, and those after it."""

    at: At


class Linked(NamedLamps, StoresRecords):
    """The policy of `NamedLamps`, one record a step."""

    finitely_many_kinds = True
    instructions = stored_forms(NAME, Contents, Begin, Go)

    def records(self, problem):
        last = len(problem.lamps)
        for lamp, lit in enumerate(problem.lamps, 1):
            yield Record(lamp, Contents(lit == "1", lamp + 1 if lamp < last else NONE))

    def start(self, problem):
        first = next(iter(self.records(problem)))
        return (Begin if first.contents.next else Go)(At(first.number, first.contents))

    def expand(self, instruction):
        if isinstance(instruction, Record) or instruction.at.contents is None:
            return Step()
        lamp, contents = instruction.at.number, instruction.at.contents
        action = (Look if contents.lit else Toggle)(lamp)
        return Step((action,), then=(Go(At(contents.next)),) if self.goes_on(instruction) else ())

    def goes_on(self, instruction):
        return instruction.at.contents.next != NONE


class TakesForGranted(Linked):
    """In a run, the first of several lamps has one after it."""

    def goes_on(self, instruction):
        going = super().goes_on(instruction)
        if isinstance(instruction, Begin) and not going:
            raise KeyError(instruction)
        return going
