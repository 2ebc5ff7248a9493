"""A memory that keeps every promise and is neither tape nor stack, and memories that break one promise each.

A shelf has numbered places. A step takes the window from its place, so that the place is free again, puts others on
places that are free, and says where to go on. Each window knows which one comes after it, `below`.
"""

import random
from typing import NamedTuple

from attrs import evolve, frozen

from coc_core.errors import AddressFault, LimitFault, ProtocolFault
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

    def expressions(self, target, window):
        expressions = [write[name] for write in target.target.writes for name in ("address", "below")]
        known = {"AT": window.at, "FREE": window.free, "below": int(window.text.rpartition("=")[2])}
        return [*expressions, target.target.registers["GO"]], known

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


class Shelf(Memory):
    """Sound: windows on numbered places, in the order in which they were put there."""

    name = "shelf"
    spoken = Shelves

    def __init__(self, first, limits=Limits()):
        self.places, self.at, self.limits = {0: first}, 0, limits
        self.asked, self.renew, self.anchor = 0, 1, None

    def fetch(self):
        if self.at == HALT:
            return None
        return Place(self.at, max([-1, *self.others()]) + 1, self.places[self.at])

    def others(self):
        return {at: text for at, text in self.places.items() if at != self.at}

    def apply(self, write):
        places = self.changed(write)
        if sum(map(len, places.values())) > self.limits.tape_bytes or len(places) > self.limits.stack_depth:
            raise LimitFault("the shelf is full")
        self.places, self.at = places, write.go

    def changed(self, write):
        """The places after a write; a fault if it can't be done."""
        if len(write.windows) > self.limits.windows_per_step:
            raise LimitFault("too many windows")
        places = self.others()
        for address, text in write.windows:
            if address in places or address < 0:
                raise AddressFault(f"nothing can be put on {address}")
            places[address] = text
        if write.go != HALT and write.go not in places:
            raise AddressFault(f"nothing is on {write.go}")
        return places

    def repeats(self):
        self.asked += 1
        here = (self.at, list(self.places.items()))
        if here == self.anchor:
            return self.at != HALT
        if self.asked >= self.renew:
            self.anchor, self.renew = here, 2 * self.asked
        return False

    def mark(self):
        return self.places, self.at, (self.asked, self.renew, self.anchor)

    def rollback(self, mark):
        self.places, self.at, (self.asked, self.renew, self.anchor) = mark

    def windows(self):
        return tuple(self.places.values())

    @property
    def pointer(self):
        return -1 if self.at == HALT else list(self.places).index(self.at)


# ── the memory ────────────────────────────────────────────────────────────────────────────────────────────────────────


class Shouts(Shelf):
    name = "My Shelf"


class StartsAnywhere(Shelf):
    def __init__(self, first, limits=Limits()):
        super().__init__(first, limits)
        self.at = RNG.randrange(10)
        self.places = {self.at: first}


class Moves(Shelf):
    """A fetch leaves a window behind."""

    def fetch(self):
        found = super().fetch()
        if found is not None:
            self.places = {**self.places, max(self.places) + 1: found.text}
        return found


class LendsItsWindows(Shelf):
    """What `windows` gives is where the windows are kept."""

    def __init__(self, first, limits=Limits()):
        super().__init__(first, limits)
        self.texts = [first]

    def apply(self, write):
        super().apply(write)
        self.texts[:] = self.places.values()

    def rollback(self, mark):
        super().rollback(mark)
        self.texts[:] = self.places.values()

    def windows(self):
        return self.texts


class LendsAList(LendsItsWindows):
    """The list is another after each step, and still that of the memory."""

    def apply(self, write):
        Shelf.apply(self, write)
        self.texts = list(self.places.values())


class NumbersWindows(Shelf):
    def windows(self):
        return tuple(self.places)


class CountsFromOne(Shelf):
    @property
    def pointer(self):
        return -1 if self.halted else super().pointer + 1


class PointsToTheFirst(Shelf):
    @property
    def pointer(self):
        return min(super().pointer, 0)


class NeverSaysSo(Shelf):
    """Halted, it still points somewhere."""

    @property
    def pointer(self):
        return max(0, super().pointer)


class WritesByHalves(Shelf):
    """What was put before a bad address stays."""

    def apply(self, write):
        try:
            super().apply(write)
        except AddressFault:
            self.places = self.places | {at: text for at, text in write.windows if at not in self.places and at > 0}
            raise


class RaisesAnother(Shelf):
    def apply(self, write):
        if write.go != HALT and write.go not in {*self.places, *dict(write.windows)}:
            raise KeyError(write.go)
        super().apply(write)


class WritesAnyNumber(Shelf):
    def __init__(self, first, limits=Limits()):
        super().__init__(first, Limits(tape_bytes=limits.tape_bytes, stack_depth=limits.stack_depth))


class GrowsForEver(Shelf):
    def __init__(self, first, limits=Limits()):
        super().__init__(first, Limits(windows_per_step=limits.windows_per_step))


