"""The decoder in float64: the logits of targets, and how far the tokens of a target are above all others."""

import math
from typing import Any

import numpy as np

from certificate.checkpoint import Checkpoint
from certificate.strict import require
from certificate.tokenizer import FIELD, ITEM, SEPARATOR, SYMBOL, Tokenizer

TOKENS = 256  # in a pass
LONGEST = 2_048  # tokens: so that attention takes little memory
GRID = np.arange(-2560, 2561) / 256
SHARE = np.array([(1 + math.erf(x / math.sqrt(2))) / 2 for x in GRID])
DENSITY = np.exp(-(GRID**2) / 2) / math.sqrt(2 * math.pi)
TERMS = GRID * SHARE, (SHARE + GRID * DENSITY) / 256, DENSITY * (1 - GRID**2 / 2) / 256**2


def gelu(x: np.ndarray) -> np.ndarray:
    """Return the product of x and the normal distribution there, by a Taylor series around a place on a grid, to
    1e-8.
    """
    x = x * 256
    near = np.clip(np.rint(x), -2560, 2560)
    value, slope, bend = (term.take(near.astype(int) + 2560) for term in TERMS)
    return value + (x - near) * (slope + (x - near) * bend)


class Model:
    """The decoder of a checkpoint."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.config, self.dialects, self.weights = checkpoint.config, checkpoint.dialects, checkpoint.tensors
        self.tokenizer = Tokenizer(checkpoint.tokenizer, self.config["vocab"], len(self.dialects))
        self.kinds = self.tokenizer.kinds()

    def example(self, rule: dict[str, Any], dialect: str) -> tuple[int, list[int]]:
        """Return where a rule's target begins, and the ids of the prompt and of the target."""
        first = 1 if len(self.dialects) == 1 else 4 + self.dialects.index(dialect)  # [BOS], or the dialect's token
        context = [first, *self.tokenizer.encode(rule["prompt"]), *self.tokenizer.encode("\n")]
        ids = [*context, *self.tokenizer.encode(rule["target"]), 2]  # [EOS]
        require(len(ids) <= self.config["max_len"], f"the context ends before the target of {rule['prompt']!r}")
        require(len(ids) <= LONGEST, f"{rule['prompt']!r} is too long for this checker")
        return len(context), ids

    def margins(self, examples: list[tuple[int, list[int]]]) -> np.ndarray:
        """Return the smallest difference of a token's logit and that of another token, in each target."""
        alike: dict[tuple[int, bytes], list[tuple[int, list[int]]]] = {}
        for number, (start, ids) in enumerate(examples):
            alike.setdefault((start, self.kinds[ids[:-1]].tobytes()), []).append((number, ids))
        found = np.empty(len(examples))
        for (start, kinds), entries in alike.items():
            together = max(1, TOKENS // len(kinds))
            for begin in range(0, len(entries), together):
                which, rows = zip(*entries[begin : begin + together], strict=True)
                found[list(which)] = self.smallest(np.array(rows), start, np.frombuffer(kinds, np.int8))
        return found

    def smallest(self, ids: np.ndarray, start: int, kinds: np.ndarray) -> np.ndarray:
        """Return the margins of targets that begin at the same place, with tokens of the same kinds."""
        logits = self.hidden(ids[:, :-1], start - 1, kinds) @ self.weights["tokens.weight"].T
        chosen = np.take_along_axis(logits, ids[:, start:, None], 2)
        np.put_along_axis(logits, ids[:, start:, None], -math.inf, 2)
        return (chosen[..., 0] - logits.max(2)).min(1)

    def hidden(self, ids: np.ndarray, start: int, kinds: np.ndarray) -> np.ndarray:
        """Return the last hidden states from a place on, (rows, places, width)."""
        weights, layers, counts = self.weights, self.config["layers"], self.counts(kinds)
        x, allowed = self.embedded(weights, ids, *counts[::2]), self.allowed(*counts)
        for block in range(layers):
            at, first = f"blocks.{block}.", start if block == layers - 1 else 0
            mixed = self.attention(self.normed(x, at + "norm1"), at, allowed, first)
            x = x[:, first:] + mixed @ weights[at + "out.weight"].T
            inner = gelu(self.normed(x, at + "norm2") @ weights[at + "up.weight"].T + weights[at + "up.bias"])
            x = x + inner @ weights[at + "down.weight"].T + weights[at + "down.bias"]
        return self.normed(x, "norm")

    def normed(self, x: np.ndarray, name: str) -> np.ndarray:
        """LayerNorm."""
        centred = x - x.mean(-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
        return centred / deviation * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def counts(self, kinds: np.ndarray) -> np.ndarray:
        """Return how many fields, items of the field, digits of the item and separators there are, up to each token."""
        fields = items = digits = separators = 0
        rows = []
        for kind in kinds:
            fields, items = (fields + 1, 0) if kind in (FIELD, SEPARATOR) else (fields, items + (kind == ITEM))
            digits, separators = digits + 1 if kind == SYMBOL else 0, separators + (kind == SEPARATOR)
            rows.append((fields, items, digits, separators))
        return np.array(rows).T

    def embedded(
        self, weights: dict[str, np.ndarray], ids: np.ndarray, fields: np.ndarray, digits: np.ndarray
    ) -> np.ndarray:
        """Embeddings of tokens and places, with the token before mixed in."""
        places = {"0.": fields, "1.": digits}
        if self.config["positions"] == "absolute":
            places = {"": np.arange(ids.shape[1])}
        tables = [(weights[f"positions.{name}weight"], place) for name, place in places.items()]
        x = weights["tokens.weight"][ids] + sum(table[np.minimum(place, len(table) - 1)] for table, place in tables)
        if self.config["token_shift"]:
            x = x + np.pad(x, ((0, 0), (1, 0), (0, 0)))[:, :-1] @ weights["shifts.0.weight"].T
        return x

    def allowed(self, fields: np.ndarray, items: np.ndarray, digits: np.ndarray, separators: np.ndarray) -> np.ndarray:
        """Return which tokens each token attends to."""
        in_target = self.config["list_attention"] | (items == 0) | (digits > 0) | (fields[:, None] != fields)
        seen = np.where((separators > 0)[:, None], in_target, self.config["prompt_attention"])
        return np.tril(seen | np.eye(len(fields), dtype=bool))

    def attention(self, x: np.ndarray, at: str, allowed: np.ndarray, first: int) -> np.ndarray:
        """Return what the tokens from `first` on attend to, (rows, places, width)."""
        parts, mixed = np.split(x @ self.weights[at + "qkv.weight"].T, 3, 2), list[np.ndarray]()
        sharpness = np.log(np.arange(1, x.shape[1] + 1))[:, None] / 2 if self.config["log_scaling"] else 1.0
        for query, key, value in zip(*(np.split(part, self.config["heads"], 2) for part in parts), strict=True):
            query = (query * sharpness / math.sqrt(query.shape[2]))[:, first:]
            weight = np.where(allowed[first:], query @ key.swapaxes(1, 2), -math.inf)
            weight = np.exp(weight - weight.max(2, keepdims=True))
            mixed.append(weight @ value / weight.sum(2, keepdims=True))
        return np.concatenate(mixed, 2)
