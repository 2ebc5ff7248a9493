"""The records that code works with: data of a program as values, and what every program has."""

from collections.abc import Callable, Sequence
from typing import Any

from coc_programs import Record
from coc_programs.library import Number
from coc_scheme import records as of
from coc_scheme.host.reader import Char, Symbol, Vector

Places = Sequence[Any]  # scopes, the inmost first: lists of variables, and mappings of procedures that are known


class Data:
    """Makes records."""

    def __init__(self) -> None:
        self.records, self.lines = list[Record](), dict[int, int]()
        self.line, self.known = 0, dict[Any, Any]()
        self.zero = self.make(Number, digit=0, last=True, rest=None)
        self.minus = self.make(Number, digit=3, last=True, rest=self.zero)
        self.zero.rest = self.minus
        self.nil, self.true, self.false, self.void = (self.make(of.Value, kind="word") for _ in range(4))
        self.halt, self.back = self.code("halt"), self.code("return")
        self.bottom = self.make(of.Cell, value=self.void, next=None)
        self.bottom.next = self.bottom
        self.base = self.make(of.Env, cells=self.bottom, up=None)
        self.base.up = self.base
        self.last = self.make(of.Frame, code=self.halt, env=self.base, stack=self.bottom, next=None)
        self.last.next = self.last
        self.counts = [self.make(of.Count)]
        self.symbols = list[Record]()

    def make(self, kind: type[Record], /, **fields: Any) -> Any:
        """Return a new record."""
        made = kind(**fields)
        self.records.append(made)
        made.number = len(self.records)
        return made

    def code(self, op: str, next: Any = None, arg: Any = None, alt: Any = None) -> Any:
        """Return new code, for the line that is being compiled."""
        made = self.make(of.Code, op=op, next=next, arg=arg, alt=alt)
        if self.line > 0:
            self.lines[made.number] = self.line
        return made

    def shared(self, kind: type[Record], /, **fields: Any) -> Any:
        """Return a record that nothing changes, made once for some fields."""
        return self.once(self.make, kind, **fields)

    def once(self, make: Callable[..., Any], /, *some: Any, **others: Any) -> Any:
        """Return what a function makes of some arguments, made once."""
        key = make, *some, *others.values()
        if key not in self.known:
            self.known[key] = make(*some, **others)
        return self.known[key]

    # ── data ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def digits(self, number: int) -> Any:
        """Return the first digit of a number."""
        rest, bits = (self.minus, ~number) if number < 0 else (self.zero, number)
        for place in reversed(range(0, bits.bit_length(), 2)):
            rest = self.shared(Number, digit=number >> place & 3, rest=rest)
        return rest

    def number(self, number: int) -> Any:
        """Return a number as a value."""
        return self.shared(of.Value, kind="number", first=self.digits(number))

    def char(self, char: str) -> Any:
        """Return a character as a value."""
        return self.shared(of.Value, kind="char", first=self.digits(ord(char)))

    def pair(self, first: Any, second: Any) -> Any:
        """Return a pair."""
        return self.make(of.Value, kind="pair", first=first, second=second)

    def sort(self, sort: Any) -> Any:
        """Return what blocks of a sort have as their kind: a pair with its name."""
        return self.pair(self.nil if sort == "string" else self.text(getattr(sort, "name", sort)), self.nil)

    def text(self, text: str) -> Any:
        """Return a string."""
        return self.block("string", [self.once(self.char, each) for each in text])

    def symbol(self, name: str) -> Any:
        """Return a symbol."""
        self.symbols.append(self.block("symbol", [self.text(name)]))
        return self.symbols[-1]

    def block(self, sort: Any, items: Sequence[Any]) -> Any:
        """Return a string, a vector or the like."""
        fill = items[0] if items else self.void
        about = self.shared(of.About, length=self.digits(len(items)), fill=fill)
        root = self.make(of.Node, item=fill) if items else None
        for index, item in enumerate(items):
            node: Any = root
            rest = index
            while rest:
                way, rest = "abcd"[rest % 4], rest // 4
                if getattr(node, way) is None:
                    setattr(node, way, self.make(of.Node, item=fill))
                node = getattr(node, way)
            node.item = item
        return self.make(of.Value, kind=self.once(self.sort, sort), first=root, second=about)

    def datum(self, x: Any) -> Any:
        """Return a datum of a program as a value."""
        match x:
            case bool():
                return self.true if x else self.false
            case int():
                return self.number(x)
            case None:
                return self.void
            case Char():
                return self.char(x)
            case Symbol():
                return self.once(self.symbol, str(x))
            case str():
                return self.text(x)
            case Vector():
                return self.block("vector", [self.datum(each) for each in x])
            case bytes():
                return self.block("bytevector", [self.datum(each) for each in x])
        end = self.nil if x.tail is None else self.datum(x.tail)
        for each in reversed(x):
            end = self.pair(self.datum(each), end)
        return end

    def count(self, number: int) -> Any:
        """Return a number of arguments."""
        while len(self.counts) <= number:
            self.counts.append(self.make(of.Count, less=self.counts[-1]))
            self.counts[-2].more = self.counts[-1]
        return self.counts[number]

    def path(self, up: int, over: int) -> Any:
        """Return the way to a variable."""
        if not (up or over):
            return self.shared(of.Path, way="here")
        rest = self.path(max(up - 1, 0), over if up else over - 1)
        return self.shared(of.Path, way="up" if up else "over", next=rest)

    def decimals(self) -> Any:
        """Return the characters from 0 to 9."""
        return self.make(of.Decimals, **{f"c{digit}": self.char(str(digit)) for digit in range(10)})
