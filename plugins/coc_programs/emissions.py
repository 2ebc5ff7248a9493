"""The actions and notes that a program takes: each has a form, whose text names the records that it is given."""

import ast
from collections.abc import Collection, Iterator, Mapping
from inspect import signature
from types import FunctionType
from typing import Any

from attrs import fields as attributes

from coc_core.errors import PluginError
from coc_core.text import Form, names_in
from coc_programs.kinds import hints_of
from coc_programs.operations import Emit
from coc_programs.places import Code

_PROBED = (1, 2, 10)
"""Numbers of records, to see what their texts are."""


def check_emissions(code: Code, letters: Collection[str], forms: Mapping[type[Any], Form[Any]]) -> None:
    """Refuse what no form is for, and a text that depends on a record's number or reads like a record's name."""
    for operation in code.operations:
        if isinstance(operation, Emit):
            node = operation.value.node
            called: Any = type(node)
            made, what = called, repr(ast.unparse(node))
            if isinstance(node, ast.Call):
                called, what = code.source.constant(node.func), ast.unparse(node.func)
                made = hints_of(called).get("return") if isinstance(called, FunctionType) else called
            elif not operation.value.variables:
                made = type(code.source.evaluate(node))
            if made is not None and made not in forms:
                names = ", ".join(kind.__name__ for kind in forms) or "none, so add one to `actions`"
                problem = f"{what} is neither an action nor a note of the domain"
                code.source.refuse(operation.line, problem, f"yield one of them: {names}")
            for name, text in _texts(code, node, forms[made]) if made is called else ():
                if names_in(text, letters) != ({name} if name else set()):
                    problem = f"{made.__name__} reads {text!r} where it is given {name or 'no record'}"
                    remedy = "give it the record itself, and its class's `codec()` to its form"
                    code.source.refuse(node, problem, remedy if name else "choose other words, or other letters")


def _texts(code: Code, node: Any, form: Form[Any]) -> Iterator[tuple[str, str]]:
    """Yield the text of an action or a note with one of its fields alone, and the name of the record that this refers
    to.
    """
    names, empty = {each.alias: each.name for each in attributes(form.record)}, dict.fromkeys(form.template.fields, "")
    try:
        given = signature(form.record).bind(*node.args, **{each.arg: each.value for each in node.keywords}).arguments
    except TypeError as error:
        code.source.refuse(node, f"{form.record.__name__} has other fields: {error}", "give it each of them")
    for alias, value in given.items():
        for name, sample in _samples(code, value):
            try:
                text = form.codecs[names[alias]].format(sample)
            except Exception as error:  # of one of several, as a step says that writes it
                if not code.source.varies(value):
                    code.source.refuse(node, f"{ast.unparse(value)!r} has no text there: {error}", "give it another")
                continue
            yield name, form.template.format(**{**empty, names[alias]: text})


def _samples(code: Code, node: Any) -> Iterator[tuple[str, Any]]:
    """Yield some values that an expression may have, each with its name if it is a record, or the number of one."""
    if not code.source.varies(node):
        yield "", code.source.evaluate(node)
        return
    is_number = isinstance(node, ast.Attribute) and node.attr == "number"
    try:
        kinds = code.typing.of(node.value if is_number else node)
    except PluginError:  # of no kind that a variable could have
        return
    for number in _PROBED:
        yield from ((kind.at(number).name, number if is_number else kind.at(number)) for kind in kinds.records)
    low, high = kinds.numbers or (1, 0)
    ends = (each for each in (0, 1, 10, low, high) if low <= each <= high and abs(each) != float("inf"))
    yield from (("", value) for value in (*kinds.words, *map(int, ends)))
