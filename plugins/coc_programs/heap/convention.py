"""The convention of the heap: a prompt has an instruction, and the record that it names.

In numeric notation, names are as they are. In symbolic notation the names of a prompt are numbered in the order in
which they stand there, and a target uses these numbers, which stand for the names. Where a step compares two names that
are the same, they have the same number. So nothing that a policy needs is lost, and all problems of all sizes have the
same few prompts.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from string import ascii_letters
from typing import Any

from coc_core.arithmetic import Notation
from coc_core.domain import Domain, HasSource, StoresRecords, record_named, split_record, without_record
from coc_core.errors import ProtocolFault
from coc_core.memories import Convention, Layout, Memo, ParsedTarget, Target
from coc_core.text import Surface, counted, names_in
from coc_core.types import Limits, Registers, Step
from coc_programs.heap.kinds import begun, check_kinds
from coc_programs.heap.memory import Changes, First, Picked, Window, Write, changes, gaps, picker, template
from coc_programs.record import Record

Form = tuple[frozenset[str], list[tuple[Picked, Changes]], list[tuple[Picked, Picked]], Picked | None, list[Picked]]
"""The names in a target, what it writes, and its actions. Numbers are those of a window, and that of a new record."""


def name_pattern(letters: Collection[str], more: str = "") -> re.Pattern[str]:
    """Return a pattern of the names with these letters before the number; its groups are the letters and the number.

    With a pattern of `more` letters, a number may also be `+1`.
    """
    # What may not be before a name is looked for after its letters: so most of a text is searched for a letter alone.
    names = [f"{each}(?<![A-Za-z0-9]{each})" for each in sorted(letters)]
    return re.compile(f"({'|'.join([*names, more or '(?!)'])})([0-9]+{'|[+]1' if more else ''})")


class HeapConvention(Convention[Window, Write]):
    """Each line of a target that begins with `WRITE` is a record, or an instruction to push.

    A domain whose policy stores no records has the prompts of a stack.
    """

    name = "heap"
    offers = frozenset({"records", "results"})
    layout = Layout(newest_first=True)
    _surface = Surface("{instruction}", "WRITE {instruction}")
    defaults = {"numeric": _surface, "symbolic": _surface}

    def __init__(self, domain: Domain[Any, Any, Any, Any], notation: Notation, limits: Limits = Limits()) -> None:
        super().__init__(domain, notation, limits)
        self.memoryless = False  # what a prompt shows of a record is not in the instruction that was written
        self._stores = isinstance(domain, StoresRecords)
        self._letters = domain.interchangeable_names if self._stores else frozenset[str]()
        self.local_names = notation == "symbolic" and bool(self._letters)
        # there are no addresses, so one notation, unless there are names
        self.dialect = self.dialect.removesuffix(f"/{notation}")
        if isinstance(domain, StoresRecords) and domain.edition > 1:
            self.dialect += f"-{domain.edition}"
        if self._letters:
            self.dialect += f"/{notation}"
        local = self._letters if self.local_names else ()
        self._name, self._written_name = name_pattern(local), name_pattern(local, "[A-Za-z]+(?=[+]1)")
        self._prompts = Memo(self._place)
        self._unequal = Memo(lambda text: self._prompts[_numbered(text)])
        self._forms, self._action = Memo(self._form), Memo(domain.actions.parse)
        self._targets_by_prompt = Memo(super().target_for)
        self._begun: tuple[Any, str] = object(), ""
        self._seen: tuple[Any, frozenset[str]] = None, frozenset()

    def first_window(self, problem: Any) -> str:
        """Return the records and the first instruction, one a line.

        Raises:
            UnsupportedError: The domain states the kinds of these, and one is of none of them.
        """
        if problem is not self._begun[0]:  # a run asks twice
            texts = [*map(self.domain.instructions.format, begun(self.domain, problem))]
            texts[-1] = self._window(texts[-1])
            check_kinds(self.domain, problem, texts)
            first = First("\n".join(texts))
            first.names = self._name
            self._begun = problem, first
        return self._begun[1]

    def _window(self, instruction: str) -> str:
        return without_record(instruction) if self._stores else instruction

    def window(self, text: str) -> Window:
        """Return the window with this text."""
        return Window(*template(text, self._name), 0)

    def prompt(self, window: Window) -> str:
        if not self.local_names:
            return self._instruction_prompt(str(window))
        shown, names, _ = self._shown(window)
        self._seen = window, names
        return shown

    def source_of(self, window: Window) -> str:
        if not (self.local_names and isinstance(self.domain, HasSource)):
            return super().source_of(window)
        try:  # with the names that it has in the run
            return self.domain.source_of(self.domain.instructions.parse(str(window)))
        except ValueError:
            return ""

    def prompts_like(self, window: str) -> Iterator[str]:
        text, numbers, _ = self.window(window)
        queue = [(*range(1, len(numbers) + 1),) if self.local_names else numbers]
        for places in queue:
            prompt, _, compared = self._prompts[text % places]
            yield prompt
            for first, second in map(sorted, compared):
                same = tuple([first if place == second else place for place in places])
                if same not in queue:
                    queue.append(same)

    def compared(self, text: str) -> Sequence[tuple[int, int]]:
        return self._prompts[text][2]

    def actions(self, target: ParsedTarget, window: Window) -> tuple[Any, ...]:
        if not (self.local_names and target.actions):
            return target.actions
        given, actions = (*window.numbers, str(window.new)), self._forms[target.text][4]
        try:
            return tuple([self._action[text % pick(given)] for text, pick in actions])
        except ValueError as error:
            raise ProtocolFault(f"with the names that the prompt stands for, {error}", text=target.text) from None

    def write(self, target: ParsedTarget, window: Window, numbers: Sequence[int]) -> Write:
        names, records, pushed, result, _ = self._forms[target.text]
        seen, known = self._seen  # by its prompt, a moment ago
        if self.local_names and not names <= (known if seen is window else (known := self._shown(window)[1])):
            name = min(names - known)
            raise ProtocolFault(
                f"the prompt has {counted(len(known), 'name')}, and the target has {name}",
                text=target.text,
                offset=target.text.index(name),
            )
        if result and pushed:
            raise ProtocolFault("the target returns a result, and has more to run", text=target.text)
        return records, pushed, result, (*window.numbers, str(window.new))

    def target_for(self, prompt: str) -> str:
        return self._targets_by_prompt[prompt] if self.local_names else super().target_for(prompt)

    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        records, pushed = list[str](), list[str]()
        for text in map(self.domain.instructions.format, step.then):
            if self._stores and split_record(text):
                records.append(text)
            else:
                pushed.append(self._window(text))
        writes = tuple({"instruction": text} for text in (*records, *reversed(pushed)))
        return Target(step.emits, writes, result=step.result)

    def _shown(self, window: Window) -> tuple[str, frozenset[str], Sequence[tuple[int, int]]]:
        """Return the prompt for a window, the names in it, and the numbers of those compared."""
        shown, numbers = self._unequal[window.text], window.numbers
        places: Sequence[int] = range(1, len(numbers) + 1)
        while True:
            for first, second in shown[2]:
                if numbers[first - 1] == numbers[second - 1]:
                    break
            else:
                return shown
            # Names that are compared, and are the same, have the same number: that of the first.
            places = [min(first, second) if place == max(first, second) else place for place in places]
            shown = self._prompts[window.text % tuple(places)]

    def _place(self, text: str) -> tuple[str, frozenset[str], Sequence[tuple[int, int]]]:
        """Return the prompt for a text with its names numbered, these names, and the numbers of those compared."""
        compared: Sequence[tuple[int, int]] = ()
        if self.local_names and isinstance(self.domain, StoresRecords):
            try:
                compared = self.domain.comparisons(self.domain.instructions.parse(text))
            except ValueError as error:
                raise ProtocolFault(f"no instruction can read what it is given: {error}", text=text) from None
        names = names_in(text, self._letters)
        if (
            Record.letters in self._letters
        ):  # a record of any class may be taken for one of some class, and that for any
            numbers = {name: name.lstrip(ascii_letters) for name in names}
            names |= {Record.letters + number for number in numbers.values()}
            of_any = [number for name, number in numbers.items() if name == Record.letters + number]
            names |= {letters + number for letters in self._letters for number in of_any}
        return self._instruction_prompt(text), frozenset(names), compared

    def _form(self, text: str) -> Form:
        target, records, pushed = self.parse(text), list[Any](), list[Any]()
        for written in target.windows:
            if self._stores and (record := split_record(written)):
                records.append((self._picked(record[0]), changes(*self._placed(record[1]))))
            else:
                named = (record_named(written) or "") if self._stores else ""
                pushed.append((self._picked(written), self._picked(named)))
        actions = [self._picked(self.domain.actions.format(action)) for action in target.actions]
        result = None if target.result is None else self._picked(target.result)
        return frozenset(names_in(text, self._letters)), records, pushed, result, actions

    def _picked(self, text: str) -> Picked:
        found, places = self._placed(text)
        return found, picker(places)

    def _placed(self, text: str) -> tuple[str, Sequence[int]]:
        """Return the template of a text, and the places of its numbers among those of a window; -1 for that of `+1`."""
        found, numbers = template(text, self._written_name)
        # A number that is too long is none of the window, which is a fault before.
        return found, [-1 if number == "+1" else int(number[-9:]) - 1 for number in numbers]


def _numbered(text: str) -> str:
    """Return what a template gives with the numbers 1, 2, and so on."""
    return text % (*range(1, gaps(text) + 1),)
