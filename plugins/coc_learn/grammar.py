"""The grammar of a dialect: the form of all its targets, as a regular expression, and as servers of language models
take it.

It follows from the templates of the convention and of the domain's forms, and from the patterns of their codecs. Not in
it is what a record checks over several texts of any length, such as whether two lists have the same names.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, groupby, product
from operator import itemgetter
from re import _parser as parser  # type: ignore[attr-defined]  # what the expressions of the library `re` are made of
from typing import Any

from attrs import frozen

from coc_core.memories import Convention
from coc_core.setting import Setting
from coc_core.text import INTEGER, POSITIVE, Form, Forms, Template, words_pattern

KINDS = ("gbnf", "lark", "regex", "json")

TARGET = "target"
"""The name of the one member of a JSON object that holds a target."""

_SPECIAL = frozenset(r"\^$.*+?()[]{}|/")
_FIELD = re.compile(r"\{[A-Za-z_][A-Za-z0-9_]*\}")
_WORDS = re.compile(r"\(\?:(\w+(?:\|\w+)+)\)")
_NAME = re.compile(rf"([A-Za-z](?:\(\?:(?:0|\\\+1)\|)?){re.escape(POSITIVE)}")
_NUMBER = re.compile("|".join(map(re.escape, (INTEGER.pattern, POSITIVE))) + r"|\(\?:\[1-9].*\)")
_SHORT = 30  # characters of a rule that needs no name
_CLASS_ESCAPES = {"\n": r"\n", "\\": r"\\", "[": r"\[", "]": r"\]"}


@frozen
class Grammar:
    """The texts that a regular expression matches as a whole; it has groups, alternatives, repetitions and classes."""

    pattern: str

    @classmethod
    def of(cls, setting: Setting, prompt: str | None = None) -> "Grammar":
        """Return the grammar of a setting's targets, or of those that a prompt can have: names have numbers of names in
        the prompt, if there are any, and no number is more than a digit longer than the prompt's.
        """
        pattern = _target(setting.convention)
        if prompt is not None:
            if numbers := sorted({*re.findall("(?<=[A-Za-z])[1-9][0-9]*", prompt)}, key=int):
                known = words_pattern(numbers)
                pattern = _NAME.sub(lambda name: name[1] + known, pattern)
            longest = max(map(len, re.findall("[0-9]+", prompt)), default=0)
            pattern = pattern.replace(POSITIVE, f"[1-9][0-9]{{0,{longest}}}")
        # Escapes that mean nothing are left out: not every engine takes them.
        return cls(re.sub(r"\\(.)", lambda mark: mark[0] if mark[1] in _SPECIAL else mark[1], pattern, flags=re.DOTALL))

    def accepts(self, text: str) -> bool:
        """Return whether a text is one of the grammar's."""
        return re.fullmatch(self.pattern, text) is not None

    def printed(self, kind: str) -> str:
        """Return the grammar as a server takes it: one of `KINDS`."""
        match kind:
            case "gbnf":
                return _gbnf(self.pattern)
            case "lark":
                text = self.pattern.replace("/", r"\/").replace("\\\\/", r"\/").replace("\n", r"\n")
                return f"start: /{text}/\n"
            case "json":
                return json.dumps(self.schema)
        return self.pattern

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of an object that has a target of the grammar."""
        target = {"type": "string", "pattern": f"^{self.pattern}$"}
        return {"type": "object", "properties": {TARGET: target}, "required": [TARGET], "additionalProperties": False}


def grammar_of(setting: Setting, model: Any) -> Grammar | None:
    """Return the grammar of the targets that a model may miss by their form: one of general use, which records whether
    it was held to it.
    """
    return Grammar.of(setting) if "grammar" in getattr(model, "record", ()) else None


def _target(convention: Convention[Any, Any]) -> str:
    """Return the pattern of what a convention parses, with numbers and registers as its notation writes them."""
    domain, surface, most = convention.domain, convention.surface, convention.max_writes
    join, close = re.escape(surface.join), re.escape(surface.close)
    number = f"(?:-1|{INTEGER.pattern})"
    if convention.notation == "symbolic" and convention.register_names:
        number = f"(?:-?{POSITIVE}|0|{words_pattern(convention.register_names)}(?:[+-]{POSITIVE})?)"

    def filled(template: Template, instruction: str = "") -> str:
        return _filled(template, [instruction if name == "instruction" else number for name in template.names])

    write = filled(surface.write, _either(domain.instructions))
    emission = "|".join([f"OUTPUT {_form(form)}" for form in domain.actions] + [*map(_form, domain.notes)])
    emissions = f"(?:(?:{emission}){join})*"
    result = [f"RETURN {_either(domain.results)}"] if any(domain.results) else []
    if surface.registers is not None:
        writes, registers = f"(?:{write}{join}){'' if most == 1 else '+'}", filled(surface.registers)
        return f"(?:{emissions}{writes}|(?:{emissions}(?:{emission}){close})?){registers}"
    if "PTR" in surface.write.names:  # the pointer, which each target has
        return f"{emissions}{write}"
    last = [emission]
    if most != 0:
        last.append(f"(?:{write}{join})*(?:{'|'.join([write, *result])})")
    return f"{emissions}(?:{'|'.join(last)})"


def _either(forms: Forms[Any]) -> str:
    return f"(?:{'|'.join(map(_form, forms))})"


def _filled(template: Template, patterns: Sequence[str]) -> str:
    """Return the pattern of a template whose fields have these."""
    literals = map(re.escape, _FIELD.split(template.text))
    return "".join(chain.from_iterable(zip(literals, [*patterns, ""], strict=True)))


def _form(form: Form[Any]) -> str:
    """Return the pattern of a form's texts. Where several fields have a few words each, those go together that the form
    parses, with 1 for each number.
    """
    patterns = [form.codecs.get(name, INTEGER).pattern for name in form.template.names]
    words = [found[1].split("|") if (found := _WORDS.fullmatch(pattern)) else [] for pattern in patterns]
    if sum(map(bool, words)) > 1:
        ones = [_NUMBER.sub("1", pattern) for pattern in patterns]
        tried = product(*(few or [one] for few, one in zip(words, ones, strict=True)))
        if rows := [row for row in tried if _parses(form, row)]:
            literals = [*map(re.escape, _FIELD.split(form.template.text))]
            return _together(literals, [None if few else each for few, each in zip(words, patterns, strict=True)], rows)
    return _filled(form.template, patterns)


def _together(literals: Sequence[str], patterns: Sequence[str | None], rows: Iterable[tuple[str, ...]]) -> str:
    """Return the pattern of texts between literals: those of a row, but where there is a pattern."""
    if not patterns:
        return literals[0]
    by_rest = defaultdict[tuple[tuple[str, ...], ...], list[str]](list)
    for word, same in groupby(sorted(rows), itemgetter(0)):
        by_rest[tuple(row[1:] for row in same)].append(word)
    found = [
        (patterns[0] or words_pattern(words)) + _together(literals[1:], patterns[1:], rest)
        for rest, words in by_rest.items()
    ]
    return f"{literals[0]}(?:{'|'.join(found)})" if found[1:] else literals[0] + found[0]


def _parses(form: Form[Any], texts: tuple[str, ...]) -> bool:
    try:
        return form.parse(form.template.fill(texts)) is not None
    except ValueError:
        return False


def _gbnf(pattern: str) -> str:
    """Return a grammar in the notation of llama.cpp: a rule for each part that is not short."""
    rules = dict[str, str]()

    def named(body: str) -> str:
        if len(body) < _SHORT:
            return f"({body})"
        return rules.setdefault(body, f"r{len(rules) + 1}")

    def written(nodes: Iterable[tuple[Any, Any]]) -> str:
        found = list[str]()
        for is_text, group in groupby(nodes, lambda node: node[0] is parser.LITERAL):
            if is_text:
                found.append(json.dumps("".join(chr(code) for _, code in group), ensure_ascii=False))
            else:
                found += [node(*each) for each in group]
        return " ".join(found)

    def node(kind: Any, of: Any) -> str:
        if kind is parser.BRANCH:
            return named(" | ".join(written(branch) or '""' for branch in of[1]))
        if kind is parser.SUBPATTERN:
            return named(written(of[-1]))
        if kind is parser.MAX_REPEAT:
            least, most, body = of
            times = {(0, 1): "?", (0, parser.MAXREPEAT): "*", (1, parser.MAXREPEAT): "+"}
            bounds = f"{{{least},{'' if most is parser.MAXREPEAT else most}}}"
            return (node(*body[0]) if len(body) == 1 and body[0][0] is parser.IN else named(written(body))) + times.get(
                (least, most), bounds
            )
        if kind is parser.ANY:
            return r"[^\n]"
        if kind is parser.IN:
            return (
                f"[{''.join(sorted(map(_class_part, of), key='-'.__eq__))}]"  # a dash is last, as no escape is for it
            )
        raise ValueError(f"a pattern may not have {kind}")

    root = written(parser.parse(pattern))
    return "".join(f"{name} ::= {body}\n" for name, body in [("root", root), *((n, b) for b, n in rules.items())])


def _class_part(part: tuple[Any, Any]) -> str:
    kind, of = part
    if kind is parser.NEGATE:
        return "^"
    codes = of if kind is parser.RANGE else (of,)
    return "-".join(_CLASS_ESCAPES.get(chr(code), chr(code)) for code in codes)
