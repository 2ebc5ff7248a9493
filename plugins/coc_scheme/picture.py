"""What the machine is at, for a page that plays a run: the expression, its variables, and what waits."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from coc_scheme.compiler import Program

_NIL = "V3"
_WORDS = {_NIL: "()", "V4": "#t", "V5": "#f"}
_LEAST, _MOST = 3, 12  # elements of a list, and variables or lines, that are shown


def picture(program: Program, text: str, windows: Sequence[str], printed: str) -> str:
    """Return a picture of a run.

    Args:
        program: What runs.
        text: Its text.
        windows: What the memory holds: records, and instructions above them.
        printed: What has been printed.
    """
    records = dict(window.partition(": ")[::2] for window in windows if not window.startswith("CALL "))
    running = next((each for each in reversed(windows) if each.startswith("CALL run.")), "")
    at = dict(part.split("=", 1) for part in running.split() if "=" in part)
    code = running.rpartition(" AT ")[2] if running.startswith("CALL run.1 ") else at.get("x", "")
    number = int(code[1:] or 0) if code[:1] == "X" else 0
    lines, memory = text.splitlines(), _Memory(records)
    line = program.lines.get(number)
    shown = [f"line {line}: {lines[line - 1].strip()}" if line else "in the library"]
    if "a" in at:
        shown.append(f"value: {memory.value(at['a'])}")
    scopes = program.scopes.get(number, ())
    for names, values in zip(scopes, memory.scopes(at.get("e", "")), strict=False):
        shown += [f"{name} = {value}" for name, value in zip(reversed(names), values, strict=False)]
    shown = shown[:_MOST]
    waiting = [program.lines[each] for each in memory.waiting(at.get("k", "")) if each in program.lines]
    shown += [f"then, on line {line}: {lines[line - 1].strip()}" for line in waiting[:_MOST]]
    return "\n".join([*(each[:100] for each in shown), "", *printed.splitlines()[-_MOST:]])


class _Memory:
    def __init__(self, records: Mapping[str, str]) -> None:
        self._records = records

    def fields(self, name: str) -> dict[str, str]:
        return dict(part.split("=", 1) for part in self._records.get(name, "").split())

    def chain(self, name: str, link: str) -> Iterator[dict[str, str]]:
        seen = set[str]()
        while name not in seen and (fields := self.fields(name)):
            yield fields
            seen.add(name)
            name = fields.get(link, "")

    def scopes(self, name: str) -> Iterator[list[str]]:
        for scope in self.chain(name, "up"):
            yield [self.value(cell["value"]) for cell in islice(self.chain(scope["cells"], "next"), _MOST)]

    def waiting(self, name: str) -> Iterator[int]:
        for frame in self.chain(name, "next"):
            yield int(frame["code"][1:])

    def number(self, name: str) -> int:
        digits = [*self.chain(name, "rest")]
        last = next((place for place, each in enumerate(digits) if each["last"] == "yes"), 0)
        whole: int = sum(int(each["digit"]) * 4**place for place, each in enumerate(digits[:last]))
        return whole - (4**last if digits and digits[last]["digit"] == "3" else 0)

    def value(self, name: str, depth: int = _LEAST) -> str:
        match fields := self.fields(name):
            case {"kind": "number", "first": digits}:
                return f"{self.number(digits)}"
            case {"kind": "char", "first": digits}:
                return f"#\\{chr(self.number(digits))}"
            case {"kind": "pair"}:
                items = [*islice(self.chain(name, "second"), 4)]
                texts = [
                    self.value(each["first"], depth - 1) if depth else "…" for each in items if each["kind"] == "pair"
                ]
                return f"({' '.join(texts[:_LEAST])}{' …' * (len(texts) > _LEAST)})"
            case {"kind": "closure"}:
                return "#<procedure>"
            case {"kind": "word"}:
                return _WORDS.get(name, "-")
            case {"kind": sort, "second": about}:
                return self.block(sort, [*self.items(fields["first"], about)], depth)
        return "-"

    def items(self, root: str, about: str) -> Iterator[str]:
        """Yield the elements of a block, the first of many."""
        for index in range(min(self.number(self.fields(about)["length"]), _MOST)):
            node, rest = self.fields(root), index
            while rest and node:
                node, rest = self.fields(node["abcd"[rest % 4]]), rest // 4
            yield node.get("item", self.fields(about)["fill"])

    def block(self, sort: str, items: Sequence[str], depth: int) -> str:
        """Return a string, a symbol, a vector or a record."""
        name = self.fields(sort)["first"]
        sort = "string" if name == _NIL else self.value(name).strip('"')
        if sort == "string":
            return '"' + "".join(self.value(each).removeprefix("#\\") for each in items) + '"'
        if sort == "symbol":
            return self.value(items[0]).strip('"')
        return (
            f"#({' '.join(self.value(each, depth - 1) for each in items[: depth and _LEAST])})"
            if sort == "vector"
            else f"#<{sort}>"
        )
