"""An interpreter of Brainfuck, whose cells hold whole numbers of any size."""

from collections import defaultdict
from typing import Literal

from coc_programs import Function, Steps, new, procedure, read
from coc_programs.library import List, Number, Text, backwards, predecessor, same, successor, zero

What = Literal["more", "less", "right", "left", "put", "get", "begin", "end", "comment"]
SIGNS = {"+": "more", "-": "less", ">": "right", "<": "left", ".": "put", ",": "get", "[": "begin", "]": "end"}
MEANING = tuple({ord(sign) % 64: what for sign, what in SIGNS.items()}.get(number, "comment") for number in range(64))
PYTHON = {"+": "tape[at] += 1", "-": "tape[at] -= 1", ">": "at += 1", "<": "at -= 1", ".": "output.append(tape[at])"}
PYTHON |= {",": "tape[at] = next(given, 0)", "[": "while tape[at]:", "]": "pass"}


@procedure
def brainfuck(code: Text, given: List[Number]) -> Steps[List[Number]]:
    """Run a program with an input, and return its output; after the input, it gets 0."""
    none: Number = yield zero()
    output: List[Number] = yield new(List)
    left, value, right = output, none, output  # the cells to the left of the current one, that, and those to the right
    loops: List[Text] = yield new(List)
    while (yield read(code)).next:
        c = yield read(code)
        what: What = yield meaning(c.first)
        start, code = code, c.next
        if what == "more":
            value = yield successor(value)
        elif what == "less":
            value = yield predecessor(value)
        elif what == "right":
            left = yield new(List, first=value, next=left)
            x = yield read(right)
            value, right = x.first or none, x.next or right
        elif what == "left":
            right = yield new(List, first=value, next=right)
            x = yield read(left)
            value, left = x.first or none, x.next or left
        elif what == "put":
            output = yield new(List, first=value, next=output)
        elif what == "get":
            x = yield read(given)
            value, given = x.first or none, x.next or given
        elif what == "end":
            loop = yield read(loops)
            code, loops = loop.first or code, loop.next or loops
        elif what == "begin" and (yield same(value, none)):
            code = yield after_loop(code)
        elif what == "begin":
            loops = yield new(List, first=start, next=loops)
    return (yield backwards(output))


@procedure
def after_loop(code: Text) -> Steps[Text]:
    """Return what follows the end of a loop."""
    while (yield read(code)).next:
        c = yield read(code)
        what: What = yield meaning(c.first)
        code = c.next
        if what == "begin":
            code = yield after_loop(code)
        elif what == "end":
            return code
    return code


@procedure
def meaning(character: Number) -> Steps[What]:
    """Return what a character does, by its number without the highest digit."""
    x = yield read(character)
    y = yield read(x.rest)
    return MEANING[x.digit + 4 * y.digit + 16 * (yield read(y.rest)).digit]


class Brainfuck(Function):
    """A program that adds n numbers, or doubles each, or gives them back."""

    main = brainfuck

    def draw(self, n, rng):
        code = rng.choice((">,[[<+>-],]<.", ",[[>++<-]>.>,]", ",[.,]"))
        return code, [rng.randint(1, 9) for _ in range(n)]

    def reference(self, code, given):
        lines, names = list[str](), {"tape": defaultdict(int), "at": 0, "output": [], "given": iter(given)}
        for place, sign in enumerate(code):
            depth = code[:place].count("[") - code[:place].count("]")
            lines.append(" " * depth + PYTHON[sign])
        exec("\n".join(lines), names)
        return names["output"]
