"""What the machine is at, for a page that plays a run: the expression, its variables, and what waits."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from coc_scheme.host.compiler import Program

_NIL = "V3"
_WORDS = {_NIL: "()", "V4": "#t", "V5": "#f"}
_LEAST, _MOST = 3, 12  # elements of a list, and variables or lines, that are shown


def picture(program: Program, text: str, windows: Sequence[str], printed: str) -> str:
    """Return a picture of a run of a program: what was printed, and records with instructions above them."""
    memory = _Memory(dict(window.partition(": ")[::2] for window in windows if not window.startswith("CALL ")))
    running = next((each for each in reversed(windows) if each.startswith("CALL run.")), "")
    at = dict(part.split("=", 1) for part in running.split() if "=" in part)
    code = running.rpartition(" AT ")[2] if running.startswith("CALL run.1 ") else at.get("x", "")
    number = int(code[1:] or 0) if code[:1] == "X" else 0
    lines, line = text.splitlines(), program.lines.get(number)
    shown = [f"line {line}: {lines[line - 1].strip()}" if line else "in the library"]
    if "a" in at:
        shown.append(f"value: {memory.text(at['a'])}")
    for names, scope in zip(program.scopes.get(number, ()), memory.chain(at.get("e", ""), "up"), strict=False):
        cells = islice(memory.chain(scope["cells"], "next"), len(names))
        shown += [f"{name} = {memory.text(cell['value'])}" for name, cell in zip(reversed(names), cells, strict=False)]
    frames = (program.lines.get(int(frame["code"][1:])) for frame in memory.chain(at.get("k", ""), "next"))
    waiting = [f"then, on line {line}: {lines[line - 1].strip()}" for line in frames if line]
    return "\n".join(each[:100] for each in (*shown[:_MOST], *waiting[:_MOST], "", *printed.splitlines()[-_MOST:]))


class _Memory:
    def __init__(self, records: Mapping[str, str]) -> None:
        self._records = records

    def fields(self, name: str) -> dict[str, str]:
        """Return the fields of a record as texts."""
        return dict(part.split("=", 1) for part in self._records.get(name, "").split())

    def chain(self, name: str, link: str) -> Iterator[dict[str, str]]:
        """Yield the fields of a record and of those that follow it."""
        seen = set[str]()
        while name not in seen and (fields := self.fields(name)):
            yield fields
            seen.add(name)
            name = fields.get(link, "")

    def number(self, name: str) -> int:
        """Return the number that begins with a digit."""
        digits = [*self.chain(name, "rest")]
        last = next((place for place, each in enumerate(digits) if each["last"] == "yes"), 0)
        whole: int = sum(int(each["digit"]) * 4**place for place, each in enumerate(digits[:last]))
        return whole - (4**last if digits and digits[last]["digit"] == "3" else 0)

    def text(self, name: str, depth: int = _LEAST) -> str:
        """Return a value as Scheme writes it, or how it begins."""
        match self.fields(name):
            case {"kind": "number", "first": digits}:
                return f"{self.number(digits)}"
            case {"kind": "char", "first": digits}:
                return f"#\\{chr(self.number(digits))}"
            case {"kind": "pair"}:
                items = [each["first"] for each in islice(self.chain(name, "second"), 4) if each["kind"] == "pair"]
                texts = [self.text(each, depth - 1) if depth else "…" for each in items[:_LEAST]]
                return f"({' '.join(texts)}{' …' * (len(items) > _LEAST)})"
            case {"kind": "closure"}:
                return "#<procedure>"
            case {"kind": "word"}:
                return _WORDS.get(name, "-")
            case {"kind": sort, "first": root, "second": about}:
                named = self.fields(sort)["first"]
                items = [*self.items(root, self.fields(about))]
                if named == _NIL:
                    return '"' + "".join(self.text(each).removeprefix("#\\") for each in items) + '"'
                kind = self.text(named).strip('"')
                if kind == "symbol":
                    return self.text(items[0]).strip('"')
                texts = [self.text(each, depth - 1) for each in items[: depth and _LEAST]]
                return f"#({' '.join(texts)})" if kind == "vector" else f"#<{kind}>"
        return "-"

    def items(self, root: str, about: Mapping[str, str]) -> Iterator[str]:
        """Yield the first elements of a block."""
        for index in range(min(self.number(about["length"]), _MOST)):
            node, rest = self.fields(root), index
            while rest and node:
                node, rest = self.fields(node["abcd"[rest % 4]]), rest // 4
            yield node.get("item", about["fill"])
