"""The convention: how the windows of a memory become prompts, and the steps of a policy become targets.

    prompt:        window -> text              parse:    text -> ParsedTarget    (for the machine)
    parse_prompt:  text -> instruction         compose:  Step -> Target          (for the teacher)

`format` writes a Target as text. `parse` accepts a text only if `format` gives that text back, so the two are
inverse by construction.
"""

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Generic, Literal

from attrs import evolve, field, frozen

from coc_core.arithmetic import ArithmeticOracle, Notation
from coc_core.domain import Domain, HasSource
from coc_core.errors import ProtocolFault, StepFault
from coc_core.memories.layout import Layout
from coc_core.memories.memory import WindowT, WriteT
from coc_core.memories.target import Memo, Target, TargetText
from coc_core.models import Model
from coc_core.text import Surface, find_unprintable, parse_number, quoted
from coc_core.types import Expectation, Limits, Registers, Step


@frozen
class ParsedTarget:
    """A target that has been checked, with what the machine needs of it.

    Attributes:
        text: The text that was parsed.
        target: The target as a record.
        actions: The domain's actions in the target, in order.
        windows: The texts of the instructions that it writes, in order.
        expressions: The expressions that the arithmetic oracle must resolve, in order.
        result: The text of the result that it returns; None if it returns none.
    """

    text: str = field(repr=reprlib.repr)
    target: Target = field(repr=False)
    actions: tuple[Any, ...] = field(repr=reprlib.repr)
    windows: tuple[str, ...] = field(repr=reprlib.repr)
    expressions: tuple[str, ...] = field(default=(), repr=reprlib.repr)
    result: str | None = field(default=None, repr=reprlib.repr)


