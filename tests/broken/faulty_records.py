"""Policies that store a record for each lamp: one that keeps every promise, and one that does not."""

from typing import Annotated

from attrs import frozen

from coc_core.domain import StoresRecords
from coc_core.text import Codec, Form, Forms
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
class Record:
    """The record of a lamp: whether it is lit, and which comes next; or the name alone, if it has not been read."""

    lamp: Annotated[int, NAME]
    lit: Annotated[bool | None, Codec(_parse_lit, lambda lit: "yes" if lit else "no")] = None
    next: Annotated[int, Codec(_parse_next, lambda lamp: f"[{NAME.format(lamp)}]" if lamp else "[]")] = NONE


RECORDS = Forms(Form.of(Record, "{lamp}: lit={lit} next={next}"))
NAMED = Codec(
    lambda text: RECORDS.parse(text) if ":" in text else Record(NAME.parse(text)),
    lambda record: NAME.format(record.lamp) if record.lit is None else RECORDS.format(record),
)


@frozen
class Begin:
    """Light the lamp named, and those after it, of which there are some."""

    at: Annotated[Record, NAMED]


@frozen
class Go:
    """Light the lamp named, and those after it."""

    at: Annotated[Record, NAMED]


class Linked(NamedLamps, StoresRecords):
    """The policy of `NamedLamps`, one record a step."""

    finitely_many_kinds = True
    instructions = Forms(Form.of(Begin, "CALL begin AT {at}"), Form.of(Go, "CALL go AT {at}"), *RECORDS)

    def kinds(self):
        lamps = [Record(1, lit, follower) for lit in (False, True) for follower in (NONE, 2)]
        return [Begin(Record(1)), Go(Record(1)), *lamps]

    def records(self, problem):
        last = len(problem.lamps)
        for lamp, lit in enumerate(problem.lamps, 1):
            yield Record(lamp, lit == "1", lamp + 1 if lamp < last else NONE)

    def start(self, problem):
        first = next(iter(self.records(problem)))
        return (Begin if first.next else Go)(first)

    def expand(self, instruction):
        if isinstance(instruction, Record) or instruction.at.lit is None:
            return Step()
        action = (Look if instruction.at.lit else Toggle)(instruction.at.lamp)
        return Step((action,), then=(Go(Record(instruction.at.next)),) if self.goes_on(instruction) else ())

    def goes_on(self, instruction):
        return instruction.at.next != NONE


class TakesForGranted(Linked):
    """In a run, the first of several lamps has one after it."""

    def goes_on(self, instruction):
        going = super().goes_on(instruction)
        if isinstance(instruction, Begin) and not going:
            raise KeyError(instruction)
        return going
