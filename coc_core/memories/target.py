"""A target: what a step emits (`OUTPUT` lines and the domain's notes), the windows it writes, and the registers.

This module converts a target between a record and a text. A convention defines what the fields mean.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from attrs import Factory, frozen

from coc_core.domain import Domain
from coc_core.errors import ProtocolFault
from coc_core.text import Surface, Template

ValueT = TypeVar("ValueT")

_MAX_TEXTS = 1 << 14
_MAX_CHARACTERS = 1 << 22  # of all cached texts; a value can take ten times as many bytes as its text

OUTPUT = "OUTPUT "
RETURN = "RETURN "


class Memo(dict[str, ValueT]):
    """The values of a function by text, each computed once. When it is full, everything is dropped."""

    def __init__(self, function: Callable[[str], ValueT]) -> None:
        super().__init__()
        self._function = function
        self._characters = 0

    def __missing__(self, text: str) -> ValueT:
        self._characters += len(text)
        if len(self) >= _MAX_TEXTS or self._characters > _MAX_CHARACTERS:
            self.clear()
            self._characters = len(text)
        value = self[text] = self._function(text)
        return value


@frozen
class Target:
    """A target as a record.

    Attributes:
        emits: Actions and notes, in order.
        writes: The texts of the surface's `write` fields, by name, for each window.
        registers: The texts of the surface's `registers` fields, by name.
        result: What is handed to the window that waits for it; None for nothing.
    """

    emits: tuple[Any, ...] = ()
    writes: tuple[Mapping[str, str], ...] = ()
    registers: Mapping[str, str] = Factory(dict)
    result: Any = None


class TargetText:
    """Formats and parses the targets of one domain on one surface."""

    def __init__(self, domain: Domain[Any, Any, Any, Any], surface: Surface) -> None:
        self._domain = domain
        self._surface = surface
        self._action = Memo(domain.actions.parse).__getitem__  # most are written by several targets
        self.instruction = Memo(domain.instructions.parse).__getitem__
        """Parse an instruction, which is first written by a target and then read in a prompt."""

        heads = [OUTPUT, _head(surface.write)]
        if surface.registers is not None:
            heads.append(_head(surface.registers))
        if any(domain.results):
            heads.append(RETURN)
        self._separators = "\n", *(f" {head}" for head in heads)
        """What begins with the character between two items: a newline, or a space before a keyword."""

    def format(self, target: Target) -> str:
        """Return the text of a target."""
        surface, text, written = self._surface, "", bool(target.writes)
        for emitted in target.emits:
            text = _append(text, surface.join, self._emission(emitted))
        for write in target.writes:
            text = _append(text, surface.join, surface.write.format(**write))
        if target.result is not None:
            text = _append(text, surface.join, RETURN + self._domain.results.format(target.result))
        if surface.registers is not None:
            text = _append(
                text, surface.join if written else surface.close, surface.registers.format(**target.registers)
            )
        return text

    def parse(self, text: str) -> Target:
        """Parse a target, however its items are ordered and spaced.

        Raises:
            ProtocolFault: An item is malformed, or the registers are missing or repeated.
        """
        surface, start = self._surface, 0
        emits: list[Any] = []
        writes: list[Mapping[str, str]] = []
        registers: Mapping[str, str] | None = None
        result = None
        for end in self._item_ends(text):
            item = text[start:end]
            try:
                if item.startswith(OUTPUT):
                    emits.append(self._action(item.removeprefix(OUTPUT)))
                elif (write := surface.write.match(item)) is not None:
                    self.instruction(write["instruction"])
                    writes.append(write)
                elif surface.registers and (found := surface.registers.match(item)) is not None:
                    if registers is not None:
                        raise ValueError("the registers are written twice")
                    registers = found
                elif item.startswith(RETURN) and any(self._domain.results):
                    if result is not None:
                        raise ValueError("two results are returned")
                    result = self._domain.results.parse(item.removeprefix(RETURN))
                else:
                    emits.append(self._domain.notes.parse(item))
            except ValueError as error:
                raise ProtocolFault(str(error), text=text, offset=start) from None
            start = end + 1
        if surface.registers and registers is None:
            raise ProtocolFault(f"the target ends without {surface.registers.text!r}", text=text, offset=len(text))
        return Target(tuple(emits), tuple(writes), registers or {}, result)

    def _item_ends(self, text: str) -> list[int]:
        ends = {len(text)}
        for separator in self._separators:
            place = text.find(separator)
            while place >= 0:
                ends.add(place)
                place = text.find(separator, place + 1)
        return sorted(ends)

    def _emission(self, emitted: Any) -> str:
        if emitted in self._domain.actions:
            return OUTPUT + self._domain.actions.format(emitted)
        return self._domain.notes.format(emitted)


def _head(template: Template) -> str:
    return template.text.partition("{")[0]


def _append(text: str, separator: str, part: str) -> str:
    return text + separator + part if text else part
