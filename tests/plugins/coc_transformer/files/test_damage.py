"""Damaged checkpoints are refused, and forged ones show that they are others.

A checkpoint's weights can't be right or wrong in themselves. So a forged one must have another fingerprint, which
recordings keep and `--resume` compares, or answer as before; and a run that it leads to its end is one that the machine takes.
"""

import json
import struct
from functools import cache

import pytest

from coc_core.errors import ArtefactError, StepFault
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.setting import Setting
from coc_learn.datasets import DatasetSpec, teacher_pairs
from tests.support import damage
from tests.support.checksums import seal
from tests.support.damage import Wrong, check_recording
from tests.support.random_checkpoints import untrained

SHIPPED = {"hanoi-pda": ("hanoi", "pda", "symbolic"), "pancake": ("pancake", "tape", "symbolic")}
UNTRAINED = (
    ("digits", ("hanoi", "tape", "inline"), ()),
    ("merged", ("pancake", "pda", "symbolic"), ()),
    ("exact", ("hanoi", "tape", "symbolic"), ("another/dialect",)),
)
WEIGHTS = "model.safetensors"


@cache
def _setting(names):
    return Setting.of(Registry.installed(), *names)


@cache
def _pairs(names):
    return tuple(teacher_pairs(_setting(names), DatasetSpec(range(3, 5)).drawn(_setting(names))))


class Checkpoints(damage.Kind):
    """Checkpoints that ship, and some that nobody trained. The header of the weights is a part."""

    def make(self, folder):
        registry = Registry.installed()
        for spec in registry.specs(CheckpointSpec):
            if spec.name in SHIPPED:
                yield " ".join(SHIPPED[spec.name]), _files(registry.folder(spec))
        for number, (tokens, names, others) in enumerate(UNTRAINED):
            dialects = [_setting(names).convention.dialect, *others]
            path = untrained(folder / f"{number}", dialects, list(_pairs(names)), tokens=tokens)
            yield " ".join(names), _files(path)

    def parts(self, files):
        data = files[WEIGHTS]
        return {**files, "header": data[8 : 8 + struct.unpack("<Q", data[:8])[0]]}

    def put(self, path, name, data, sealed):
        if name == "header":
            weights = (path / WEIGHTS).read_bytes()
            body = weights[8 + struct.unpack("<Q", weights[:8])[0] :]
            name, data = WEIGHTS, struct.pack("<Q", len(data)) + data + body
        (path / name).write_bytes(data)
        if sealed:
            seal(path)

    def use(self, folder, genuine):
        domain, memory, arith = names = tuple(genuine.name.split())
        words = ("run", "-d", domain, "-m", memory, "-a", arith, "-n", 3, "--max-steps", 40, "--model", folder / "a")
        printed = damage.coc(*words, "--save", folder / "run", "--json")
        document = None if printed is None else json.loads(printed)
        run = document and [repr(document[name]) for name in ("outcome", "fault", "steps", "actions")]
        return {"run": run, **self._opened(folder / "a", names)}

    def _opened(self, path, names):
        """What a checkpoint answers, and what says which one it is."""
        try:
            model = _setting(names).model(str(path))
            model.choice = ""  # the place, which is another one for each damage
            answers = [_answer(model, pair.prompt) for pair in _pairs(names)[:6]]
        except ArtefactError:
            return {"answers": None, "fingerprint": None, "notes": None}
        record = dict(model.record)
        record.pop("threads", None)  # of this process, which may have changed them
        fingerprint = record.pop("fingerprint")
        return {
            "answers": answers,
            "fingerprint": fingerprint,
            "notes": (record, model.describe(), model.trained_sizes),
        }

    def check(self, folder, uses, genuine):
        if uses["run"]:
            check_recording(folder / "run")
        if uses["fingerprint"] == genuine.uses["fingerprint"] and uses["answers"] != genuine.uses["answers"]:
            raise Wrong("it answers otherwise under the same fingerprint")


def _files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _answer(model, prompt):
    try:
        return repr(model.complete([prompt])[0])
    except StepFault as fault:
        return fault.kind


@pytest.mark.slow
def test_no_damaged_checkpoint_is_taken_for_the_genuine_one(tmp_path):
    verdicts, wrong = damage.survey(Checkpoints(), tmp_path, 25)
    assert wrong == [], "\n".join(wrong)
    assert {"refused", "true"} <= verdicts.keys()
