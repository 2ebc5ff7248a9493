"""Draws whole programs for the compiler: the text of a module; and finds the constructs in it.

Every program ends: a call passes `fuel - 1`, and every loop that isn't over constants counts its rounds.
"""

import ast
import re
from collections.abc import Callable
from contextlib import contextmanager

from attrs import define, field

from coc_programs import library

HEAD = '''"""A drawn program."""

from typing import Annotated, Literal, cast

from coc_programs import Procedure, Record, Steps, chain, each, new, procedure, read, write
from coc_programs.library import *
from tests.support.program_runs import Say, Think

Small = Annotated[int, range(4)]
Round = Annotated[int, range(6)]
Word = Literal["red", "green", "blue"]

AFTER = (1, 2, 3, 0)
ODD = [False, True, False, True]
NAMES = {0: "red", 1: "green", 2: "blue", 3: "red"}


def turned(n: int) -> Small:
    return (n + 1) % 4


def either(is_first: bool, a: Word, b: Word) -> Word:
    return a if is_first else b


@procedure
def repeated(fuel: Small, do: Procedure) -> Steps[None]:
    for word, n in (("red", 0), ("blue", 1)):
        if fuel > n:
            yield Say(word)
            yield do(fuel - 1)
'''

CLASSES = ("Cell", "Knot")
EITHER = "Cell | Knot"
PROCEDURES = ("alpha", "beta", "gamma", "delta")
WORDS = ("red", "green", "blue")
LIBRARY = {
    "zero": "-> Number", "successor": "Number -> Number", "negate": "Number -> Number", "add": "Number Number -> Number",
    "subtract": "Number Number -> Number", "times": "Number fresh-Number -> Number", "same": "Number Number -> bool",
    "quotient": "Number Number -> Number", "remainder": "Number Number -> Number", "less": "Number Number -> bool",
    "is_negative": "Number -> bool", "decimal": "Number -> Text", "number": "Text -> Number",
    "same_text": "Text Text -> bool", "backwards": "List[X] -> List[X]", "length": "List[X] -> Number",
    "joint": "fresh-List[X] List[X] -> List[X]", "extended": "fresh-List[X] X -> List[X]",
    "pushed": "Heap[Number] Number less -> Heap[Number]", "popped": "Heap[Number] less -> Heap[Number]",
    "merged": "fresh-Heap[Number] Heap[Number] less -> Heap[Number]", "get": "Map[X] Number -> X",
    "put": "Map[X] Number X ->", "get_at": "Array[X] Number -> X", "put_at": "Array[X] Number X ->",
    "append": "Array[X] X ->", "get_text": "TextMap[X] Text -> X", "put_text": "TextMap[X] Text X ->",
    "entries": "Map[X] -> Entry[X]", "predecessor": "Number -> Number",
}  # fmt: skip
"""The procedures of the library: the kinds of their arguments and of the result, for any kind X of records; an argument
that is fresh is made for the call, so that what a program has does not grow too fast."""

LIBRARY_CLASSES = tuple(each for name in dir(library) if isinstance(each := getattr(library, name), type))

MADE = {
    "Number": "zero()", "Text": "decimal({Number})", "List[X]": "new(List)", "Map[X]": "new(Map)",
    "Array[X]": "new(Array, elements={Map[X]}, length={Number})", "TextMap[X]": "new(TextMap, after={Map[TextMap[X]]})",
    "Heap[X]": "pushed(None, {Number}, less)",
}  # fmt: skip
"""What makes a record of each class of the library."""

HINTS = {"bool": "bool", "small": "Small", "word": "Word"}

EXPRESSIONS = {
    ("bool", "it"): ["{it} {==,!=} {it}", "{it} is {None,not None}", "not {it}", "{it} {in,not in} ({it}, {it})"],
    ("bool", "bool"): [
        "{bool} and {bool}", "{bool} or {bool} or {bool}", "not {bool}", "{bool} {|,&,^} {bool}", "ODD[{small}]",
    ],
    ("bool", "small"): [
        "{small} {<,<=,>,>=} {small}", "{small} {==,!=} {small}", "{small} <= {small} < {small}", "{small} in (0, {small})",
    ],
    ("bool", "word"): ["{word} {==,!=} {word}"],
    ("small", "small"): [
        "({small} {+,-,*} {small}) % 4", "-{small} % 4", "AFTER[{small}]", "turned({small})", "min({small}, {small})",
        "max({small}, abs({small} - {small}))", "len(AFTER) - 1",
    ],
    ("word", "word"): ["NAMES[{small}]", "either({bool}, {word}, b={word})"],
    ("it", "it"): ["{it} and {it}", "{it} or {it}"],
}  # fmt: skip
"""The compound expressions of a kind, by what they compare: `{kind}` is an expression of a kind, `{it}` one of the kind
itself, and `{one,other}` one of these."""

