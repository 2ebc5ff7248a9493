"""The algorithm of Knuth, Morris and Pratt: how often a text has another in it."""

from coc_programs import Function, Record, Steps, each, new, procedure, read, write
from coc_programs.library import Number, Text, same, successor, zero


class State(Record):
    """How much of the pattern was read last: its next character, the state after it, and the next best state."""

    character: Number | None = None
    next: "State | None" = None
    back: "State | None" = None


@procedure
def kmp(pattern: Text, text: Text) -> Steps[Number]:
    """Return the number of places where a pattern begins in a text."""
    first: State = yield new(State)
    last = first
    for character in each(pattern):
        following: State = yield new(State, back=(yield after((yield read(last)).back, character, first)))
        yield write(last, character=character, next=following)
        last = following
    count: Number = yield zero()
    state = first
    for character in each(text):
        state = yield after(state, character, first)
        if state == last:
            count = yield successor(count)
    return count


@procedure
def after(state: State | None, character: Number, first: State) -> Steps[State]:
    """Return the state after one more character."""
    while state:
        s = yield read(state)
        if s.character and (yield same(s.character, character)):
            return s.next
        state = s.back
    return first


class Kmp(Function):
    """A pattern of up to n letters, and a text of 4 n."""

    main = kmp

    def draw(self, n, rng):
        return tuple("".join(rng.choices("ab", k=length)) for length in (rng.randint(1, n), 4 * n))

    def reference(self, pattern, text):
        return sum(text.startswith(pattern, at) for at in range(len(text)))
