"""Texts in PDDL as nested lists of words, each with the line that it is in."""

import os
import re
from pathlib import Path
from typing import NamedTuple, NoReturn

from coc_core.errors import ArtefactError
from coc_core.storage import read_bytes

_LARGEST = 1 << 24  # bytes
_DEEPEST = 100  # lists in one another
_TOKEN = re.compile(r"[()]|-(?=[a-z])|\S[^\s()?]*")  # `?x -block` has a type, and `(clear?x)` a variable


class Word(NamedTuple):
    """A word, in small letters."""

    line: int
    text: str

    def __str__(self) -> str:
        return self.text


class Group(NamedTuple):
    """A list in parentheses."""

    line: int
    items: "list[Word | Group]"

    @property
    def head(self) -> str:
        """The word that it begins with; empty if it does not begin with one."""
        first = self.items[0] if self.items else self
        return first.text if isinstance(first, Word) else ""

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.items))})"


Expression = Word | Group


class Source(NamedTuple):
    """A file in PDDL."""

    path: Path
    text: str

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> "Source":
        """Return the file at a path; ArtefactError if it can't be read or is too large."""
        text = read_bytes(Path(path), _LARGEST).decode("utf-8-sig", "replace")
        return cls(Path(path), text.replace("\r\n", "\n").replace("\r", "\n"))

    def refuse(self, line: int, reason: str) -> NoReturn:
        """Raise ArtefactError for something in a line."""
        raise ArtefactError(f"{self.path}:{line} is not PDDL that can be read: {reason}")

    def group(self, expression: Expression, what: str) -> Group:
        """Return the expression, which has to be a list."""
        if isinstance(expression, Word):
            self.refuse(expression.line, f"{expression.text!r:.60} is not {what} in parentheses")
        return expression

    def word(self, expression: Expression, what: str) -> str:
        """Return the word that an expression has to be."""
        if isinstance(expression, Group):
            self.refuse(expression.line, f"{str(expression)!r:.60} is not {what}")
        return expression.text

    def words(self, expressions: "list[Expression]", what: str) -> list[str]:
        """Return the words that expressions have to be."""
        return [self.word(each, what) for each in expressions]

    def once(self, lines: dict[str, int], name: str, line: int) -> None:
        """Note the line of a name; ArtefactError if it has one."""
        if name in lines:
            self.refuse(line, f"{name!r:.60} is there twice, first in line {lines[name]}")
        lines[name] = line


def read_expression(source: Source) -> tuple[Source, Group]:
    """Return the file, and the one expression in it; ArtefactError if it is empty or parentheses don't match."""
    whole, last = Group(1, []), 1
    open_groups = [whole]
    items, depth = whole.items, 1
    for number, line in enumerate(source.text.lower().split("\n"), 1):
        for text in _TOKEN.findall(line.partition(";")[0]):
            last = number
            if text == "(":
                if depth > _DEEPEST:
                    source.refuse(number, f"more than {_DEEPEST} lists are in one another")
                group = Group(number, [])
                items.append(group)
                open_groups.append(group)
                items, depth = group.items, depth + 1
            elif text != ")":
                items.append(Word(number, text))
            elif depth == 1:
                source.refuse(number, "a parenthesis is closed that was not opened")
            else:
                open_groups.pop()
                items, depth = open_groups[-1].items, depth - 1
    if depth > 1:
        source.refuse(last, f"the parenthesis of line {open_groups[-1].line} is not closed")
    if not whole.items:
        raise ArtefactError(f"{source.path} is empty")
    if len(whole.items) > 1:
        source.refuse(whole.items[1].line, f"{str(whole.items[1])!r:.60} comes after the end")
    return source, source.group(whole.items[0], "(define ...)")
