"""Programs that can't be compiled: each is refused with the file, the line, and what to do."""

import re

import pytest

from coc_core.errors import PluginError
from tests.support.program_runs import domain_of, module_of

HEAD = """
from typing import Annotated, Literal, cast
import enum, functools
from coc_programs import Procedure, Record, Steps, chain, new, procedure, read, tell, write
from tests.support.program_runs import Go, Say, Think

class Cell(Record):
    next: "Cell | None" = None
    seen: bool = False
    count: Annotated[int, range(4)] = 0

class Knot(Record):
    cell: "Cell | None"

WORD = "red"
ROOT = Cell()

class Rooted(Record):
    root: Cell = ROOT
TABLE = {0: 1}

def alike(a: Cell | None, b: Cell | None) -> bool:
    return a == b

def half(n: int) -> int:
    return n // 2

def tell(a: Cell | None) -> Say:
    return Say(a)

def nobody() -> Cell | None:
    return None

def untyped(n):
    return n

def strange(n: int) -> float:
    return n / 2

def unsteady(n: int):
    yield Say(n)

@procedure
def found(a: Cell | None) -> bool:
    yield Say(a)
    return True

@procedure
def visit(a: Cell | None) -> None:
    yield Say(a)

@procedure
def two(a: Cell | None) -> Steps[tuple[Cell | None, bool]]:
    yield Say(a)
    return a, True

@procedure
def with_each(a: Cell | None, do: Procedure) -> None:
    yield do(a)

@procedure
def made(a: Cell | None) -> Cell | None:
    x = yield read(a)
    return x

"""
MAIN = "@procedure\ndef main(a: Cell | None, k: Knot | None, flag: bool, n: int) -> None:\n"

