"""`coc check FOLDER`: what is wrong with a checkpoint that ships nowhere is told in one line, or by one check."""

import json
import shutil

import pytest

from coc_check.parts import CHECKPOINT_CHECKS, checks, registry_of
from coc_core.plugin import CheckpointSpec
from coc_core.storage import SUMS, sums_of
from tests.support.conformance import complaint_of, complaints_of, named
from tests.support.installed_plugins import REGISTRY

FEW = registry_of("core", "hanoi", "numpy", "transformer")
FILES = "files_are_whole"
SHIPPED = next(REGISTRY.folder(spec) for spec in REGISTRY.specs(CheckpointSpec) if spec.name == "hanoi-pda")


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(SHIPPED, tmp_path / "a checkpoint")


def seal(folder):
    names = {path.name for path in folder.iterdir()} - {SUMS}
    (folder / SUMS).write_bytes(sums_of({name: (folder / name).read_bytes() for name in names}))


def change(folder, **keys):
    config = json.loads((folder / "config.json").read_bytes())
    (folder / "config.json").write_text(json.dumps(config | keys))
    seal(folder)


def test_a_folder_is_checked_as_what_ships(folder):
    found = list(checks(FEW, str(folder)))
    assert len(found) == len(CHECKPOINT_CHECKS)
    assert complaints_of(found) == {}
    tried = found[0].tried
    assert tried["hanoi/stack"] == "216 prompts of n = 1-20"
    assert float(tried["hanoi/stack, smallest logit margin"]) > 1


def with_pickle(folder):
    (folder / "optimizer.pt").write_bytes(b"\x80\x04.")


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (with_pickle, "contains optimizer.pt, which may be a pickle"),
        (lambda folder: (folder / "config.json").write_text("[" * 100_000), "config.json"),
        (lambda folder: change(folder, backend="nobody"), "needs the backend 'nobody'"),
        (lambda folder: change(folder, dialects=[], sizes={}, tested={}), "names no dialect"),
    ],
)
def test_a_hostile_folder_gets_one_line(refused, folder, spoil, told):
    spoil(folder)
    assert told in refused(3, "check", folder)


def with_link(folder):
    (folder / "model.safetensors").rename(folder.parent / "elsewhere")
    (folder / "model.safetensors").symlink_to(folder.parent / "elsewhere")


def with_absurd_training(folder):
    change(folder, sizes={"hanoi/stack": [10**17, 10**18]})


@pytest.mark.parametrize(
    ("spoil", "check", "told"),
    [
        (with_link, FILES, "is not a regular file: it is a link"),
        (lambda folder: (folder / ".cache").mkdir(), FILES, ".cache' is not a regular file: Is a directory"),
        (lambda folder: (folder / "README.md").write_text("mine"), FILES, "README.md was changed"),
        (lambda folder: (folder / "metrics.jsonl").unlink(), FILES, "metrics.jsonl is missing, but is in SHA256SUMS"),
        (lambda folder: (folder / "notes.txt").touch(), FILES, "notes.txt was changed: its SHA-256 is not the one in"),
        (with_absurd_training, "identity_is_right", "100,000,000,000,000,000 to 1,000,000,000,000,000,000, and"),
    ],
)
def test_what_is_wrong_is_found_by_its_check(folder, spoil, check, told):
    spoil(folder)
    found = named(checks(FEW, str(folder)), check)
    assert told in complaint_of(found)
    assert found.command == f"coc check '{folder}' --kind model --only {check}"
