"""A certificate's verdict."""

import math

import pytest

from coc_certify.certificate import Certificate, Rule
from coc_core.models import TargetMargin


def of(*margins):
    rules = [Rule(f"prompt {number}", "target", margin) for number, margin in enumerate(margins)]
    return Certificate({}, "", {}, rules, [], False, None)


def test_it_is_certified_if_every_margin_is_above_its_bound():
    known, unknown, above = TargetMargin(2.0, 1.0), TargetMargin(9.0), TargetMargin(1.0, 1.0)
    assert of(known, known).verdict == "certified"
    assert (of(known, TargetMargin(3.0, 2.0)).ratio, of(TargetMargin(3.0, 2.0), known).margin) == (1.5, 2.0)
    for others in ([known, unknown], [unknown, known], [known, above], [above]):
        assert of(*others).verdict == "exact on this machine"
    assert not TargetMargin(math.nan, 1.0).certified


@pytest.mark.parametrize("bound", [0.0, -0.0, -1.0, math.nan])
def test_a_bound_is_positive(bound):
    with pytest.raises(ValueError, match="bound"):
        TargetMargin(2.0, bound)
