"""Every installed model and checkpoint keeps every promise, and each broken promise is found by its check, or told."""

import json
import re
import shutil

import pytest

from coc_check.model.subject import to_know
from coc_check.parts import CHECKS, checks, part_checks, registry_of
from coc_check.stage import Stage
from coc_core.errors import UsageError
from coc_core.plugin import CheckpointSpec, ModelSpec
from coc_core.setting import Setting
from coc_core.storage import SUMS, sums_of
from tests.support.conformance import QUICKEST, complaint_of, complaints_of, failures_of, named, names_of, offering
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY

MANY = len(CHECKS["model"])


@pytest.mark.slow
@pytest.mark.parametrize("name", names_of(CheckpointSpec))
def test_every_checkpoint_keeps_what_its_weights_could_break(name):
    """One and the same code calls each of them."""
    names = {"targets_are_the_policys", "targets_are_always_the_same"}
    checks = [check for check in part_checks(REGISTRY, "model", name) if check.name in names]
    assert len(checks) == len(names)
    assert complaints_of(checks) == {}


# ── checkpoints ───────────────────────────────────────────────────────────────────────────────────────────────────────

BACKEND = ModelSpec("faulty", "opens checkpoints", opener="tests.broken.faulty_models:open_shipped")


@pytest.fixture
def shipping(tmp_path, monkeypatch):
    """A registry with a backend and a checkpoint that ships: `shipping("Sound", "hanoi/stack")`."""

    def ship(model, *dialects, backend="faulty", text=None):
        package = tmp_path / "a_package_that_ships"
        (package / "small").mkdir(parents=True)
        (package / "__init__.py").touch()
        config = {"backend": backend, "dialects": dialects, "model": model}
        (package / "small" / "config.json").write_text(text or json.dumps(config))
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(__import__("sys").modules, package.name, raising=False)
        spec = CheckpointSpec("small", f"{package.name}:small", dialects, "small")
        return offering(BACKEND, spec, beside=(*QUICKEST, "pancake"))

    return ship


def test_a_checkpoint_is_checked_by_its_name_with_its_backend_and_in_its_folder(shipping, tmp_path):
    registry = shipping("Sound", "hanoi/stack", "pancake/stack")
    for found in (
        list(part_checks(registry, "model", "small")),
        list(part_checks(registry, "model", "faulty")),
        list(checks(registry, str(tmp_path / "a_package_that_ships" / "small"))),
    ):
        assert (len(found), complaints_of(found)) == (MANY, {})


@for_each("sizes", [(1, 20), (2, 4), (7, 9)])
def test_a_checkpoint_is_tried_on_the_sizes_that_it_was_trained_on(sizes):
    stage = Stage(Setting.of(REGISTRY, "hanoi", "pda", "symbolic"), ())
    (first, *_), _ = to_know(stage, range(sizes[0], sizes[1] + 1))
    assert f"n={sizes[0]} " in first.prompt


FIRST = "'INSTR CALL n=1 src=1 dst=3 aux=2'"


@pytest.mark.parametrize(
    ("model", "check", "complaint"),
    [
        ("Sound", "dialects_are_known", "nothing that is installed has the dialect 'chess/stack'"),
        (None, "every_prompt_gets_a_target", "nothing that is installed has a dialect of small"),
        ("Untaught", "targets_are_the_policys", rf"(.*) of \1 pairs are wrong: {FIRST} gets the target 'output move"),
        ("Garbles", "tokens_stand_for_the_texts", f"{FIRST} is decoded as {FIRST[:-2]}3'"),
        ("LacksALetter", "tokens_stand_for_the_texts", f"no token stands for 'x' in {FIRST}"),
        ("Ties", "margins_are_positive", "the margin of the target for 'INSTR CALL n=1 "),
    ],
)
def test_what_a_checkpoint_gets_wrong_is_found(shipping, model, check, complaint):
    dialects = ["hanoi/stack"] * (model is not None) + ["chess/stack"] * (model in ("Sound", None))
    checks = list(part_checks(shipping(model, *dialects), "model", "small"))
    assert failures_of(checks) == [check]
    assert re.match(complaint, complaint_of(named(checks, check)))


@pytest.mark.parametrize(
    ("domain", "memory", "described", "count"),
    [
        ("hanoi", "pda", "48 prompts of n = 1-6", 48),
        ("blocksworld", "heap", "all 8 prompts", 8),
        ("pancake", "tape", "653 prompts of n = 20,36,52,68,84,100", 653),
    ],
)
def test_the_pairs_are_listed_or_a_sample(domain, memory, described, count):
    stage = Stage(Setting.of(REGISTRY, domain, memory, "symbolic"), ())
    pairs, found = to_know(stage, None if memory != "tape" else range(20, 101))
    assert found.startswith(described)
    assert len(pairs) == count


@pytest.mark.parametrize("other", [{"backend": "another"}, {"text": "no JSON"}])
def test_what_has_no_checkpoint_or_many_models_cannot_be_checked(shipping, other):
    with pytest.raises(UsageError, match="the model 'faulty' needs a checkpoint, and none ships"):
        part_checks(shipping("Sound", "hanoi/stack", **other), "model", "faulty")
    with pytest.raises(UsageError, match="'openai' has many models, so there is none that could be checked"):
        part_checks(REGISTRY, "model", "openai")


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
    assert len(found) == MANY
    assert complaints_of(found) == {}
    tried = found[0].tried
    assert tried["hanoi/stack"] == "216 prompts of n = 1-20"
    assert float(tried["hanoi/stack, smallest logit margin"]) > 1


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (
            lambda folder: (folder / "optimizer.pt").write_bytes(b"\x80\x04."),
            "contains optimizer.pt, which may be a pickle",
        ),
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


@pytest.mark.parametrize(
    ("spoil", "check", "told"),
    [
        (with_link, FILES, "is not a regular file: it is a link"),
        (lambda folder: (folder / ".cache").mkdir(), FILES, ".cache' is not a regular file: it is no file"),
        (lambda folder: (folder / "README.md").write_text("mine"), FILES, "README.md was changed"),
        (lambda folder: (folder / "metrics.jsonl").unlink(), FILES, "metrics.jsonl is missing, but is in SHA256SUMS"),
        (lambda folder: (folder / "notes.txt").touch(), FILES, "notes.txt was changed: its SHA-256 is not the one in"),
    ],
)
def test_what_is_wrong_is_found_by_its_check(folder, spoil, check, told):
    spoil(folder)
    found = named(checks(FEW, str(folder)), check)
    assert told in complaint_of(found)
    assert found.command == f"coc check '{folder}' --kind model --only {check}"
