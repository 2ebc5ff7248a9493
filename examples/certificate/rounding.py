"""How far float32 can be from float64 in the logits of a target: bounds for any order of summation.

An error of a vector, float32 minus float64, is held by an ellipsoid: a matrix Q with |a·e| <= sqrt(a·Qa) for every a. A
linear map M turns Q into MQM'. What is not linear is mapped by its derivative, and a box or a ball holds the rest. The
explanation of certificates in coc's documentation derives each step. SLACK and CANCELLED cover the rounding of float64.
"""

import math
from typing import NamedTuple

import numpy as np

from certificate.model import Model
from certificate.strict import require

UNIT = 2.0**-24 * (1 + 2.0**-20)
EXP_ERROR, ERF_ERROR, LOG_ERROR = 32 * UNIT, 16 * UNIT, 4 * UNIT
TINY = 1e-30  # more than underflow changes
LARGEST = 2.0**120  # of sums of absolute values
SLACK, CANCELLED, NO_LENGTH = 1 + 1e-9, 1e-11, 1e-60
EPS, NORM_BEND, GELU_SLOPE, GELU_BEND = 1e-5, 1.2, 1.13, 0.8
MOST_FLOATS = 1 << 22  # in the ellipsoids of one sequence
ASSUMPTIONS = {
    "arithmetic": "IEEE 754 float32, rounded to nearest, with gradual underflow or flush to zero",
    "sums": "sums of products in any order, fused or not; no TF32, no bfloat16, no Strassen",
    "unit": repr(UNIT),
    "exp": f"relative error at most {EXP_ERROR!r}",
    "erf": f"absolute error at most {ERF_ERROR!r}",
    "log": f"relative error at most {LOG_ERROR!r}",
    "layer norm": "the mean and the variance as sums in any order, in one pass or two",
    "softmax": "of scores minus the largest so far; parts are joined by these, or by the logarithms of their sums",
    "batches": "what a mask excludes, and other rows, add nothing",
}


class Known(NamedTuple):
    """Vectors in float64, (places, width), and ellipsoids around their errors."""

    centre: np.ndarray
    errors: np.ndarray


class Normed(NamedTuple):
    """The output of LayerNorm, its derivative, and ellipsoids around what else is off."""

    centre: np.ndarray
    slope: np.ndarray
    own: np.ndarray


def gamma(operations: int) -> float:
    """Return what so many roundings in a row can change."""
    return operations * UNIT / (1 - operations * UNIT)


def turned(matrix: np.ndarray) -> np.ndarray:
    """Return the transposed matrix, or matrices."""
    return matrix.swapaxes(-1, -2)


def norm(matrix: np.ndarray) -> np.ndarray:
    """Return the Frobenius norm of a matrix, or of each."""
    return np.sqrt((matrix**2).sum((-1, -2)))


def trace(ellipsoid: np.ndarray) -> np.ndarray:
    """Return the trace of a matrix, or of each."""
    return np.maximum(np.trace(ellipsoid, axis1=-2, axis2=-1), 0)


def reach(ellipsoid: np.ndarray) -> np.ndarray:
    """Return a bound on the length of an error."""
    return np.sqrt(norm(ellipsoid) + CANCELLED * trace(ellipsoid)) * SLACK


def extents(ellipsoid: np.ndarray, rows: np.ndarray | None = None) -> np.ndarray:
    """Return a bound on each component of an error, or on its products with rows."""
    hidden = CANCELLED * trace(ellipsoid)[..., None]
    if rows is None:
        squares = np.diagonal(ellipsoid, axis1=-2, axis2=-1) + hidden
    else:
        squares = ((rows @ ellipsoid) * rows).sum(-1) + hidden * (rows**2).sum(-1)
    return np.sqrt(np.maximum(squares, 0)) * SLACK


def mapped(ellipsoid: np.ndarray, by: np.ndarray, factors: np.ndarray | float = 0.0) -> np.ndarray:
    """Return what a linear map makes of an ellipsoid; `factors` is the product of the norms of what it is the product
    of.
    """
    hidden = CANCELLED * trace(ellipsoid) * (norm(by) + factors) ** 2
    return by @ ellipsoid @ turned(by) + np.asarray(hidden)[..., None, None] * np.eye(by.shape[-2])


def box(half: np.ndarray, by: np.ndarray | None = None) -> np.ndarray:
    """Return an ellipsoid around a box with these half sides, after a linear map."""
    squares = half.sum(-1, keepdims=True) * half * SLACK
    return squares[..., None] * np.eye(half.shape[-1]) if by is None else (by * squares[..., None, :]) @ by.T


def total(ellipsoids: list[np.ndarray]) -> np.ndarray:
    """Return an ellipsoid around the sums of one error of each."""
    sizes = [(np.sqrt(trace(each)) + NO_LENGTH)[..., None, None] for each in ellipsoids]
    return sum(sizes) * sum(each / size for each, size in zip(ellipsoids, sizes, strict=True)) * SLACK


