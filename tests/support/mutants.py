"""Mutants of a module, made by mutmut's operators, and how a process that has imported the module is given one.

mutmut itself copies each function once for each of its mutants and starts pytest anew for every one; and it leaves
out decorated functions, so properties and context managers too. Here a mutant is a whole module in which one thing is
different. Its functions are put into the functions that are already there, which takes a millisecond.
"""

import ast
import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import unified_diff
from functools import cache, cached_property, lru_cache
from inspect import CO_OPTIMIZED
from itertools import chain
from pathlib import Path
from types import CodeType, FunctionType

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider, WhitespaceInclusivePositionProvider
from mutmut.mutation.file_mutation import MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode


@dataclass(frozen=True)
class Mutant:
    """The module at `path`, in whose line `line` one thing is different."""

    path: Path
    line: int
    before: str
    after: str

    @cached_property
    def within(self) -> tuple[str, range]:
        """The qualified name of the outermost function around the change, and its lines; nothing outside of functions."""
        return next((each for each in _functions(self.before) if self.line in each[1]), ("", range(0)))

    @cached_property
    def swaps(self) -> list[tuple[CodeType, CodeType]] | None:
        """The code that functions have and shall have; None if something runs at import that is different."""
        return _swaps(*(_compiled(text, str(self.path)) for text in (self.before, self.after)))

    @property
    def diff(self) -> str:
        """The lines that differ, those of the mutant after those of the module."""
        lines = list(unified_diff(self.before.splitlines(), self.after.splitlines(), lineterm="", n=0))
        return "\n".join(line for line in lines[2:] if not line.startswith("@@"))


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mutant of the module that is another program and can be compiled."""
    before = path.read_text()
    wrapper = MetadataWrapper(cst.parse_module(before))
    visitor = _Visitor(mutation_operators, IgnoredCode(set(), set(), set()))
    wrapper.visit(visitor)
    for line, old, new, span in visitor.found:
        mutant = Mutant(path, line, before, _replaced(wrapper.module, before, old, new, span))
        try:
            same = mutant.swaps == []
        except SyntaxError:
            continue
        if not same:
            yield mutant


def _replaced(module: cst.Module, text: str, old: cst.CSTNode, new: cst.CSTNode, span: CodeRange) -> str:
    """The module's text with another node in the place of one; within a line, without writing the rest anew."""
    ours, theirs = module.code_for_node(old), module.code_for_node(new)
    lines, at = text.split("\n"), span.start
    line = lines[at.line - 1]
    if span.end.line != at.line or line[at.column : span.end.column] != ours or "\n" in theirs:
        return module.deep_replace(old, new).code
    lines[at.line - 1] = line[: at.column] + theirs + line[span.end.column :]
    return "\n".join(lines)


class _Visitor(MutationVisitor):
    """Also goes into decorated functions, and knows the lines."""

    METADATA_DEPENDENCIES = (*MutationVisitor.METADATA_DEPENDENCIES, WhitespaceInclusivePositionProvider)

    def __init__(self, *arguments) -> None:
        super().__init__(*arguments)
        self.found: list[tuple[int, cst.CSTNode, cst.CSTNode, CodeRange]] = []

    def _skip_node_and_children(self, node):
        if isinstance(node, cst.FunctionDef):
            return False
        return super()._skip_node_and_children(node)

    def _create_mutations(self, node):
        known = len(self.mutations)
        super()._create_mutations(node)
        for mutation in self.mutations[known:]:
            line = self.get_metadata(PositionProvider, node).start.line
            span = self.get_metadata(WhitespaceInclusivePositionProvider, mutation.original_node)
            self.found.append((line, mutation.original_node, mutation.mutated_node, span))


def put(mutant: Mutant, live: dict[tuple, list[FunctionType]]) -> int:
    """Gives the functions of this process the mutant's code, and says how many there were."""
    found = [(function, after) for before, after in mutant.swaps or () for function in live.get(_place(before), ())]
    for function, after in found:
        function.__code__ = after
    return len(found)


def living(paths: Iterable[Path]) -> dict[tuple, list[FunctionType]]:
    """The functions of these modules, by the place of their code."""
    names = set(map(str, paths))
    found: dict[tuple, list[FunctionType]] = defaultdict(list)
    for each in gc.get_objects():
        if type(each) is FunctionType and each.__code__.co_filename in names:
            found[_place(each.__code__)].append(each)
    return found


def _place(code: CodeType) -> tuple:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _swaps(before: CodeType, after: CodeType) -> list[tuple[CodeType, CodeType]] | None:
    """Functions are swapped; what is outside of them cannot be."""
    if _same(before, after):
        return []
    ours, theirs = ([const for const in code.co_consts if isinstance(const, CodeType)] for code in (before, after))
    paired = [each.co_qualname for each in ours] == [each.co_qualname for each in theirs]
    function = before.co_flags & CO_OPTIMIZED
    if function:
        if len(before.co_freevars) != len(after.co_freevars):
            return None
        inner = [_swaps(*pair) for pair in zip(ours, theirs, strict=True)] if paired else []
        return None if None in inner else [(before, after), *chain.from_iterable(inner)]
    if not paired or not _same(before, after, nested=False):
        return None
    found = [None if _runs_once(*pair) else _swaps(*pair) for pair in zip(ours, theirs, strict=True)]
    return None if None in found else [*chain.from_iterable(found)]


def _runs_once(before: CodeType, after: CodeType) -> bool:
    """Whether it is a comprehension, which has run when the module is imported, and is different."""
    return before.co_name in ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>") and not _same(before, after)


def _same(one: CodeType, two: CodeType, nested: bool = True) -> bool:
    """Whether they do the same, wherever they stand; without what is nested, but for its names."""

    def constants(code: CodeType) -> list[object]:
        return [each.co_qualname if isinstance(each, CodeType) else (type(each), repr(each)) for each in code.co_consts]

    names = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_exceptiontable", "co_flags")
    if any(getattr(one, name) != getattr(two, name) for name in names) or constants(one) != constants(two):
        return False
    pairs = [pair for pair in zip(one.co_consts, two.co_consts, strict=True) if isinstance(pair[0], CodeType)]
    return not nested or all(_same(*pair) for pair in pairs)


@lru_cache(maxsize=4)
def _compiled(text: str, name: str) -> CodeType:
    return compile(text, name, "exec", dont_inherit=True)


@cache
def _functions(text: str) -> list[tuple[str, range]]:
    def walk(body, prefix):
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from walk(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.FunctionDef):
                yield prefix + node.name, range(node.lineno, node.end_lineno + 1)

    return list(walk(ast.parse(text).body, ""))
