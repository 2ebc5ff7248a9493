"""Edits of a recording by an attacker who knows its format: of its tables, of its chunks, and of its steps."""

import json
import sqlite3
from contextlib import closing

from coc_core.runfile import RunFile, chunk
from tests.support import file_edits
from tests.support.run_file_edits import seal

_UNPACKED = 1 << 24


def forge(path, others, rng):
    """Make one edit of the run file; `others` are other genuine ones. Gives what was done, and whether it was sealed."""
    operation = rng.choice(
        (_manifest, _manifest, _outcome, _outcome, _column, _column, _blob, _blob, _steps, _steps, _steps)
    )
    sealed = rng.random() < 0.75
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        if not connection.execute("SELECT count(*) FROM chunk").fetchone()[0]:
            operation = _manifest  # there are no steps to change
        text = operation(connection, path, others, rng)
        if sealed:
            try:
                seal(connection)
            except (sqlite3.Error, TypeError):
                sealed = False
    return f"{text}, {'sealed' if sealed else 'not sealed'}", sealed


def _manifest(connection, _path, others, rng):
    ((manifest,),) = connection.execute("SELECT manifest FROM run").fetchall()
    if rng.random() < 0.2:
        with RunFile.open(rng.choice(others)) as other:
            document, key = json.loads(manifest), rng.choice(list(json.loads(manifest)))
            document[key] = json.loads(other.manifest.to_json())[key]
            new, text = json.dumps(document, sort_keys=True), f"{key} of another run"
            if key == "problem":
                document["n"] = other.manifest.n
                new = json.dumps(document, sort_keys=True)
    else:
        data, text = file_edits.change_json(manifest.encode(), rng)
        new = data.decode("utf-8", "replace")
    connection.execute("UPDATE run SET manifest = ?", (new,))
    return f"the manifest: {text}"


def _outcome(connection, _path, others, rng):
    ((outcome,),) = connection.execute("SELECT outcome FROM run").fetchall()
    kind = rng.randrange(5)
    if kind == 0 or outcome is None:
        new, text = (_raw(rng.choice(others))[1], "that of another run") if rng.random() < 0.6 else (None, "none")
    elif kind == 1:
        document = json.loads(outcome)
        document["status"] = rng.choice(("solved", "unsolved", "interrupted", "running", "fault"))
        if document["status"] != "fault":
            document["fault"] = None
        new, text = json.dumps(document, sort_keys=True), f"status {document['status']}"
    elif kind == 2:
        document = json.loads(outcome)
        key = rng.choice(("steps", "actions", "model_calls", "seconds"))
        document[key] += rng.choice((-1, 1))
        new, text = json.dumps(document, sort_keys=True), f"{key} {document[key]}"
    else:
        data, text = file_edits.change_json(outcome.encode(), rng)
        new = data.decode("utf-8", "replace")
    connection.execute("UPDATE run SET outcome = ?", (new,))
    return f"the outcome: {text}"


def _column(connection, _path, _others, rng):
    """Another count of a chunk, or its chunks in another order."""
    firsts = [first for (first,) in connection.execute("SELECT first FROM chunk ORDER BY first")]
    first = rng.choice(firsts)
    match rng.randrange(4):
        case 0:
            connection.execute("DELETE FROM chunk WHERE first = ?", (first,))
            return f"without the chunk at {first}"
        case 1:
            connection.execute(
                "INSERT INTO chunk SELECT first + steps, steps, base, transition + transitions, 0, ?, ids, pointers,"
                " numbers, digest FROM chunk WHERE first = ?",
                (chunk.deflate(b""), firsts[-1]),
            )
            return "the last chunk repeated"
        case 2 if len(firsts) > 1:
            columns = rng.choice((["texts"], ["ids"], ["pointers"], ["numbers"], ["ids", "pointers"]))
            one, other = rng.sample(firsts, 2)
            for column in columns:
                swap = f"SELECT first, {column} FROM chunk WHERE first IN (?, ?) ORDER BY first = ?"
                (_, left), (_, right) = connection.execute(swap, (one, other, other)).fetchall()
                connection.execute(f"UPDATE chunk SET {column} = ? WHERE first = ?", (right, one))
                connection.execute(f"UPDATE chunk SET {column} = ? WHERE first = ?", (left, other))
            return f"{columns} of the chunks at {one} and {other} swapped"
    column = rng.choice(("first", "steps", "base", "transition", "transitions"))
    value = rng.choice(("0", "-1", f"{column} + 1", f"{column} - 1", "1 << 40", "9223372036854775807"))
    connection.execute(f"UPDATE OR IGNORE chunk SET {column} = {value} WHERE first = ?", (first,))
    return f"{column} of the chunk at {first} becomes {value}"


