"""Plans in PDDL, as planners write them: `(stack a b)`, or `3: (stack a b) [1]` with its time and its duration."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from coc_core.errors import ArtefactError

_TOKEN = re.compile(r"[()]|\[[^\[\]()]*\]|[^\s()\[\]]+")
_TIME = re.compile(r"([0-9]{1,18}(?:\.[0-9]{0,18})?):", re.ASCII)
_LONGEST = 10_000  # words of an action


class PlanAction(NamedTuple):
    """An action of a plan: the line that it begins in, counted from 1, its name, and the names of its arguments."""

    line: int
    name: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.arguments))})"


def plan_actions(lines: Iterable[str]) -> Iterator[PlanAction]:
    """The actions of a plan, in small letters; comments and blank lines are left out.

    Raises:
        ArtefactError: It is not a plan: something is not in parentheses, a parenthesis does not match, or the times do
            not grow, since only sequences of actions are plans here.
    """
    first, words = 0, list[str]()
    time, timed, ended = Fraction(-1), False, True
    number = 0
    for number, line in enumerate(lines, 1):
        line = line.removeprefix("\ufeff") if number == 1 else line
        for token in _TOKEN.findall(line.partition(";")[0].lower()):
            if first:
                if token == ")" and words:
                    yield PlanAction(first, words[0], tuple(words[1:]))
                    first, timed, ended = 0, False, False
                elif token[0] in "()[" or len(words) == _LONGEST:
                    _refuse(number, f"'({' '.join([*words, token]):.58}' is not (ACTION OBJECT ...)")
                else:
                    words.append(token)
            elif token == "(":
                first, words = number, []
            elif token[0] == "[" and not ended:
                ended = True
            elif (found := _TIME.fullmatch(token)) and not timed:
                before, time, timed, ended = time, Fraction(found[1]), True, True
                if time <= before:
                    _refuse(number, f"the time {found[1]} is not later than that of the action before it")
            else:
                _refuse(number, f"{token!r:.60} is not (ACTION OBJECT ...)")
    if first or timed:
        _refuse(number, "it ends within an action")


def _refuse(line: int, reason: str) -> None:
    raise ArtefactError(f"line {line} of the plan can't be read: {reason}")
