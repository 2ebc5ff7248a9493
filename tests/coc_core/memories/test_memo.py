"""A memo computes each value once, and holds no more texts and characters than it may."""

import pytest

from coc_core.memories import target as memo


@pytest.fixture
def upper(monkeypatch):
    """A memo of few texts that counts what it computes."""
    monkeypatch.setattr(memo, "_MAX_TEXTS", 4)
    monkeypatch.setattr(memo, "_MAX_CHARACTERS", 10)
    computed = []
    made = memo.Memo(lambda text: computed.append(text) or text.upper())
    made.computed = computed
    return made


def test_a_value_is_computed_once(upper):
    assert [upper["a"], upper["b"], upper["a"]] == ["A", "B", "A"]
    assert upper.computed == ["a", "b"]


def test_it_holds_as_many_texts_as_it_may(upper):
    for text in "abcd":
        assert upper[text] == text.upper()
    assert len(upper) == 4
    assert upper["e"] == "E"
    assert dict(upper) == {"e": "E"}


def test_it_holds_as_many_characters_as_it_may(upper):
    for text in ("aaaa", "bbbb", "cc"):
        assert upper[text] == text.upper()
    assert len(upper) == 3
    assert upper["d"] == "D"
    assert dict(upper) == {"d": "D"}
    assert upper["e" * 9] == "E" * 9
    assert len(upper) == 2
    assert upper["f"] == "F"
    assert dict(upper) == {"f": "F"}


def test_it_never_holds_more(upper):
    for number in range(200):
        text = str(number) * (number % 7 + 1)
        assert upper[text] == text
        assert len(upper) <= 4
        assert sum(map(len, upper)) <= max(10, len(text))