def weighted(weights: np.ndarray, ellipsoids: np.ndarray) -> np.ndarray:
    """Return, for each row of weights, an ellipsoid around the sum of one error of each, times its weight."""
    sizes = np.sqrt(trace(ellipsoids)) + NO_LENGTH
    sums = (weights / sizes) @ ellipsoids.reshape(len(ellipsoids), -1)
    return (weights @ sizes)[:, None, None] * sums.reshape(-1, *ellipsoids.shape[1:]) * SLACK


def segments(halves: np.ndarray) -> np.ndarray:
    """Return an ellipsoid around the sum of the segments from -v to v, for each v."""
    lengths = np.sqrt((halves**2).sum(-1)) + NO_LENGTH
    return lengths.sum() * ((halves / lengths[:, None]).T @ halves) * SLACK


def products(sizes: np.ndarray, weight: np.ndarray, bias: np.ndarray | float = 0.0) -> np.ndarray:
    """Return the rounding of a linear layer whose inputs are at most so large."""
    underflow = TINY * (1 + sizes.sum(-1, keepdims=True) + np.abs(weight).sum(-1))
    return gamma(weight.shape[1] + 1) * (sizes @ np.abs(weight).T + np.abs(bias)) * SLACK + underflow


def positive(x: np.ndarray) -> np.ndarray:
    """NaN, which ends in no bound, for what is not positive."""
    return np.where(x > 0, x, math.nan)


