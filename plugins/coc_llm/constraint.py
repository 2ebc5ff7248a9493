"""Holding a model behind an endpoint to a grammar: which way a server takes one, and whether it keeps to it."""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from attrs import define, field

from coc_core.errors import ArtefactError, UsageError
from coc_core.storage import parse_json_object
from coc_learn.grammar import TARGET, Grammar

WAYS: Mapping[str, Callable[[Grammar], Any]] = {
    "grammar": lambda grammar: grammar.printed("gbnf"),
    "structured_outputs": lambda grammar: {"regex": grammar.pattern},
    "guided_regex": lambda grammar: grammar.pattern,
    "regex": lambda grammar: grammar.pattern,
    "response_format": lambda grammar: {
        "type": "json_schema",
        "json_schema": {"name": TARGET, "strict": True, "schema": grammar.schema},
    },
}
"""How servers take a grammar, by the key in a request: llama.cpp, vLLM now and before, SGLang, and others."""

_TRIAL = Grammar('Zq[0-9]{4}\n"[a-f]{2}"')
TRIAL_PROMPT = "Say hello."


class RefusedError(UsageError):
    """The server refuses a request, though neither its key nor its model."""


@define
class Constraint:
    """A grammar, and the `way` in which the server takes it; None if it takes none, and `why` says what it did.

    It counts the responses, and those of them that are not of the grammar.
    """

    grammar: Grammar
    way: str | None = None
    why: str = ""
    responses: int = 0
    others: int = 0
    _lock: Any = field(factory=Lock, repr=False)

    @classmethod
    def tried(cls, grammar: Grammar, mode: str, ask: Callable[[dict[str, Any]], str]) -> "Constraint":
        """Try one way after the other with a short grammar, until a response keeps to it. UsageError if none does, and
        one has to; what else `ask` raises but `RefusedError`, which sends what is added to a body.
        """
        found = dict[str, list[str]]()
        for way, given in WAYS.items() if mode != "off" else ():
            try:
                text = _target(ask({way: given(_TRIAL)}), way)
            except RefusedError:
                what = "refuses"
            else:
                if _TRIAL.accepts(text):
                    return cls(grammar, way)
                what = "mangles" if text.lstrip('"{ \n').startswith("Zq") else "ignores"
            found.setdefault(what, []).append(way)
        why = "; ".join(f"{what} {', '.join(ways)}" for what, ways in found.items())
        if mode == "on":
            raise UsageError(f"the server holds no model to a grammar: it {why}", remedy="leave out constrain=on")
        return cls(grammar, None, why)

    @property
    def added(self) -> dict[str, Any]:
        """What is added to the body of a request."""
        return {self.way: WAYS[self.way](self.grammar)} if self.way else {}

    def target(self, text: str) -> str:
        """Return the target in a response, which is counted."""
        found = _target(text, self.way)
        if self.way:
            with self._lock:
                self.responses += 1
                self.others += not self.grammar.accepts(found)
        return found

    def record(self) -> str:
        """Return what was taken, in words."""
        return self.way or (f"none: the server {self.why}" if self.why else "off")

    def describe(self) -> str:
        """Return the same for a line about the model, with what the server did not keep to; empty if it is off."""
        lost = f", which {self.others:,} of {self.responses:,} responses do not keep to" if self.others else ""
        return "" if self.record() == "off" else f", grammar {self.record()}{lost}"


def _target(text: str, way: str | None) -> str:
    """Return the target in a response, which is the member of an object if that was asked for."""
    if way == "response_format":
        try:
            document = parse_json_object(text.encode(), "the response")
        except (ArtefactError, ValueError, RecursionError):
            return text
        return document[TARGET] if isinstance(document.get(TARGET), str) else text
    return text
