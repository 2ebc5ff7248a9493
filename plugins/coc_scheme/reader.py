"""Reading the text of a Scheme program as data, with the line of each list."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from typing import Any

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r\n\f]+|;[^\n]*|\#![a-z-]+)
    |(?P<open>\#u8\(|\#?\(|\[)|(?P<close>[)\]])|(?P<quote>['`]|,@?)|(?P<skip>\#;)|(?P<block>\#\|)
    |"(?P<string>(?:[^"\\]|\\.)*)"|\#\\(?P<char>x[0-9a-fA-F]+(?![^\s()";])|[A-Za-z]+|.)
    |(?P<atom>(?:\|(?:[^|\\]|\\.)*\||[^\s()\[\]'`,";|])+)""",
    re.VERBOSE | re.DOTALL,
)
_NAMED = {
    "space": " ", "newline": "\n", "tab": "\t", "null": "\0", "nul": "\0", "return": "\r", "alarm": "\a",
    "backspace": "\b", "delete": "\x7f", "escape": "\x1b",
}  # fmt: skip
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b"}
_ESCAPE = re.compile(r"\\(?:[ \t]*\n[ \t]*|x([0-9a-fA-F]+);|(.))", re.DOTALL)
_WORDS = {"#t": True, "#true": True, "#f": False, "#false": False}
_QUOTES = {"'": "quote", "`": "quasiquote", ",": "unquote", ",@": "unquote-splicing"}
_NUMBER = re.compile(r"(?:#([bodx]))?([+-]?[0-9a-f]+)", re.IGNORECASE)
_NOT_WHOLE = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?\d+/\d+|[+-](inf|nan)\.0", re.IGNORECASE)
_DEEPEST = 1000

NOWHERE = -1_000_000
"""What lines are counted from that are none of the program."""


class SchemeError(ValueError):
    """What is wrong with a program's text."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")


@contextmanager
def deep() -> Iterator[None]:
    """Let functions call each other for lists within lists, as deep as they may be."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 40 * _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class Symbol(str):
    """A symbol."""

    __slots__ = ()


class Char(str):
    """A character."""

    __slots__ = ()


class Vector(list[Any]):
    """A vector."""


class Form(list[Any]):
    """A list, the line on which it begins, and what follows the dot before its end, if anything."""

    def __init__(self, items: Any = (), line: int = 0, tail: Any = None) -> None:
        super().__init__(items)
        self.line, self.tail = line, tail


def read_program(text: str, first: int = 1) -> list[Any]:
    """Return the data in a text, whose lines are counted from one; SchemeError if it is none."""
    top = Form(line=first)
    stack: list[tuple[Form, str]] = [(top, "")]  # lists that are open, each with its bracket or its quote
    at, line = 0, first
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise SchemeError(line, "a string or a symbol does not end" if text[at] in '"|' else f"{text[at]!r} is no datum")
        kind, token, begun = found.lastgroup, found[0], line
        at, line = found.end(), line + token.count("\n")
        if kind == "block":
            depth = 1
            while depth:
                end = re.compile(r"\#\||\|\#").search(text, at)
                if end is None:
                    raise SchemeError(begun, "a comment does not end")
                depth += 1 if end[0] == "#|" else -1
                line, at = line + text.count("\n", at, end.end()), end.end()
        elif kind in ("open", "quote", "skip"):
            if len(stack) > _DEEPEST:
                raise SchemeError(line, f"there are more than {_DEEPEST:,} lists within each other")
            stack.append((Form([Symbol(_QUOTES[token])] if kind == "quote" else (), line), token))
        elif kind != "blank":
            if kind == "close":
                form, bracket = stack.pop()
                if not bracket.endswith({")": "(", "]": "["}[token]):
                    wrong = f"the {bracket} of line {form.line} has nothing after it" if bracket else f"{token} closes nothing"
                    raise SchemeError(line, wrong if bracket != "[" and bracket[-1:] != "(" else f"{token} closes {bracket}")
                datum = _closed(form, bracket)
            else:
                datum = _atom(found, line)
            while True:  # what a quote stands before is complete with it
                form, bracket = stack[-1]
                if bracket == "#;":
                    stack.pop()
                    break
                form.append(datum)
                if bracket not in _QUOTES:
                    break
                datum = stack.pop()[0]
    if len(stack) > 1:
        form, bracket = stack[-1]
        raise SchemeError(form.line, f"the {bracket} of this line is never closed" if bracket[-1] in "([" else f"nothing follows {bracket}")
    return top


def _closed(form: Form, bracket: str) -> Any:
    dots = [place for place, item in enumerate(form) if item == "." and isinstance(item, Symbol)]
    if dots:
        if dots != [len(form) - 2] or len(form) < 3 or bracket[0] == "#":
            raise SchemeError(form.line, "a dot stands before the last of a list only")
        tail = form[-1]
        del form[-2:]
        if not isinstance(tail, Form):
            form.tail = tail
        else:
            form.extend(tail)
            form.tail = tail.tail
    if bracket == "#u8(":
        if not all(type(item) is int and 0 <= item < 256 for item in form):
            raise SchemeError(form.line, "a bytevector has numbers from 0 to 255")
        return bytes(form)
    return Vector(form) if bracket == "#(" else form


def _atom(found: re.Match[str], line: int) -> Any:
    token = found[0]
    if found["string"] is not None:
        return _unescaped(found["string"], line)
    if (char := found["char"]) is not None:
        if len(char) > 1 and char[0] == "x" and char not in _NAMED:
            return Char(_chr(char[1:], line))
        if len(char) > 1 and char not in _NAMED:
            raise SchemeError(line, f"no character is called {char}")
        return Char(_NAMED.get(char, char))
    if token in _WORDS:
        return _WORDS[token]
    number = _NUMBER.fullmatch(token)
    if number:
        with suppress(ValueError):
            base = {"b": 2, "o": 8, "x": 16}.get((number[1] or "d").lower())
            return int(number[2], base) if base else _decimal(number[2])
    if _NOT_WHOLE.fullmatch(token):
        raise SchemeError(line, f"{token} is no whole number, and there are no others")
    if token[0] == "#":
        raise SchemeError(line, f"{token} is not known")
    if "|" in token:
        return Symbol("".join(_unescaped(part, line) if place % 2 else part for place, part in enumerate(token.split("|"))))
    return Symbol(token)


def _decimal(text: str) -> int:
    if not text.lstrip("+-").isdigit():
        raise ValueError("it is a symbol")
    return int(Decimal(text))  # `int` takes 4,300 digits at most


def _unescaped(text: str, line: int) -> str:
    return _ESCAPE.sub(lambda each: _chr(each[1], line) if each[1] else _ESCAPED.get(each[2], each[2]) or "", text)


def _chr(digits: str, line: int) -> str:
    if int(digits, 16) > 0x10FFFF:
        raise SchemeError(line, f"no character has the number {digits}")
    return chr(int(digits, 16))
