"""Holding a model in this process to a grammar: llguidance says which tokens may be next."""

from importlib import import_module
from importlib.metadata import version
from typing import Any

import torch

from coc_core.errors import UsageError
from coc_core.extras import needs_extra
from coc_learn.grammar import Grammar

with needs_extra("grammar", "holding a model to a grammar needs the package llguidance"):
    llguidance: Any = import_module("llguidance")

VERSION = f"llguidance {version('llguidance')}"


def matcher(grammar: Grammar, tokenizer: Any, vocabulary: int, ends: list[int]) -> Any:
    """Return what reads the tokens of a text of the grammar, and then one that ends it; UsageError if llguidance can't
    read the tokenizer or the grammar.
    """
    try:
        tokens = import_module("llguidance.hf").from_tokenizer(tokenizer, n_vocab=vocabulary, eos_token=ends)
    except (ValueError, TypeError) as error:
        raise UsageError(f"llguidance can't read the tokenizer: {error}", remedy="leave out constrain") from None
    found = llguidance.LLMatcher(tokens, grammar.printed("lark"), log_level=0)
    _check(found)
    return found


class Masks:
    """Takes away the logits of tokens that no text of a grammar goes on with, row by row."""

    def __init__(self, matcher: Any, rows: int) -> None:
        self._matchers = [matcher.deep_copy() for _ in range(rows)]
        self._begun = False

    def apply(self, ids: torch.Tensor, logits: torch.Tensor) -> None:
        """Change the logits after some tokens, of which this object has been given all but the last ones."""
        for row, each in enumerate(self._matchers):
            if self._begun and not each.is_stopped():
                each.consume_token(int(ids[row, -1]))
            if not each.is_stopped():
                allowed = torch.frombuffer(bytearray(each.compute_logit_bias()), dtype=torch.uint8) > 0
                logits[row].masked_fill_(~allowed.to(logits.device), -torch.inf)
            _check(each)
        self._begun = True


def _check(matcher: Any) -> None:
    if matcher.is_error():
        raise UsageError(f"llguidance can't go on: {matcher.get_error():.200}", remedy="leave out constrain")
