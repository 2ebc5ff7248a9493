"""The algorithm of Knuth, Morris and Pratt: how often a text has another in it."""

from coc_programs import Function, Record, Steps, chain, new, procedure, read, write
from coc_programs.library import Number, Text, same, successor, zero


class State(Record):
    """How much of the pattern was read last: its next character, the state after it, and the next best state."""

    character: Number | None = None
    next: "State | None" = None
    back: "State | None" = None


@procedure
def kmp(pattern: Text, text: Text) -> Steps[Number]:
    """Return the number of places where a pattern begins in a text."""
    first: State = yield states(pattern)
    yield link(first)
    count: Number = yield zero()
    state = first
    x = yield read(text)
    while x.next:
        character, text = x.first, x.next
        state = yield after(state, character, first)
        s = yield read(state)
        if not s.next:
            count = yield successor(count)
        x = yield read(text)
    return count


@procedure
def states(pattern: Text) -> Steps[State]:
    """Return a chain of states, one for each character and one for the end."""
    p = yield read(pattern)
    if not p.next:
        return (yield new(State))
    character = p.first
    rest: State = yield states(p.next)
    return (yield new(State, character=character, next=rest))


@procedure
def link(first: State) -> Steps[None]:
    """Give each state but the first the next best one."""
    s = yield read(first)
    best = first
    if s.next:
        yield write(s.next, back=first)
        for t in chain(s.next, "next"):
            if t.next:
                following = t.next
                best = yield after(best, t.character, first)
                yield write(following, back=best)


@procedure
def after(state: State | None, character: Number, first: State) -> Steps[State]:
    """Return the state after one more character."""
    while state:
        s = yield read(state)
        if s.character:
            following, back = s.next, s.back
            if (yield same(s.character, character)):
                return following
            state = back
        else:
            state = s.back
    return first


class Kmp(Function):
    """A pattern of up to n letters, and a text of 4 n."""

    main = kmp

    def draw(self, n, rng):
        return tuple("".join(rng.choices("ab", k=length)) for length in (rng.randint(1, n), 4 * n))

    def reference(self, pattern, text):
        return sum(text.startswith(pattern, at) for at in range(len(text)))