# What is wrong; the body of `main`, or the rest of a module that has its own, in which the line that ends with `#!` is
# the one at fault; and words of the message.
WRONG = [
    # ── what procedures are ───────────────────────────────────────────────────────────────────────────────────────
    ("closure", "def outer(hidden):\n    @procedure\n    def main(a: bool) -> None: #!\n        yield Say(hidden)\n    return main\nmain = outer(1)", ["closure", "'hidden'", "pass it as an argument"]),
    ("lambda as a procedure", "main = procedure(lambda a: (yield Say(a))) #!", ["plain `def`"]),
    ("no yield", "@procedure\ndef main(a: bool) -> bool: #!\n    return a", ["no `yield`", "helper function"]),
    ("defaults", "@procedure\ndef main(a: bool = True) -> None: #!\n    yield Say(a)", ["without defaults"]),
    ("star", "@procedure\ndef main(*a: bool) -> None: #!\n    yield Say(a)", ["stars", "name each argument"]),
    ("no hint", "@procedure\ndef main(a) -> None: #!\n    yield Say(a)", ["'a' has no type", "type hint"]),
    ("unknown hint", '@procedure\ndef main(a: "Cel | None") -> None: #!\n    yield Say(a)', ["'Cel'", "unknown"]),
    ("a list", "@procedure\ndef main(a: list[int]) -> None: #!\n    yield Say(a)", ["list[int] has no text"]),
    ("an empty range", "@procedure\ndef main(a: Annotated[int, range(0)]) -> None: #!\n    yield Say(a)", ["no text"]),
    ("a range with gaps", "@procedure\ndef main(a: Annotated[int, range(0, 4, 2)]) -> None: #!\n    yield Say(a)", ["no text"]),
    ("two procedures of a name", "def another():\n    @procedure\n    def main(a: bool) -> None: #!\n        yield Say(a)\n    return main\nother = another()\n@procedure\ndef main(a: bool) -> None: #!\n    yield other(a)", ["same name", "choose another"]),
    ("letters of two classes", "class Cat(Record, letters='CA'):\n    a: bool\n@procedure\ndef main(a: Cell, b: Cat) -> None: #!\n    yield Say(a)\n    yield Say(b)", ["both begin with C", "letters="]),
    ("a field of no kind", "class Bag(Record):\n    many: list[int]\n@procedure\ndef main(a: Bag) -> None:\n    x = yield read(a) #!\n    yield Say(x)", ["'many' of Bag", "no text"]),
    ("a field with an unknown type", 'class Bag(Record):\n    other: "Beg"\n@procedure\ndef main(a: Bag) -> None:\n    x = yield read(a) #!\n    yield Say(x)', ["'Beg'", "Bag"]),
    ("an argument called like a record", "@procedure\ndef main(C1: Cell) -> None: #!\n    x = yield read(C1)\n    yield Say(x)", ["'C1' could be the name of a record", "another name"]),
    ("two underscores at the beginning", "@procedure\ndef main(__a: bool) -> None: #!\n    yield Say(__a)", ["'__a' begins with two underscores", "another name"]),
    ("a procedure called like a word of texts", "@procedure\ndef AT(a: bool) -> None: #!\n    yield Say(a)\nmain = AT", ["'AT' is a word of memories", "another name"]),
    ("another function called getattr", "def getattr(a: object, name: str) -> int:\n    return 3\n@procedure\ndef main(a: Cell) -> None:\n    x = yield read(a)\n    yield Say(getattr(x, \"count\")) #!", ["'x' is a reference"]),
    ("a name in Greek", "@procedure\ndef main(α: bool) -> None: #!\n    yield Say(α)", ["'α' is not in ASCII"]),
    ("a record without fields", "class Dot(Record): pass\n@procedure\ndef main(a: Dot) -> None: #!\n    yield Say(a)", ["Dot has no fields", "give it one"]),
    ("a field called name", "class Dot(Record): #!\n    name: bool\nmain = 1", ["'name' of its own", "another name"]),
    ("a record with a truth", "class Dot(Record): #!\n    def __bool__(self): pass\nmain = 1", ["'__bool__' of its own"]),
    ("hidden by a decorator", "def five(function):\n    @functools.wraps(function)\n    def inner(n): #!\n        yield Say(5)\n    return inner\n@procedure\n@five\ndef main(n: int) -> None:\n    yield Say(n)", ["'n' has no type"]),
    # ── statements ────────────────────────────────────────────────────────────────────────────────────────────────
    ("try", "try: #!\n    yield Say(a)\nexcept ValueError:\n    pass", ["`try`", "decide with `if`"]),
    ("with", "with open('x'): #!\n    yield Say(a)", ["`with`", "leave it out"]),
    ("raise", "yield Say(a)\nraise ValueError #!", ["`raise`", "write a note"]),
    ("assert", "yield Say(a)\nassert flag #!", ["`assert`", "`if`"]),
    ("match", "match n: #!\n    case 1:\n        yield Say(a)", ["`match`", "`elif`"]),
    ("global", "global WORD #!\nyield Say(a)", ["`global`", "pass"]),
    ("nested function", "def inner(): #!\n    pass\nyield Say(a)", ["`def`", "outside"]),
    ("else of while", "while flag:\n    yield visit(a)\nelse:\n    pass #!", ["`else`", "use a variable"]),
    ("loop over a variable", "for i in n: #!\n    yield Say(i)", ["'n' can't be unrolled", "constants"]),
    ("loop over a range of a variable", "for i in range(n): #!\n    yield Say(i)", ["can't be unrolled", "chain(first"]),
    ("loop over functions", "for i in (untyped, strange): #!\n    yield Say(i)", ["(untyped, strange)", "words"]),
    ("the loop's variable", "for i in (1, 2):\n    i = 3 #!\n    yield Say(i)", ["'i'", "another variable"]),
    ("the loop's variable before", "i = 3 #!\nfor i in (1, 2):\n    yield Say(i)\nyield Say(i)", ["'i'", "another variable"]),
    ("the loop's variable after", "for i in (1, 2):\n    yield Say(i)\nyield Say(i) #!", ["'i'", "before it has a value"]),
    ("a loop without end", "for i in range(10**9): #!\n    pass", ["more than 1,000 rounds", "`while`"]),
    ("loops without end", "for i in range(100):\n    for j in range(100): #!\n        yield Say(n)", ["more than 1,000 rounds"]),
    ("chain of three", 'for x in chain(a, "next", 3): #!\n    yield Say(x)', ["chain(first", "field"]),
    ("chain by a variable", "for x in chain(a, n): #!\n    yield Say(x)", ['chain(first, "next")']),
    ("chain of no field", 'for x in chain(a, "nixt"): #!\n    yield Say(x)', ["no field 'nixt'", "next"]),
    ("chain of None", 'for x in chain(None, "next"): #!\n    yield Say(flag)', ["what is read is -, not a reference", "type hint"]),
    ("chain alone", 'x = chain(a, "next") #!\nyield Say(n)', ["for x in chain"]),
    ("several targets", "x = y = 1 #!\nyield Say(x)", ["one by one"]),
    ("unpacking", "x, y = n #!\nyield Say(x)", ["'(x, y)'", "assign to a variable"]),
    ("unpacking of more", "x, y = 1, 2, 3 #!\nyield Say(x)", ["'(x, y)'", "assign to a variable"]),
    ("an item", "n[0] = 1 #!\nyield Say(a)", ["'n[0]'", "assign to a variable"]),
    ("a field", "x = yield read(a)\nx.seen = True #!", ["'x.seen'", "yield write(x, seen=...)"]),
    ("a field, augmented", "x = yield read(a)\nx.count += 1 #!", ["'x.count'", "yield write(x, count=...)"]),
    ("an expression", "n + 1 #!\nyield Say(a)", ["does nothing here", "leave it out"]),
    ("a call without yield", "visit(a) #!\nyield Say(a)", ["does nothing here", "yield visit(a)"]),
    # ── expressions ───────────────────────────────────────────────────────────────────────────────────────────────
    ("yield from", "yield from visit(a) #!", ["`yield from`", "yield visit(a)"]),
    ("yield alone", "yield #!", ["`yield` alone", "yield an action"]),
    ("a call in a test", "if found(a): #!\n    yield Say(a)", ["'found(a)'", "(yield found(a))"]),
    ("a call as a value", "x = found(a) #!\nyield Say(x)", ["(yield found(a))"]),
    ("read without yield", "x = read(a) #!\nyield Say(n)", ["(yield read(a))"]),
    ("an undecorated procedure", "yield unsteady(n) #!", ["'unsteady'", "@procedure"]),
    ("yield that may be skipped", "x = flag if n else (yield found(a)) #!\nyield Say(x)", ["middle of an expression", "line of its own"]),
    ("lambda", "f = lambda: n #!\nyield Say(a)", ["a lambda", "helper function"]),
    ("comprehension", "x = [i for i in (1, 2)] #!\nyield Say(a)", ["a comprehension", "in records"]),
    ("a list", "x = [1, 2] #!\nyield Say(a)", ["a list", "in records"]),
    ("walrus", "if (x := n) > 1: #!\n    yield Say(x)", ["`:=`", "line of its own"]),
    ("f-string", 'x = f"{n}" #!\nyield Say(a)', ["an f-string", "into an action"]),
    ("a word that is none", 'x = "two words" #!\nyield Say(x)', ["'two words'", "word of letters"]),
    ("the word yes", 'x = "yes" #!\nyield Say(x)', ["'yes'", "other than yes and no"]),
    ("a number with a point", "x = 0.5 #!\nyield Say(x)", ["0.5 has no text"]),
    ("a dict", "x = {1: n} #!\nyield Say(a)", ["a dict", "in records"]),
    ("a slice", "x = (1, 2, 3)[n:] #!\nyield Say(a)", ["a slice", "helper function"]),
    ("an unknown name", "x = nothing #!\nyield Say(x)", ["'nothing' is unknown", "define it in the module"]),
    ("an unknown function", "x = nothing(n) #!\nyield Say(x)", ["'nothing' is not defined", "in the module"]),
    ("an unknown action", "yield Gone(n) #!", ["'Gone' is not defined"]),
    ("a function without a type", "x = untyped(n) #!\nyield Say(x)", ["untyped has no type", "return type"]),
    ("a function of no kind", "x = strange(n) #!\nyield Say(x)", ["float has no text"]),
    ("a constant that fails", "x = WORD.nothing #!\nyield Say(x)", ["can't be computed", "AttributeError"]),
    ("is", "if a is k: #!\n    yield Say(a)", ["`is`", "`==`"]),
    ("order of references", "if a < a: #!\n    yield Say(a)", ["is a reference", "use fields"]),
    ("the number of a record", "if a.number > 1: #!\n    yield Say(a)", ["number of a record", "record itself"]),
    ("getattr of a variable", "x = yield read(a)\nyield Say(getattr(x, WORD)) #!", ["getattr", "constant"]),
    ("a function of references", "yield Say(alike(a, a)) #!", ["is a reference", "use fields"]),
    ("the hash of a reference", "yield Say(hash(a or a)) #!", ["is a reference", "use fields"]),
    ("the text of a reference", 'yield Say("%s" % a) #!', ["is a reference", "use fields"]),
    ("a reference in a table", "yield Say(TABLE[a]) #!", ["is a reference", "use fields"]),
    ("a reference in a set", "yield Say((a if flag else a) in TABLE) #!", ["is a reference", "use fields"]),
    ("a reference of several", "x = (a, k)[n] #!\nyield Say(x)", ["not a table of constants"]),
    ("a sum with the number of a record", "yield Say(a.number + 1) #!", ["number of a record", "record itself"]),
    ("a function that returns a record", "x = nobody() #!\nyield Say(x)", ["nobody is Cell or -", "a procedure"]),
    ("print", "print(n) #!\nyield Say(a)", ["does nothing here", "leave it out"]),
    ("a variable as a function", "yield Say(n(1)) #!", ["'n' is not a function here", "that no variable hides"]),
    ("a variable that hides a procedure", "found = yield found(a) #!\nyield Say(found)", ["'found' is not a function here"]),
    ("a method", "x = n.bit_length() #!\nyield Say(x)", ["'n.bit_length' is not a function here", "one of the module"]),
    ("several values", "x = (n, n) #!\nyield Say(n)", ["several values", "variable for each"]),
    ("a table of variables", "x = (n, n)[0] #!\nyield Say(x)", ["not a table of constants", "of the module"]),
    ("a number as a table", "for i in (1, 2):\n    yield Say(i[n]) #!", ["'1[n]' is not a table of constants"]),
    ("a function that makes an action of a reference", "yield tell(a) #!", ["is a reference", "use fields"]),
    ("a function that returns no action", "yield half(n) #!", ["half is neither an action nor a note", "Say"]),
    # ── records ───────────────────────────────────────────────────────────────────────────────────────────────────
    ("an unread record", "yield Say(a.seen) #!", ["'a'", "'seen'", "yield read(...)"]),
    ("an unread field's field", "x = yield read(a)\nyield Say(x.next.seen) #!", ["'x.next'", "yield read(x.next)"]),
    ("a record read in one branch", "x = a\nif flag:\n    x = yield read(a)\nyield Say(x.seen) #!", ["'x'", "may not have been read"]),
    ("a record replaced by a result", "x = yield read(a)\nx = yield made(a)\nyield Say(x.seen) #!", ["'x'", "may not have been read"]),
    ("an unknown field", "x = yield read(a)\nyield Say(x.nixt) #!", ["no field 'nixt'", "next, seen"]),
    ("a read of a number", "x = yield read(n) #!\nyield Say(x)", ["'n' is int", "type hint"]),
    ("a read of two classes", "x = a if flag else k\ny = yield read(x) #!\nyield Say(y)", ["one class", "write `cast(Class, ...)`"]),
    ("a cast to another class", "x = cast(Knot, a) #!\nyield Say(x)", ["'a' is Cell or -, never Knot", "name a class"]),
    ("a cast to no class", "x = cast(int, n) #!\nyield Say(x)", ["'n' is int, never int", "name a class"]),
    ("a cast of an expression", "x = cast(Cell, a or a) #!\nyield Say(x)", ["other arguments than a class", "to a variable first"]),
    ("order of casts", "yield Say(cast(Cell, a) < a) #!", ["'a' is a reference", "use fields"]),
    ("a test for another class", "if isinstance(a, Knot): #!\n    yield Say(a)", ["'a' is Cell or -, never Knot"]),
    ("a record of the module", "yield Say(a == ROOT) #!", ["'ROOT' is of the module", "as an argument"]),
    ("a record made out of nothing", "yield Say(a == Cell.at(1)) #!", ["'Cell' is of the module", "as an argument"]),
    ("a record as a default", "x = yield new(Rooted) #!\nyield Say(x)", ["the default C0", "name the field"]),
    ("a chain by a field that is no reference", 'for x in chain(a, "seen"): #!\n    yield Say(x)', ["or yes, not a reference"]),
    ("a field of an expression", "yield Say((a or a).seen) #!", ["'a or a' is not a variable", "yield read(a or a)"]),
    ("a read with fields", "x = yield read(a, seen=True) #!\nyield Say(x)", ["no fields", "read(record)"]),
    ("a read of two", "x = yield read(a, a) #!\nyield Say(x)", ["one argument"]),
    ("a write of nothing", "yield write(a) #!", ["nothing is written", "field=value"]),
    ("a write of no field", "yield write(a, nixt=None) #!", ["no field 'nixt'", "next, seen"]),
    ("a write of another type", "yield write(a, seen=n) #!", ["'n' is int", "'seen' of Cell"]),
    ("a write of another class", "yield write(a, next=k) #!", ["'k' is Knot", "'next' of Cell"]),
    ("a write with stars", "yield write(a, **WORD) #!", ["`**`", "name each field"]),
    ("several results for one", "x = yield two(a) #!\nyield Say(x)", ["two has several results", "a, b = yield"]),
    ("several results in an action", "yield Say((yield two(a))) #!", ["two has several results"]),
    ("two results for three", "x, y, z = yield two(a) #!\nyield Say(x)", ["3 variables take 2 results"]),
    ("one result for two", "x, y = yield found(a) #!\nyield Say(x)", ["2 variables take 1 result", "tuple"]),
    ("too many results", "@procedure\ndef main(a: bool) -> tuple[bool, bool]:\n    yield Say(a)\n    return a, a, a #!", ["3 results", "has 2"]),
    ("an end without two results", "@procedure\ndef main(a: bool) -> tuple[bool, bool]:\n    yield Say(a) #!", ["may end here without a result"]),
    ("a result of another type", "@procedure\ndef main(a: bool, n: int) -> tuple[bool, bool]:\n    yield Say(a)\n    return a, n #!", ["'n' is int", "the result is"]),
    ("a procedure that is no constant", "@procedure\ndef main(a: Cell | None, do: Procedure) -> None: #!\n    yield do(a)", ["'do' is a procedure", "by its name"]),
    ("a procedure with other arguments", "yield with_each(a, visit, n) #!", ["with_each takes the arguments (a, do)"]),
    ("tuples of two lengths", "for x, y in ((1, 2), (3,)): #!\n    yield Say(x)", ["(3,)", "tuple of 2"]),
    ("a field by a variable", "yield write(a, **{n: True}) #!", ["`**`", "constant"]),
    ("a field by a wrong constant", 'for way in ("seen", "nixt"):\n    yield write(a, **{way: True}) #!', ["no field 'nixt'"]),
    ("the result of a write", "x = yield write(a, seen=True) #!\nyield Say(n)", ["gives nothing back", "line of its own"]),
    ("a new record of no class", "x = yield new(untyped) #!\nyield Say(n)", ["not a class of records", "new(Class"]),
    ("a new record of no name", "x = yield new(Nothing) #!\nyield Say(n)", ["not a class of records"]),
    ("a new record of no field", "x = yield new(Cell, nixt=None) #!\nyield Say(x)", ["no field 'nixt'", "next, seen"]),
    ("a new record that lacks a field", "x = yield new(Knot) #!\nyield Say(x)", ["needs a value for 'cell'", "cell"]),
    ("a new record of another type", "x = yield new(Cell, seen=n) #!\nyield Say(x)", ["'n' is int", "'seen' of Cell"]),
    ("a new record with stars", "x = yield new(Cell, **WORD) #!\nyield Say(x)", ["`**`", "name each field"]),
    # ── records of any class ──────────────────────────────────────────────────────────────────────────────────────
    ("a read of any record", "@procedure\ndef main(a: Record) -> None:\n    yield read(a) #!", ["'a' is Record", "cast(Class"]),
    ("a write of any record", "@procedure\ndef main(a: Record) -> None:\n    yield write(a, x=1) #!", ["'a' is Record", "cast(Class"]),
    ("a class of any record", "@procedure\ndef main(a: Record) -> None:\n    if isinstance(a, Cell): #!\n        yield Say(a)", ["any record", "of which class", "store what it is"]),
    ("any record as one of two", '@procedure\ndef main(a: Record) -> None:\n    b = cast("Cell | Knot", a) #!\n    yield Say(b)', ["any record", "cast it to one class"]),
    # ── calls and results ─────────────────────────────────────────────────────────────────────────────────────────
    ("too many arguments", "yield visit(a, n) #!", ["visit takes the arguments (a)"]),
    ("too few arguments", "yield visit() #!", ["visit takes the arguments (a)"]),
    ("an unknown argument", "yield visit(b=a) #!", ["visit takes the arguments (a)"]),
    ("an argument twice", "yield visit(a, a=a) #!", ["visit takes the arguments (a)"]),
    ("starred arguments", "yield visit(*WORD) #!", ["`*`", "name each argument"]),
    ("an argument of another type", "yield visit(n) #!", ["'n' is int", "'a' of visit is Cell or -"]),
    ("no result", "x = yield visit(a) #!\nyield Say(n)", ["visit has no result", "return type"]),
    ("a result that is none", "yield Say(a)\nreturn n #!", ["main returns int here", "write `-> Steps[...]`"]),
    ("a result of another type", "@procedure\ndef main(n: int) -> bool:\n    yield Say(n)\n    return n #!", ["'n' is int", "the result is no or yes"]),
    ("an end without a result", "@procedure\ndef main(n: int) -> bool:\n    if n:\n        return True\n    yield Say(n) #!", ["without a result", "no or yes", "return"]),
    ("a return without a result", "@procedure\ndef main(n: int) -> bool:\n    yield Say(n)\n    if n:\n        return #!\n    return True", ["without a result", "no or yes"]),
    ("a variable without a value", "if flag:\n    x = 1\nyield Say(x) #!", ["'x'", "before it has a value"]),
    ("a variable of another type", "x: bool = n #!\nyield Say(x)", ["'n' is int", "'x' is no or yes"]),
    ("bits of a bool and a number", "x: bool = flag & n #!\nyield Say(x)", ["'flag & n' is int", "'x' is no or yes"]),
    ("what a helper function decides", "if half(1):\n    yield visit(n) #!", ["'n' is int", "'a' of visit is Cell or -"]),
    ("a variable of another type than a result", "x: bool = yield made(a) #!\nyield Say(x)", ["'x' gets is Cell or -"]),
    ("a variable of two types", "x: bool = flag\nx: int = n #!\nyield Say(x)", ["'x' is no or yes elsewhere", "one type"]),
    ("an argument of two types", "n: bool = flag #!\nyield Say(n)", ["'n' is int elsewhere", "one type"]),
    ("a variable of no kind", "x: float = n #!\nyield Say(a)", ["float has no text"]),
    ("an action of no form", "yield Go() #!", ["Go is neither an action nor a note", "Say"]),
    ("an action without its field", "yield Say() #!", ["Say has other fields: missing a required argument"]),
    ("an action of a number with a point", "yield Say(0.5) #!", ["'0.5' has no text there", "another"]),
    ("an action of a procedure", "yield Say(visit) #!", ["'visit' has no text there", "another"]),
    ("a division with a point", "x = n / 2 #!\nyield Say(x)", ["'n / 2' may be no whole number", "write `//`"]),
    ("a sum with None", "x = n + None #!\nyield Say(x)", ["'n + None' computes with None", "numbers and bools"]),
    ("a field out of range", "yield write(a, count=7) #!", ["'7' is 7 to 7", "'count' of Cell is 0 to 3"]),
    ("a result out of range", "@procedure\ndef main(n: int) -> Annotated[int, range(4)]:\n    yield Say(n)\n    return 9 #!", ["'9' is 9 to 9", "the result is 0 to 3"]),
    ("a hint that is no Python", '@procedure\ndef main(a: "Cell |") -> None: #!\n    yield Say(a)', ["Forward reference", "define it"]),
    ("a variable's hint that is no Python", 'x: "Cell |" = a #!\nyield Say(x)', ["'Cell |' is not a type", "as in Python"]),
    ("an enumeration of numbers", "Level = enum.IntEnum('Level', 'LOW HIGH')\n@procedure\ndef main(a: Level) -> None: #!\n    yield Say(a)", ["has no text", "a member of an Enum"]),
    ("no return type", "@procedure\ndef main(n: int):\n    yield Say(n)\n    return n + 1 #!", ["main returns int here", "Steps[...]"]),
    ("an async procedure", "@procedure\nasync def main(a: bool) -> None: #!\n    yield Say(a)", ["only a plain `def`"]),
    ("no action", "yield 3 #!", ["'3' is neither an action nor a note", "Say"]),
]  # fmt: skip