HOSTILE = [
    "_", "__", "_1", "_2", "_3", "_4", "v1", "x_", "_x", "x", "_x_", "x__y", "x_y", "a__b", "__b__", "self", "cls",
    "kind", "name_", "record", "result", "record_", "result__", "field_names", "procedure", "link", "first", "records",
    "main", "at", "got", "CALL", "HALT", "NEXT_ID", "INSTR", "none", "yes", "no", "NOTHING", "attr_dict", "_setattr",
    "_inst_dict", "match", "case", "type_", "async_", "print", "list", "dict", "id", "hash", "type", "object", "int_",
    "Record_", "Call", "New", "Steps_", "getattr_", "frame", "step", "value", "values", "variables", "names_", "source",
    "label", "place", "target", "made_", "e1", "v_self", "v__1",
]  # fmt: skip
"""Names that some part of coc, of attrs or of Python has, too."""
REFUSED = [
    "name", "number", "fields", "letters", "codec", "__x", "C1", "prev", "PTR", "AT", "GOT", "WRITE", "OUTPUT", "RETURN",
    "PUSH", "getattr", "chain", "read", "Say", "Small", "len", "bool", "cast",
]  # fmt: skip
"""Names that are refused in some places, or mean what a program needs."""

CONSTRUCTS = {
    "If", "IfExp", "While", "Break", "Continue", "Pass", "AugAssign", "AnnAssign", "Return", "BoolOp", "Not", "USub", "Compare",
    "Lt", "LtE", "Gt", "GtE", "Eq", "NotEq", "Is", "IsNot", "In", "NotIn", "And", "Or", "BitAnd", "BitOr", "BitXor", "Add", "Sub",
    "Mult", "Mod", "Subscript", "Attribute", "Dict", "else", "a loop in a loop", "a chain of comparisons", "a return of nothing",
    "a tail call", "a step that keeps nothing", "for Tuple", "for Name", "for range", "for chain", "for each", "for Tuple of pairs",
    "Name = Yield", "Tuple = Yield", "Tuple = Tuple", "Name = Constant", "yield in If", "yield in While", "yield in Compare",
    "yield in UnaryOp", "yield in BoolOp", "yield in BinOp", "yield in Call", "yield in Return", "yield in keyword",
    "yield in Tuple", "yield in Attribute", "read", "write", "new", "Say", "Think", "cast", "isinstance", "getattr", "turned", "either",
    "repeated", "min", "max", "abs", "len", *LIBRARY,
}  # fmt: skip
"""What drawn programs have, all together: `constructs` finds it."""


def constructs(text: str) -> set[str]:
    """What the drawn part of a module has: kinds of syntax, what loops go over, where a `yield` stands, what is called."""
    found = set[str]()
    for node in ast.walk(ast.parse(text)):
        found.add(type(node).__name__)
        inside = [*ast.walk(node)][1:]
        match node:
            case ast.For(iter=ast.Call(func=called)):
                found.add(f"for {ast.unparse(called)}")
            case ast.For(target=target, iter=over):
                found.add(f"for {type(over).__name__}" + " of pairs" * isinstance(target, ast.Tuple))
            case ast.If(orelse=[_, *_]):
                found.add("else")
            case ast.While(test=test) if any(isinstance(each, ast.Yield) for each in ast.walk(test)):
                found.add("yield in While")
            case ast.Assign(targets=[target], value=value):
                found.add(f"{type(target).__name__} = {type(value).__name__}")
            case ast.Call(func=called):
                found.add(ast.unparse(called))
            case ast.Compare(ops=[_, _, *_]):
                found.add("a chain of comparisons")
            case ast.Return(value=ast.Yield()):
                found.add("a tail call")
            case ast.Return(value=None | ast.Constant(value=None)):
                found.add("a return of nothing")
            case ast.Expr(value=ast.Yield(value=ast.Call(func=ast.Name(id="read" | "new")))):
                found.add("a step that keeps nothing")
        if isinstance(node, ast.For | ast.While) and any(isinstance(each, ast.For | ast.While) for each in inside):
            found.add("a loop in a loop")
        for child in ast.iter_child_nodes(node):
            found |= {f"yield in {type(node).__name__}"} if isinstance(child, ast.Yield) else set()
    return found


