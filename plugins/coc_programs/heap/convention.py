"""The convention of the heap: a prompt has an instruction, and the record that it names.

In numeric notation, names are as they are. In symbolic notation the names of a prompt are numbered in the order in
which they stand there, and a target uses these numbers, which stand for the names. Where a step compares two names that
are the same, they have the same number. So nothing that a policy needs is lost, and all problems of all sizes have the
same few prompts.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from coc_core.arithmetic import Notation
from coc_core.domain import Domain, StoresRecords, number_new, split_record, without_record
from coc_core.errors import ProtocolFault
from coc_core.memories import Convention, Layout, Memo, ParsedTarget, Returned, Target
from coc_core.text import Surface, counted, names_in
from coc_core.types import Limits, Registers, Step
from coc_programs.heap.kinds import check_kinds
from coc_programs.heap.memory import Fresh, Write


def name_pattern(letters: Collection[str]) -> re.Pattern[str]:
    """Return a pattern of the names with these letters before the number; its groups are the letters and the number."""
    # What may not be before a name is looked for after its letters: so most of a text is searched for a letter alone.
    names = "|".join(f"{each}(?<![A-Za-z0-9]{each})" for each in sorted(letters))
    return re.compile(f"({names or '(?!)'})([0-9]+)")


class HeapConvention(Convention[str, Write]):
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
        self.dialect = f"{domain.name}/{self.name}"  # there are no addresses, so one notation, unless there are names
        if isinstance(domain, StoresRecords) and domain.edition > 1:
            self.dialect += f"-{domain.edition}"
        if self._letters:
            self.dialect += f"/{notation}"
        self._name = name_pattern(self._letters if self.local_names else ())
        self._numbered, self._prompts = Memo(self._number), Memo(self._place)
        self._forms, self._action = Memo(self._form), Memo(domain.actions.parse)
        self._targets_by_prompt = Memo(super().target_for)

    def first_window(self, problem: Any) -> str:
        """Return the records and the first instruction, one a line.

        Raises:
            UnsupportedError: The domain states the kinds of these, and one is of none of them.
        """
        subject = self.domain
        records = subject.records(problem) if isinstance(subject, StoresRecords) else ()
        begun = [*map(subject.instructions.format, records), super().first_window(problem)]
        check_kinds(subject, problem, begun)
        return "\n".join(begun)

    def _window(self, instruction: str) -> str:
        return without_record(instruction) if self._stores else instruction

    def prompt(self, window: str) -> str:
        return self._numbered[window][0] if self.local_names else self._instruction_prompt(window)

    def prompts_like(self, window: str) -> Iterator[str]:
        if not self.local_names:
            yield self.prompt(window)
            return
        parts = self._name.split(window)
        parts[2::3] = map(str, range(1, len(parts[2::3]) + 1))
        queue = ["".join(parts)]
        for text in queue:
            prompt, _, compared = self._prompts[text]
            yield prompt
            for one, other in compared:
                first, second = sorted((one, other))
                renamed = partial(_renumbered, {f"{second}": f"{first}"})
                same = self._name.sub(renamed, text)
                if same not in queue:
                    queue.append(same)

    def actions(self, target: ParsedTarget, window: str) -> tuple[Any, ...]:
        if not (self.local_names and target.actions):
            return target.actions
        numbers = self._numbered[window][2]
        try:
            return tuple([self._action[form(*numbers)] for form in self._forms[target.text].actions])
        except ValueError as error:
            raise ProtocolFault(f"with the names that the prompt stands for, {error}", text=target.text) from None

    def write(self, target: ParsedTarget, window: str, numbers: Sequence[int]) -> Write:
        if not self._stores:
            return target.windows
        form, (_, known, meant) = self._forms[target.text], self._numbered[window]
        if self.local_names and not form.names <= known:
            name = min(form.names - known)
            raise ProtocolFault(
                f"the prompt has {counted(len(known), 'name')}, and the target has {name}",
                text=target.text,
                offset=target.text.index(name),
            )
        if form.goes_on:
            raise ProtocolFault("the target returns a result, and has more to run", text=target.text)
        return (
            *form.new,
            *[text(*meant).partition(": ")[::2] if is_record else text(*meant) for text, is_record in form.writes],
            *[Returned(text(*meant)) for text in form.results],
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
        writes = tuple({"instruction": text} for text in (*records, *reversed(pushed)))
        return Target(step.emits, writes, result=step.result)

    def _number(self, window: str) -> tuple[str, frozenset[str], list[str]]:
        """Return the prompt for a window, the names in the prompt, and the number that each stands for, the first at
        1.
        """
        parts = self._name.split(window)  # a text, letters, a number, a text, letters, a number, ..., a text
        meant = ["", *parts[2::3]]
        parts[2::3] = map(str, range(1, len(meant)))
        text = "".join(parts)
        while True:  # names that are compared, and are the same, have the same number: that of the first
            prompt, names, compared = self._prompts[text]
            same = next(((one, other) for one, other in compared if meant[one] == meant[other]), None)
            if same is None:
                return prompt, names, meant
            first, second = map(str, sorted(same))
            parts[2::3] = [first if number == second else number for number in parts[2::3]]
            text = "".join(parts)

    def _place(self, text: str) -> tuple[str, frozenset[str], Sequence[tuple[int, int]]]:
        """Return the prompt for a window with its names numbered, the names in it, and the numbers of those
        compared.
        """
        compared: Sequence[tuple[int, int]] = ()
        if self.local_names and isinstance(self.domain, StoresRecords):
            try:
                compared = self.domain.comparisons(self.domain.instructions.parse(text))
            except ValueError as error:
                raise ProtocolFault(f"no instruction can read what it is given: {error}", text=text) from None
        return self._instruction_prompt(text), frozenset(names_in(text, self._letters)), compared

    def _form(self, text: str) -> "_Form":
        target = self.parse(text)
        records = [split_record(text) is not None for text in target.windows]
        written = (*target.windows, target.result or "")
        return _Form(
            frozenset(names_in(text, self._letters)),
            [*zip(map(self._with_places, target.windows), records, strict=True)],
            [self._with_places(self.domain.actions.format(action)) for action in target.actions],
            [] if target.result is None else [self._with_places(target.result)],
            [Fresh()] if self._stores and any(number_new(each, 1) != each for each in written) else [],
            target.result is not None and not all(records),
        )

    def _with_places(self, text: str) -> Callable[..., str]:
        """Make what writes a text with other numbers: in place of a number, the argument at its place."""
        return self._name.sub(r"\1{\2}", text.replace("{", "{{").replace("}", "}}")).format


def _renumbered(numbers: Mapping[str, str], name: re.Match[str]) -> str:
    return f"{name[1]}{numbers.get(name[2], name[2])}"


class _Form(NamedTuple):
    """A target whose names stand for others.

    Attributes:
        names: The names in it.
        writes: What writes the text of each window, and whether it is a record.
        actions: What writes the text of each action.
        results: What writes the text of the result, if there is one.
        new: A `Fresh`, if a record is new.
        goes_on: Whether it has instructions beside a result.
    """

    names: frozenset[str]
    writes: list[tuple[Callable[..., str], bool]]
    actions: list[Callable[..., str]]
    results: list[Callable[..., str]]
    new: list[Fresh]
    goes_on: bool
