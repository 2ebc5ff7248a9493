"""Ellipsoids hold what they are said to hold."""

from fractions import Fraction

import torch

from coc_transformer.rounding import ellipsoid as sets

GENERATOR = torch.Generator().manual_seed(0)


def drawn(*shape):
    return torch.randn(*shape, generator=GENERATOR, dtype=torch.float64)


def holds(ellipsoid, errors):
    """Whether no error, (several, d), sticks out of the ellipsoid, (d, d), in any of many directions."""
    directions = drawn(500, ellipsoid.shape[-1])
    reach = ((directions @ ellipsoid) * directions).sum(-1).sqrt()
    return bool(((errors @ directions.T).abs() <= reach * (1 + 1e-9)).all())


def in_ball(several, d):
    errors = drawn(several, d)
    return errors / torch.linalg.vector_norm(errors, dim=-1, keepdim=True)


def test_a_box_a_ball_and_segments():
    half, by = drawn(5).abs(), drawn(3, 5)
    corners = half * drawn(200, 5).sign()
    assert holds(sets.around_box(half), corners)
    assert holds(sets.around_box(half, by), corners @ by.T)
    assert holds(sets.around_ball(torch.tensor(2.0), by), 2 * in_ball(200, 5) @ by.T)
    segments, signs = drawn(4, 5), drawn(200, 4).sign()
    assert holds(sets.around_segments(segments), signs @ segments)
    assert holds(sets.around_segment(segments[0]), segments[:1])


def test_sums_and_maps():
    roots = drawn(3, 5, 5)
    ellipsoids, errors = roots @ roots.mT, [in_ball(200, 5) @ root.T for root in roots]
    assert holds(sets.total(ellipsoids), sum(errors))
    weights, by = drawn(3).abs(), drawn(2, 5)
    assert holds(sets.weighted(weights, ellipsoids), sum(w * e for w, e in zip(weights, errors, strict=True)))
    assert holds(sets.mapped(ellipsoids[0], by), errors[0] @ by.T)


def test_extents_and_reach():
    root, rows = drawn(5, 5), drawn(3, 5)
    ellipsoid, errors = root @ root.mT, in_ball(500, 5) @ root.T
    assert (errors.abs() <= sets.extents(ellipsoid)).all()
    assert ((errors @ rows.T).abs() <= sets.extents(ellipsoid, rows)).all()
    assert (torch.linalg.vector_norm(errors, dim=-1) <= sets.reach(ellipsoid)).all()
    assert sets.reach(ellipsoid) <= sets.size(ellipsoid) * (1 + 1e-8)


def test_what_cancels_is_not_lost_to_rounding():
    """A long axis that a map turns nearly to zero: in exact arithmetic, no square is above that of the bound."""
    for power in range(0, 60, 4):
        axis, rest = drawn(4) * 2.0**power, drawn(4, 4)
        ellipsoid = axis[:, None] * axis + rest @ rest.mT
        across = drawn(4)
        row = across - (across @ axis) / (axis @ axis) * axis
        exact = sum(
            Fraction(row[i].item()) * Fraction(ellipsoid[i, j].item()) * Fraction(row[j].item())
            for i in range(4)
            for j in range(4)
        )
        assert exact <= Fraction(sets.mapped(ellipsoid, row[None])[0, 0].item())
        assert exact <= Fraction(sets.extents(ellipsoid, row[None])[0].item()) ** 2
