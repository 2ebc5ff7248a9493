"""`coc export` and `coc import`: the lines, the documents, the exit codes, and the program in the README."""

import json
import re
import subprocess
import sys

import pytest

from coc_core.errors import UsageError
from coc_core.plugin import CheckpointSpec
from coc_core.setting import Setting
from coc_learn.addresses.dialect import ADDRESS_DIALECT
from coc_learn.addresses.pairs import address_pairs
from coc_learn.interchange import Interchange
from coc_problems import closure
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.random_checkpoints import untrained

SHIPPED = REGISTRY.specs(CheckpointSpec)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    setting = Setting.of(REGISTRY, "hanoi", "pda", "symbolic")
    pairs = list(closure(setting.convention, [setting.domain.problem(n) for n in range(1, 9)]))
    return untrained(tmp_path_factory.mktemp("export") / "checkpoint", ["hanoi/stack"], pairs)


def files(folder):
    """All that a checkpoint is: not the metrics, which its training left behind, nor their sum."""
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "metrics.jsonl"}
    sums = found["SHA256SUMS"].splitlines()
    return found | {"SHA256SUMS": [line for line in sums if not line.endswith(b"metrics.jsonl")]}


def test_there_and_back(coc, checkpoint, tmp_path):
    done = coc("export", checkpoint, "--to", "transformers", tmp_path / "out")
    assert (done.code, done.err) == (0, "")
    first, second = done.out.splitlines()
    assert first == f"{tmp_path}/out: {checkpoint} for transformers"
    assert re.fullmatch(
        r"  transformers and coc agree on \d+ prompts of hanoi/stack \([\d,]+ tokens\):"
        r" the same targets, and logits within [\d.e-]+",
        second,
    )
    done = coc("import", tmp_path / "out", "--dialect", "hanoi/stack", "-o", tmp_path / "back")
    assert (done.code, done.out, done.err) == (0, f"{tmp_path}/back: a checkpoint for hanoi/stack\n", "")
    assert files(tmp_path / "back") == files(checkpoint)


def test_the_documents(coc, checkpoint, tmp_path):
    document = json.loads(coc("export", checkpoint, tmp_path / "out", "--json").out)
    assert 0 <= document.pop("difference") <= 1e-4
    assert document.pop("prompts") <= 64
    assert document.pop("tokens") > 300
    assert document == {"export": str(tmp_path / "out"), "format": "transformers", "dialect": "hanoi/stack"}
    done = coc("import", tmp_path / "out", "-o", tmp_path / "back", "--json")
    assert json.loads(done.out) == {
        "checkpoint": str(tmp_path / "back"),
        "backend": "transformer",
        "dialects": ["hanoi/stack"],
    }


def written_by(readme):
    """What the program in an export's README prints, and what the README says is right."""
    text = (readme / "README.md").read_text()
    (program,), (right,) = (re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL) for kind in ("python", "text"))
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=readme, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, right


@pytest.mark.slow
@pytest.mark.parametrize("spec", SHIPPED, ids=lambda spec: spec.name)
def test_a_shipped_checkpoint_is_exported_or_refused_for_what_it_is(coc, tmp_path, spec):
    config = json.loads((REGISTRY.folder(spec) / "config.json").read_text())
    model, tokens = config["model"], config["training"].get("tokens")
    done = coc("export", spec.name, tmp_path / "out")
    if len(spec.dialects) > 1 or model.get("positions") != "absolute" or model.get("token_shift") or tokens == "exact":
        assert done.code == 2, done.err
        assert "can't become a GPT-2" in done.err or "dialects" in done.err
        assert not (tmp_path / "out").exists()
        return
    assert done.code == 0, done.err
    answer, right = written_by(tmp_path / "out")
    assert answer == right
    assert coc("import", tmp_path / "out", "-o", tmp_path / "back").code == 0
    assert files(tmp_path / "back") == files(REGISTRY.folder(spec))


def test_a_model_for_sums_is_exported_too(coc, tmp_path):
    folder = untrained(tmp_path / "sums", [ADDRESS_DIALECT], list(address_pairs(seed=1, count=2_000)))
    done = coc("export", folder, tmp_path / "out")
    assert "transformers and coc agree on 64 prompts of arithmetic" in done.out


def with_config(folder, **changes):
    folder.mkdir()
    config = {"backend": "transformer", "dialects": ["hanoi/stack"], **changes}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


@for_each(
    ("changes", "code", "reason"),
    [
        ({"dialects": []}, 2, "has 0 dialects, but an export must have one"),
        ({"dialects": ["hanoi/stack", "pancake/stack"]}, 2, "has 2 dialects, but an export must have one"),
        ({"dialects": ["hanoi/queue"]}, 2, "no installed domain has the dialect 'hanoi/queue'"),
        (
            {"dialects": ["chess/stack"]},
            2,
            "no installed domain has the dialect 'chess/stack'; install the plugin of its domain",
        ),
        ({"dialects": ["\x1b[31m/stack"]}, 2, r"no installed domain has the dialect '\x1b[31m/stack'"),
        ({"backend": "parrot"}, 2, "the model 'parrot' can't be written in another library's format"),
        ({"backend": "gone"}, 2, "unknown model 'gone'"),
        ({}, 3, "'model' is None, not an object"),
        ({"dialects": 3}, 3, "dialects is 3, not a list"),
    ],
)
def test_a_checkpoint_that_cannot_be_exported(refused, with_plugins, tmp_path, changes, code, reason):
    with_plugins(("fake", "tests.support.fake_plugin"))
    folder = with_config(tmp_path / "checkpoint", **changes)
    assert reason in refused(code, "export", folder, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@for_each(
    ("arguments", "code", "reason"),
    [
        (("export", "hanoi-pd", "out"), 2, "unknown model 'hanoi-pd', and no folder of that name; did you mean"),
        (("export", "no/where", "out"), 3, "no/where is not a checkpoint"),
        (("import", "no/where", "-o", "out"), 3, "no/where is not an export"),
        (
            ("import", "no/where", "-o", "out", "--model", "reference"),
            2,
            "can't be written in another library's format",
        ),
        (("import", "no/where", "-o", "out", "--from", "onnx"), 2, "unknown format 'onnx'; choose from transformers"),
        (("import", "no/where"), 2, "Missing option '--out'"),
    ],
)
def test_bad_input_is_refused_in_one_line(refused, arguments, code, reason):
    assert reason in refused(code, *arguments)


def test_a_folder_may_be_named_without_a_slash(coc, checkpoint, tmp_path, monkeypatch):
    monkeypatch.chdir(checkpoint.parent)
    assert coc("export", "checkpoint", tmp_path / "out").code == 0


def test_an_unknown_format_is_refused_before_the_backend_is_asked(tmp_path):
    class Nothing(Interchange):
        def formats(self):
            return {"b": "", "a": ""}

        def _exports(self, checkpoint, target, out, pairs):
            raise AssertionError

        def _imports(self, folder, source, out, dialect):
            raise AssertionError

    with pytest.raises(UsageError, match="unknown format 'c'; choose from a, b"):
        Nothing().exports(tmp_path, "c", tmp_path, [])
    with pytest.raises(UsageError, match="unknown format 'c'"):
        Nothing().imports(tmp_path, "c", tmp_path)
