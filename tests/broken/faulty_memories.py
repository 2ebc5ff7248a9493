"""A memory that keeps every promise and is neither tape nor stack, and memories that break one promise each.

A shelf has numbered places. A step takes the window from its place, so that the place is free again, puts others on
places that are free, and says where to go on. Each window knows which one comes after it, `below`.
"""

import random
from typing import NamedTuple

from attrs import evolve, frozen

from coc_core.errors import AddressFault, LimitFault
from coc_core.memories import HALT, Convention, Memory, PDAStack, StackConvention, Target
from coc_core.text import Surface
from coc_core.types import Limits

RNG = random.Random(0)


class Place(NamedTuple):
    """The window at a place, and the first place that is free, with all above it, once the window is taken."""

    at: int
    free: int
    text: str


@frozen
class Put:
    """What a step does: windows on places, and where to go on."""

    windows: tuple[tuple[int, str], ...]
    go: int


class Shelves(Convention):
    """The convention of a shelf."""

    name = "shelves"
    _put, _go = "PUT[{address}] {instruction} below={below}", "GO={GO}"
    defaults = {
        "numeric": Surface("AT={AT} FREE={FREE} DO {instruction} below={below}", _put, _go),
        "symbolic": Surface("DO {instruction}", _put, _go),
    }

    def _window(self, instruction):
        return f"{instruction} below=-1"

    def prompt(self, window):
        instruction, _, below = window.text.rpartition(" below=")
        return self.surface.prompt.format(AT=window.at, FREE=window.free, instruction=instruction, below=below)

    def expressions(self, target):
        return [*(write[name] for write in target.writes for name in ("address", "below")), target.registers["GO"]]

    def registers(self, window):
        return {"AT": window.at, "FREE": window.free, "below": int(window.text.rpartition("=")[2])}

    def write(self, target, window, numbers):
        *numbers, go = numbers
        texts = [f"{text} below={below}" for text, below in zip(target.windows, numbers[1::2], strict=True)]
        return Put(tuple(zip(numbers[::2], texts, strict=True)), go)

    def compose(self, step, registers):
        def number(name, offset=0):
            return str(registers[name] + offset) if registers else f"{name}+{offset}" if offset else name

        writes, below = [], number("below")
        for offset, instruction in enumerate(reversed(step.then)):
            address = number("FREE", offset)
            text = self.domain.instructions.format(instruction)
            writes.append({"address": address, "instruction": text, "below": below})
            below = address
        return Target(step.emits, tuple(writes), {"GO": below})


class Contents(NamedTuple):
    """What is on a shelf: the windows by their places, and the next place."""

    places: dict[int, str]
    at: int


class Shelf(Memory):
    """Sound: windows on numbered places, in the order in which they were put there."""

    name = "shelf"
    spoken = Shelves

    def start(self, first):
        return Contents({0: first}, 0)

    def read(self, contents):
        places, at = contents
        if at == HALT:
            return None
        free = max([-1, *(place for place in places if place != at)]) + 1
        return list(places).index(at), Place(at, free, places[at])

    def write(self, contents, write):
        places = self.changed(contents, write)
        if sum(map(len, places.values())) > self.limits.tape_bytes or len(places) > self.limits.stack_depth:
            raise LimitFault("the shelf is full")
        return Contents(places, write.go)

    def changed(self, contents, write):
        """The places after a write; a fault if it can't be done."""
        if len(write.windows) > self.limits.windows_per_step:
            raise LimitFault("too many windows")
        places = {at: text for at, text in contents.places.items() if at != contents.at}
        for address, text in write.windows:
            if address in places or address < 0:
                raise AddressFault(f"nothing can be put on {address}")
            places[address] = text
        if write.go != HALT and write.go not in places:
            raise AddressFault(f"nothing is on {write.go}")
        return places

    def windows(self, contents):
        return tuple(contents.places.values())

    def key(self, contents):
        return -1, (contents.at, list(contents.places.items()))


# ── the memory ────────────────────────────────────────────────────────────────────────────────────────────────────────


