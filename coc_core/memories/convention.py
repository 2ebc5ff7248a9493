"""What all conventions share.

A convention adds to a target's two forms, record and text, the two directions in between:

    prompt:  window -> text               parse:    text -> Target      (for the machine)
    recall:  text -> instruction          compose:  Step -> Target      (for the teacher)

`format` writes a Target as text. `parse` accepts a text only if `format` gives that text back, so the two are
inverse by construction.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic

from attrs import frozen

from coc_core.arithmetic import ArithmeticOracle, Notation
from coc_core.domain import Domain
from coc_core.errors import ProtocolFault
from coc_core.memories.layout import Layout
from coc_core.memories.memo import Memo
from coc_core.memories.memory import WindowT, WriteT
from coc_core.memories.target import Target, TargetText
from coc_core.text import Surface, find_unprintable, parse_number, quoted
from coc_core.types import Limits, Registers, Step


@frozen
class ParsedTarget:
    """A target that has been checked, with what the machine needs of it at hand."""

    text: str
    target: Target
    actions: tuple[Any, ...]
    windows: tuple[str, ...]


class Convention(ABC, Generic[WindowT, WriteT]):
    """Prompt and target text for one domain on one memory, in one notation."""

    name: ClassVar[str]
    defaults: ClassVar[Mapping[str, Surface]]
    """The surface for each notation, where the domain has none of its own."""

    most_writes: ClassVar[int | None] = None
    """How many windows a step can write at most; None is any number."""

    parse: Callable[[str], ParsedTarget]
    """The target that a text writes; ProtocolFault, with the offset where known, if it writes none. Remembers."""

    layout: ClassVar[Layout] = Layout()
    """How the memory is shown to people."""

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
        self._targets = TargetText(domain, self.surface)
        self.parse = Memo(self._parse).__getitem__

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
    def expressions(self, target: ParsedTarget, window: WindowT) -> tuple[Sequence[str], Registers]:
        """What the oracle has to work out before the target can be written: expressions, and the registers they name.

        Raises ProtocolFault if the target lacks one.
        """

    @abstractmethod
    def write(self, target: ParsedTarget, window: WindowT, numbers: Sequence[int]) -> WriteT:
        """What the target does to the memory, given the numbers of its expressions."""

    def resolve(self, target: ParsedTarget, window: WindowT, arithmetic: ArithmeticOracle) -> WriteT:
        """What the target does to the memory, its expressions worked out by the oracle."""
        return self.write(target, window, arithmetic.resolve(*self.expressions(target, window)))

    def certain_prompts(self, text: str) -> tuple[str, ...]:
        """The prompts of the windows that a target writes, where they are known and sure to come; else nothing."""
        if not (self.memoryless and self.runs_all):
            return ()
        try:
            return tuple(map(self._instruction_prompt, self.parse(text).windows))
        except ProtocolFault:
            return ()

    # ── between the policy and the model ──────────────────────────────────────────────────────────────────────────

    def instruction_prompt(self, instruction: Any) -> str:
        """The prompt for an instruction, where it depends on nothing else (`memoryless`)."""
        return self._instruction_prompt(self.domain.instructions.format(instruction))

    def parse_prompt(self, prompt: str) -> tuple[Any, Registers]:
        """The instruction and the numbers that a prompt shows; ValueError if it is no prompt of this convention."""
        found = self.surface.prompt.match(prompt)
        if found is None:
            raise ValueError(f"{quoted(prompt)} is not of the form {self.surface.prompt.text!r}")
        instruction = self.domain.instructions.parse(found.pop("instruction"))
        return instruction, {name: parse_number(text) for name, text in found.items()}

    @abstractmethod
    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        """The target that writes down what the policy does."""

    def target_for(self, prompt: str) -> str:
        """The teacher's target for a prompt."""
        instruction, registers = self.parse_prompt(prompt)
        return self.format(self.compose(self.domain.expand(instruction), registers))

    def format(self, target: Target) -> str:
        """The text of a target."""
        return self._targets.format(target)

    def _instruction_prompt(self, instruction: str) -> str:
        return self.surface.prompt.format(instruction=instruction)

    # ── parsing ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _parse(self, text: str) -> ParsedTarget:
        if len(text) > self.limits.target_chars:
            raise ProtocolFault(f"the target has {len(text):,} characters, the limit is {self.limits.target_chars:,}")
        bad = find_unprintable(text)
        if bad is not None:
            raise ProtocolFault(f"the target holds {text[bad]!a}, which is not printable ASCII", text=text, offset=bad)
        if not text:
            raise ProtocolFault("the target is empty")
        target = self._targets.take_apart(text)
        again = self.format(target)
        if again != text:
            offset = next(
                (i for i, (a, b) in enumerate(zip(text, again, strict=False)) if a != b), min(len(text), len(again))
            )
            raise ProtocolFault("the target's parts are out of order or badly spaced", text=text, offset=offset)
        if self.most_writes is not None and len(target.writes) > self.most_writes:
            raise ProtocolFault(f"the target writes {len(target.writes)} windows, not {self.most_writes}", text=text)
        actions = tuple(item for item in target.emits if item in self.domain.actions)
        return ParsedTarget(text, target, actions, tuple(write["instruction"] for write in target.writes))
