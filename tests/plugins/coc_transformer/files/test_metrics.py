"""The metrics of a training."""

from hypothesis import given, strategies as st

from coc_transformer.files.snapshot import subsampled


@given(st.lists(st.binary(max_size=30).map(lambda line: line.hex().encode() + b"\n")), st.integers(0, 300))
def test_thinned_lines_are_whole_few_enough_and_end_with_the_last(lines, most):
    kept = subsampled(lines, most).splitlines(keepends=True)
    assert sum(map(len, kept)) <= most
    rest = iter(lines)
    assert all(line in rest for line in kept)
    if kept:
        assert kept[-1] == lines[-1]
    if sum(map(len, lines)) <= most:
        assert kept == lines
