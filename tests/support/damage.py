"""Damaged and forged artefacts: each is refused, or is harmless.

A flip changes one bit of a file. An edit is one that an attacker makes who knows the format: of the bytes of a file, the
file of another artefact, or an edit of one of the parts that a file holds, JSON by a grammar. After most edits the sums
are made right again, since they have no key. What then is presented must be true in itself, as its kind checks.
"""

import io
import json
import os
import random
import resource
import signal
import sqlite3
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout, suppress
from copy import deepcopy
from typing import Any, NamedTuple

from coc_core.cli import main
from coc_core.errors import ArtefactError
from coc_core.plugin import Registry
from coc_core.runfile import Replay, RunFile, chunk, database
from coc_core.runfile.chunk import PackedChunk
from coc_core.storage import SUMS
from tests.support.cached_registry import remembered_plugins

MOST_SECONDS = 5.0
MOST_BYTES = 1 << 30
REFUSED = {2, 3}
_USUAL = {0, 1, 2, 3, 6, 7, 130}

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


def change(path, *statements, sealed=True):
    """Execute statements on the database of a run file, as somebody who knows the format; make its digests right if `sealed`."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            connection.execute(*([statement] if isinstance(statement, str) else statement))
    if sealed:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection, suppress(sqlite3.Error, TypeError):
            seal(connection)


def seal(connection):
    """Write the digests that go with what is in the tables."""
    last = chunk.START
    for row in connection.execute("SELECT * FROM chunk ORDER BY first").fetchall():
        last = chunk.seal(last, PackedChunk(*row))
        connection.execute("UPDATE chunk SET digest = ? WHERE first = ?", (last, row[0]))
    for number, manifest, outcome in connection.execute("SELECT id, manifest, outcome FROM run").fetchall():
        digest = database.digest(manifest, outcome, last)
        connection.execute("UPDATE run SET digest = ? WHERE id = ?", (digest, number))


class Wrong(Exception):
    """A use that presented something else than the truth as good, took too long, or ended as none may end."""


class Genuine(NamedTuple):
    """An artefact: its files by name, and what each use of it presents."""

    name: str
    files: dict[str, bytes]
    uses: dict[str, Any]

    def write(self, folder):
        folder.mkdir(parents=True)
        for name, data in self.files.items():
            (folder / name).write_bytes(data)


class Kind:
    """A kind of artefact: how it is made, taken apart, put together again and used."""

    sums = True
    """Whether an attacker makes its sums right."""

    whole = False
    """Whether a file of another artefact brings its own sums."""

    def make(self, folder) -> Iterator[tuple[str, dict[str, bytes]]]:
        """The names and the files of the genuine artefacts."""
        raise NotImplementedError

    def parts(self, files: dict[str, bytes]) -> dict[str, bytes]:
        """What an edit may change."""
        return files

    def put(self, folder, name: str, data: bytes, sealed: bool) -> None:
        """Write a part that was changed; make the sums right, if it is `sealed`."""
        raise NotImplementedError

    def use(self, folder, genuine: Genuine) -> dict[str, Any]:
        """What each use of the artefact in `folder`/a presents, None where it is refused."""
        raise NotImplementedError

    def is_less(self, uses: dict[str, Any], genuine: Genuine) -> bool:
        """Whether what differs is only that less is presented, which says so."""
        return False

    def check(self, folder, uses: dict[str, Any], genuine: Genuine) -> None:
        """Raise Wrong unless what is presented is true in itself."""
        raise NotImplementedError


def survey(kind: Kind, folder, count: int, seed: int = 0):
    """Damage artefacts `count` times by a flip and by an edit; give the verdicts, counted, and what was wrong.

    The environment variable `COC_DAMAGES` is another count. A case may take a few times as long as making all the genuine
    artefacts, which a slow processor slows as much.
    """
    count = int(os.environ.get("COC_DAMAGES", count))
    with remembered_plugins():
        begun, genuines = time.process_time(), []
        (folder / "make").mkdir()
        for number, (name, files) in enumerate(kind.make(folder / "make")):
            genuine, place = Genuine(name, files, {}), folder / f"{number}"
            genuine.write(place / "a")
            genuines.append(genuine._replace(uses=kind.use(place, genuine)))
        most_seconds = max(MOST_SECONDS, 5 * (time.process_time() - begun))
        verdicts, wrong = Counter(), []
        for damage in (_flipped, _edited):
            for number in range(count):
                rng = random.Random(f"{seed} {damage.__name__} {number}")
                genuine, place = rng.choice(genuines), folder / f"{damage.__name__}{number}"
                genuine.write(place / "a")
                text, sealed = damage(kind, genuine, genuines, place / "a", rng)
                try:
                    with bounded(most_seconds):
                        verdicts[_verdict(kind, genuine, place, sealed)] += 1
                except Exception as error:
                    where = "" if isinstance(error, Wrong) else traceback.format_exc(limit=-2)
                    wrong.append(f"{genuine.name}: {text}, {'' if sealed else 'not '}sealed: {error!r} {where}")
    print(kind.__class__.__name__, dict(verdicts), len(wrong), "wrong")
    return verdicts, wrong


def _flipped(_kind, genuine, _genuines, path, rng):
    name = rng.choice(list(genuine.files))
    data, text = flip(genuine.files[name], rng)
    (path / name).write_bytes(data)
    return f"{name}: {text}", False


def _edited(kind, genuine, genuines, path, rng):
    if rng.random() < 0.25:
        other = rng.choice(genuines)
        name, operation = rng.choice(list({**genuine.files, **other.files})), rng.randrange(3)
        if operation == 0 and name in genuine.files:
            (path / name).unlink()
            return f"{name}: removed", name == SUMS  # as from before there were any
        if operation == 1 and name in genuine.files:
            data, text = change_bytes(genuine.files[name], rng)
            (path / name).write_bytes(data)
            return f"{name}: {text}", False
        (path / name).write_bytes(other.files.get(name, b""))
        return f"{name}: that of {other.name}", kind.whole
    parts = kind.parts(genuine.files)
    name = rng.choice([name for name, data in parts.items() if data])
    data, sealed = parts[name], kind.sums and rng.random() < 0.75 and name != SUMS
    if rng.random() < 0.1:
        other = rng.choice(genuines)
        data, text = kind.parts(other.files).get(name, b""), f"that of {other.name}"
    else:
        try:
            data, text = change_json(data, rng)
        except ValueError:  # it is no JSON
            data, text = change_bytes(data, rng)
    kind.put(path, name, data, sealed)
    return f"{name}: {text}", sealed


def _verdict(kind, genuine, folder, sealed):
    uses = kind.use(folder, genuine)
    differing = {name for name, found in uses.items() if found not in (None, genuine.uses[name])}
    if not differing:
        return "refused" if None in uses.values() else "harmless"
    if not sealed and not kind.is_less(uses, genuine):
        raise Wrong(f"{', '.join(differing)} give something else")
    if sealed:
        kind.check(folder, uses, genuine)
    return "true"


@contextmanager
def bounded(most_seconds):
    """Wrong for what takes too long or too much memory."""

    def late(_number, _frame):
        raise Wrong(f"it took more than {12 * most_seconds:g} s")

    peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024  # noqa: E731
    before, at_first, begun = signal.signal(signal.SIGALRM, late), peak(), time.process_time()
    signal.setitimer(signal.ITIMER_REAL, 12 * most_seconds)  # the machine may be busy: its own time is looked at below
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if (seconds := time.process_time() - begun) > most_seconds or peak() - at_first > MOST_BYTES:
        raise Wrong(f"it took {seconds:.1f} s, and {peak() - at_first:,} bytes")


def coc(*words):
    """What `coc` prints in this process; None if it refuses. Wrong for an end or a message that no file can be worth."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([str(word) for word in words])
    if code not in _USUAL:
        raise Wrong(f"`coc {words[0]}` ended with {code}: {err.getvalue().strip()[-600:]}")
    if code not in REFUSED:
        return out.getvalue()
    lines = [line for line in err.getvalue().splitlines() if not line.startswith(("coc: warning:", "coc: note:"))]
    if len(lines) != 1 or not lines[0].startswith("coc: error: ") or not lines[0].isprintable():
        raise Wrong(f"`coc {words[0]}` ended with {code} and {err.getvalue()[-600:]!r}")
    return None


