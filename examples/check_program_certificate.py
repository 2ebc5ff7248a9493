"""Check a certificate of a program: python check_program_certificate.py CERTIFICATE CHECKPOINT

It lies beside `check_certificate.py`, whose forward pass it uses, and shares no code with coc either. It knows no
puzzle: the program is in the certificate, and so are the kinds of records and instructions that runs begin with. It
lists all prompts that a run from there can have, takes each step of the program, and checks that the model answers with
that step.
"""

import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent))

from certificate.expressions import Fault, Reference, text, value_of
from certificate.program import Place, Program, Step
from certificate.rounding import ASSUMPTIONS
from certificate.strict import fields, require
from check_certificate import LONGEST_TARGET, MOST_RULES, RULE, TEXTS, main

MOST_WINDOWS = 100_000
DOCUMENT: dict[str, Any] = dict.fromkeys(TEXTS, str)
DOCUMENT |= {"version": int, "assumptions": dict, "classes": dict, "first": dict, "procedures": list, "rules": list}

Contents = tuple[tuple[str, ...], list[Any]]
"""The names of a record's fields, and their values."""


def numbered(values: list[Any]) -> list[Any]:
    """The values, with names numbered in order, each anew."""
    count, found = 0, []
    for value in values:
        count += isinstance(value, Reference)
        found.append(Reference(value.letters, count) if isinstance(value, Reference) else value)
    return found


def renamed(values: list[Any], old: int, new: int) -> list[Any]:
    """The values with another number for a name."""
    return [
        Reference(each.letters, new) if isinstance(each, Reference) and each.number == old else each for each in values
    ]


def changed(record: Contents, change: Contents) -> Contents:
    """A record in which some fields have changed."""
    values = dict(zip(*record, strict=True)) | dict(zip(*change, strict=True))
    return record[0], numbered([*values.values()])


def spelled(record: Contents) -> str:
    """The text of a record."""
    return " ".join(f"{name}={text(value)}" for name, value in zip(*record, strict=True))


