"""No regular expression repeats a group possessively: before Python 3.11.5 such a repetition matches too much.

`(?:ab?c)*+` goes on behind a round that failed halfway. An atomic group, `(?>(?:ab?c)*)`, means the same and is right in
all versions; so is the possessive repetition of single characters, `[a-z]++`.
"""

import ast
import re

import pytest

from tests.support.source_files import named, sources, tree

_POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+|(?<!\\)\}(?:[*+?])\+")


def texts(module):
    """The constant texts of a module; a value that is put into one stands for a group."""
    for node in ast.walk(module):
        if isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "(?:{})" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_no_group_is_repeated_possessively():
    found = [
        f"{named(path)}: {text}"
        for path in sources("coc_core", "plugins", "examples")
        for text in texts(tree(path))
        if _POSSESSIVE_GROUP.search(text)
    ]
    assert found == []


@pytest.mark.parametrize("source", ['"(?:a|b)++"', 'rf"{word}*+x"', '"x(a){2,3}+"', "f'[{x}](b)?+'"])
def test_one_is_noticed(source):
    assert any(map(_POSSESSIVE_GROUP.search, texts(ast.parse(source))))


@pytest.mark.parametrize("source", ['"[a-z]++(?![0-9])"', 'rf"(?>{word}+)"', '"(a)+"', 'f"{name}+{offset}"'])
def test_others_are_not(source):
    assert not any(map(_POSSESSIVE_GROUP.search, texts(ast.parse(source))))
