"""Check a certificate of a program: python check_program_certificate.py CERTIFICATE CHECKPOINT

It lies beside `check_certificate.py`, whose forward pass it uses, and shares no code with coc either. It knows no
puzzle: the program is in the certificate, and so are the kinds of records and instructions that runs begin with, unless
they are all that the types allow. It lists all prompts that a run from there can have, takes each step of the program,
and checks that the model answers with that step.
"""

import re
import sys
from collections.abc import Iterator
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent))

from certificate.expressions import Fault, Kinds, Reference, text, value_of
from certificate.program import Place, Program, Step
from certificate.rounding import ASSUMPTIONS
from certificate.strict import fields, require
from check_certificate import TEXTS, by_prompt, main

MOST_WINDOWS = 100_000
DOCUMENT: dict[str, Any] = dict.fromkeys(TEXTS, str)
DOCUMENT |= {"version": int, "assumptions": dict, "classes": dict, "first": (list, type(None))}
DOCUMENT |= {"procedures": list, "rules": list}

Contents = list[Any]
"""The values of a record's fields, in the order of its class."""


def numbered(values: list[Any]) -> list[Any]:
    """Return the values, with names numbered in order, each anew."""
    count, found = 0, []
    for value in values:
        count += isinstance(value, Reference)
        found.append(Reference(value.letters, count) if isinstance(value, Reference) else value)
    return found


def renamed(values: list[Any], old: int, new: int) -> list[Any]:
    """Return the values with another number for a name."""
    return [
        Reference(each.letters, new) if isinstance(each, Reference) and each.number == old else each for each in values
    ]


def rows_of(kinds: dict[str, Kinds]) -> Iterator[list[Any]]:
    """Yield all values that some variables or fields may have together, with one name for all of the same letters."""
    many = prod(len(kind.words) + len(kind.letters) + len(kind.numbers) for kind in kinds.values())
    require(many <= MOST_WINDOWS, "its types allow more kinds than this checker lists")
    texts = ([*sorted(kind.words), *(f"{letters}1" for letters in sorted(kind.letters))] for kind in kinds.values())
    columns = ([*map(value_of, some), *kind.numbers] for some, kind in zip(texts, kinds.values(), strict=True))
    yield from map(numbered, map(list, product(*columns)))