def hint(kind: str) -> str:
    """The type hint for a kind: `bool`, `small`, `word`, a class, or one of two."""
    return HINTS.get(kind) or f'"{kind} | None"'


@define
class Signature:
    """A procedure: its name, the kinds of its arguments but `fuel`, and the kind of its result, or None; or of several."""

    name: str
    arguments: dict[str, str]
    result: str | None
    several: tuple[str, ...] = ()


@define
class Scope:
    """What has a value at a point of a procedure.

    Attributes:
        kinds: The kind of each variable.
        read: The class of each variable that holds a record that has been read.
        fixed: The variables that can't be assigned to.
    """

    kinds: dict[str, str]
    read: dict[str, str] = field(factory=dict)
    fixed: frozenset[str] = frozenset()

    def copy(self) -> "Scope":
        """The same."""
        return Scope(dict(self.kinds), dict(self.read), self.fixed)

    def join(self, other: "Scope") -> None:
        """Keep what has a value in another scope too."""
        self.kinds = {name: kind for name, kind in self.kinds.items() if other.kinds.get(name) == kind}
        self.read = {name: kind for name, kind in self.read.items() if other.read.get(name) == kind}


class Author:
    """Writes one program.

    Args:
        choose: Gives a number below its argument.
        is_hostile: Whether names could be mistaken for another's: the compiler's own, one of Python or of texts.

    Attributes:
        classes: The fields of each class of records, by name, with their kinds.
        own: The part of the module that was drawn, with its names as they were.
        procedures: The procedures, the first one is where a run begins.
        is_finite: Whether all numbers are in a range.
        has_library: Whether it calls the library.
    """

    def __init__(self, choose: Callable[[int], int], *, is_hostile: bool = False) -> None:
        self._choose = choose
        self._lines: list[str] = []
        self._names = 0
        self._loops: list[str] = []
        self.classes: dict[str, dict[str, str]] = {}
        self._defaults: dict[str, dict[str, str]] = {}
        self.is_finite = choose(2) == 0
        self.names = dict[str, str]()
        self.has_library = choose(2) == 0
        self.is_hostile = is_hostile
        has_records, has_results = choose(4) > 0, choose(4) > 0
        for name in CLASSES[: 1 + choose(2)] if has_records else ():
            self.classes[name] = {}
        for name, fields in self.classes.items():
            fields["next"] = name
            for other in ("left", "right")[: 2 * choose(2)]:
                fields[other] = name
            for number in range(choose(3)):
                fields[f"f{number}"] = self._kind()
        self.procedures = [
            Signature(
                name,
                {f"a{number}": self._kind() for number in range(choose(3))},
                self._kind() if has_results and choose(3) else None,
            )
            for name in PROCEDURES[: 1 + choose(4)]
        ]
        self._several = [Signature("omega", {"a0": self._kind()}, None, (self._kind(), self._kind()))][: choose(4) // 3]

    def _pick(self, things):
        things = list(things)
        return things[self._choose(len(things))]

    def _kind(self) -> str:
        either = [EITHER] * (len(self.classes) == 2)
        library = [self._pick(MADE).replace("X", self._item())] * self.has_library
        return self._pick(["bool", "small", "word", *self.classes, *self.classes, *either, *library])

    def _item(self) -> str:
        return self._pick(["Number", *self.classes])

    # ── the module ────────────────────────────────────────────────────────────────────────────────────────────────

    def module(self) -> str:
        """The text of the module; the procedure that a run begins with is `alpha`."""
        self._lines = []
        for name, fields in self.classes.items():
            self._line(0, "", "", f"class {name}(Record):")
            self._defaults[name] = {}
            for each, kind in fields.items():
                default = ""
                if self._choose(3) == 0:
                    default = self._defaults[name][each] = self._constant(kind)
                self._line(1, f"{each}: {hint(kind)}" + (f" = {default}" if default else ""))
        for signature in self.procedures + self._several:
            self._procedure(signature)
        self.own = text = "\n".join(self._lines) + "\n"
        if self.is_hostile:
            head, mark, rest = HEAD.partition("\nAFTER")
            text = self._renamed(mark + rest + text)
            return head + text
        return HEAD + text

    def named(self, name: str) -> str:
        """What a class, procedure, argument or field is called in the text."""
        return self.names.get(name, name)

    def _renamed(self, text: str) -> str:
        names = dict.fromkeys(re.findall(r"\b(?:[av]\d+|f\d|fuel|next|left|right|[A-Z]{3,}|turned|either)\b", text))
        pools = {True: list(HOSTILE), False: list(HOSTILE)}  # a variable may have the name of something else
        for name in (*names, *self.classes, *(each.name for each in self.procedures)):
            pool = pools[name == "fuel" or (name[1:].isdigit() and name[0] in "av")]
            if pool and self._choose(4):
                self.names[name] = pool.pop(self._choose(len(pool)))
                if self._choose(60) == 0:
                    self.names[name] = self._pick(REFUSED)
        return re.sub(r"\b[A-Za-z_]\w*\b", lambda each: self.named(each[0]), text)

    def _constant(self, kind: str) -> str:
        return {
            "bool": ("False", "True")[self._choose(2)],
            "small": str(self._choose(4)),
            "word": f'"{WORDS[self._choose(3)]}"',
        }.get(kind, "None")

    def _line(self, depth: int, *texts: str) -> None:
        self._lines += [("    " * depth + text).rstrip() for text in texts]

    def _procedure(self, signature: Signature) -> None:
        arguments = ["fuel: Small", *(f"{name}: {hint(kind)}" for name, kind in signature.arguments.items())]
        result = "None" if signature.result is None else hint(signature.result).strip('"')
        if signature.several:
            result = f"tuple[{', '.join(hint(each).strip(chr(34)) for each in signature.several)}]"
        result = f'"Steps[{result}]"' if self._choose(2) else f'"{result}"'
        self._line(0, "", "", "@procedure", f"def {signature.name}({', '.join(arguments)}) -> {result}:")
        self._line(1, '"""Drawn."""')
        self._me = signature
        scope = Scope({"fuel": "small", **signature.arguments}, fixed=frozenset({"fuel"}))
        self._line(1, "if not fuel:", f"    yield Say({self._constant('word')})")
        self._return(2, scope, may_call=False)
        if not self._block(1, scope, 3 + self._choose(6)):
            self._return(1, scope)

    # ── statements ────────────────────────────────────────────────────────────────────────────────────────────────

    def _block(self, depth: int, scope: Scope, length: int) -> bool:
        """Write some statements; gives whether nothing comes after them."""
        before = len(self._lines)
        for _ in range(length):
            if self._statement(depth, scope):
                return True
        if len(self._lines) == before:
            self._line(depth, "pass")
        return False

    def _statement(self, depth: int, scope: Scope) -> bool:
        kinds = [self._assign, self._emit, self._call, self._if, self._emit, self._assign_others, self._small_thing]
        kinds += [self._call_several] if self._several else []
        kinds += [self._library] * 3 * self.has_library
        if depth < 4:
            kinds += [self._if, self._while, self._for] + [self._each] * self.has_library
        if self.classes:
            kinds += [self._read, self._read, self._write, self._write, self._new, self._chain]
        if self._loops and self._choose(5) == 0:
            what = self._pick(["break", "continue"])
            self._line(depth, what)
            return True
        if depth > 1 and self._choose(14) == 0:
            self._return(depth, scope)
            return True
        return bool(self._pick(kinds)(depth, scope))

    def _new_name(self) -> str:
        self._names += 1
        return f"v{self._names}"

    def _target(self, scope: Scope, kind: str) -> str:
        known = [each for each, of in scope.kinds.items() if of == kind and each not in {*scope.read, *scope.fixed}]
        return self._pick(known) if known and self._choose(2) else self._new_name()

    def _assign(self, depth: int, scope: Scope) -> None:
        kind = self._kind()
        name = self._target(scope, kind)
        always = kind not in HINTS or (self.is_finite and kind == "small")
        annotated = name not in scope.kinds and (always or self._choose(3) == 0)
        value = self._value(scope, kind)
        self._line(depth, f"{name}: {hint(kind)} = {value}" if annotated else f"{name} = {value}")
        scope.kinds[name] = kind

    def _assign_others(self, depth: int, scope: Scope) -> None:
        changeable = {name: kind for name, kind in scope.kinds.items() if name not in {*scope.read, *scope.fixed}}
        numbers = [name for name, kind in changeable.items() if kind == "small"]
        truths = [name for name, kind in changeable.items() if kind == "bool"]
        pairs = [(one, other) for one in changeable for other in changeable if one < other]
        pairs = [pair for pair in pairs if changeable[pair[0]] == changeable[pair[1]]]
        what = self._choose(4)
        if what == 0 and numbers:
            name, operator = self._pick(numbers), self._pick(["+", "-", "*"])
            self._line(depth, f"{name} {operator}= {self._value(scope, 'small')}", f"{name} %= 4")
        elif what == 1 and truths:
            self._line(depth, f"{self._pick(truths)} {self._pick(['|', '&', '^'])}= {self._value(scope, 'bool')}")
        elif what == 2 and pairs:
            one, other = self._pick(pairs)
            self._line(depth, f"{one}, {other} = {other}, {one}")
        else:
            kinds = self._kind(), self._pick(["bool", "small", "word"])
            one, other = self._target(scope, kinds[0]), self._new_name()
            for name, kind in zip((one, other), kinds, strict=True):  # what it is does not follow from None
                if name not in scope.kinds and (kind not in HINTS or self.is_finite):
                    self._line(depth, f"{name}: {hint(kind)}")
            values = self._value(scope, kinds[0], True), self._value(scope, kinds[1], True)
            self._line(depth, f"{one}, {other} = {', '.join(values)}")
            scope.kinds |= {one: kinds[0], other: kinds[1]}

    def _small_thing(self, depth: int, scope: Scope) -> None:
        text = self._pick(["pass", '"a text"', "..."])
        self._line(depth, text)

    def _emit(self, depth: int, scope: Scope) -> None:
        is_note = self._choose(3) == 0
        self._line(depth, f"yield {'Think' if is_note else 'Say'}({self._expression(scope, self._kind())})")

    def _if(self, depth: int, scope: Scope) -> bool:
        self._line(depth, f"if {self._value(scope, 'bool', True)}:")
        ends, scopes = [], []
        for word in ("if", *("elif",) * self._choose(2), *("else",) * self._choose(2)):
            inner = scope.copy()
            if word == "elif":
                self._line(depth, f"elif {self._expression(scope, 'bool')}:")
            elif word == "else":
                self._line(depth, "else:")
            ends.append(self._block(depth + 1, inner, 1 + self._choose(3)))
            scopes.append(inner)
        reached = [inner for inner, end in zip(scopes, ends, strict=True) if not end]
        if word != "else":
            reached.append(scope.copy())
        if not reached:
            return True
        scope.kinds, scope.read = reached[0].kinds, reached[0].read
        for other in reached[1:]:
            scope.join(other)
        return False

    @contextmanager
    def _loop(self, kind: str, scope: Scope, fixed: str = ""):
        """The scope of a loop's body."""
        self._loops.append(kind)
        inner = scope.copy()
        inner.fixed |= {fixed}
        yield inner
        self._loops.pop()

    def _while(self, depth: int, scope: Scope) -> None:
        counter = self._new_name()
        self._line(depth, f"{counter}: Round = 0")
        test = f"{counter} < {1 + self._choose(3)}"
        extra = self._choose(3)
        if extra == 1:
            test += f" and {self._expression(scope, 'bool')}"
        elif extra == 2:
            test = f"{self._value(scope, 'bool', True)} and {test}"
        with self._loop("while", scope, counter) as inner:
            self._line(depth, f"while {test}:", f"    {counter} += 1")
            self._block(depth + 1, inner, 1 + self._choose(3))

    def _for(self, depth: int, scope: Scope) -> None:
        over = self._pick(["constants", "table", "pairs"])
        kind = self._pick(["small", "word"]) if over == "constants" else "small"
        together = [name for name, of in scope.read.items() if "left" in self.classes[of]]
        if together and self._choose(2):
            over = "fields"
        name = self._new_name()
        with self._loop(f"for-{over}", scope, name) as inner:
            if over == "fields":
                record = self._pick(together)
                self._line(depth, f'for {name} in ("left", "right"):')
                self._line(depth + 1, f"yield Say(getattr({record}, {name}))")
            elif over == "pairs":
                other = self._new_name()
                self._line(depth, f'for {name}, {other} in ((1, "red"), (2, "{self._pick(WORDS)}")):')
                inner.kinds |= {name: "small", other: "word"}
                inner.fixed |= {other}
            elif over == "table":
                self._line(depth, f"for {name} in {self._pick(['AFTER', 'range(2)', 'range(3, 0, -2)'])}:")
                inner.kinds[name] = "small"
            else:
                constants = ", ".join(self._constant(kind) for _ in range(1 + self._choose(2)))
                self._line(depth, f"for {name} in ({constants},):")
                inner.kinds[name] = kind
            self._block(depth + 1, inner, 1 + self._choose(2))

    def _chain(self, depth: int, scope: Scope) -> None:
        kind = self._pick(self.classes)
        counter, name = self._new_name(), self._new_name()
        link = self._pick(["next", *[each for each in ("left",) if each in self.classes[kind]]])
        firsts = [name for name, of in scope.kinds.items() if of == kind]
        if not firsts:
            return
        first = self._pick(firsts)
        self._line(depth, f"{counter}: Round = 0")
        with self._loop("for-chain", scope, counter) as inner:
            self._line(depth, f'for {name} in chain({first}, "{link}"):')
            self._line(depth + 1, f"{counter} += 1", f"if {counter} > 3:", "    break")
            inner.kinds[name] = inner.read[name] = kind
            self._block(depth + 1, inner, 1 + self._choose(3))

    def _read(self, depth: int, scope: Scope) -> None:
        kind = self._pick(self.classes)
        references = [name for name, of in scope.kinds.items() if of == kind]
        references += [f"{name}.{each}" for name, of in scope.read.items() for each in self._fields(of, kind)]
        references += self._either(scope)
        if not references:
            return self._new(depth, scope)
        reference = test = self._pick(references)
        if reference in self._either(scope):
            reference, test = f"cast({kind}, {test})", f"isinstance({test}, {kind})"
        if self._choose(3 if test != reference else 12) == 0:
            return self._read_it(depth, scope, kind, reference)
        self._line(depth, f"if {test}:")
        inner = scope.copy()
        self._read_it(depth + 1, inner, kind, reference)
        ended = self._block(depth + 1, inner, 1 + self._choose(4))
        if ended:
            return None
        if self._choose(2):  # go on with the record that was read
            self._line(depth, "else:")
            self._return(depth + 1, scope)
            scope.kinds, scope.read = inner.kinds, inner.read
        else:
            scope.join(inner)
        return None

    def _read_it(self, depth: int, scope: Scope, kind: str, reference: str) -> None:
        if self._choose(8) == 0:
            return self._line(depth, f"yield read({reference})")
        again = [name for name, of in scope.read.items() if of == kind]
        name = self._pick(again) if again and self._choose(3) == 0 else self._new_name()
        self._line(depth, f"{name} = yield read({reference})")
        scope.kinds[name] = scope.read[name] = kind
        return None

    def _fields(self, of: str, kind: str) -> list[str]:
        return [name for name, each in self.classes[of].items() if each == kind]

    def _either(self, scope: Scope) -> list[str]:
        """The variables and fields that refer to one of two classes."""
        fields = [f"{name}.{each}" for name, of in scope.read.items() for each in self._fields(of, EITHER)]
        return [*(name for name, of in scope.kinds.items() if of == EITHER), *fields]

    def _write(self, depth: int, scope: Scope) -> None:
        sure = [name for name in scope.read if name in scope.kinds]
        others = [name for name, kind in scope.kinds.items() if kind in self.classes and name not in sure]
        if sure and self._choose(3):
            name = self._pick(sure)
        elif others:
            name = self._pick(others)
            if self._choose(10):
                self._line(depth, f"if {name} is not None:")
                depth += 1
        else:
            return
        fields = self.classes[scope.kinds[name]]
        chosen = [each for each in fields if self._choose(2)] or [self._pick(fields)]
        values = [f"{each}={self._value(scope, fields[each], True)}" for each in chosen]
        if self._choose(4) == 0:
            values[0] = '**{{"{}": {}}}'.format(*values[0].split("=", 1))
            values.append(values.pop(0))
        self._line(depth, f"yield write({name}, {', '.join(values)})")

    def _new(self, depth: int, scope: Scope) -> None:
        kind = self._pick(self.classes)
        text = self._made(scope, kind)
        if self._choose(5) == 0:
            return self._line(depth, text)
        name = self._new_name()
        self._line(depth, f"{name} = {text}")
        scope.kinds[name] = scope.read[name] = kind
        return None

    def _made(self, scope: Scope, kind: str) -> str:
        left_out = {each for each in self._defaults[kind] if self._choose(2)}
        given = [
            f", {each}={self._value(scope, of)}" for each, of in self.classes[kind].items() if each not in left_out
        ]
        return f"yield new({kind}{''.join(given)})"

    def _call(self, depth: int, scope: Scope) -> None:
        called = self._pick(self.procedures)
        text = f"yield {self._called(scope, called)}"
        if called.result is not None and self._choose(3):
            name = self._target(scope, called.result)
            scope.kinds[name] = called.result
            return self._line(depth, f"{name} = {text}")
        return self._line(depth, text)

    def _call_several(self, depth: int, scope: Scope) -> None:
        alone = [each.name for each in self.procedures if not each.arguments]
        if alone and self._choose(3) == 0:
            return self._line(depth, f"yield repeated(fuel - 1, {self._pick(alone)})")
        (called,), names = self._several, [self._new_name(), self._new_name()]
        self._line(depth, f"{', '.join(names)} = yield {self._called(scope, called)}")
        scope.kinds |= dict(zip(names, called.several, strict=True))
        return None

    def _called(self, scope: Scope, called: Signature) -> str:
        arguments = {name: self._value(scope, kind, True) for name, kind in called.arguments.items()}
        if self._choose(3) == 0:
            named = [*(f"{name}={value}" for name, value in arguments.items()), "fuel=fuel - 1"]
            return f"{called.name}({', '.join(reversed(named) if self._choose(2) else named)})"
        return f"{called.name}({', '.join(['fuel - 1', *arguments.values()])})"

    def _return(self, depth: int, scope: Scope, *, may_call: bool = True) -> None:
        result = self._me.result
        if self._me.several:
            if may_call and self._choose(3) == 0:
                return self._line(depth, f"return (yield {self._called(scope, self._me)})")
            values = [self._value(scope, each, may_call) for each in self._me.several]
            return self._line(depth, f"return {', '.join(values)}")
        if result is None:
            same = [each for each in self.procedures if each.result is None]
            if may_call and self._choose(3) == 0:
                self._line(depth, f"yield {self._called(scope, self._pick(same))}")
            return self._line(depth, self._pick(["return", "return None"]))
        same = [each for each in self.procedures if each.result == result]
        if may_call and self._choose(3) == 0:
            return self._line(depth, f"return (yield {self._called(scope, self._pick(same))})")
        if may_call and (result in self.classes or result == EITHER) and self._choose(3) == 0:
            return self._line(depth, f"return ({self._made(scope, self._pick(result.split(' | ')))})")
        value = self._value(scope, result, True) if may_call else self._expression(scope, result)
        return self._line(depth, f"return {value}")

    # ── the library ───────────────────────────────────────────────────────────────────────────────────────────────

    def _library(self, depth: int, scope: Scope) -> None:
        name = self._pick(LIBRARY)
        item = self._item()
        arguments, _, result = LIBRARY[name].replace("X", item).partition("->")
        given = ", ".join(self._given(depth, scope, kind) for kind in arguments.split())
        call, result = f"yield {name}({given})", result.strip()
        if not result or self._choose(6) == 0:
            return self._line(depth, call)
        if result == "bool" and self._choose(2):
            self._line(depth, f"if ({call}):")
            self._block(depth + 1, scope.copy(), 1)
            return None
        target = self._target(scope, result)
        self._line(depth, f"{target} = {call}" if target in scope.kinds else f"{target}: {hint(result)} = {call}")
        scope.kinds[target] = result
        return None

    def _given(self, depth: int, scope: Scope, kind: str) -> str:
        """An argument, which may have to be made first."""
        if kind == "less":
            return kind
        fresh, known = kind.startswith("fresh-"), [name for name, of in scope.kinds.items() if of == kind]
        kind = kind.removeprefix("fresh-")
        if kind in self.classes or (kind in ("Number", "Text") and not fresh and self._choose(12) == 0):
            return self._value(scope, kind, True)
        if known and not fresh and self._choose(5):
            return self._pick(known)
        name = self._new_name()
        self._make(depth, scope, name, kind)
        return name

    def _make(self, depth: int, scope: Scope, name: str, kind: str) -> None:
        """Give a variable a new record of the library."""
        head, _, item = kind.partition("[")
        text = MADE[f"{head}[X]" if item else head].replace("X", item[:-1])
        for part in re.findall(r"\{(.*?)\}", text):
            other = self._new_name()
            self._make(depth, scope, other, part)
            text = text.replace(f"{{{part}}}", other)
        self._line(depth, f"{name}: {hint(kind)} = yield {text}")
        for _ in range(self._choose(3) if kind == "Number" else 0):
            self._line(depth, f"{name} = yield {self._pick(['successor', 'negate'])}({name})")
        if head == "List" and self._choose(2):
            first = self._given(depth, scope, item[:-1])
            self._line(depth, f"{name} = yield new(List, first={first}, next={name})")
        scope.kinds[name] = kind

    def _each(self, depth: int, scope: Scope) -> None:
        name, kind = self._new_name(), self._item()
        items = self._given(depth, scope, f"List[{kind}]")
        if items.isidentifier() and items != "None":
            with self._loop("for-each", scope, name) as inner:
                self._line(depth, f"for {name} in each({items}):")
                inner.kinds[name] = kind
                self._block(depth + 1, inner, 1 + self._choose(2))

    # ── expressions ───────────────────────────────────────────────────────────────────────────────────────────────

    def _value(self, scope: Scope, kind: str, may_call: bool = False, depth: int = 2) -> str:
        """An expression, in which a call may stand where it is certain to happen."""
        results = {each.result for each in self.procedures} - {None}
        read = [
            f"(yield read({name})).{field}"
            for name, of in scope.kinds.items()
            for field in (self._fields(of, kind) if of in self.classes else ())
        ]
        if may_call and read and self._choose(6) == 0:
            return self._pick(read)
        if may_call and depth and results and self._choose(4) == 0:
            text = self._with_call(scope, kind, depth)
            if text is not None:
                return text
        return self._expression(scope, kind)

    def _with_call(self, scope: Scope, kind: str, depth: int) -> str | None:
        def call(of: str) -> str | None:
            able = [each for each in self.procedures if each.result == of]
            if not able:
                return None
            called = self._pick(able)
            arguments = [self._value(scope, each, True, depth - 1) for each in called.arguments.values()]
            return f"(yield {called.name}({', '.join(['fuel - 1', *arguments])}))"

        if kind == "bool" and self._choose(3):
            of = self._kind()
            one = call(of)
            if one is not None and of == "bool":
                what = self._pick(["not", "not", "and", "or", "skipped"])
                if what == "skipped":
                    return f"({self._expression(scope, 'bool')} {self._pick(['and', 'or'])} {one})"
                return f"(not {one})" if what == "not" else f"({one} {what} {self._expression(scope, 'bool')})"
            if one is not None:
                other = call(of) if self._choose(2) else None
                other = other or self._expression(scope, of)
                operator = self._pick(["==", "!="])
                return f"({one} {operator} {other})" if self._choose(2) else f"({other} {operator} {one})"
        if kind == "small" and self._choose(2):
            one = call("small")
            if one is not None:
                other = call("small") if self._choose(2) else None
                return f"(({other or self._expression(scope, 'small')} - {one}) % 4)"
        return call(kind)

    def _expression(self, scope: Scope, kind: str, depth: int = 2) -> str:
        """An expression without a call."""
        simple = [name for name, of in scope.kinds.items() if of == kind or (kind == EITHER and of in self.classes)]
        fields = [f"{name}.{each}" for name, of in scope.read.items() for each in self._fields(of, kind)]
        choice = self._choose(8)
        if depth and choice < 3:
            return f"({self._compound(scope, kind, depth - 1)})"
        if simple and choice < 6:
            return self._pick(simple)
        if fields:
            name = self._pick(fields)
            if self._choose(4) == 0:
                return 'getattr({}, "{}")'.format(*name.split("."))
            return name
        return self._pick(simple) if simple and self._choose(3) else self._constant(kind)

    def _compound(self, scope: Scope, kind: str, depth: int) -> str:
        def some(of: str) -> str:
            return self._expression(scope, of, depth)

        if self._choose(5) == 0:
            return f"{some(kind)} if {some('bool')} else {some(kind)}"
        if (kind == "bool" or kind in self.classes) and (either := self._either(scope)) and self._choose(2):
            name, which = self._pick(either), self._pick(self.classes) if kind == "bool" else kind
            which += " | None" * self._choose(2)
            test = f"isinstance({name}, {which})"
            return test if kind == "bool" else f"cast({which}, {name}) if {test} else None"
        of = self._kind() if kind == "bool" else kind
        table = EXPRESSIONS[kind if kind in HINTS else "it", of if of in HINTS else "it"]

        def filled(part: re.Match[str]) -> str:
            return (
                some({"it": of}.get(part[1], part[1])) if part[1] in ("it", *HINTS) else self._pick(part[1].split(","))
            )

        return re.sub("{(.*?)}", filled, self._pick(table))


def drawn_records(choose, author, module, count):
    """So many records of the author's classes, with links between them at random; and what draws a value of a kind."""
    names = list(author.classes)
    kinds = [names[choose(len(names))] for _ in range(count)]
    records = [object.__new__(getattr(module, author.named(kind))) for kind in kinds]

    def value(kind):
        able = [None, *(record for record, of in zip(records, kinds, strict=True) if of in kind.split(" | "))]
        values = {"bool": (False, True), "small": range(4), "word": WORDS}.get(kind, able)
        return values[choose(len(values))]

    for record, kind in zip(records, kinds, strict=True):
        record.__init__(**{author.named(name): value(of) for name, of in author.classes[kind].items()})
    return records, value
