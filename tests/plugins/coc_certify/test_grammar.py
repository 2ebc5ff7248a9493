"""Grammars give the same as what they are written out as."""

from hypothesis import given, strategies as st

from coc_certify.plans import Grammar


@st.composite
def grammars(draw):
    """A grammar, and its texts written out."""
    rules, written = [], []
    for number in range(draw(st.integers(1, 6))):
        items = st.sampled_from("abcd") | st.integers(0, number - 1) if number else st.sampled_from("abcd")
        rule = tuple(draw(st.lists(items, max_size=4)))
        rules.append(rule)
        written.append([text for item in rule for text in (written[item] if isinstance(item, int) else [item])])
    return Grammar(tuple(rules)), written[-1]


@given(grammars(), st.data())
def test_any_part_is_the_same_part_of_the_whole(both, data):
    grammar, texts = both
    assert grammar.lengths[-1] == len(texts)
    start, stop = (data.draw(st.integers(0, len(texts))) for _ in range(2))
    assert list(grammar.texts(start, stop)) == texts[start:stop]


@given(grammars(), st.data())
def test_the_parts_before_a_place_are_written_out_as_all_that_is_before_it(both, data):
    grammar, texts = both
    place = data.draw(st.integers(0, len(texts)))
    parts = list(grammar.before(place))
    written = [Grammar((*grammar.rules, (part,))) for part in parts]
    assert [text for each in written for text in each.texts(0, each.lengths[-1])] == texts[:place]


def test_a_huge_one_is_read_anywhere_at_once():
    grammar = Grammar((("a", "b"), *((number, number) for number in range(300))))
    assert grammar.lengths[-1] == 2**301
    assert list(grammar.texts(2**300 - 1, 2**300 + 2)) == ["b", "a", "b"]
    assert len(list(grammar.before(2**300 - 1))) == 300
    assert repr(grammar) == "Grammar(rules=<301 rules>)"
