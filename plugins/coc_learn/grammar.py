"""The grammar of a dialect: the form of all its targets, as a regular expression, and as servers of language models
take it.

It follows from the templates of the convention and of the domain's forms, and from the patterns of their codecs. Not in
it is what a record checks over several texts of any length, such as whether two lists have the same names.
"""

import json
import re
from collections.abc import Sequence
from itertools import chain
from typing import Any

from attrs import frozen

from coc_core.errors import PluginError
from coc_core.setting import Setting
from coc_core.text import INTEGER, POSITIVE, UNSTATED, Forms, Template
from coc_problems import form_patterns

KINDS = ("gbnf", "lark", "regex", "json")

TARGET = "target"
"""The name of the one member of a JSON object that holds a target."""

_SPECIAL = frozenset(r"\^$.*+?()[]{}|/")
_FIELD = re.compile(r"\{[A-Za-z_][A-Za-z0-9_]*\}")
_NAME = re.compile(rf"([A-Za-z](?:\(\?:(?:0|\\\+1)\|)?){re.escape(POSITIVE)}")
_CHARACTER = r"(?:\\.|[^\\.()|?*+{}\[\]^$])"
_PART = re.compile(
    rf"(?P<number>{re.escape(POSITIVE)})|(?P<class>\[(?:\\.|[^\\\]])*\])|(?P<repeat>\{{\d*,?\d*\}})"
    rf"|(?P<text>(?:{_CHARACTER}(?![?*+{{]))+|{_CHARACTER})|(?P<other>\(\?:|.)",
    re.DOTALL,
)
_OTHER = (None, "(?:", *")|?*+.")


@frozen
class Grammar:
    """The texts that a regular expression matches as a whole; it has groups, alternatives, repetitions and classes."""

    pattern: str

    @classmethod
    def of(cls, setting: Setting, prompt: str | None = None) -> "Grammar":
        """Return the grammar of a setting's targets, or of those that a prompt can have: names have numbers of names in
        the prompt, if there are any, and no number is more than a digit longer than the prompt's. PluginError if a
        codec's pattern has more than groups that are not captured, alternatives, repetitions and classes.
        """
        pattern = _target(setting)
        for part in _PART.finditer(pattern):
            if re.search(r"\\\w", part[0]) or part["other"] not in _OTHER:
                raise PluginError(f"{part[0]!r} in a pattern of {setting.domain.name} can't be in a grammar")
        if prompt is not None:
            if numbers := sorted({*re.findall("(?<=[A-Za-z])[1-9][0-9]*", prompt)}, key=int):
                known = f"(?:{'|'.join(numbers)})"
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


def _target(setting: Setting) -> str:
    """Return the pattern of what a convention parses, with numbers and registers as its notation writes them."""
    convention, domain, surface = setting.convention, setting.domain, setting.convention.surface
    most = convention.max_writes
    join, close = re.escape(surface.join), re.escape(surface.close)
    number = f"(?:-1|{INTEGER.pattern})"
    if convention.notation == "symbolic" and "address" in surface.write.fields:
        registers = convention.registers(setting.machine(domain.problem(domain.sizes[0])).window)
        number = f"(?:-?{POSITIVE}|0|(?:{'|'.join(registers)})(?:[+-]{POSITIVE})?)"

    def filled(template: Template, instruction: str = "") -> str:
        return _filled(template, [instruction if name == "instruction" else number for name in template.names])

    write = filled(surface.write, _either(domain.instructions))
    emission = f"OUTPUT {_either(domain.actions)}" + (f"|{_either(domain.notes)}" if any(domain.notes) else "")
    emissions = f"(?:(?:{emission}){join})*"
    result = [f"RETURN {_either(domain.results)}"] if any(domain.results) else []
    if surface.registers is not None:
        writes, last = f"(?:{write}{join}){'' if most == 1 else '+'}", filled(surface.registers)
        return f"(?:{emissions}{writes}|(?:{emissions}(?:{emission}){close})?){last}"
    if "PTR" in surface.write.names:  # the pointer, which each target has
        return f"{emissions}{write}"
    ends = [emission]
    if most != 0:
        ends.append(f"(?:{write}{join})*(?:{'|'.join([write, *result])})")
    return f"{emissions}(?:{'|'.join(ends)})"


def _either(*forms: Forms[Any]) -> str:
    """Return the pattern of texts of some forms: what it leaves unstated is not in a grammar."""
    return f"(?:{'|'.join(chain.from_iterable(map(form_patterns, chain(*forms))))})".replace(UNSTATED, "")


def _filled(template: Template, patterns: Sequence[str]) -> str:
    """Return the pattern of a template whose fields have these."""
    literals = map(re.escape, _FIELD.split(template.text))
    return "".join(chain.from_iterable(zip(literals, [*patterns, ""], strict=True)))


def _gbnf(pattern: str) -> str:
    """Return a grammar in the notation of llama.cpp, which is nearly that of the pattern, with texts in quotes."""

    def written(part: re.Match[str]) -> str:
        if part["text"]:
            return json.dumps(re.sub(r"\\(.)", r"\1", part[0], flags=re.DOTALL), ensure_ascii=False)
        return {POSITIVE: " number ", "(?:": "(", ".": r"[^\n]"}.get(part[0], part[0])

    return f"root ::= {_PART.sub(written, pattern)}\nnumber ::= {POSITIVE}\n"
