"""Ellipsoids around zero, which hold the errors of a vector: each is a positive semidefinite matrix Q.

It stands for the errors e with |a·e| <= sqrt(a·Qa) for every a. So Q may be singular; a linear map M turns Q into MQM';
and the sum of an error in Q and one in R is in (s + t)(Q/s + R/t), for any positive s and t, by the inequality of
Cauchy and Schwarz; see Kurzhanski and Valyi, "Ellipsoidal Calculus for Estimation and Control", 1997.
"""

from collections.abc import Iterable

import torch
from torch import Tensor

SLACK = 1 + 1e-9
"""Covers the rounding of bounds in float64 that are sums of products of a few positive numbers."""

_CANCELLED = 1e-11
"""Covers the rounding of all others, in which what is large may cancel: relative to the trace of a matrix and the
squares of what it is multiplied by, for up to 2^14 terms."""

_TINY = 1e-60


def size(ellipsoid: Tensor) -> Tensor:
    """Return the square root of the trace, (..., d, d) to (...)."""
    return ellipsoid.diagonal(dim1=-2, dim2=-1).sum(-1).clamp(min=0).sqrt()


def cancelled(ellipsoid: Tensor) -> Tensor:
    """Return what rounding may hide of the square of a product with a unit vector, (..., d, d) to (...)."""
    return _CANCELLED * ellipsoid.diagonal(dim1=-2, dim2=-1).sum(-1)


def reach(ellipsoid: Tensor) -> Tensor:
    """Return a bound on the length of an error, (..., d, d) to (...): no eigenvalue is above the Frobenius norm."""
    squares: Tensor = torch.linalg.matrix_norm(ellipsoid) + cancelled(ellipsoid)
    return squares.sqrt() * SLACK


def extents(ellipsoid: Tensor, rows: Tensor | None = None) -> Tensor:
    """Return a bound on the absolute value of each component of (..., d, d), (..., d), or, given rows (k, d), of each
    product with a row, (..., k).
    """
    hidden = cancelled(ellipsoid)[..., None]
    if rows is None:
        squares = ellipsoid.diagonal(dim1=-2, dim2=-1) + hidden
    else:
        squares = ((rows @ ellipsoid) * rows).sum(-1) + hidden * rows.square().sum(-1)
    return squares.clamp(min=0).sqrt() * SLACK


def mapped(ellipsoid: Tensor, by: Tensor, factors: Tensor | float = 0.0) -> Tensor:
    """Return what a linear map, (..., k, d), makes of an ellipsoid, (..., d, d). For a map that was computed as a
    product, `factors`, (...), is that of the Frobenius norms of its factors.
    """
    hidden = cancelled(ellipsoid) * (torch.linalg.matrix_norm(by) + factors).square()
    result: Tensor = by @ ellipsoid @ by.mT + hidden[..., None, None] * torch.eye(by.shape[-2], dtype=by.dtype)
    return result


def around_box(half: Tensor, by: Tensor | None = None) -> Tensor:
    """Return an ellipsoid around a box of errors, a sum of d segments, given half its sides, (..., d), after a map, (k,
    d).
    """
    squares = half.sum(-1, keepdim=True) * half * SLACK
    return torch.diag_embed(squares) if by is None else (by * squares[..., None, :]) @ by.mT


def around_ball(radius: Tensor, by: Tensor) -> Tensor:
    """Return what a linear map, (k, d), makes of a ball of errors, (...)."""
    return (radius * SLACK).square()[..., None, None] * (by @ by.mT)


def around_segment(half: Tensor) -> Tensor:
    """Return the ellipsoid of the multiples of a vector, (..., d), by factors from -1 to 1."""
    return half[..., :, None] * half[..., None, :] * SLACK


def around_segments(halves: Tensor) -> Tensor:
    """Return an ellipsoid around the sum of several segments each, (..., several, d) to (..., d, d)."""
    lengths: Tensor = torch.linalg.vector_norm(halves, dim=-1) + _TINY
    return lengths.sum(-1)[..., None, None] * ((halves / lengths[..., None]).mT @ halves) * SLACK


def weighted(weights: Tensor, ellipsoids: Tensor) -> Tensor:
    """Return an ellipsoid around a weighted sum of errors (several, d, d): (..., several) to (..., d, d)."""
    sizes = size(ellipsoids) + _TINY
    flat = (weights / sizes) @ ellipsoids.flatten(1)
    return (weights @ sizes)[..., None, None] * flat.view(*weights.shape[:-1], *ellipsoids.shape[1:]) * SLACK


def total(ellipsoids: Iterable[Tensor]) -> Tensor:
    """Return an ellipsoid around the sums of one error of each."""
    several = [(ellipsoid, size(ellipsoid)[..., None, None] + _TINY) for ellipsoid in ellipsoids]
    scale = torch.stack([own for _, own in several]).sum(0)
    return scale * torch.stack([ellipsoid / own for ellipsoid, own in several]).sum(0) * SLACK