def _blob(connection, _path, others, rng):
    """What a blob unpacks to, changed and packed again; or the blob of another run."""
    column = rng.choice(("texts", "ids", "pointers", "numbers"))
    query = f"SELECT first, {column} FROM chunk ORDER BY first"
    first, blob = rng.choice(connection.execute(query).fetchall())
    if rng.random() < 0.15:
        with closing(sqlite3.connect(rng.choice(others))) as other:
            _, blob = rng.choice(other.execute(query).fetchall())
            text = "that of another run"
    else:
        data = chunk.inflate(blob, _UNPACKED)
        lines = data.splitlines(keepends=True)
        if column in ("texts", "numbers") and lines and rng.random() < 0.7:
            at = rng.randrange(len(lines))
            if rng.random() < 0.3:
                rng.shuffle(lines)
                text = "its lines in another order"
            else:
                new, text = file_edits.change_json(lines[at], rng)
                lines[at] = new + b"\n"
            data = b"".join(lines)
        elif column == "numbers" and rng.random() < 0.7:
            line = [rng.randrange(1, 12), [rng.choice((0, 1, 7, -1, 10**30)) for _ in range(rng.randrange(4))]]
            data, text = data + json.dumps(line).encode() + b"\n", f"{line} added"
        else:
            data, text = (file_edits.flip if data and rng.random() < 0.5 else file_edits.change_bytes)(data, rng)
        blob = chunk.deflate(data)
    connection.execute(f"UPDATE chunk SET {column} = ? WHERE first = ?", (blob, first))
    return f"{column} of the chunk at {first}: {text}"


def _steps(connection, path, others, rng):
    """Other steps, packed as they ought to be, with an outcome that fits their number."""
    manifest, outcome, records = _raw(path)
    at = rng.randrange(len(records))
    prompt, target, actions, pointer, numbers = records[at]
    match rng.randrange(10):
        case 0:
            records, text = records[:at], f"cut off after step {at}"
            if rng.random() < 0.7:
                outcome = None
        case 1:
            records, text = [*records, *records[at:]], f"steps from {at + 1} on repeated"
        case 2:
            other = rng.randrange(len(records))
            records[at], records[other] = records[other], records[at]
            text = f"steps {at + 1} and {other + 1} swapped"
        case 3:
            del records[at]
            text = f"without step {at + 1}"
        case 4:
            new = file_edits.change_text(target, rng)
            records[at] = (prompt, new, actions, pointer, numbers)
            text = f"the target of step {at + 1} becomes {new!r:.60}"
        case 5:
            new = file_edits.change_text(target, rng)
            found = tuple(
                part.removeprefix("OUTPUT ").partition(" PUSH")[0] for part in new.split("\n") if "OUTPUT" in part
            )
            records[at] = (prompt, new, found, pointer, numbers)
            text = f"the target of step {at + 1}, with its actions, becomes {new!r:.60}"
        case 6:
            records[at] = (file_edits.change_text(prompt, rng), target, actions, pointer, numbers)
            text = f"the prompt of step {at + 1} changed"
        case 7:
            new = rng.choice(
                (actions[:-1], actions * 2, ("Flip",), (), tuple(file_edits.change_text(a, rng) for a in actions))
            )
            records[at] = (prompt, target, new, pointer, numbers)
            text = f"the actions of step {at + 1} become {new!r:.60}"
        case 8:
            records[at] = (prompt, target, actions, max(-1, pointer + rng.choice((-1, 1, 1000))), numbers)
            text = f"the pointer of step {at + 1} changed"
        case _:
            other_manifest, other_outcome, other_records = _raw(rng.choice(others))
            records, text = other_records, "the steps of another run"
            if rng.random() < 0.5:
                outcome, text = other_outcome, "the steps and the outcome of another run"
            if rng.random() < 0.3:
                manifest, text = other_manifest, text + ", and its manifest"
    if outcome is not None and rng.random() < 0.9:
        document = json.loads(outcome)
        document["steps"] = len(records)
        if document["fault"]:
            document["fault"]["step"] = len(records) + 1
        if rng.random() < 0.8:
            document["actions"] = sum(len(record[2]) for record in records)
        outcome = json.dumps(document, sort_keys=True)
    _write(connection, manifest, outcome, records)
    return text


def _raw(path):
    """The manifest, the outcome and the records of a genuine run."""
    with RunFile.open(path) as runfile:
        manifest, outcome, _ = runfile._sealed
        return (
            manifest,
            outcome,
            [
                (record.prompt, record.target, record.actions, record.pointer, record.numbers)
                for record in runfile.records()
            ],
        )


def _write(connection, manifest, outcome, records):
    connection.execute("DELETE FROM chunk")
    connection.execute("UPDATE run SET manifest = ?, outcome = ?", (manifest, outcome))
    lines, ids, pointers, numbers = {}, [], [], []
    for step, (prompt, target, actions, pointer, found) in enumerate(records, 1):
        line = chunk.json_lines([(prompt, target, actions)])
        ids.append(lines.setdefault(line, len(lines)))
        pointers.append(pointer)
        if found is not None:
            numbers.append(chunk.json_lines([(step, found)]))
    if records:
        packed = chunk.pack(chunk.START, 1, 0, 0, list(lines), ids, pointers, numbers)
        connection.execute(f"INSERT INTO chunk VALUES ({', '.join('?' * len(packed))})", packed)