class Closure:
    """All prompts that runs can have which begin with some kinds of records and instructions.

    A prompt shows an instruction, and a record or a result. So they are found by combining all instructions, records
    and results that steps write, up to names. Two names that a step compares may be the same one or not.
    If it is not stated with which, they are all that the types of the program allow.
    """

    def __init__(self, program: Program, first: Any) -> None:
        self.program, self.steps, self.faults, self.entered = program, dict[str, str](), set[str](), set[str]()
        self.records: dict[str, dict[str, Contents]] = {letters: {} for letters in program.classes}
        self.changes: dict[str, dict[str, dict[str, Any]]] = {letters: {} for letters in program.classes}
        self.instructions, self.results = dict[str, tuple[Place, list[Any]]](), dict[str, list[Any]]()
        if first is None:
            for letters, kinds in program.classes.items():
                for row in rows_of(kinds):
                    self.add(letters, row)
            for row in rows_of(program.main.arguments):
                self.begin(row)
        else:
            self.state(first)
        self.first = len(self.instructions) + sum(map(len, self.records.values()))
        done, found = set[str](), True
        while found:
            found = False
            for place, values in self.windows():
                window = program.text(place, values)
                if window not in done:
                    done.add(window)
                    found = True
                    require(len(done) <= MOST_WINDOWS, "it has more prompts than this checker lists")
                    self.combine(place, values)
        idle = [name for name in program.procedures if name not in self.entered]
        require(not idle, f"no run that begins with these kinds calls {idle[:3]}")

    def add(self, letters: str, values: list[Any]) -> None:
        """Add a record, unless there is one like it."""
        found = numbered(values)
        self.records[letters].setdefault(" ".join(map(text, found)), found)

    def begin(self, values: list[Any]) -> None:
        """Add the instructions that a call of the main procedure may begin with."""
        queue = [values]
        for given in queue:
            compared = list[tuple[int, int]]()
            place, shown = self.program.start(given, compared)
            self.instructions.setdefault(self.program.text(place, numbered(shown)), (place, numbered(shown)))
            others = [renamed(given, max(pair), min(pair)) for pair in compared]
            queue += [other for other in others if [*map(text, other)] not in [[*map(text, each)] for each in queue]]

    def state(self, first: Any) -> None:
        """Add kinds by their texts; refuses what is none."""
        known = type(first) is list and all(type(line) is str for line in first) and len({*first}) == len(first)
        require(known, "the kinds that runs begin with are no texts, or stand there twice")
        for line in first:
            name, colon, fields = line.partition(": ")
            if colon:
                pairs = [each.partition("=") for each in fields.split(" ")]
                record, *values = numbered([value_of(name), *(value_of(value) for *_, value in pairs)])
                kinds = self.program.classes.get(getattr(record, "letters", ""), {})
                fits = [name for name, *_ in pairs] == [*kinds] and all(map(Kinds.accepts, kinds.values(), values))
                again = " ".join(map("{}={}".format, kinds, map(text, values)))
                require(fits and f"{text(record)}: {again}" == line, f"{line!r:.60} is no record")
                self.add(record.letters, values)
            else:
                place, values = self.instruction(line)
                require(place.procedure is self.program.main, f"{line!r:.60} begins no run")
                self.instructions[line] = place, values

    def instruction(self, line: str) -> tuple[Place, list[Any]]:
        """Return the instruction of a text."""
        call, name, *parts = [*line.split(" "), ""][:-1] if line.count(" ") else ["", ""]
        require(call == "CALL" and name in self.program.places, f"{line!r:.60} is no instruction")
        written = [each.partition("=")[2] or each for each in parts if each not in ("AT", "GOT", "?")]
        place, values = self.program.places[name], numbered([value_of(each) for each in written])
        fits = all(kind.accepts(value) for kind, value in zip(place.shown.values(), values, strict=False))
        right = fits and len(values) == len(place.shown) + (place.reads is not None)
        require(right and self.program.text(place, values) == line, f"{line!r:.60} is no instruction")
        return place, values

    def windows(self) -> list[tuple[Place, list[Any]]]:
        """Return each instruction, with each record that it may read, or each result that it may wait for."""
        for letters, changes in self.changes.items():
            for change, record in product(changes.values(), [*self.records[letters].values()]):
                before = dict(zip(self.program.classes[letters], record, strict=True))
                self.add(letters, [*(before | change).values()])
        found = []
        for place, values in self.instructions.values():
            given: list[list[Any]] = [[]]
            if place.reads is not None:
                given = [*self.records[place.reads].values()]
            elif place.waits:
                given = [*self.results.values()]
            found += [(place, numbered(values + each)) for each in given]
        return [window for window in found if self.program.fits(*window)]

    def combine(self, place: Place, values: list[Any]) -> None:
        """Take the step of a window, and those where names that it compares are the same."""
        queue = [values]
        prompts = {self.program.text(place, values)}
        self.entered.add(place.procedure.name)
        for given in queue:
            compared, prompt = list[tuple[int, int]](), self.program.text(place, given)
            try:
                step = self.program.step(place, given, compared)
                self.steps[prompt] = self.program.target(step)
                self.lead(place, given, step)
            except Fault:
                self.faults.add(prompt)
            for pair in compared:
                same = renamed(given, max(pair), min(pair))
                if self.program.text(place, same) not in prompts:
                    prompts.add(self.program.text(place, same))
                    queue.append(same)

    def lead(self, place: Place, given: list[Any], step: Step) -> None:
        """Add what a step writes."""
        for other, values in step.then:
            self.instructions.setdefault(self.program.text(other, numbered(values)), (other, numbered(values)))
        if step.result:
            results = numbered(step.result)
            self.results[" ".join(map(text, results))] = results
        shown, before, mixed = dict[str, Any](), list[set[str]](), False
        named = text(given[len(place.shown)]) if place.reads is not None else ""
        if place.reads is not None:
            shown = dict(zip(self.program.classes[place.reads], given[len(place.shown) + 1 :], strict=True))
        for record, written in step.written:
            letters, names = record.letters, {*written}
            if record.number == 0:
                self.add(letters, [written[name] for name in self.program.classes[letters]])
                continue
            if text(record) == named:
                shown |= written
                self.add(letters, [*shown.values()])
                # The other name may be that of the same record, which then has some fields of each.
                mixed = mixed or any(other & names and other - names for other in before)
            elif letters == place.reads:
                before.append(names)
            if text(record) != named or mixed:  # the rest of the record is not in the prompt
                change = dict(zip(written, numbered([*written.values()]), strict=True))
                self.changes[letters].setdefault(" ".join(f"{name}={text(change[name])}" for name in change), change)


class ProgramChecker:
    """Checks that a certificate has a rule for each prompt there is, with the program's step for a target."""

    version = ("coc-program-certificate", 2)
    claims: tuple[Any, ...] = ()

    def __init__(self, certificate: dict[str, Any]) -> None:
        fields(certificate, "a certificate", DOCUMENT)
        require(certificate["assumptions"] == ASSUMPTIONS, "the assumptions are not those of this checker")
        dialect = re.escape(certificate["domain"]) + "/heap(-[2-9])?" + "/symbolic" * bool(certificate["classes"])
        setting = certificate["memory"], certificate["arithmetic"], bool(re.fullmatch(dialect, certificate["dialect"]))
        require(setting == ("heap", "symbolic", True), "this checker does not know the setting")
        self.order = certificate["rules"]
        self.rules = {prompt: rule["target"] for prompt, rule in by_prompt(self.order).items()}
        self.program, self.first = Program(certificate["classes"], certificate["procedures"]), certificate["first"]

    def explore(self) -> None:
        """List all prompts, and compare what the program does for each with the rule for it."""
        self.closure = Closure(self.program, self.first)
        for prompt, target in self.closure.steps.items():
            require(prompt in self.rules, f"{prompt!r} can be reached, and has no rule")
            require(self.rules[prompt] == target, f"the program does something else for {prompt!r}")

    def all_reached(self) -> None:
        """Refuse rules for prompts that are not listed."""
        unreached = [prompt for prompt in self.rules if prompt not in self.closure.steps]
        require(not unreached, f"nothing leads to {unreached[:3]}")

    def follow(self, claim: Any) -> None:
        """There is no problem to follow."""

    @property
    def subject(self) -> str:
        """What it is about, in a few words."""
        which, who = ("all", "its types allow") if self.first is None else ("the", "the program states")
        kinds = f"from {which} {self.closure.first:,} kinds of first records and instructions that {who}"
        wrong = f"at {len(self.closure.faults):,} more the program itself goes wrong"
        many = len(self.program.procedures)
        procedures = f"every step of {many} procedure{'s' * (many > 1)}"
        return f"{procedures}, {len(self.order):,} prompts {kinds}; {wrong}"


if __name__ == "__main__":
    main(ProgramChecker)