def whole(text):
    """The text of a module with a procedure `main`, of which only the body may be given."""
    if "main" not in text:
        text = MAIN + "".join(f"    {line}\n" for line in text.splitlines())
    return HEAD + text


def message_of(text, folder):
    """The message with which a program is refused, and the line that it must name."""
    text = whole(text)
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.endswith("#!")]
    with pytest.raises(PluginError) as caught, module_of(text, folder) as module:
        domain_of(module.main, lambda: (None, []))
    return str(caught.value), lines[-1]


@pytest.mark.parametrize(("text", "words"), [pytest.param(text, words, id=name) for name, text, words in WRONG])
def test_a_wrong_program_is_refused_with_its_line_and_a_remedy(text, words, tmp_path):
    message, line = message_of(text, tmp_path)
    assert re.match(rf"drawn_\d+\.py, line {line}, in (main|C2|AT|Dot|<lambda>): ", message), message
    assert "; " in message, message
    for word in words:
        assert word in message, message


def test_a_procedure_without_a_file_is_refused():
    names = {}
    text = "from coc_programs import procedure\n@procedure\ndef main(a: bool) -> None:\n    yield a\n"
    exec(compile(text, "nowhere.py", "exec"), names)
    with pytest.raises(
        PluginError, match=r"nowhere.py, line 2, in main: the source can't be read .*; define it in a file"
    ):
        domain_of(names["main"], lambda: (None, []))