class Closure:
    """All prompts that runs can have which begin with some records and instructions.

    A prompt shows an instruction, and a record or a result. So they are found by combining all instructions, records
    and results that steps write, up to names. Two names that a step compares may be the same one or not.
    """

    def __init__(self, program: Program, first: Any) -> None:
        fields(first, "what runs begin with", {"records": list, "instructions": list})
        self.program, self.steps, self.faults = program, dict[str, str](), 0
        self.records, self.changes = dict[str, Contents](), dict[str, Contents]()
        self.instructions, self.results = dict[str, tuple[Place, list[Any]]](), dict[str, Any]()
        for line in first["records"]:
            self.add(self.records, self.record(line))
        for line in first["instructions"]:
            place, values = self.instruction(line)
            self.instructions[line] = place, values
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

    @staticmethod
    def add(known: dict[str, Contents], record: Contents) -> None:
        """Add a record or a change, unless there is one like it."""
        known.setdefault(spelled(record), record)

    def record(self, line: Any) -> Contents:
        """The record of a text."""
        require(type(line) is str, "a record is no text")
        pairs = [each.partition("=") for each in line.split(" ")]
        names = tuple(name for name, *_ in pairs)
        record = names, numbered([value_of(value) for *_, value in pairs])
        known = any(
            names == tuple(kinds) and all(map(lambda kind, value: kind.accepts(value), kinds.values(), record[1]))
            for kinds in self.program.classes.values()
        )
        require(known and spelled(record) == line, f"{line!r:.60} is no record")
        return record

    def instruction(self, line: Any) -> tuple[Place, list[Any]]:
        """The instruction of a text."""
        require(type(line) is str, "an instruction is no text")
        call, name, *parts = [*line.split(" "), ""][:-1] if line.count(" ") else ["", ""]
        require(call == "CALL" and name in self.program.places, f"{line!r:.60} is no instruction")
        written = [each.partition("=")[2] or each for each in parts if each not in ("AT", "GOT", "?")]
        place, values = self.program.places[name], numbered([value_of(each) for each in written])
        fits = all(kind.accepts(value) for kind, value in zip(place.shown.values(), values, strict=False))
        right = fits and len(values) == len(place.shown) + (place.reads is not None)
        require(right and self.program.text(place, values) == line, f"{line!r:.60} is no instruction")
        return place, values

    def windows(self) -> list[tuple[Place, list[Any]]]:
        """Each instruction, with each record that it may read, or each result that it may wait for."""
        for change in self.changes.values():
            for record in list(self.records.values()):
                if {*change[0]} <= {*record[0]}:
                    self.add(self.records, changed(record, change))
        found = []
        for place, values in self.instructions.values():
            given: list[list[Any]] = [[]]
            if place.reads is not None:
                names = tuple(self.program.classes[place.reads])
                given = [record[1] for record in self.records.values() if record[0] == names]
            elif place.waits:
                given = [[result] for result in self.results.values()]
            found += [(place, numbered(values + each)) for each in given]
        return [window for window in found if self.program.fits(*window)]

    def combine(self, place: Place, values: list[Any]) -> None:
        """Take the step of a window, and those where names that it compares are the same."""
        queue = [values]
        prompts = {self.program.text(place, values)}
        for given in queue:
            compared, prompt = list[tuple[int, int]](), self.program.text(place, given)
            try:
                step = self.program.step(place, given, compared)
                self.steps[prompt] = self.program.target(step)
                self.lead(place, given, step)
            except Fault:
                self.faults += 1
            for pair in compared:
                same = renamed(given, max(pair), min(pair))
                if self.program.text(place, same) not in prompts:
                    prompts.add(self.program.text(place, same))
                    queue.append(same)

    def lead(self, place: Place, given: list[Any], step: Step) -> None:
        """Add what a step writes."""
        for other, values in step.then:
            self.instructions.setdefault(self.program.text(other, numbered(values)), (other, numbered(values)))
        for value in step.result:
            (result,) = numbered([value])
            self.results[text(result)] = result
        shown, before, mixed = dict[str, Any](), list[set[str]](), False
        named = text(given[len(place.shown)]) if place.reads is not None else ""
        if place.reads is not None:
            shown = dict(zip(self.program.classes[place.reads], given[len(place.shown) + 1 :], strict=True))
        for record, written in step.written:
            names = tuple(name for name in self.program.classes[record.letters] if name in written)
            change = names, numbered([written[name] for name in names])
            if text(record) == named:
                shown |= written
                self.add(self.records, (tuple(shown), numbered([*shown.values()])))
                # The other name may be that of the same record, which then has some fields of each.
                mixed = mixed or any(other & {*names} and other - {*names} for other in before)
                if mixed:
                    self.add(self.changes, change)
            elif record.number:
                self.add(self.changes, change)  # the rest of the record is not in the prompt
                before.append({*names})
            else:
                self.add(self.records, change)


class ProgramChecker:
    """Checks that a certificate has a rule for each prompt there is, with the program's step for a target."""

    version = ("coc-program-certificate", 1)
    claims: tuple[Any, ...] = ()

    def __init__(self, certificate: dict[str, Any]) -> None:
        fields(certificate, "a certificate", DOCUMENT)
        require(certificate["assumptions"] == ASSUMPTIONS, "the assumptions are not those of this checker")
        dialect = f"{certificate['domain']}/heap" + ("/symbolic" if certificate["classes"] else "")
        setting = certificate["memory"], certificate["arithmetic"], certificate["dialect"]
        require(setting == ("heap", "symbolic", dialect), "this checker does not know the setting")
        self.order = certificate["rules"]
        require(0 < len(self.order) <= MOST_RULES, "it has no rules or too many")
        for number, rule in enumerate(self.order):
            fields(rule, f"rule {number}", RULE)
            require(rule["margin"] > 0 and (rule["bound"] is None or rule["bound"] > 0), f"rule {number} has no margin")
            require(len(rule["target"]) <= LONGEST_TARGET, f"the target of rule {number} is too long")
        self.rules = {rule["prompt"]: rule["target"] for rule in self.order}
        require(len(self.rules) == len(self.order), "a prompt has two rules")
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
        return f"every step of {len(self.program.procedures)} procedures"


if __name__ == "__main__":
    main(ProgramChecker)
