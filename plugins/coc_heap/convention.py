"""The convention of the heap: a prompt has an instruction, and the record that it names.

In numeric notation, names are as they are. In symbolic notation the names of a prompt are numbered in the order in
which they stand there, and a target uses these numbers, which stand for the names. Since a policy that stores records
does not compare names, nothing that it needs is lost, and all problems of all sizes have the same few prompts.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from coc_core.arithmetic import Notation
from coc_core.domain import Domain, StoresRecords, split_record, without_record
from coc_core.errors import ProtocolFault
from coc_core.memories import Convention, Layout, Memo, ParsedTarget, Target
from coc_core.text import Surface, counted, name_pattern, names_in
from coc_core.types import Limits, Registers, Step
from coc_heap.memory import Write


class HeapConvention(Convention[str, Write]):
    """Each line of a target that begins with `WRITE` is a record, or an instruction to push.

    A domain whose policy stores no records has the prompts of a stack.
    """

    name = "heap"
    layout = Layout(newest_first=True)
    _surface = Surface("{instruction}", "WRITE {instruction}")
    defaults = {"numeric": _surface, "symbolic": _surface}

    def __init__(self, domain: Domain[Any, Any, Any, Any], notation: Notation, limits: Limits = Limits()) -> None:
        super().__init__(domain, notation, limits)
        self.memoryless = False  # what a prompt shows of a record is not in the instruction that was written
        self._stores = isinstance(domain, StoresRecords)
        self._letters = domain.interchangeable_names if self._stores else frozenset[str]()
        self.local_names = notation == "symbolic" and bool(self._letters)
        self.dialect = f"{domain.name}/{self.name}"  # there are no addresses, so one notation, unless there are names
        if self._letters:
            self.dialect += f"/{notation}"
        self._name = name_pattern(self._letters)
        self._numbered, self._prompts = Memo(self._number), Memo(self._place)
        self._forms, self._action = Memo(self._form), Memo(domain.actions.parse)
        self._targets_by_prompt = Memo(super().target_for)

    def first_window(self, problem: Any) -> str:
        """Return the records and the first instruction, one a line."""
        subject = self.domain
        records = subject.records(problem) if isinstance(subject, StoresRecords) else ()
        return "\n".join([*map(subject.instructions.format, records), super().first_window(problem)])

    def _window(self, instruction: str) -> str:
        return without_record(instruction) if self._stores else instruction

    def prompt(self, window: str) -> str:
        return self._numbered[window][0] if self.local_names else self._instruction_prompt(window)

    def actions(self, target: ParsedTarget, window: str) -> tuple[Any, ...]:
        if not (self.local_names and target.actions):
            return target.actions
        numbers = self._numbered[window][2]
        return tuple([self._action[form(*numbers)] for form in self._forms[target.text].actions])

    def write(self, target: ParsedTarget, window: str, numbers: Sequence[int]) -> Write:
        if not self._stores:
            return target.windows
        if not self.local_names:
            return tuple([split_record(text) or text for text in target.windows])
        form, (_, known, meant) = self._forms[target.text], self._numbered[window]
        if not form.names <= known:
            name = min(form.names - known)
            raise ProtocolFault(
                f"the prompt has {counted(len(known), 'name')}, and the target has {name}",
                text=target.text,
                offset=target.text.index(name),
            )
        return tuple(
            [text(*meant).partition(": ")[::2] if is_record else text(*meant) for text, is_record in form.writes]
        )

    def target_for(self, prompt: str) -> str:
        return self._targets_by_prompt[prompt] if self.local_names else super().target_for(prompt)

    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        records, pushed = list[str](), list[str]()
        for text in map(self.domain.instructions.format, step.then):
            if self._stores and split_record(text):
                records.append(text)
            else:
                pushed.append(self._window(text))
        return Target(step.emits, tuple({"instruction": text} for text in (*records, *reversed(pushed))))

    def _number(self, window: str) -> tuple[str, frozenset[str], list[str]]:
        """The prompt for a window, the names in the prompt, and the number that each stands for, the first at 1."""
        parts = self._name.split(window)  # a text, letters, a number, a text, letters, a number, ..., a text
        meant = ["", *parts[2::3]]
        del parts[2::3]
        return *self._prompts["\n".join(parts)], meant

    def _place(self, parts: str) -> tuple[str, frozenset[str]]:
        """The prompt for all windows that differ in the numbers of names alone, and the names in it."""
        texts = parts.split("\n")
        names = texts[1::2] = [f"{letters}{place}" for place, letters in enumerate(texts[1::2], 1)]
        return self._instruction_prompt("".join(texts)), frozenset(names)

    def _form(self, text: str) -> "_Form":
        target = self.parse(text)
        return _Form(
            frozenset(names_in(text, self._letters)),
            [(self._with_places(text), split_record(text) is not None) for text in target.windows],
            [self._with_places(self.domain.actions.format(action)) for action in target.actions],
        )

    def _with_places(self, text: str) -> Callable[..., str]:
        """Make what writes a text with other numbers: in place of a number, the argument at its place."""
        return self._name.sub(r"\1{\2}", text.replace("{", "{{").replace("}", "}}")).format


class _Form(NamedTuple):
    """A target whose names stand for others.

    Attributes:
        names: The names in it.
        writes: What writes the text of each window, and whether it is a record.
        actions: What writes the text of each action.
    """

    names: frozenset[str]
    writes: list[tuple[Callable[..., str], bool]]
    actions: list[Callable[..., str]]
