"""Plans in PDDL, as planners write them: `(stack a b)`, or `3: (stack a b) [1]` with its time and its duration."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain
from typing import NamedTuple, NoReturn

from coc_core.errors import ArtefactError

_TOKEN = re.compile(r"[()]|\[[^\[\]()]*\]|[^\s()\[\]]+")
_TIME = re.compile(r"([0-9]{1,18}(?:\.[0-9]{0,18})?):", re.ASCII)
_LONGEST = 10_000  # words of an action
_PLAIN = re.compile(r"[()0-9]")  # what a plan begins with that is no log
_STEP = re.compile(r"(?:step)?\s*[0-9]+: ([^\s():]+(?: [^\s():]+)*)", re.ASCII)  # of FF
_COSTING = re.compile(r"([^\s():]+(?: [^\s():]+)*) \([0-9]+\)", re.ASCII)  # of Fast Downward
_REACHED = "reach-goal"  # what FF ends with that checks a goal by an action of its own


class PlanAction(NamedTuple):
    """An action of a plan: the line that it begins in, counted from 1, its name, its arguments, and its time, if it has
    one.
    """

    line: int
    name: str
    arguments: tuple[str, ...]
    time: Fraction | None = None

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.arguments))})"


def plan_actions(lines: Iterable[str]) -> Iterator[PlanAction]:
    """Yield the actions of a plan, in small letters, also of the last plan in a log of FF or Fast Downward.
    ArtefactError if something is not in parentheses, which match, nor a comment, or a time is earlier than the one
    before it.
    """
    first, words = 0, list[str]()
    time, timed, ended = Fraction(-1), False, True
    at: Fraction | None = None
    number = 0
    for number, line in _without_log(lines):
        for token in _TOKEN.findall(line):
            if first:
                if token == ")" and words:
                    yield PlanAction(first, words[0], tuple(words[1:]), at)
                    first, timed, ended = 0, False, False
                elif token[0] in "()[" or len(words) == _LONGEST:
                    _refuse(number, f"'({' '.join([*words, token]):.58}' is not (ACTION OBJECT ...)")
                else:
                    words.append(token)
            elif token == "(":
                first, words, at = number, [], time if timed else None
            elif token[0] == "[" and not ended:
                ended = True
            elif (found := _TIME.fullmatch(token)) and not timed:
                before, time, timed, ended = time, Fraction(found[1]), True, True
                if time < before:
                    _refuse(number, f"the time {found[1]} is earlier than that of the action before it")
            else:
                _refuse(number, f"{token!r:.60} is not (ACTION OBJECT ...)")
    if first or timed:
        _refuse(number, "it ends within an action")


def _without_log(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines of a plan, with their numbers, or those that the last plan in a planner's log has."""
    cut = (line.removeprefix("\ufeff").partition(";")[0].lower() for line in lines)
    numbered = ((number, line) for number, line in enumerate(cut, 1))
    for number, line in numbered:
        if line.strip():
            whole = chain([(number, line)], numbered)
            yield from whole if _PLAIN.match(line.lstrip()) else _plan_of_log(whole)
            return
        yield number, line


def _plan_of_log(lines: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    plan: list[tuple[int, str]] | None = None
    form: re.Pattern[str] | None = None  # of the actions, while a plan goes on
    begin: tuple[int, str] | None = None
    for number, line in lines:
        text = line.strip()
        begin = begin or (number, text)
        if "found legal plan" in text or "empty plan solves it" in text:
            plan, form = [], _STEP
        elif "solution found" in text:
            plan, form = [], _COSTING
        elif plan is not None and form is not None and (found := form.fullmatch(text)):
            plan += [(number, f"({found[1]})")] if found[1] != _REACHED else []
        elif (plan and text) or "plan length" in text:
            form = None
    if plan is None:
        number, text = begin or (1, "")
        _refuse(
            number, f"{text.split()[0]!r:.60} is not (ACTION OBJECT ...), and no plan of FF or Fast Downward follows"
        )
    return plan


def _refuse(line: int, reason: str) -> NoReturn:
    raise ArtefactError(f"line {line} of the plan can't be read: {reason}")
