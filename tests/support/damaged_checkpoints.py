"""Checkpoints, genuine and damaged, and what they are used for.

A checkpoint's weights can't be right or wrong in themselves. So another checkpoint is `announced` if its fingerprint,
which recordings keep and `--resume` compares, is another one; and whatever it answers, a run that it leads to its end is
a run that the machine takes. Only a checkpoint whose sums were written again may get so far; any other is refused.
It is a `note` if its answers are the same, and only its notes or its card differ.
"""

import json
import shutil
import struct
from functools import cache
from typing import Any

import numpy as np
from attrs import evolve, frozen

from coc_core.errors import ArtefactError, StepFault
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.setting import Setting
from coc_learn.datasets import DatasetSpec, PairStream
from coc_transformer.files import checkpoint
from tests.support import file_edits
from tests.support.checksums import SUMS, seal
from tests.support.damage_verdicts import Damage, Wrong, coc
from tests.support.damaged_recordings import check_true
from tests.support.random_checkpoints import untrained

NAME = "checkpoints"
_PROMPTS = 6


@frozen
class Genuine:
    """A checkpoint: its setting and its files, and what using it comes to."""

    name: str
    setting: tuple[str, str, str]
    files: dict[str, bytes]
    used: Any = None

    def write(self, folder):
        folder.mkdir()
        for name, data in self.files.items():
            (folder / name).write_bytes(data)


@frozen
class Used:
    """What a checkpoint answers, how a run with it ends, and what says which one it is."""

    answers: tuple[str, ...]
    outcome: tuple[Any, ...]
    fingerprint: str
    notes: tuple[Any, ...]


def make(folder):
    """The genuine checkpoints: two that ship, and four that nobody trained, one of them for two dialects."""
    registry = Registry.installed()
    shipped = {spec.name: registry.folder(spec) for spec in registry.specs(CheckpointSpec)}
    found = [
        Genuine("hanoi, shipped", ("hanoi", "pda", "symbolic"), _files(shipped["hanoi-pda"])),
        Genuine("pancake, shipped", ("pancake", "tape", "symbolic"), _files(shipped["pancake"])),
    ]
    for number, (tokens, setting, others) in enumerate(
        (
            ("digits", ("hanoi", "tape", "inline"), ()),
            ("merged", ("pancake", "pda", "symbolic"), ()),
            ("exact", ("blocksworld", "pda", "symbolic"), ()),
            ("exact", ("hanoi", "tape", "symbolic"), ("another/dialect",)),
        )
    ):
        dialect = _setting(setting).convention.dialect
        path = untrained(folder / f"{number}", [dialect, *others], list(_pairs(setting)), tokens=tokens)
        found.append(Genuine(f"{tokens} {setting[0]}", setting, _files(path)))
    work = folder / "checkpoint"
    used = []
    for genuine in found:
        genuine.write(work)
        used.append(evolve(genuine, used=_used(work, genuine.setting)))
        shutil.rmtree(work)
    return used


@cache
def _setting(names):
    return Setting.of(Registry.installed(), *names)


@cache
def _pairs(names):
    return tuple(PairStream(_setting(names), DatasetSpec(range(3, 5))))


def _files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def damage(genuines, kind, folder, rng):
    """Write a damaged checkpoint to `folder`/checkpoint."""
    genuine, path = rng.choice(genuines), folder / "checkpoint"
    genuine.write(path)
    name = rng.choice(list(genuine.files))
    if kind == "flip":
        data, text = file_edits.flip(genuine.files[name], rng)
        (path / name).write_bytes(data)
        return Damage(genuine, f"{genuine.name}: {name}", text)
    data = genuine.files[name]
    operation = rng.random()
    if operation < 0.1:
        other = rng.choice(genuines)
        data, text = other.files.get(name, b""), f"that of {other.name}"
    elif operation < 0.2:
        data, text = file_edits.change_bytes(data, rng)
    elif operation < 0.25:
        data, text = None, "removed"
    elif name == "tokenizer.json":
        data, text = _retokenise(data, rng)
    elif name == "model.safetensors":
        data, text = _reweigh(data, rng)
    elif name == "config.json":
        data, text = file_edits.change_json(data, rng)
    else:
        data, text = file_edits.change_bytes(data, rng)
    if data is None:
        (path / name).unlink()
    else:
        (path / name).write_bytes(data)
    sealed = rng.random() < 0.75 and name != SUMS
    if sealed:
        seal(path)
    # A folder without sums is like one from before there were any.
    sealed |= name == SUMS and data is None
    return Damage(genuine, f"{genuine.name}: {name}", f"{text}, {'sealed' if sealed else 'not sealed'}", sealed)