def check_recording(path, last=None):
    """Wrong unless a machine takes each recorded step from the recorded problem, and ends as the file says.

    With `last`, only the steps up to that one are looked at.
    """
    try:
        with RunFile.open(path) as runfile:
            replay, seen = Replay(Registry.installed(), runfile), []
            machine = replay.setting.machine(replay.problem, [seen.append])
            machine.assume(deterministic=False)
            for record in runfile.records(1, last):
                prompt = machine.peek()
                replay.setting.arithmetic.recorded = record.numbers
                machine.step(record.target)
                if machine.steps < record.step:
                    raise Wrong(f"step {record.step} is presented, and the machine says {machine.fault.message}")
                actions = tuple(map(machine.domain.actions.format, seen[-1].actions))
                if (prompt, actions, machine.pointer) != (record.prompt, record.actions, record.pointer):
                    raise Wrong(f"step {record.step} is presented otherwise than the machine takes it")
            if last is None and runfile.outcome is not None:
                _check_end(machine, runfile.outcome)
    except ArtefactError as error:
        raise Wrong(f"it is presented, and refused elsewhere: {error}") from None


def _check_end(machine, outcome):
    halted = machine.peek() is None and machine.fault is None
    if (outcome.steps, outcome.actions) != (machine.steps, machine.actions):
        raise Wrong("it is presented with other counts")
    if halted and (outcome.fault or outcome.status != machine.status):
        raise Wrong(f"it is presented as {outcome.status}, and the machine says {machine.status}")
    if not halted and not outcome.fault and outcome.status != "interrupted":
        raise Wrong(f"it is presented as {outcome.status}, and the machine has not ended")
