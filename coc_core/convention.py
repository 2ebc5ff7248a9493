"""The calling conventions: one policy, written as the prompt and target text of each memory.

A target is, in this order: what the step emits (`OUTPUT` lines and the domain's notes), the windows it writes, the
registers. A convention adds the two directions in between:

    prompt:  window -> text               parse:    text -> Target      (for the machine)
    recall:  text -> instruction          compose:  Step -> Target      (for the teacher)

`format` writes a Target as text. `parse` accepts a text only if `format` gives that text back, so the two are
inverse by construction. Whoever writes a memory of their own writes its convention too.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from attrs import Factory, frozen

from coc_core.arithmetic import ArithmeticOracle, Notation
from coc_core.domain import Domain
from coc_core.errors import ProtocolFault
from coc_core.memory import HALT, TapeWindow, TapeWrite, WindowT, WriteT
from coc_core.surface import Surface
from coc_core.text import Template, parse_number, shown, unprintable
from coc_core.types import Limits, Registers, Step

ValueT = TypeVar("ValueT")

OUTPUT = "OUTPUT "
_REMEMBERED = 1 << 14  # texts


@frozen
class Target:
    """A target text, taken apart: emissions, then one mapping of field texts for each write, then the registers'."""

    emits: tuple[Any, ...] = ()
    writes: tuple[Mapping[str, str], ...] = ()
    registers: Mapping[str, str] = Factory(dict)


@frozen
class Reply:
    """A target that has been checked, with what the machine needs of it at hand."""

    text: str
    target: Target
    actions: tuple[Any, ...]
    windows: tuple[str, ...]


class Remembered(dict[str, ValueT]):
    """What a function gives for a text, worked out once. Forgets everything when it is full."""

    def __init__(self, function: Callable[[str], ValueT]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, text: str) -> ValueT:
        if len(self) >= _REMEMBERED:
            self.clear()
        value = self[text] = self._function(text)
        return value


