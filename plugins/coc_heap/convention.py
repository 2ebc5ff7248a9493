"""The convention of the heap: a prompt has an instruction, and the record that it names.

In numeric notation, names are as they are. In symbolic notation the names of a prompt are numbered in the order in
which they stand there, and a target uses these numbers, which stand for the names. Since a policy that stores records
does not compare names, nothing that it needs is lost, and all problems of all sizes have the same few prompts.
"""

from collections.abc import Sequence
from typing import Any

from coc_core.arithmetic import Notation
from coc_core.domain import Domain, StoresRecords, split_record, without_record
from coc_core.errors import ProtocolFault
from coc_core.memories import Convention, Layout, Memo, ParsedTarget, Target
from coc_core.text import Surface, counted, names_in, number_names, rename
from coc_core.types import Limits, Registers, Step
from coc_heap.memory import Stored, Write


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
        self._numbered = Memo(lambda window: number_names(window, self._letters))  # each window is asked for it often

    def first_window(self, problem: Any) -> str:
        """Return the records and the first instruction, one a line."""
        subject = self.domain
        records = subject.records(problem) if isinstance(subject, StoresRecords) else ()
        return "\n".join([*map(subject.instructions.format, records), super().first_window(problem)])

    def _window(self, instruction: str) -> str:
        return without_record(instruction) if self._stores else instruction

    def prompt(self, window: str) -> str:
        return self._instruction_prompt(self._numbered[window][0] if self.local_names else window)

    def actions(self, target: ParsedTarget, window: str) -> tuple[Any, ...]:
        forms = self.domain.actions
        if not (self.local_names and target.actions):
            return target.actions
        names = self._numbered[window][1]
        return tuple(forms.parse(rename(forms.format(action), names)) for action in target.actions)

    def write(self, target: ParsedTarget, window: str, numbers: Sequence[int]) -> Write:
        if not self._stores:
            return target.windows
        names = self._numbered[window][1] if self.local_names else {}
        if self.local_names:
            for name in names_in(target.text, self._letters):
                if name not in names:
                    raise ProtocolFault(
                        f"the prompt has {counted(len(names), 'name')}, and the target has {name}",
                        text=target.text,
                        offset=target.text.index(name),
                    )
        return tuple(map(_written, (rename(text, names) for text in target.windows)))

    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        records, pushed = list[str](), list[str]()
        for text in map(self.domain.instructions.format, step.then):
            if self._stores and split_record(text):
                records.append(text)
            else:
                pushed.append(self._window(text))
        return Target(step.emits, tuple({"instruction": text} for text in (*records, *reversed(pushed))))


def _written(text: str) -> str | Stored:
    record = split_record(text)
    return Stored(*record) if record else text