MENDED = {
    "closure": "@procedure\ndef main(hidden: bool) -> None:\n    yield Say(hidden)",
    "no yield": "def main_(a: bool) -> bool:\n    return a\n@procedure\ndef main(a: bool) -> None:\n    yield Say(main_(a))",
    "try": "if n:\n    yield Say(a)",
    "match": "if n == 1:\n    yield Say(a)\nelif n == 2:\n    yield Say(n)",
    "else of while": "done = False\nwhile flag:\n    yield visit(a)\n    done = True\nif not done:\n    return",
    "loop over a variable": "for i in (1, 2):\n    yield Say(i)",
    "loop over a range of a variable": "i: int = 0\nwhile i < n:\n    yield Say(i)\n    i += 1",
    "the loop's variable after": "i = 0\nfor j in (1, 2):\n    i = j\n    yield Say(i)\nyield Say(i)",
    "a loop without end": "i: int = 0\nwhile i < 10**9:\n    i += 1\n    yield Say(i)",
    "chain of three": 'for x in chain(a, "next"):\n    yield Say(x)',
    "a field": "x = yield read(a)\nyield write(x, seen=True)",
    "print": "yield Think(n)",
    "yield that may be skipped": "if not n and (yield found(a)):\n    yield Say(a)",
    "several results for one": "x, y = yield two(a)\nyield Say(x)",
    "a list": "x = yield new(Cell, seen=flag)\nyield write(x, next=a)",
    "is": "if a == k:\n    yield Say(a)",
    "a read of two classes": "x = a if flag else k\nif isinstance(x, Knot):\n    y = yield read(cast('Knot', x))\n    yield Say(y)",
    "order of references": "x = yield read(a)\ny = yield read(x.next)\nif x.count < y.count:\n    yield Say(a)",
    "a function of references": "yield Say(a == a)",
    "a function that returns a record": "x = yield made(a)\nyield Say(x)",
    "a variable that hides a procedure": "was = yield found(a)\nyield Say(was)",
    "a table of variables": "x = (1, 2)[n]\nyield Say(x)",
    "an unread record": "a = yield read(a)\nyield Say(a.seen)",
    "a record replaced by a result": "x = yield made(a)\nx = yield read(x)\nyield Say(x.seen)",
    "an end without a result": "@procedure\ndef main(n: int) -> bool | None:\n    if n:\n        return True\n    yield Say(n)",
    "a variable without a value": "x = 0\nif flag:\n    x = 1\nyield Say(x)",
    "numbers and truths of Python": "yield Say(bool(n) or int(flag) == pow(n, 2) or any((True, flag)) or round(n) > sum((1, n)))",
}  # fmt: skip


def test_who_follows_a_remedy_has_a_program(tmp_path):
    wrong = {}
    for name, text in MENDED.items():
        with module_of(whole(text), tmp_path) as module:
            try:
                domain_of(module.main, lambda: (None, []), module.Cell, module.Knot)
            except PluginError as error:
                wrong[name] = str(error)
    assert wrong == {}
