"""The grammar of each dialect: all that its parser takes and nothing else, in every notation, by other readers of these."""

import json
import random
import re
from functools import cache
from importlib.util import find_spec

import pytest

from coc_learn.grammar import KINDS, TARGET, Grammar
from tests.support.corrupted_targets import corrupted, pairs_of, settings, why_not
from tests.support.for_each import for_each

pytest.importorskip("llguidance")
from tests.support.text_matchers import TOKENS, matcher

CHECKED_BY_RECORDS = (
    "appears twice in",
    "is missing from",
    "is unknown: ",
    "a block is in two places",
    "the hand holds one block at most",
    "have different blocks",
    "there are 3 stacks",
    "a block is in place already",
    "more is built than the goal has",
    "there are only",
    "comes before",
    "must be <= 64",
    "the pegs must differ",
)
"""What no grammar says: how several lists or numbers of any size go together."""


def by_llguidance(kind, grammar):
    held = matcher(kind, grammar)

    def accepts(text):
        held.reset()
        tokens = list(text.encode())
        return held.try_consume_tokens(tokens) == len(tokens) and held.is_accepting()

    return accepts


GBNF = re.compile(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]])*\]|[a-z]+[0-9]*|[()|?*+]|\{\d+,\d*\}|[ ]+')


def by_characters(gbnf):
    """A reader of grammars without recursion, character by character as llama.cpp."""
    rules = dict(line.split(" ::= ") for line in gbnf.splitlines())

    @cache
    def pattern(name):
        parts = GBNF.findall(rules[name])
        assert "".join(parts) == rules[name]
        return f"(?:{''.join(map(part, parts))})"

    def part(text):
        if text[0] == '"':
            return re.escape(json.loads(text))
        return pattern(text) if text in rules else text.strip()

    whole = re.compile(pattern("root"))
    return lambda text: whole.fullmatch(text) is not None


def by_xgrammar(gbnf):
    import xgrammar

    tokens = xgrammar.TokenizerInfo(list(TOKENS), vocab_type=xgrammar.VocabType.RAW, stop_token_ids=[256])
    compiled = xgrammar.GrammarCompiler(tokens).compile_grammar(gbnf)

    def accepts(text):
        matcher = xgrammar.GrammarMatcher(compiled)
        return all(map(matcher.accept_token, [*text.encode(), 256]))

    return accepts


def readers(grammar):
    """What others make of the grammar in each notation."""
    schema = json.loads(grammar.printed("json"))
    pattern = schema["properties"][TARGET]["pattern"]
    return {
        "lark": by_llguidance("lark", grammar.printed("lark")),
        "gbnf": by_characters(grammar.printed("gbnf")),
        "regex": by_llguidance("regex", grammar.printed("regex")),
        "json": lambda text: re.search(pattern, text) is not None and not text.endswith("\n"),
    }


def check(dialect, drawn, sizes, most, others=()):
    """Targets and corrupted ones, by the parser and by all readers; gives how many there were."""
    setting, rng = settings()[dialect], random.Random(dialect)
    grammar, pairs = Grammar.of(setting), pairs_of(setting, sizes, most)
    targets, found = [pair.target for pair in pairs], readers(grammar) | {name: by(grammar) for name, by in others}
    for target in targets:
        assert [name for name, accepts in found.items() if not accepts(target)] == [], target
    for pair in rng.sample(pairs, min(5, len(pairs))):
        narrow = Grammar.of(setting, pair.prompt)
        assert narrow.accepts(pair.target), pair
        assert all(map(grammar.accepts, filter(narrow.accepts, targets)))
    for text in (corrupted(rng, targets) for _ in range(drawn)):
        why, accepted = why_not(setting.convention, text), grammar.accepts(text)
        assert accepted or why is not None, text
        assert not accepted or why is None or any(part in why for part in CHECKED_BY_RECORDS), (text, why)
        assert {name for name, accepts in found.items() if accepts(text) != accepted} == set(), text
    return len(targets)


QUICK = [
    "blocks/chain/symbolic",
    "hanoi/linked/symbolic",
    "hanoi-4/stack",
    "maze-dfs/heap/numeric",
    "pancake/whole-plan",
]


@for_each("dialect", QUICK)
def test_a_grammar_takes_what_the_parser_takes(dialect):
    check(dialect, 150, 2, 15)


@pytest.mark.slow
def test_the_grammars_of_all_dialects():
    """100,000 corrupted targets, and 10,000 of the policies."""
    others = [("xgrammar", lambda grammar: by_xgrammar(grammar.printed("gbnf")))] if find_spec("xgrammar") else []
    assert sum(check(dialect, 1_150, 8, 500, others) for dialect in settings()) > 10_000
    assert len(settings()) * 1_150 > 100_000


def test_a_grammar_for_a_prompt_has_its_names_and_numbers_of_its_length():
    setting = settings()["pancake/stack"]
    prompt = setting.convention.prompt(setting.convention.first_window(setting.domain.problem(4)))
    narrow, target = Grammar.of(setting, prompt), setting.convention.target_for(prompt)
    assert narrow.accepts(target)
    assert not narrow.accepts(target.replace("P4", "P5"))
    far = settings()["hanoi/linked/numeric"]
    (pair,) = pairs_of(far, 1, 1)
    assert Grammar.of(far, pair.prompt).accepts(pair.target)
    assert not Grammar.of(far, pair.prompt).accepts(re.sub("NEXT_ID=.*", "NEXT_ID=100", pair.target))


def test_a_domain_without_patterns_has_any_text_in_a_line(coc):
    """A codec that says nothing of its texts takes any line."""
    grammar = Grammar("(?:OUTPUT .+\n)*OUTPUT .+")
    readers = [by_characters(grammar.printed("gbnf"))]
    readers += [by_llguidance(kind, grammar.printed(kind)) for kind in KINDS[1:3]]
    for accepts in readers:
        assert accepts('OUTPUT a/b "c" [d]^-\nOUTPUT é\\')
        assert not accepts("OUTPUT a\n\nOUTPUT b")
