"""Sums as lists of signed terms, and their one spelling, found by sorting and striking out rather than by counting."""

from hypothesis import strategies as st

REGISTERS = {"PTR": 5, "NEXT_ID": 9, "prev": -1}

_term = st.tuples(st.sampled_from("+-"), st.one_of(st.sampled_from(sorted(REGISTERS)), st.integers(0, 10**6).map(str)))
sums = st.lists(_term, min_size=1, max_size=5)


def usual_spelling(terms):
    left = [(sign, value) for sign, value in terms if value in REGISTERS]
    for name in REGISTERS:
        while ("+", name) in left and ("-", name) in left:
            left.remove(("+", name))
            left.remove(("-", name))
    number = sum(int(sign + value) for sign, value in terms if value not in REGISTERS)
    text = "".join(sign + value for sign, value in sorted(left))  # in ASCII, plus comes before minus
    return f"{text}{number:+}".removesuffix("+0" if text else "").removeprefix("+")