def _retokenise(data, rng):
    """Tokens that change places, merges in another order, a token more or less; or any edit of the JSON."""
    document = json.loads(data)
    vocab, merges = document["model"]["vocab"], document["model"]["merges"]
    match rng.randrange(6):
        case 0 | 1:
            one, other = rng.sample(list(vocab), 2)
            vocab[one], vocab[other] = vocab[other], vocab[one]
            text = f"{one!r} and {other!r} swapped"
        case 2 if merges:
            rng.shuffle(merges)
            text = "the merges in another order"
        case 3 if merges:
            merges.pop(rng.randrange(len(merges)))
            text = "a merge less"
        case 4:
            one = rng.choice(list(vocab))
            vocab[rng.choice((one + "x", "\x1b[2J", "q" * 1000, " "))] = vocab.pop(one)
            text = f"{one!r} is another token"
        case _:
            return file_edits.change_json(data, rng)
    return json.dumps(document, ensure_ascii=False).encode(), text


def _reweigh(data, rng):
    """Tensors that are renamed, swapped, transposed, permuted, zeroed or not finite; or any edit of the header."""
    length = struct.unpack("<Q", data[:8])[0]
    header, body = json.loads(data[8 : 8 + length]), bytearray(data[8 + length :])
    name = rng.choice(list(header))
    begin, end = header[name]["data_offsets"]
    numbers = np.frombuffer(bytes(body[begin:end]), "<f4").copy()
    match rng.randrange(9):
        case 0:
            other = rng.choice(list(header))
            header[name], header[other] = header[other], header[name]
            text = f"{name} and {other} swapped"
        case 1:
            header[name + "x"] = header.pop(name)
            text = f"{name} renamed"
        case 2:
            shape = header[name]["shape"]
            numbers, text = numbers.reshape(shape).T.copy().ravel(), f"{name} transposed"
        case 3:
            numbers, text = np.random.default_rng(rng.randrange(99)).permutation(numbers), f"{name} permuted"
        case 4:
            numbers[:], text = 0, f"{name} zeroed"
        case 5:
            numbers[rng.randrange(len(numbers))] = rng.choice((np.nan, np.inf, -np.inf))
            text = f"{name} not finite"
        case 6:
            numbers *= rng.choice((-1, 1.001, 1e30, 1e-30))
            text = f"{name} scaled"
        case 7:
            numbers[rng.randrange(len(numbers))] += rng.choice((1e-3, 1, 1e38))
            text = f"a number of {name} changed"
        case _:
            changed, text = file_edits.change_json(json.dumps(header).encode(), rng)
            return struct.pack("<Q", len(changed)) + changed + body, text
    body[begin:end] = numbers.astype("<f4").tobytes()
    new = json.dumps(header).encode()
    return struct.pack("<Q", len(new)) + new + body, text


def use(damage, folder):
    """The verdict of opening a checkpoint, asking it and running it."""
    genuine, path = damage.genuine, folder / "checkpoint"
    try:
        used = _used(path, genuine.setting)
    except ArtefactError as error:
        if "README.md" not in str(error) and not coc(*_command(path, genuine.setting)).refused:  # `run` reads no card
            raise Wrong(f"`coc run` accepts what was refused: {error}") from None
        return "refused"
    if used == genuine.used:
        return "harmless"
    if not damage.sealed:
        raise Wrong(f"it is used: {_difference(used, genuine.used)}")
    if used.fingerprint == genuine.used.fingerprint and used.answers != genuine.used.answers:
        raise Wrong("it answers otherwise under the same fingerprint")
    return "note" if used.answers == genuine.used.answers and used.outcome == genuine.used.outcome else "announced"


def _difference(one, other):
    names = ("answers", "outcome", "fingerprint", "notes")
    return ", ".join(name for name in names if getattr(one, name) != getattr(other, name))


def _used(path, names):
    setting = _setting(names)
    card = checkpoint.read_card(path)
    model = setting.model(str(path))
    model.choice = ""  # the place, which is another one for each damage
    prompts = [pair.prompt for pair in _pairs(names)[:_PROMPTS]]
    answers = tuple(repr(_answer(model, prompt)) for prompt in prompts)
    record = dict(model.record)
    fingerprint = record.pop("fingerprint")
    record.pop("threads", None)  # of this process, which may have changed them
    run = path.with_name("run")
    done = coc(*_command(path, names), "--save", run, "--json")
    if done.refused:
        raise Wrong(f"`coc run` refuses what was opened: {done.err}")
    check_true(run)
    run.unlink()
    document = json.loads(done.out)
    outcome = tuple(repr(document[name]) for name in ("outcome", "fault", "steps", "actions"))
    return Used(answers, outcome, fingerprint, (card, record, model.describe(), model.trained_sizes))


def _command(path, names):
    domain, memory, arith = names
    return ["run", "-d", domain, "-m", memory, "-a", arith, "-n", 3, "--max-steps", 40, "--model", path]


def _answer(model, prompt):
    try:
        return model.complete([prompt])[0]
    except StepFault as fault:
        return fault.kind