class Rounding:
    """Bounds what float32 can change of the logits of a model."""

    def __init__(self, model: Model) -> None:
        self.model, self.weights, self.config = model, model.weights, model.config
        self.sizes = {name: np.abs(tensor) for name, tensor in model.weights.items()}
        self.overflows = self.may_overflow()

    def bound(self, start: int, ids: list[int]) -> tuple[float, float]:
        """Return the margin of a target that begins there, and a bound on what float32 changes of it; infinite for
        none.
        """
        width, length = self.config["d_model"], len(ids) - 1
        require(length * width * (width + length) <= MOST_FLOATS, "a prompt is too long for the bounds of this checker")
        with np.errstate(all="ignore"):
            margin, bound = self.margin(np.array(ids), start)
        return margin, math.inf if self.overflows or not math.isfinite(bound) else bound

    def margin(self, ids: np.ndarray, start: int) -> tuple[float, float]:
        """Return the smallest margin of a token of the target, and the largest bound."""
        x, rows, chosen = self.states(ids[:-1]), self.weights["tokens.weight"], ids[start:]
        x = Known(x.centre[start - 1 :], x.errors[start - 1 :])
        last = self.normed(x, "norm")
        errors = total([mapped(x.errors, last.slope), last.own])
        logits, own, place = last.centre @ rows.T, rows[chosen], (np.arange(len(chosen)), chosen)
        lengths = np.sqrt((rows**2).sum(-1))
        squares = extents(errors, rows) ** 2
        squares = squares + squares[place][:, None] - 2 * (rows @ errors @ own[..., None])[..., 0]
        squares = squares + CANCELLED * trace(errors)[:, None] * (lengths + lengths[chosen][:, None]) ** 2
        rounding = products(np.abs(last.centre) + extents(errors), rows)
        bounds = np.sqrt(np.maximum(squares, 0)) * SLACK + rounding + rounding[place][:, None]
        margins = logits[place][:, None] - logits
        margins[place] = math.inf
        return float(margins.min()), float(bounds.max())

    def states(self, ids: np.ndarray) -> Known:
        """Return the hidden states of a sequence before the last LayerNorm."""
        counts = self.model.counts(self.model.kinds[ids])
        x, sizes = (self.model.embedded(each, ids[None], *counts[::2])[0] for each in (self.weights, self.sizes))
        allowed, shift = self.model.allowed(*counts), self.config["token_shift"]
        underflow = 1 + sizes.sum(-1, keepdims=True) + (self.sizes["shifts.0.weight"].sum(-1) if shift else 0)
        rounding = gamma((self.config["d_model"] if shift else 0) + 2 * shift + 8) * sizes + TINY * underflow
        known = Known(x, box(rounding))
        for block in range(self.config["layers"]):
            known = self.feed_forward(self.attention(known, f"blocks.{block}.", allowed), f"blocks.{block}.")
        return known

    def normed(self, x: Known, name: str) -> Normed:
        """LayerNorm. Where the standard deviation may vanish, the ellipsoids are NaN."""
        scale, shift = self.weights[name + ".weight"], self.weights[name + ".bias"]
        width, size = len(scale), np.abs(scale)
        root = math.sqrt(width)
        centred = x.centre - x.centre.mean(-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(-1, keepdims=True) + EPS)
        y = centred / deviation
        slope = (np.eye(width) - 1 / width - y[:, :, None] * y[:, None] / width) / deviation[:, None]
        off = reach(x.errors)[:, None]
        lowest = positive(deviation - off / root)
        length = np.sqrt((x.centre**2).sum(-1, keepdims=True)) + off
        variance = gamma(4 * width + 16) * (length / lowest) ** 2 / width
        inverse, moved = np.where(variance < 0.5, variance + 8 * UNIT, math.nan), off / lowest
        numerator = (np.abs(x.centre) + off + length / root) * 4 * UNIT + 2 * gamma(width + 2) * length / root
        each = size * (numerator / lowest * (1 + 2 * inverse) + (inverse + 1e-9) * moved)
        each = each + 4 * UNIT * (size * (np.abs(y) + moved) + np.abs(shift))
        each = each + TINY * (1 + length + size * (1 + 1 / lowest))
        along, bend = scale * y * inverse, NORM_BEND / 2 * (off / lowest) ** 2 / root
        ball = (bend * SLACK)[..., None] ** 2 * np.diag(scale**2)
        own = total([along[:, :, None] * along[:, None] * SLACK, box(each), ball])
        return Normed(scale * y + shift, scale[:, None] * slope, own)

    def attention(self, x: Known, at: str, allowed: np.ndarray) -> Known:
        """Attention with its residual connection."""
        before, out = self.normed(x, at + "norm1"), self.weights[at + "out.weight"]
        linear, (seq, width) = mapped(x.errors, before.slope), x.centre.shape
        errors, heads = total([linear, before.own]), self.config["heads"]
        parts, mixes, sizes, underflows = list[np.ndarray](), list[np.ndarray](), list[np.ndarray](), list[np.ndarray]()
        own_slope, own_factors = np.zeros((seq, width, width)), 0.0
        projections = self.weights[at + "qkv.weight"].reshape(3, heads, -1, width)
        for number, to in enumerate(np.split(out, heads, 1)):
            query, key, value = projections[:, number]
            weight, relative = self.weighing(before.centre, errors, query, key, allowed)
            share = weight * relative
            rest = positive(1 - share.sum(-1, keepdims=True))
            most = weight * (1 + relative) / rest
            values = before.centre @ value.T
            rounding = products(np.abs(before.centre) + extents(linear) + extents(before.own), value)
            largest = np.abs(values) + extents(linear, value) + extents(before.own, value) + rounding
            mix = weight @ values
            pulls = share / rest
            parts.append(
                np.stack(
                    [segments(pull[:, None] * ((values - each) @ to.T)) for pull, each in zip(pulls, mix, strict=True)]
                )
            )
            through, factors = to @ value, norm(to) * norm(value)
            own = total([mapped(before.own, through, factors), box(rounding, to)])
            parts.append(weighted(most - np.diag(weight.diagonal()), mapped(linear, through, factors)))
            parts.append(weighted(most, own))
            own_slope, own_factors = own_slope + weight.diagonal()[:, None, None] * through, own_factors + factors
            mixes.append(mix)
            sizes.append(most @ largest)
            underflows.append(TINY * (1 + largest.sum(0)))
        mixed, largest, rounding = np.concatenate(mixes, 1), np.concatenate(sizes, 1), gamma(2 * seq + 8)
        parts.append(mapped(x.errors, np.eye(width) + own_slope @ before.slope, own_factors * norm(before.slope)))
        parts.append(box(rounding * largest + np.concatenate(underflows), out))
        return finished(x.centre + mixed @ out.T, parts, products(largest * (1 + rounding), out))

    def weighing(
        self, centre: np.ndarray, errors: np.ndarray, query: np.ndarray, key: np.ndarray, allowed: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the weights of attention, and what each can be off before they are normalised, relative to itself."""
        sharpness = np.log(np.arange(1, len(centre) + 1))[:, None] / 2 if self.config["log_scaling"] else None
        queries, keys = self.projected(centre, errors, query, sharpness), self.projected(centre, errors, key, None)
        width, seq = len(query), len(centre)
        scale = 1 / math.sqrt(width)
        scores = np.where(allowed, queries.centre @ keys.centre.T * scale, -math.inf)
        off_query, off_key = reach(queries.errors)[:, None], reach(keys.errors)
        lengths = (np.sqrt((part.centre**2).sum(-1)) for part in (queries, keys))
        long_query, long_key = next(lengths)[:, None] + off_query, next(lengths) + off_key
        longest, underflow = long_query * long_key, TINY * (1 + long_query + long_key)
        off = extents(queries.errors, keys.centre) + extents(keys.errors, queries.centre).T + off_query * off_key
        off = scale * (off + gamma(width + 6) * longest + underflow) * SLACK
        off = off + 3 * LOG_ERROR * (scale * longest.max(-1, keepdims=True) + math.log(seq))
        off = np.where(allowed, off, 0.0)
        largest = scores.max(-1, keepdims=True)
        below = np.where(allowed, largest - scores, 0.0) + 2 * off.max(-1, keepdims=True)
        relative = np.expm1(off + 4 * UNIT * below + seq * (EXP_ERROR + 4 * UNIT))
        weight = np.exp(scores - largest)
        return weight / weight.sum(-1, keepdims=True), np.where(allowed, relative, 0.0)

    def projected(
        self, centre: np.ndarray, errors: np.ndarray, weight: np.ndarray, sharpness: np.ndarray | None
    ) -> Known:
        """Queries or keys of one head."""
        y = centre @ weight.T
        spread = total([mapped(errors, weight), box(products(np.abs(centre) + extents(errors), weight))])
        if sharpness is not None:
            y, spread = y * sharpness, spread * sharpness[..., None] ** 2
            spread = total([spread, box(8 * UNIT * (np.abs(y) + extents(spread)) + TINY)])
        return Known(y, spread)

    def feed_forward(self, x: Known, at: str) -> Known:
        """Return the feed-forward layer with its residual connection."""
        before, up, down = (
            self.normed(x, at + "norm2"),
            self.weights[at + "up.weight"],
            self.weights[at + "down.weight"],
        )
        linear = mapped(x.errors, before.slope)
        inner = before.centre @ up.T + self.weights[at + "up.bias"]
        sizes = np.abs(before.centre) + extents(linear) + extents(before.own)
        rounding = products(sizes, up, self.weights[at + "up.bias"])
        moved = extents(linear, up) + extents(before.own, up) + rounding
        share = 0.5 * (1 + np.array([*map(math.erf, (inner / math.sqrt(2)).flat)]).reshape(inner.shape))
        slope = share + inner * np.exp(-(inner**2) / 2) / math.sqrt(2 * math.pi)
        own = (ERF_ERROR / 2 + 4 * UNIT) * (np.abs(inner) + moved) + GELU_BEND / 2 * moved**2 + TINY
        bent = down * slope[:, None]
        through, factors = bent @ up, norm(bent) * norm(up)
        parts = [
            mapped(x.errors, np.eye(len(down)) + through @ before.slope, factors * norm(before.slope)),
            mapped(before.own, through, factors),
            box(np.abs(slope) * rounding + own, down),
        ]
        bias = self.weights[at + "down.bias"]
        last = products(np.abs(inner * share) + GELU_SLOPE * moved + own, down, bias)
        return finished(x.centre + (inner * share) @ down.T + bias, parts, last)

    def may_overflow(self) -> bool:
        """Return whether a partial sum, a square or a product may be too large for float32, whatever the tokens."""
        return not all(bool((each < LARGEST).all()) for each in self.computed())

    def computed(self) -> list[np.ndarray]:
        """Sums of absolute values that bound all that is computed, from the weights alone."""
        sizes, config, found = self.sizes, self.config, list[np.ndarray]()
        root = math.sqrt(config["d_model"])

        def before(x: np.ndarray, name: str) -> np.ndarray:
            """Return the output of LayerNorm, twice as large as it can be without rounding."""
            scale, shift = sizes[name + ".weight"], sizes[name + ".bias"]
            after = scale * 2 * root + shift
            found.append(((2 * x) ** 2).sum())
            found.extend((1 + scale) * factor / math.sqrt(EPS) + after for factor in (1, 2 * x.max()))
            return after

        x = sum(tensor.max(0) for name, tensor in sizes.items() if name.startswith(("tokens.", "positions.")))
        x = x + (sizes["shifts.0.weight"] @ x if config["token_shift"] else 0)
        for block in range(config["layers"]):
            at = f"blocks.{block}."
            projected = (sizes[at + "qkv.weight"] @ before(x, at + "norm1")).reshape(3, config["heads"], -1)
            found.append(projected)
            found.append((projected[0] * projected[1]).sum(-1) * max(1, math.log(config["max_len"])))
            found.append(projected[2] * config["max_len"])
            x = x + sizes[at + "out.weight"] @ (2 * projected[2].ravel())
            inner = 2 * (sizes[at + "up.weight"] @ before(x, at + "norm2") + sizes[at + "up.bias"])
            found.append(inner)
            x = x + sizes[at + "down.weight"] @ inner + sizes[at + "down.bias"]
        found.append(sizes["tokens.weight"] @ before(x, "norm"))
        return found


def finished(centre: np.ndarray, parts: list[np.ndarray], own: np.ndarray) -> Known:
    """Return the sum of a residual stream and a branch, whose last rounding is `own`."""
    errors = total(parts)
    return Known(centre, total([errors, box(own + 2 * UNIT * (np.abs(centre) + extents(errors) + own) + TINY)]))