class LosesAWindow(Shelf):
    """Going back does not bring back the window that was taken."""

    def rollback(self, mark):
        places, at, seen = mark
        taken = {place for place in places if place not in self.places and place != at}
        super().rollback(({place: text for place, text in places.items() if place not in taken}, at, seen))


class UsesMarksUp(Shelf):
    """A mark is good for once."""

    def mark(self):
        return [super().mark()]

    def rollback(self, mark):
        if mark:
            super().rollback(mark.pop())


class ForgetsWhatRepeatsSaw(Shelf):
    def rollback(self, mark):
        self.places, self.at, _ = mark


class CriesWolf(Shelf):
    """Takes a place that comes again, with another window, for a loop."""

    def repeats(self):
        self.asked += 1
        if self.at == self.anchor:
            return True
        if self.asked >= self.renew:
            self.anchor, self.renew = self.at, 2 * self.asked
        return False


class NeverFindsALoop(Shelf):
    def repeats(self):
        return False


class PopsTwice(Shelf):
    """Skips the window that comes after one that wrote nothing."""

    def apply(self, write):
        super().apply(write)
        if not write.windows and self.at != HALT:
            self.at = int(self.places.pop(self.at).rpartition("=")[2])


# ── its convention ────────────────────────────────────────────────────────────────────────────────────────────────────


class NumberedShelves(Shelves):
    """The prompt says more than `parse_prompt` can read."""

    def parse_prompt(self, prompt):
        instruction, registers = super().parse_prompt(prompt.partition("?")[0])
        return instruction, registers | ({"AT": prompt.count("?")} if "?" in prompt else {})

    def instruction_prompt(self, instruction):
        return super().instruction_prompt(instruction) + "?"


class AsksTwoWays(Shelf):
    spoken = NumberedShelves


class RawShelves(Shelves):
    def parse_prompt(self, prompt):
        try:
            return super().parse_prompt(prompt)
        except ValueError as error:
            raise LookupError(str(error)) from error


class RecallsWithAnother(Shelf):
    spoken = RawShelves


class LaxShelves(Shelves):
    """Reads a target with a space too many."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        strict = self.parse
        self.parse = lambda text: strict(text.rstrip())


class ReadsLaxly(Shelf):
    spoken = LaxShelves


class HastyShelves(Shelves):
    """Reads numbers before it knows that there are any."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        strict = self.parse
        self.parse = lambda text: strict(text) if text.rindex("GO=") >= 0 else None


class ParsesWithAnother(Shelf):
    spoken = HastyShelves


class WordyShelves(Shelves):
    """Says what is wrong in two lines."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        strict = self.parse

        def parse(text):
            try:
                return strict(text)
            except ProtocolFault as fault:
                raise ProtocolFault("what is\nthat?") from fault

        self.parse = parse


class ComplainsAtLength(Shelf):
    spoken = WordyShelves


class DoublingShelves(Shelves):
    """Writes a space that it does not want to read."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        twin = Shelves(*arguments)
        self.parse = lambda text: twin.parse(text.replace("GO= ", "GO="))

    def format(self, target):
        return super().format(target).replace("GO=", "GO= ")


class WritesAnother(Shelf):
    spoken = DoublingShelves


class EagerShelves(Shelves):
    """Says that what was written will be asked about once more."""

    def certain_prompts(self, text):
        return tuple(f"{prompt} again" for prompt in super().certain_prompts(text))


class PromisesTooMuch(Shelf):
    spoken = EagerShelves


