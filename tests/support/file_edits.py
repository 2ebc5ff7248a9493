"""Edits of files, as an attacker makes them who knows the format: of JSON by a grammar, and of bytes."""

import json
import random
from copy import deepcopy
from typing import Any

HUGE = (2**31, 2**63, 2**64, 10**18, 10**30, -(10**18))
_FLOATS = (0.5, 1.0, 1e308, -0.0, float("nan"), float("inf"))
_TYPES: tuple[Any, ...] = (None, True, False, 0, 1, "", "x", [], {}, [[]], {"a": 1})
_STRINGS = (
    "\x1b[2J",
    "٣",
    "1_0",
    " ",
    "\ud800",
    "\0",
    "../../etc/passwd",
    "A" * 5_000,
    "tape",
    "pda",
    "solved",
    "inline",
)
_LITERALS = ("1e999", "-1e999", "1" * 400, "1e400", "0.1e-400", "NaN", "Infinity", "01", "1.", "+1", "'x'", "True")


def flip(data: bytes, rng: random.Random) -> tuple[bytes, str]:
    """The bytes with one bit changed."""
    at, bit = rng.randrange(len(data)), rng.randrange(8)
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :], f"bit {bit} of byte {at}"


def change_bytes(data: bytes, rng: random.Random) -> tuple[bytes, str]:
    """The bytes cut, extended, doubled, or with a part of them changed, moved or removed."""
    at = rng.randrange(len(data) + 1)
    length = min(len(data) - at, rng.choice((1, 2, 8, 100, 4096)))
    part = data[at : at + length]
    match rng.randrange(8):
        case 0:
            return data[:at], f"cut off at {at}"
        case 1:
            return data + rng.randbytes(rng.choice((1, 100, 5_000))), "extended by noise"
        case 2:
            return data + data, "doubled"
        case 3:
            return data[:at] + data[at + length :], f"without {length} bytes at {at}"
        case 4:
            return data[:at] + part + data[at:], f"{length} bytes at {at} repeated"
        case 5:
            return data[:at] + bytes(length) + data[at + length :], f"{length} bytes at {at} zeroed"
        case 6:
            return data[:at] + rng.randbytes(length) + data[at + length :], f"{length} bytes at {at} drawn again"
    return b"", "emptied"


def change_json(data: bytes, rng: random.Random) -> tuple[bytes, str]:
    """The JSON document with one edit: a value, a key or an item of it, or the way in which it is written."""
    document = json.loads(data)
    places = list(_places(document))
    if not places or rng.random() < 0.15:
        return _rewrite(document, rng)
    holder, key = rng.choice(places)
    text = _edit(document, holder, key, rng)
    return json.dumps(document, ensure_ascii=rng.random() < 0.9).encode("utf-8", "surrogatepass"), text


def _places(value: Any):
    """Each (container, key) of a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(items):
        yield value, key
        yield from _places(item)


def _edit(document: Any, holder: Any, key: Any, rng: random.Random) -> str:
    old = holder[key]
    operation = rng.choice(("value", "value", "value", "value", "type", "remove", "add", "other", "order"))
    if operation == "remove":
        del holder[key]
        return f"{key!r} removed"
    if operation == "add":
        if isinstance(holder, dict):
            holder[rng.choice(("extra", f"{key}2", "", "__metadata__"))] = old
        else:
            holder.insert(rng.randrange(len(holder) + 1), old)
        return f"{key!r} added again"
    if operation == "other":  # the value of another key, of the same type if there is one
        others = [other[name] for other, name in _places(document) if type(other[name]) is type(old)]
        holder[key] = deepcopy(rng.choice(others))  # it may hold the other one
    elif operation == "order" and isinstance(old, list | dict):
        items = list(old.items()) if isinstance(old, dict) else list(old)
        if isinstance(old, dict) and rng.random() < 0.5:  # the values change places, the keys don't
            values = list(old.values())
            rng.shuffle(values)
            items = list(zip(old, values, strict=True))
        else:
            rng.shuffle(items)
        holder[key] = dict(items) if isinstance(old, dict) else items
    elif operation == "type":
        holder[key] = rng.choice(_TYPES)
    else:
        holder[key] = _changed(old, rng)
    return f"{key!r}: {old!r:.60} becomes {holder[key]!r:.60}"


def _changed(old: Any, rng: random.Random) -> Any:
    """Another value of the same type."""
    if isinstance(old, bool):
        return not old
    if isinstance(old, int):
        return rng.choice((old + 1, old - 1, 0, -1, -old, 10 * old, old + 256, float(old), *HUGE))
    if isinstance(old, float):
        return rng.choice((old + 1, old / 2, -old, 0.0, *_FLOATS))
    if isinstance(old, str):
        return change_text(old, rng)
    if isinstance(old, list):
        return rng.choice((old[:-1], old + old[-1:], old[::-1], old * 2, []))
    if isinstance(old, dict):
        return dict(list(old.items())[:-1])
    return rng.choice((0, "x", False))


def change_text(old: str, rng: random.Random) -> str:
    """A text with another digit or letter in it, or cut off, or another text."""
    digits = [at for at, letter in enumerate(old) if letter.isdigit()]
    if digits and rng.random() < 0.5:
        at = rng.choice(digits)
        return old[:at] + str(rng.randrange(10)) + old[at + 1 :]
    at = rng.randrange(len(old) + 1)
    letter = rng.choice("abx0 \n/[]=;,-#")
    return rng.choice(
        (old[:at], old[:at] + letter + old[at + 1 :], old[:at] + letter + old[at:], old.upper(), *_STRINGS)
    )


def _rewrite(document: Any, rng: random.Random) -> tuple[bytes, str]:
    """The same document in other bytes, or bytes that are no document."""
    text = json.dumps(document)
    places = [place for place in _places(document) if isinstance(place[0], dict)]
    match rng.randrange(7) if places else 2:
        case 0:
            holder, key = rng.choice(places)
            holder[key] = "@here@"
            literal = rng.choice(_LITERALS)
            return json.dumps(document).replace('"@here@"', literal).encode(), f"{key!r} becomes {literal:.20}"
        case 1:
            holder, key = rng.choice(places)
            pair = f"{json.dumps(key)}: {json.dumps(holder[key])}"
            return text.replace(pair, f"{pair}, {pair}", 1).encode(), f"{key!r} twice"
        case 2:
            return json.dumps(document, indent=rng.choice((None, 7)), sort_keys=True).encode(), "laid out anew"
        case 3:
            return text.encode(rng.choice(("utf-16", "utf-32", "utf-8-sig"))), "in another encoding"
        case 4:
            return (text + rng.choice((" {}", "\0", "\n\n", "//", ","))).encode(), "with something after its end"
        case 5:
            return (b"[" * 100_000) + text.encode(), "within 100,000 lists"
    return text[: rng.randrange(len(text))].encode(), "cut off"
