"""Domains that break one promise each, and the check that has to find it, with what it says."""

import random
from itertools import chain, permutations

from attrs import define, frozen
from coc_core.errors import ActionFault
from coc_core.surface import Surface
from coc_core.text import Codec, Form, Forms
from coc_core.types import Case, Expectation, Step
from toys import ITEMS, Head, Line, Nobody, Queue, Serve, Take

RNG = random.Random(0)


class Sound(Queue):
    """Keeps every promise. A guest may be waved to, which changes nothing, or the last of all may slip away."""

    def cases(self):
        line = Line((1, 0))
        return (
            Case(line, (Take(1), Take(0)), "optimal"),
            Case(line, (Take(9), Take(1), Take(9), Take(0)), "suboptimal"),
            Case(line, (Take(1),), "incomplete"),
            Case(line, (Take(0),), "illegal", reason="not first", at=0),
        )