class Convention(ABC, Generic[WindowT, WriteT]):
    """The prompts and targets of one domain on one memory, in one notation.

    Attributes:
        wording: The convention whose surfaces in a domain this one uses; empty for its own.
        defaults: The surface for each notation, used unless the domain has its own.
        layout: How the memory is shown to people.
        max_writes: The largest number of windows that a step may write, None for any number. If it is 0, the one step
            of a run has the whole plan.
        runs_every_window: Whether every window that is written is run eventually.
        offers: What a policy can use on this memory, beside instructions.
        growing_prompts: Whether a prompt grows with the number of steps taken.
        local_names: Whether the names in prompts and targets are not those of the problem, so that what a target does
            depends on the window: `actions` and `write` put the problem's names in their place.
        memoryless: Whether a prompt depends on its instruction alone, so that there are few distinct prompts.
        dialect: The name of the language of prompts and targets; a checkpoint is trained for one or more dialects.

    Example:
        >>> from coc_core.plugin import Registry
        >>> from coc_core.setting import Setting
        >>> setting = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic")
        >>> convention = setting.convention
        >>> prompt = convention.prompt(convention.first_window(setting.domain.problem(2)))
        >>> prompt
        'INSTR CALL n=2 src=1 dst=3 aux=2'
        >>> target = convention.target_for(prompt)
        >>> print(target)
        PUSH CALL n=1 src=2 dst=3 aux=1
        PUSH MOVE d=2 src=1 dst=3
        PUSH CALL n=1 src=1 dst=2 aux=3
        >>> convention.parse(target).windows[-1]
        'CALL n=1 src=1 dst=2 aux=3'

        What a model writes is untrusted, so `parse` accepts one spelling only:

        >>> convention.parse(target + " ")
        Traceback (most recent call last):
        coc_core.errors.ProtocolFault: '3 ' is not a plain decimal number
    """

    name: ClassVar[str]
    wording: ClassVar[str] = ""
    defaults: ClassVar[Mapping[str, Surface]]
    layout: ClassVar[Layout] = Layout()
    max_writes: ClassVar[int | None] = None
    runs_every_window: ClassVar[bool] = True
    offers: ClassVar[frozenset[Literal["records", "results"]]] = frozenset()
    growing_prompts: ClassVar[bool] = False
    local_names: bool = False
    memoryless: bool
    dialect: str

    parse: Callable[[str], ParsedTarget]
    """Parse a target, or raise ProtocolFault, with the offset where it is known. Results are cached."""

    _instruction_prompt: Callable[[str], str]
    """Write the prompt that shows the text of an instruction and nothing else. Results are cached."""

    match_prompt: Callable[[str], dict[str, str] | None]
    """Find the texts of the instruction and of the registers in a prompt, by name. Gives None or raises ValueError for
    a text that is not a prompt. By default a prompt has the form of the surface's `prompt`."""

    def __init__(self, domain: Domain[Any, Any, Any, Any], notation: Notation, limits: Limits = Limits()) -> None:
        self.domain, self.notation, self.limits = domain, notation, limits
        self.surface = domain.surfaces.get((self.wording or self.name, notation), self.defaults[notation])
        self.memoryless = notation == "symbolic"
        self.dialect = f"{domain.speaks_as or domain.name}/{self.name}/{notation}"
        self._targets = TargetText(domain, self.surface)
        self.parse = Memo(self._parse).__getitem__
        self._instruction_prompt = Memo(lambda text: self.surface.prompt.format(instruction=text)).__getitem__
        self.match_prompt = self.surface.prompt.match

    # ── between the memory and the model ──────────────────────────────────────────────────────────────────────────

    def first_window(self, problem: Any) -> str:
        """Return the window that a run of a problem starts with."""
        return self._window(self.domain.instructions.format(self.domain.start(problem)))

    def _window(self, instruction: str) -> str:
        """Return the text of the window with an instruction at the start of a run, by default just the instruction."""
        return instruction

    @abstractmethod
    def prompt(self, window: WindowT) -> str:
        """Return what the model reads for a window."""

    def prompts_like(self, window: Any) -> Iterable[str]:
        """Return the prompts of a window and of all that have other names in it, by default that of the window."""
        return (self.prompt(window),)

    def compared(self, text: str) -> Sequence[tuple[int, int]]:
        """Return the numbers of each two names that a step finds to be different, in a text with the names numbered by
        place, as `prompts_like` gives it; none unless there are `local_names`. ProtocolFault if no step reads the text.
        """
        return ()

    def expressions(self, target: Target) -> Sequence[str]:
        """Return the expressions that the arithmetic oracle must resolve, by default none.

        Raises:
            ProtocolFault: The target lacks one.
        """
        return ()

    def registers(self, window: WindowT) -> Registers:
        """Return the values of the registers that expressions name, by default none."""
        return {}

    @abstractmethod
    def write(self, target: ParsedTarget, window: WindowT, numbers: Sequence[int]) -> WriteT:
        """Return what a target does to the memory.

        Args:
            target: The target.
            window: The window that the model read.
            numbers: The value of each of the target's `expressions`, in order.

        Raises:
            ProtocolFault: The target does not suit the window.
        """

    def actions(self, target: ParsedTarget, window: WindowT) -> tuple[Any, ...]:
        """Return the actions of a target as they are applied; others than its own only if there are `local_names`."""
        return target.actions

    def resolve(self, target: ParsedTarget, window: WindowT, arithmetic: ArithmeticOracle) -> WriteT:
        """Return what a target does to the memory, with its expressions resolved by the oracle.

        Raises:
            ProtocolFault: The target does not suit the window.
            ArithmeticFault: The oracle can't resolve an expression.
        """
        return self.write(target, window, arithmetic.resolve(target.expressions, self.registers(window)))

    def certain_prompts(self, text: str) -> tuple[str, ...]:
        """Return the prompts of the windows that a target writes, if they are known and certain to be run."""
        if not (self.memoryless and self.runs_every_window):
            return ()
        try:
            return tuple(map(self._instruction_prompt, self.parse(text).windows))
        except ProtocolFault:
            return ()

    # ── between the policy and the model ──────────────────────────────────────────────────────────────────────────

    def instruction_prompt(self, instruction: Any) -> str:
        """Return the prompt for an instruction; only for a `memoryless` convention."""
        return self._instruction_prompt(self.domain.instructions.format(instruction))

    def parse_prompt(self, prompt: str) -> tuple[Any, Registers]:
        """Return the instruction and the registers that a prompt shows.

        Raises:
            ValueError: The text is not a prompt of this convention.
        """
        found = self.match_prompt(prompt)
        if found is None:
            raise ValueError(f"{quoted(prompt)} is not of the form {self.surface.prompt.text!r}")
        instruction = self._targets.instruction(found.pop("instruction"))
        return instruction, {name: parse_number(text) for name, text in found.items()}

    def source_of(self, window: WindowT) -> str:
        """Return where the step for a window begins in the domain's source; empty if that is not known."""
        if isinstance(self.domain, HasSource):
            with suppress(StepFault, ValueError):
                return self.domain.source_of(self.parse_prompt(self.prompt(window))[0])
        return ""

    def expect(self, problem: Any) -> Expectation | None:
        """Return the number of steps and actions of the run in closed form; None if there is no closed form."""
        expected = self.domain.expect(problem)
        return None if expected is None else evolve(expected, steps=self.count_steps(expected.steps))

    def count_steps(self, instructions: int) -> int:
        """Return the number of steps of a run in which the policy expands so many instructions."""
        return 1 if self.max_writes == 0 else instructions

    @abstractmethod
    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        """Return the target for a step of the policy.

        Args:
            step: What the policy does.
            registers: The values that the prompt shows; empty if the notation is symbolic.
        """

    def target_for(self, prompt: str) -> str:
        """Return the policy's target for a prompt.

        Raises:
            ValueError: The text is not a prompt of this convention.
        """
        instruction, registers = self.parse_prompt(prompt)
        return self.format(self.compose(self.domain.expand(instruction), registers))

    def format(self, target: Target) -> str:
        """Return the text of a target."""
        return self._targets.format(target)

    # ── parsing ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _parse(self, text: str) -> ParsedTarget:
        if len(text) > self.limits.target_chars:
            raise ProtocolFault(f"the target has {len(text):,} characters, the limit is {self.limits.target_chars:,}")
        bad = find_unprintable(text)
        if bad is not None:
            raise ProtocolFault(f"the model wrote an unprintable character ({text[bad]!a})", text=text, offset=bad)
        if not text:
            raise ProtocolFault("the target is empty")
        target = self._targets.parse(text)
        again = self.format(target)
        if again != text:
            offset = next((i for i, letter in enumerate(text) if again[i : i + 1] != letter), len(text))
            raise ProtocolFault("the parts of the target are out of order or wrongly spaced", text=text, offset=offset)
        if self.max_writes is not None and len(target.writes) > self.max_writes:
            raise ProtocolFault(f"the target writes {len(target.writes)} windows, not {self.max_writes}", text=text)
        actions = tuple(item for item in target.emits if item in self.domain.actions)
        windows = tuple(write["instruction"] for write in target.writes)
        result = None if target.result is None else self.domain.results.format(target.result)
        return ParsedTarget(text, target, actions, windows, tuple(self.expressions(target)), result)


class Reference(Model):
    """The domain's policy behind the model interface: it reads a prompt and writes the policy's target.

    It is the teacher of every dataset, the stand-in in tests, and the standard that a trained model is compared with.
    """

    name = "reference"

    def __init__(self, convention: Convention[Any, Any]) -> None:
        super().__init__()
        self._convention = convention

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return [self._convention.target_for(prompt) for prompt in prompts]