class Convention(ABC, Generic[WindowT, WriteT]):
    """Prompt and target text for one domain on one memory, in one notation."""

    name: ClassVar[str]
    defaults: ClassVar[Mapping[str, Surface]]
    """The surface for each notation, where the domain has none of its own."""

    most_writes: ClassVar[int | None] = None
    """How many windows a step can write at most; None is any number."""

    parse: Callable[[str], Reply]
    """The target that a text writes; ProtocolFault, with the offset where known, if it writes none. Remembers."""

    runs_all: ClassVar[bool] = True
    """Whether every window that is written is run, sooner or later."""

    memoryless: bool
    """Whether a prompt depends on its instruction alone. If so, the distinct prompts are few."""

    dialect: str
    """The name of the language that prompts and targets are written in; what a checkpoint has learned."""

    def __init__(self, domain: Domain[Any, Any, Any, Any], notation: Notation, limits: Limits = Limits()) -> None:
        self.domain = domain
        self.notation = notation
        self.limits = limits
        self.surface = domain.surfaces.get((self.name, notation), self.defaults[notation])
        self.memoryless = notation == "symbolic"
        self.dialect = f"{domain.name}/{self.name}/{notation}"
        # Where one item of a target may end and the next begin: a newline, or a space before a keyword.
        heads = [OUTPUT, _head(self.surface.write)]
        if self.surface.registers is not None:
            heads.append(_head(self.surface.registers))
        self._seam = re.compile(r"\n| (?=" + "|".join(map(re.escape, heads)) + ")")
        self.parse = Remembered(self._parse).__getitem__

    # ── between the memory and the model ──────────────────────────────────────────────────────────────────────────

    def first(self, instruction: Any) -> str:
        """The window that a run starts with."""
        return self._window(self.domain.instructions.format(instruction))

    @abstractmethod
    def _window(self, instruction: str) -> str: ...

    @abstractmethod
    def prompt(self, window: WindowT) -> str:
        """What the model reads for this window."""

    @abstractmethod
    def resolve(self, reply: Reply, window: WindowT, arithmetic: ArithmeticOracle) -> WriteT:
        """What the target does to the memory, its expressions worked out by the oracle."""

    def coming(self, text: str) -> tuple[str, ...]:
        """The prompts of the windows that a target writes, where they are known and sure to come; else nothing."""
        if not (self.memoryless and self.runs_all):
            return ()
        try:
            return tuple(map(self._question, self.parse(text).windows))
        except ProtocolFault:
            return ()

    # ── between the policy and the model ──────────────────────────────────────────────────────────────────────────

    def question(self, instruction: Any) -> str:
        """The prompt for an instruction, where it depends on nothing else (`memoryless`)."""
        return self._question(self.domain.instructions.format(instruction))

    def recall(self, prompt: str) -> tuple[Any, Registers]:
        """The instruction and the numbers that a prompt shows; ValueError if it is no prompt of this convention."""
        found = self.surface.prompt.match(prompt)
        if found is None:
            raise ValueError(f"{shown(prompt)} is not of the form {self.surface.prompt.text!r}")
        instruction = self.domain.instructions.parse(found.pop("instruction"))
        return instruction, {name: parse_number(text) for name, text in found.items()}

    @abstractmethod
    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        """The target that writes down what the policy does."""

    def answer(self, prompt: str) -> str:
        """The teacher's target for a prompt."""
        instruction, registers = self.recall(prompt)
        return self.format(self.compose(self.domain.expand(instruction), registers))

    def format(self, target: Target) -> str:
        """The text of a target."""
        surface, text, written = self.surface, "", bool(target.writes)
        for emitted in target.emits:
            text = _append(text, surface.join, self._emission(emitted))
        for write in target.writes:
            text = _append(text, surface.join, surface.write.format(**write))
        if surface.registers is not None:
            text = _append(
                text, surface.join if written else surface.close, surface.registers.format(**target.registers)
            )
        return text

    def _question(self, instruction: str) -> str:
        return self.surface.prompt.format(instruction=instruction)

    # ── parts of parsing ──────────────────────────────────────────────────────────────────────────────────────────

    def _parse(self, text: str) -> Reply:
        if len(text) > self.limits.target_chars:
            raise ProtocolFault(f"the target has {len(text):,} characters, the limit is {self.limits.target_chars:,}")
        bad = unprintable(text)
        if bad is not None:
            raise ProtocolFault(f"the target holds {text[bad]!a}, which is not printable ASCII", text=text, offset=bad)
        if not text:
            raise ProtocolFault("the target is empty")
        target = self._take_apart(text)
        again = self.format(target)
        if again != text:
            offset = next(
                (i for i, (a, b) in enumerate(zip(text, again, strict=False)) if a != b), min(len(text), len(again))
            )
            raise ProtocolFault("the target's parts are out of order or badly spaced", text=text, offset=offset)
        if self.most_writes is not None and len(target.writes) > self.most_writes:
            raise ProtocolFault(f"the target writes {len(target.writes)} windows, not {self.most_writes}", text=text)
        actions = tuple(item for item in target.emits if item in self.domain.actions)
        return Reply(text, target, actions, tuple(write["instruction"] for write in target.writes))

    def _take_apart(self, text: str) -> Target:
        emits: list[Any] = []
        writes: list[Mapping[str, str]] = []
        registers: Mapping[str, str] | None = None
        start = 0
        while start <= len(text):
            seam = self._seam.search(text, start)
            item = text[start : seam.start()] if seam else text[start:]
            try:
                if item.startswith(OUTPUT):
                    emits.append(self.domain.actions.parse(item.removeprefix(OUTPUT)))
                elif (write := self.surface.write.match(item)) is not None:
                    self.domain.instructions.parse(write["instruction"])
                    writes.append(write)
                elif self.surface.registers and (found := self.surface.registers.match(item)) is not None:
                    if registers is not None:
                        raise ValueError("the registers are written twice")
                    registers = found
                else:
                    emits.append(self.domain.notes.parse(item))
            except ValueError as error:
                raise ProtocolFault(str(error), text=text, offset=start) from None
            start = seam.end() if seam else len(text) + 1
        if self.surface.registers and registers is None:
            raise ProtocolFault(f"the target ends without {self.surface.registers.text!r}", text=text, offset=len(text))
        return Target(tuple(emits), tuple(writes), registers or {})

    def _emission(self, emitted: Any) -> str:
        if emitted in self.domain.actions:
            return OUTPUT + self.domain.actions.format(emitted)
        return self.domain.notes.format(emitted)


def _head(template: Template) -> str:
    return template.text.split("{", 1)[0]


def _append(text: str, separator: str, part: str) -> str:
    return text + separator + part if text else part


class StackConvention(Convention[str, tuple[str, ...]]):
    """A pushdown stack: PUSH in reverse order of execution; no addresses, so no arithmetic."""

    name = "stack"
    _surface = Surface("INSTR {instruction}", "PUSH {instruction}")
    defaults = {"numeric": _surface, "symbolic": _surface}

    def __init__(self, domain: Domain[Any, Any, Any, Any], notation: Notation, limits: Limits = Limits()) -> None:
        super().__init__(domain, notation, limits)
        self.memoryless = True
        self.dialect = f"{domain.name}/{self.name}"  # no numbers, so the notation makes no difference
        self._prompts = Remembered(self._question)

    def _window(self, instruction: str) -> str:
        return instruction

    def prompt(self, window: str) -> str:
        return self._prompts[window]

    def resolve(self, reply: Reply, window: str, arithmetic: ArithmeticOracle) -> tuple[str, ...]:
        return reply.windows

    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        write = self.domain.instructions.format
        return Target(step.emits, tuple({"instruction": write(instruction)} for instruction in reversed(step.then)))