class Moves(Shelf):
    """To read leaves a window behind."""

    def read(self, contents):
        found = super().read(contents)
        if found is not None:
            contents.places[max(contents.places) + 1] = found[1].text
        return found


class WritesByHalves(Shelf):
    """What was put before a bad address stays."""

    def write(self, contents, write):
        try:
            return super().write(contents, write)
        except AddressFault:
            contents.places.update({at: text for at, text in write.windows if at not in contents.places and at > 0})
            raise


class RaisesAnother(Shelf):
    def write(self, contents, write):
        if write.go != HALT and write.go not in {*contents.places, *dict(write.windows)}:
            raise KeyError(write.go)
        return super().write(contents, write)


class WritesInPlace(Memory):
    """A stack that is a list, which a write changes."""

    name = "in-place"
    spoken = StackConvention

    def start(self, first):
        return [first]

    def read(self, contents):
        return (len(contents) - 1, contents[-1]) if contents else None

    def write(self, contents, write):
        if len(write) > self.limits.windows_per_step or len(contents) + len(write) > self.limits.stack_depth + 1:
            raise LimitFault("too many windows")
        contents[-1:] = write
        return contents

    def windows(self, contents):
        return tuple(contents)

    def key(self, contents):
        return len(contents), contents[-1]


class PopsTwice(Shelf):
    """Skips the window that comes after one that wrote nothing."""

    def write(self, contents, write):
        places, at = super().write(contents, write)
        if not write.windows and at != HALT:
            at = int(places.pop(at).rpartition("=")[2])
        return Contents(places, at)


def _start_anywhere(self, first):
    at = RNG.randrange(10)
    return Contents({at: first}, at)


def _within(*names):
    """What makes a memory that heeds these limits alone."""
    return lambda self, limits=Limits(): setattr(
        self, "limits", Limits(**{name: getattr(limits, name) for name in names})
    )


def _read_first(self, contents):
    found = Shelf.read(self, contents)
    return found and (0, found[1])


SHELVES = {
    "Shouts": {"name": "My Shelf"},
    "StartsAnywhere": {"start": _start_anywhere},
    "NumbersWindows": {"windows": lambda self, contents: tuple(contents.places)},
    "PointsToTheFirst": {"read": _read_first},
    "WritesAnyNumber": {"__init__": _within("tape_bytes", "stack_depth")},
    "GrowsForEver": {"__init__": _within("windows_per_step")},
    "CriesWolf": {"key": lambda self, contents: (-1, contents.at)},  # a place that comes again is taken for a loop
    "NeverFindsALoop": {"key": lambda self, contents: (-1, object())},
}


# ── its convention ────────────────────────────────────────────────────────────────────────────────────────────────────


class AsksTwoWays(Shelves):
    """The prompt says more than `parse_prompt` can read."""

    def parse_prompt(self, prompt):
        instruction, registers = super().parse_prompt(prompt.partition("?")[0])
        return instruction, registers | ({"AT": prompt.count("?")} if "?" in prompt else {})

    def instruction_prompt(self, instruction):
        return super().instruction_prompt(instruction) + "?"


class RecallsWithAnother(Shelves):
    def parse_prompt(self, prompt):
        try:
            return super().parse_prompt(prompt)
        except ValueError as error:
            raise LookupError(str(error)) from error


def _parsing(parse):
    """What makes a convention whose `parse` is a function of the strict one and of the text."""

    def begin(self, *arguments):
        Shelves.__init__(self, *arguments)
        strict = Shelves(*arguments).parse
        self.parse = lambda text: parse(strict, text)

    return begin


def _prompt_of(self, text):
    return tuple(f"{prompt} again" for prompt in Shelves.certain_prompts(self, text))