class LongShelves(Shelves):
    """The more places there are, the longer the prompt."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.memoryless = False

    def prompt(self, window):
        return f"{super().prompt(window)} and {'x' * 40 * window.free}"

    def parse_prompt(self, prompt):
        return super().parse_prompt(prompt.rpartition(" and ")[0])


class AsksAtLength(Shelf):
    spoken = LongShelves


# ── far from the start ────────────────────────────────────────────────────────────────────────────────────────────────


class LosesTheDeep(PDAStack):
    """Keeps the fifty last windows."""

    spoken = StackConvention

    def apply(self, write):
        super().apply(write)
        if self._depth > 50:
            texts, self._depth, self._stack = self.windows()[-50:], 0, None
            for text in texts:
                self._stack, self._depth = (text, self._stack), self._depth + 1


class ReversesFour(PDAStack):
    spoken = StackConvention

    def apply(self, write):
        super().apply(write if len(write) < 4 else write[::-1])


class TakesLongRunsForLoops(PDAStack):
    spoken = StackConvention

    def repeats(self):
        return super().repeats() or self._checks > 500


class CutsTexts(PDAStack):
    spoken = StackConvention

    def apply(self, write):
        super().apply(tuple(text[:255] for text in write))


class RefusesTheWide(PDAStack):
    spoken = StackConvention

    def apply(self, write):
        if len(write) > 99:
            raise LimitFault("that is much")
        super().apply(write)


class GoesBackAHundredSteps(PDAStack):
    """From further ahead it goes back to another place."""

    spoken = StackConvention
    steps = 0

    def apply(self, write):
        super().apply(write)
        self.steps += 1

    def mark(self):
        return super().mark(), self.steps

    def rollback(self, mark):
        mark, steps = mark
        if self.steps <= steps + 100:
            super().rollback(mark)
        self.steps = steps


class TiresOfLoops(PDAStack):
    spoken = StackConvention

    def repeats(self):
        return super().repeats() and self._checks < 200


class CapsOneMore(PDAStack):
    spoken = StackConvention

    def __init__(self, first, limits=Limits()):
        most = limits.windows_per_step
        super().__init__(first, evolve(limits, windows_per_step=most + (most > 1)))


class SkipsTooDeep(PDAStack):
    spoken = StackConvention

    def skip(self, steps, depth, width):
        return super().skip(steps, 1, width)


class SkipsByHalves(PDAStack):
    spoken = StackConvention

    def skip(self, steps, depth, width):
        done = super().skip(steps, depth, width)
        self._stack = self._stack if done else self._stack[1]
        return done


class ForgetsToReturn(PDAStack):
    spoken = StackConvention

    def windows(self):
        super().windows()


class StartsHalted(PDAStack):
    spoken = StackConvention

    def fetch(self):
        super().fetch()


FAULTS = {
    ForgetsToReturn: ("types_are_right", "`windows` returned None, not a sequence of texts"),
    StartsHalted: ("types_are_right", "`fetch` returned None, which means halted"),
    LosesTheDeep: ("long_runs_are_right", "the run has halted"),
    ReversesFour: ("long_runs_are_right", "the next window is Mark(number=4), it should be Mark(number=1)"),
    TakesLongRunsForLoops: ("long_runs_are_right", "the run is said never to halt"),
    CutsTexts: ("long_runs_are_right", "the next window is Spell"),
    RefusesTheWide: ("long_runs_are_right", "the policy's target is refused: that is much"),
    GoesBackAHundredSteps: ("rollback_is_right_far_ahead", "steps gives other contents"),
    TiresOfLoops: ("endless_runs_are_found_late", "it has not found out"),
    CapsOneMore: ("caps_are_exact", "a step of 6 windows is taken, and the limit is 5"),
    SkipsTooDeep: ("skips_are_steps", "a skip is done, it should be refused"),
    SkipsByHalves: ("skips_are_steps", "a refused skip leaves"),
    Shouts: ("names_are_plain", "the name 'My Shelf' is not of lower-case letters"),
    PopsTwice: ("problems_are_solved", "the reference's run is"),
    StartsAnywhere: ("runs_are_deterministic", "two runs differ"),
    Moves: ("fetch_changes_nothing", "fetch gives"),
    LendsItsWindows: ("windows_are_a_copy", "what windows() gave has changed with the next step"),
    LendsAList: ("windows_are_a_copy", "changing what windows() gave changes the memory"),
    NumbersWindows: ("windows_are_a_copy", "a window is not a text: (0,)"),
    CountsFromOne: ("pointer_is_the_next", "pointer is 1 among 1 windows"),
    PointsToTheFirst: ("pointer_is_the_next", "but fetch leads to"),
    NeverSaysSo: ("halting_agrees", "halted, fetch is None, pointer is -1: (True, True, False)"),
    WritesByHalves: ("refused_writes_change_nothing", "and has changed the memory"),
    RaisesAnother: ("refused_writes_change_nothing", "raised KeyError"),
    WritesAnyNumber: ("windows_per_step_are_capped", "windows, and the limit is 1"),
    GrowsForEver: ("growth_is_capped", "the limits are Limits("),
    LosesAWindow: ("rollback_restores_the_contents", "going back to the later of two marks gives"),
    UsesMarksUp: ("rollback_restores_the_contents", "a run that never went back has"),
    ForgetsWhatRepeatsSaw: ("rollback_restores_the_verdict", "one that looks ahead"),
    CriesWolf: ("no_halting_run_repeats", "the run is said never to halt"),
    NeverFindsALoop: ("endless_runs_are_found", "and has not found out after 9 steps"),
    AsksTwoWays: ("prompts_round_trip", "the prompt for"),
    RecallsWithAnother: ("prompts_round_trip", "LookupError"),
    WritesAnother: ("targets_round_trip", "is written again as"),
    ReadsLaxly: ("malformed_targets_are_faults", "is a target, and is written as"),
    ParsesWithAnother: ("malformed_targets_are_faults", "ValueError: substring not found"),
    ComplainsAtLength: ("malformed_targets_are_faults", "is not one plain line: 'what is\\nthat?'"),
    PromisesTooMuch: ("certain_prompts_come", "was to come after step"),
    AsksAtLength: ("prompts_are_short", "characters, more than"),
}