class LinkedTapeConvention(Convention[TapeWindow, TapeWrite]):
    """A stack kept as a linked list on an append-only tape: each window knows its predecessor, `prev`."""

    name = "linked"
    _write = "APPEND[{address}] {instruction} prev={prev}"
    _registers = "PTR={PTR} NEXT_ID={NEXT_ID}"
    defaults = {
        "numeric": Surface("PTR={PTR} NEXT_ID={NEXT_ID} INSTR[{PTR}] {instruction} prev={prev}", _write, _registers),
        "symbolic": Surface("INSTR {instruction} prev=prev", _write, _registers, close=" "),
    }
    _kept = Template("{instruction} prev={prev}")

    def _window(self, instruction: str) -> str:
        return self._kept.format(instruction=instruction, prev=HALT)

    def prompt(self, window: TapeWindow) -> str:
        instruction, prev = self._split(window)
        return self.surface.prompt.format(PTR=window.ptr, NEXT_ID=window.next_id, instruction=instruction, prev=prev)

    def resolve(self, reply: Reply, window: TapeWindow, arithmetic: ArithmeticOracle) -> TapeWrite:
        writes, registers = reply.target.writes, reply.target.registers
        expressions = [write[name] for write in writes for name in ("address", "prev")]
        expressions += (registers["PTR"], registers["NEXT_ID"])
        known = {"PTR": window.ptr, "NEXT_ID": window.next_id, "prev": int(self._split(window)[1])}
        *numbers, ptr, next_id = arithmetic.resolve(expressions, known)
        windows = [
            (address, self._kept.format(instruction=instruction, prev=prev))
            for address, prev, instruction in zip(numbers[::2], numbers[1::2], reply.windows, strict=True)
        ]
        return TapeWrite(tuple(windows), ptr, next_id)

    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        writes, prev = [], _expression("prev", 0, registers)
        for offset, instruction in enumerate(reversed(step.then)):
            address = _expression("NEXT_ID", offset, registers)
            writes.append(
                {"address": address, "instruction": self.domain.instructions.format(instruction), "prev": prev}
            )
            prev = address
        return Target(
            step.emits, tuple(writes), {"PTR": prev, "NEXT_ID": _expression("NEXT_ID", len(writes), registers)}
        )

    def _split(self, window: TapeWindow) -> tuple[str, str]:
        instruction, _, prev = window.text.rpartition(" prev=")
        return instruction, prev


class ChainTapeConvention(Convention[TapeWindow, TapeWrite]):
    """A tape on which each step appends its one successor and moves on to it; PTR is -1 after the last.

    A surface may name the pointer in its write, as Pancake's sentences do, or in registers of its own.
    """

    name = "chain"
    most_writes = 1
    runs_all = False  # the one at address -1 is not
    _write, _registers = "APPEND[{address}] {instruction}", "PTR={PTR}"
    defaults = {
        "numeric": Surface("PTR={PTR} {instruction}", _write, _registers, join=" "),
        "symbolic": Surface("{instruction}", _write, _registers, join=" "),
    }

    def _window(self, instruction: str) -> str:
        return instruction

    def prompt(self, window: TapeWindow) -> str:
        return self.surface.prompt.format(PTR=window.ptr, instruction=window.text)

    def resolve(self, reply: Reply, window: TapeWindow, arithmetic: ArithmeticOracle) -> TapeWrite:
        fields = {**reply.target.registers, **dict(*reply.target.writes)}
        if "PTR" not in fields:
            raise ProtocolFault("the target names no pointer", text=reply.text)
        expressions = [fields[name] for name in ("PTR", "address") if name in fields]
        ptr, *addresses = arithmetic.resolve(expressions, {"PTR": window.ptr, "NEXT_ID": window.next_id})
        return TapeWrite(tuple(zip(addresses, reply.windows, strict=True)), ptr)

    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        successor = step.then[0] if step.then else step.last
        pointer = _expression("PTR", 1, registers) if step.then else str(HALT)
        if len(step.then) > 1 or (successor is None and self.surface.registers is None):
            raise TypeError(f"{self.domain.name}: a chain needs one successor a step, not {len(step.then)}: {step}")
        writes = []
        if successor is not None:
            writes = [{"address": pointer, "instruction": self.domain.instructions.format(successor), "PTR": pointer}]
        return Target(step.emits, tuple(writes), {"PTR": pointer})


def tape_convention(
    domain: Domain[Any, Any, Any, Any], notation: Notation, limits: Limits = Limits()
) -> Convention[TapeWindow, TapeWrite]:
    """The tape convention that the domain's continuation asks for."""
    kind = ChainTapeConvention if domain.continuation == "chain" else LinkedTapeConvention
    return kind(domain, notation, limits)


def _expression(register: str, offset: int, registers: Registers) -> str:
    """`register` plus `offset`: a number where the prompt shows the registers, else an expression."""
    if registers:
        return str(registers[register] + offset)
    return f"{register}+{offset}" if offset else register