class AsksAtLength(Shelves):
    """The more places there are, the longer the prompt."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.memoryless = False

    def prompt(self, window):
        return f"{super().prompt(window)} and {'x' * 40 * window.free}"

    def parse_prompt(self, prompt):
        return super().parse_prompt(prompt.rpartition(" and ")[0])


CONVENTIONS = {
    "ReadsLaxly": {"__init__": _parsing(lambda strict, text: strict(text.rstrip()))},  # with a space too many
    "ParsesWithAnother": {"__init__": _parsing(lambda strict, text: strict(text) if text.rindex("GO=") >= 0 else None)},
    "WritesAnother": {  # a space that it does not want to read
        "__init__": _parsing(lambda strict, text: strict(text.replace("GO= ", "GO="))),
        "format": lambda self, target: Shelves.format(self, target).replace("GO=", "GO= "),
    },
    "PromisesTooMuch": {"certain_prompts": _prompt_of},
}


# ── far from the start ────────────────────────────────────────────────────────────────────────────────────────────────


class LosesTheDeep(PDAStack):
    """Keeps the fifty last windows."""

    spoken = StackConvention

    def write(self, contents, write):
        after, kept = super().write(contents, write), None
        for window in enumerate(self.windows(after)[-50:]) if after and after[0][0] >= 50 else ():
            kept = window, kept
        return kept or after


class CountsItsSteps(PDAStack):
    """Shows how many steps were taken, so that steps can't be skipped."""

    spoken = StackConvention

    def __init__(self, limits=Limits()):
        super().__init__(evolve(limits, stack_depth=limits.stack_depth - 1))

    def start(self, first):
        return super().start(first), 0

    def read(self, contents):
        found = super().read(contents[0])
        return found and (found[0] + 1, found[1])

    def write(self, contents, write):
        return super().write(contents[0], write), contents[1] + 1

    def windows(self, contents):
        return f"{contents[1]} steps", *super().windows(contents[0])

    def key(self, contents):
        return super().key(contents[0])


def _short_key(self, contents):
    """The beginning of a window, and its depth with all others that ever were as deep."""
    return 0, contents[0][1][:10] if contents[0][0] > 40 else contents[0]


STACKS = {
    "TakesLongTextsForOthers": {"spoken": StackConvention, "key": _short_key},
    "StartsHalted": {"spoken": StackConvention, "read": lambda self, contents: None},
}
for _base, _variants in ((Shelf, SHELVES), (Shelves, CONVENTIONS), (PDAStack, STACKS)):
    globals().update({name: type(name, (_base,), changes) for name, changes in _variants.items()})

FAULTS = [
    ("StartsHalted", "types_are_right", "`read` returned None, which means halted"),
    ("TakesLongTextsForOthers", "problems_are_solved", "and would never halt"),
    ("CountsItsSteps", "writing_nothing_pops", "to write nothing leaves"),
    ("Moves", "contents_are_values", "the next time"),
    ("NumbersWindows", "types_are_right", "a window is not a text: (0,)"),
    ("WritesInPlace", "contents_are_values", "a step has made of"),
    ("LosesTheDeep", "problems_are_solved", "the plan is another than the policy's"),
    ("Shouts", "types_are_right", "the name 'My Shelf' is not of lower-case letters"),
    ("PopsTwice", "problems_are_solved", "the reference's run is"),
    ("StartsAnywhere", "contents_are_values", "two runs differ"),
    ("PointsToTheFirst", "texts_round_trip", "but `read` leads to"),
    ("WritesByHalves", "contents_are_values", "and has changed the contents"),
    ("RaisesAnother", "contents_are_values", "raised KeyError"),
    ("WritesAnyNumber", "caps_are_exact", "a step of 6 windows is taken, and the limit is 5"),
    ("GrowsForEver", "caps_are_exact", "the limits are Limits("),
    ("CriesWolf", "problems_are_solved", "and would never halt"),
    ("NeverFindsALoop", "endless_runs_are_found", "and has not found out after 40 steps"),
    ("AsksTwoWays", "texts_round_trip", "the prompt for"),
    ("RecallsWithAnother", "texts_round_trip", "LookupError"),
    ("WritesAnother", "texts_round_trip", "is written again as"),
    ("ReadsLaxly", "texts_round_trip", "is a target, and is written as"),
    ("ParsesWithAnother", "texts_round_trip", "ValueError: substring not found"),
    ("PromisesTooMuch", "problems_are_solved", "was to come after step"),
    ("AsksAtLength", "problems_are_solved", "characters, more than"),
]
FAULTS = [(globals()[part], check, complaint) for part, check, complaint in FAULTS]
