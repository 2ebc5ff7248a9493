"""Reading the text of a Scheme program as data, with the line of each list."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from typing import Any

_TOKEN = re.compile(
    r"""(?:[\s\ufeff]|;[^\n]*)*(?:
    (?P<open>\#u8\(|\#?\(|\[)|(?P<close>[)\]])|(?P<fold>\#!(?:no-)?fold-case)|(?P<block>\#\|)
    |\#\\(?:x(?P<hex>[0-9a-fA-F]+)(?![^\s()";])|(?P<char>[A-Za-z]+|.))
    |(?P<quote>['`]|,@?|\#;)|(?P<atom>(?:\|(?:[^|\\]|\\.)*\||[^\s\x00-\x1f\x7f()\[\]'`,";|]+)+)
    |"(?P<string>(?:[^"\\]|\\.)*)"|(?P<end>\Z)|(?P<wrong>.))""",
    re.VERBOSE | re.DOTALL,
)
_WRONG = {'"': "a string has no end", "|": "a symbol between | has no end"}
_BLOCK = re.compile(r"\#\||\|\#")
_PART = re.compile(r"\|((?:[^|\\]|\\.)*)\||[^|]+", re.DOTALL)
_NAMED = {
    "space": " ", "newline": "\n", "tab": "\t", "null": "\0", "nul": "\0", "return": "\r", "alarm": "\a",
    "backspace": "\b", "delete": "\x7f", "escape": "\x1b",
}  # fmt: skip
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b"}
_ESCAPE = re.compile(r"\\(?:[ \t]*\r?\n[ \t]*|x([0-9a-fA-F]+);|(.))", re.DOTALL)
_WORDS = {"#t": True, "#true": True, "#f": False, "#false": False}
_QUOTES = {"'": "quote", "`": "quasiquote", ",": "unquote", ",@": "unquote-splicing", "#;": ""}
_NUMBER = re.compile(r"((?:#[bodxe])*)([+-]?[0-9a-f]+)", re.IGNORECASE)
_BASES = {"b": 2, "o": 8, "x": 16}
_REFUSED = {
    r"(#[bodxei])*[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[\da-f]+/[\da-f]+|(inf|nan)\.0)": "only integers are supported",
    r"#\d+[=#].*": "datum labels are not supported",
    r"#.*": "no datum begins like this",
}
_DEEPEST = 1000
_DOT = object()


class SchemeError(ValueError):
    """What is wrong with a program's text."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {abs(line)}: {problem}")


@contextmanager
def deep(calls: int) -> Iterator[None]:
    """Let functions call each other so many times for lists within lists."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(calls)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class Symbol(str):
    """A symbol, and its line if it is not in a list."""

    line = 0


class Char(str):
    """A character."""

    __slots__ = ()


class Vector(list[Any]):
    """A vector, which has no tail."""

    tail = None


class Form(list[Any]):
    """A list.

    Attributes:
        line: The line on which it begins; not above 0 if it is none of the program.
        tail: What follows the dot before its end, if anything.
        use: The use of a macro, or of a special form, that it comes from.
    """

    __slots__ = ("line", "tail", "use")

    def __init__(self, items: Any = (), line: int = 0, tail: Any = None, use: Any = None) -> None:
        super().__init__(items)
        self.line, self.tail, self.use = line, tail, use


def read_program(text: str, first: int = 1) -> Form:
    """Return the data in a text, with lines from a first one; SchemeError if it is none."""
    top = Form(line=first)
    stack: list[tuple[Form, str]] = [(top, "")]  # lists that are open, each with its bracket or its quote
    ends = [*(found.start() for found in re.finditer("\n", text)), len(text)]
    at, line, fold, atoms = 0, first, False, dict[str, Any]()
    match: Any = _TOKEN.match
    while (kind := (found := match(text, at)).lastgroup) != "end":
        at, token = found.end(), found[kind]
        while ends[line - first] < found.start(kind):
            line += 1
        form, bracket = stack[-1]
        if kind in ("open", "quote"):
            if len(stack) > _DEEPEST:
                raise SchemeError(line, f"there are more than {_DEEPEST:,} lists within each other")
            stack.append((Form([Symbol(_QUOTES[token])] if kind == "quote" else (), line), token))
            continue
        if kind == "atom":
            if token not in atoms:
                atoms[token] = _DOT if token == "." else _atom(token, line, fold)
            datum = atoms[token]
            if datum is _DOT and (bracket not in ("(", "[") or not form):
                raise SchemeError(line, "a dot stands where it can't")
        elif kind == "close":
            if bracket[-1:] + token not in ("()", "[]"):
                opened = f"the {bracket} of line {form.line}" if bracket else "a list"
                raise SchemeError(line, f"{token} is not the end of {opened}")
            datum = _closed(*stack.pop())
        elif kind == "string":
            datum = _unescaped(token, line)
        elif kind == "wrong":
            raise SchemeError(line, _WRONG.get(token, f"the character {token!r} can't stand here"))
        elif kind in ("hex", "char"):
            datum = Char(_chr(token, line) if kind == "hex" else _NAMED.get(token, token))
            if len(datum) > 1:
                raise SchemeError(line, f"no character is called {token}")
        else:
            if kind == "fold":
                fold, atoms = token == "#!fold-case", {}
            else:
                at = _after_comment(text, at, line)
            continue
        if len(stack) == 1 and isinstance(datum, Symbol):
            datum = Symbol(datum)
            datum.line = line
        while True:  # what a quote stands before is complete with it
            form, bracket = stack[-1]
            if bracket != "#;":
                form.append(datum)
            if bracket not in _QUOTES:
                break
            datum = stack.pop()[0]
            if bracket == "#;":
                break
    if len(stack) > 1:
        form, bracket = stack[-1]
        raise SchemeError(form.line, f"the {bracket} on this line has no end")
    if not top:
        raise SchemeError(1, "there is no program")
    return top


def _after_comment(text: str, at: int, line: int) -> int:
    depth = 1
    while depth:
        end = _BLOCK.search(text, at)
        if end is None:
            raise SchemeError(line, "a comment has no end")
        depth, at = depth + (1 if end[0] == "#|" else -1), end.end()
    return at


def _closed(form: Form, bracket: str) -> Any:
    if _DOT in form:
        if form.index(_DOT) != len(form) - 2:
            raise SchemeError(form.line, "in the list that begins here, one datum has to follow the dot")
        form.tail = form.pop()
        form.pop()
        if isinstance(form.tail, Form):
            form.extend(form.tail)
            form.tail = form.tail.tail
    if bracket == "#u8(":
        if not all(type(item) is int and 0 <= item < 256 for item in form):
            raise SchemeError(form.line, "a bytevector has numbers from 0 to 255")
        return bytes(form)
    return Vector(form) if bracket == "#(" else form


def _atom(token: str, line: int, fold: bool) -> Any:
    if token in _WORDS:
        return _WORDS[token]
    if token[0] in "#+-.0123456789":
        if number := _NUMBER.fullmatch(token):
            base = next((_BASES[each] for each in number[1].lower() if each in _BASES), 10)
            with suppress(ValueError):  # `int` takes 4,300 decimal digits at most
                decimal = base == 10 and number[2].lstrip("+-").isdigit()
                return int(Decimal(number[2])) if decimal else int(number[2], base)
        for pattern, problem in _REFUSED.items():
            if re.fullmatch(pattern, token, re.IGNORECASE):
                raise SchemeError(line, f"{token}: {problem}")
    parts = (_unescaped(part[1], line) if part[1] is not None else part[0] for part in _PART.finditer(token))
    return Symbol("".join(parts) if "|" in token else token.lower() if fold else token)


def _unescaped(text: str, line: int) -> str:
    return _ESCAPE.sub(lambda each: _chr(each[1], line) if each[1] else _ESCAPED.get(each[2], each[2]) or "", text)


def _chr(digits: str, line: int) -> str:
    number = int(digits, 16)
    if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        raise SchemeError(line, f"no character has the number {digits}")
    return chr(number)
