"""A Turing machine, whose table is an argument."""

from coc_programs import Function, Steps, new, procedure, read
from coc_programs.library import Text, TextMap, get_text

INCREMENT = {"a0": "a0R", "a1": "a1R", "a_": "b_L", "b1": "b0L", "b0": "h1L", "b_": "h1L"}
BEAVER = {"a_": "b1R", "a1": "b1L", "b_": "a1L", "b1": "c_L", "c_": "h1R", "c1": "d1L", "d_": "d1R", "d1": "a_R"}


@procedure
def turing(rules: TextMap[Text], state: Text, blank: Text, right: Text) -> Steps[Text]:
    """Run a machine until it has no rule, and return the tape from the symbol that it reads then.

    A rule for a state and a symbol, such as "a0", is the next state, the symbol that is written, and the way, such as
    "b1R". A tape is a text to the right of the head and one to the left, backwards; elsewhere it is blank.
    """
    left: Text = yield new(Text)
    while True:
        if not (yield read(right)).next:
            right = blank
        r = yield read(right)
        symbol: Text = yield new(Text, first=r.first, next=(yield new(Text)))
        rule: Text | None = yield get_text(rules, (yield new(Text, first=(yield read(state)).first, next=symbol)))
        if not rule:
            return right
        state, right = rule, r.next
        w = yield read((yield read(rule)).next)
        if (yield read((yield read(w.next)).first)).digit == 2:  # the lowest digit of the number of "R"
            left = yield new(Text, first=w.first, next=left)
        else:
            if not (yield read(left)).next:
                left = blank
            b = yield read(left)
            right = yield new(Text, first=b.first, next=(yield new(Text, first=w.first, next=right)))
            left = b.next


class Turing(Function):
    """A busy beaver of four states, or the successor of a number of n bits."""

    main = turing

    def draw(self, n, rng):
        tape = "".join(rng.choices("01", k=n))
        return rng.choice([(INCREMENT, "a", "_", tape), (BEAVER, "a", "_", "")])

    def reference(self, rules, state, blank, tape):
        cells, head = dict(enumerate(tape)), 0
        while (rule := rules.get(state + cells.setdefault(head, blank))) is not None:
            state, cells[head] = rule[0], rule[1]
            head += 1 if rule[2] == "R" else -1
        return "".join(cells[at] for at in sorted(cells) if at >= head)
