"""Datasets, genuine and damaged, and what they are used for.

What the rows of a dataset ought to be is known: those that the reference model writes for the problems that the card
names. So a dataset is `announced` only if `coc data verify` accepts it and it is the dataset that its own card describes,
another one than before, such as one with another seed. It is a `note` if only the version or the command that its card
names is another.
"""

import gzip
import json
import shutil
from hashlib import sha256
from typing import Any

from attrs import Factory, evolve, frozen

from coc_core.errors import ArtefactError, CocError, UsageError
from coc_core.plugin import Registry
from coc_learn.datasets import PairStream
from coc_learn.datasets.build import setting_of
from coc_learn.datasets.card import Dataset
from coc_learn.sources import ReadPairs
from tests.support import file_edits
from tests.support.checksums import SUMS, write_sums
from tests.support.damage_verdicts import Damage, Wrong, coc
from tests.support.interrupted_builds import PLACES, command, files

NAME = "datasets"
CARD, TRAIN, HELDOUT = "card.json", "train.jsonl.gz", "heldout.jsonl.gz"


@frozen
class Genuine:
    """A dataset: its files, and what using it gives."""

    name: str
    files: dict[str, bytes]
    uses: dict[str, Any] = Factory(dict)

    def write(self, folder):
        folder.mkdir()
        for name, data in self.files.items():
            (folder / name).write_bytes(data)


def make(folder):
    """The genuine datasets, of four settings."""
    found = []
    for number, place in enumerate(PLACES):
        path = folder / f"{number}"
        assert coc(*command(place, path)).code == 0
        genuine = Genuine(" ".join(place[:3]), files(path))
        work = folder / "dataset"
        genuine.write(work)
        found.append(evolve(genuine, uses={use.__name__: use(work) for use in USES}))
        shutil.rmtree(work)
    return found


def damage(genuines, kind, folder, rng):
    """Write a damaged dataset to `folder`/dataset."""
    genuine, path = rng.choice(genuines), folder / "dataset"
    genuine.write(path)
    name = rng.choice((CARD, CARD, TRAIN, HELDOUT)) if kind == "edit" else rng.choice(list(genuine.files))
    data = genuine.files[name]
    if kind == "flip":
        new, text = file_edits.flip(data, rng)
        (path / name).write_bytes(new)
        return Damage(genuine, f"{genuine.name}: {name}", text)
    if rng.random() < 0.1:
        other = rng.choice(genuines)
        new, text = other.files[name], f"that of {other.name}"
    elif rng.random() < 0.1:
        new, text = file_edits.change_bytes(data, rng)
    elif name == CARD:
        new, text = file_edits.change_json(data, rng)
    else:
        return _rows(genuine, path, name, rng)
    (path / name).write_bytes(new)
    sealed = rng.random() < 0.75
    if sealed:
        _seal(path, rng)
    return Damage(genuine, f"{genuine.name}: {name}", f"{text}, {'sealed' if sealed else 'not sealed'}", sealed)


def _seal(path, rng):
    """Write the sum that goes with the card, or remove it."""
    write_sums(path, [CARD])
    if rng.random() < 0.2:
        (path / SUMS).unlink()


def _rows(genuine, path, name, rng):
    """Other rows, packed as they ought to be; most often with a card that gives their counts and their sums."""
    other_name = HELDOUT if name == TRAIN else TRAIN
    rows, others = (gzip.decompress(genuine.files[each]).splitlines(keepends=True) for each in (name, other_name))
    at = rng.randrange(len(rows))
    match rng.randrange(8):
        case 0:
            del rows[at]
            text = f"without row {at + 1}"
        case 1:
            rows.insert(rng.randrange(len(rows) + 1), rows[at])
            text = f"row {at + 1} repeated"
        case 2:
            rng.shuffle(rows)
            text = "the rows in another order"
        case 3:
            others.append(rows.pop(at))
            text = f"row {at + 1} moved to the other file"
        case 4:
            rows, others = others, rows
            text = "the rows of both files swapped"
        case 5:
            row = json.loads(rows[at])
            key = rng.choice(("prompt", "target"))
            row[key] = file_edits.change_text(row[key], rng).encode("utf-8", "replace").decode()
            rows[at] = json.dumps(row, ensure_ascii=False).encode() + b"\n"
            text = f"the {key} of row {at + 1} becomes {row[key]!r:.60}"
        case 6:
            new, text = file_edits.change_json(rows[at], rng)
            rows[at] = new.replace(b"\n", b"") + b"\n"
        case _:
            rows, text = [rows[at]] * 3, f"row {at + 1} three times, and no other"
    document = json.loads(genuine.files[CARD])
    sealed = rng.random() < 0.85
    for each, contents in ((name, rows), (other_name, others)):
        data = b"".join(contents)
        (path / each).write_bytes(gzip.compress(data, rng.choice((1, 9)), mtime=rng.choice((0, 1_000_000))))
        if sealed:
            document["files"][each] = {
                "pairs": len(contents),
                "bytes": len(data),
                "sha256": sha256(data).hexdigest(),
            }
    if sealed:
        (path / CARD).write_text(json.dumps(document, indent=2) + "\n")
        _seal(path, rng)
    return Damage(genuine, f"{genuine.name}: {name}", f"{text}, {'sealed' if sealed else 'not sealed'}", sealed)


def use(damage, folder):
    """The verdict of everything that reads a dataset."""
    genuine, path = damage.genuine, folder / "dataset"
    uses = {use.__name__: use(path) for use in USES}
    if uses["verify"] is None:
        if damage.sealed:
            return "refused"
        differing = [name for name, found in uses.items() if found is not None and found != genuine.uses[name]]
        if differing:
            raise Wrong(f"{', '.join(differing)} give something else, though `coc data verify` refuses it")
        return "refused"
    if uses["train"] == genuine.uses["train"] and uses["verify"] == genuine.uses["verify"]:
        return "harmless"
    _check_true(path)
    if uses["train"] == genuine.uses["train"]:
        return "note"
    if not damage.sealed:
        raise Wrong("it was accepted, and is another")
    return "announced"


def verify(path):
    """What `coc data verify` says of the card."""
    done = coc("data", "verify", path, "--json")
    if done.refused:
        return None
    document = json.loads(done.out)
    del document["seconds"], document["dataset"]
    return document


def train(path):
    """The training sets that `coc train --data` would learn from, without the name and the sum of the dataset."""
    try:
        sets = ReadPairs(Registry.installed(), [path]).sets()
    except (ArtefactError, UsageError):
        return None
    return [(each.dialect, each.train, each.heldout, each.sizes) for each in sets]


USES = (verify, train)


def _check_true(path):
    """Wrong unless the dataset's rows are those that its own card describes, written again from nothing."""
    dataset = Dataset.open(path)
    setting = setting_of(Registry.installed(), dataset)
    try:
        stream = PairStream(setting, dataset.card.spec)
        pairs = list(stream)
        held = stream.held_out()
    except CocError as error:
        raise Wrong(f"it is accepted, and its card describes no dataset: {error}") from None
    expected = [[pair for at, pair in enumerate(pairs) if (at in held) == which] for which in (False, True)]
    found = [[pair for _, pair in dataset.file(name)] for name in ("train", "heldout")]
    if found != expected:
        raise Wrong("it is accepted, and its rows are not those that its card describes")
