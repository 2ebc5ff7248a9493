"""Straight-line grammars: a sequence of any length as a few rules, each of which is written out in one way.

A rule is a sequence of texts and of numbers of earlier rules, and the last rule is the whole sequence. So no rule
leads back to itself, and an item is found in time proportional to how deep the rules are nested.
"""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from attrs import define, field

Rule = tuple[str | int, ...]
"""What a rule is written out as: texts, and the numbers of earlier rules, counted from 0."""


@define(eq=False)
class Grammar:
    """A sequence of texts as rules, the last of which is the whole of it; a number in a rule is that of an earlier one.

    `ends` has, for each rule, how many texts its first item comes to, its first two, and so on, after a 0.
    """

    rules: tuple[Rule, ...] = field(repr=lambda rules: f"<{len(rules):,} rules>")
    ends: list[list[int]] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self.ends = []
        for rule in self.rules:
            lengths = (self.ends[item][-1] if isinstance(item, int) else 1 for item in rule)
            self.ends.append(list(accumulate(lengths, initial=0)))

    @property
    def length(self) -> int:
        """The number of texts, which may be larger than any that `len` can give."""
        return self.ends[-1][-1]

    def path(self, place: int) -> Iterator[tuple[int, int]]:
        """Yield the way to the text at a place, from 0 to the length: rules, and the index of an item in each.

        All items before these come before the place. At the end, the last item of the path is one after the others.
        """
        number = len(self.rules) - 1
        while True:
            rule, ends = self.rules[number], self.ends[number]
            index = bisect_right(ends, place) - 1
            yield number, index
            if index == len(rule):
                return
            item = rule[index]
            if not isinstance(item, int):
                return
            number, place = item, place - ends[index]

    def texts(self, start: int, stop: int) -> Iterator[str]:
        """Yield the texts from one place to before another, which are written out as they are read."""
        if start >= stop:
            return
        path = list(self.path(start))
        number, index = path[-1]
        pending = [iter(self.rules[outer][place + 1 :]) for outer, place in path[:-1]]
        pending.append(iter(self.rules[number][index:]))
        left = stop - start
        while True:
            for item in pending[-1]:
                if isinstance(item, int):
                    pending.append(iter(self.rules[item]))
                    break
                yield item
                left -= 1
                if not left:
                    return
            else:
                pending.pop()
