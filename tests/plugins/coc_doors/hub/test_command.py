"""`coc push`: what is sent, and what is not."""

import json
import shutil

import pytest

from coc_core.plugin import Registry
from coc_core.setting import checkpoint_folder
from tests.support.fake_hub import answer
from tests.support.for_each import for_each


@pytest.fixture
def known(hub, monkeypatch):
    """A hub that knows the user."""
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    return hub


@pytest.fixture
def folder(tmp_path):
    """A checkpoint in a folder."""
    return shutil.copytree(checkpoint_folder(Registry.installed(), "hanoi-pda"), tmp_path / "mine")


def test_what_is_pushed_runs(known, files, coc):
    done = coc("push", "hanoi-pda", "me/it", "--private")
    assert done.code == 0, done.err
    ((sha, sent),) = known.repositories["me/it"].items()
    assert sent == files
    assert done.out == f"me/it: {len(files)} files, commit {sha}\n  coc run --model hub:me/it@{sha}\n"
    assert done.err == ""
    assert {token for method, _, token in known.requests if method == "POST"} == {"Bearer hf_secret"}
    assert coc("run", "-d", "hanoi", "-n", 2, "--model", f"hub:me/it@{sha}").code == 0


def test_only_a_checkpoints_files_go_along(known, files, coc, folder):
    (folder / ".env.json").write_text("{}")
    (folder / "notes.txt").write_text("mine")
    (folder / "deep").mkdir()
    (folder / "deep" / "config.json").write_text("{}")
    done = json.loads(coc("push", folder, "me/it", "--json").out)
    ((sha, sent),) = known.repositories["me/it"].items()
    assert sent == files
    assert done == {"repository": "me/it", "commit": sha, "model": f"hub:me/it@{sha}", "files": sorted(files)}


@for_each(
    "name, content, complaint",
    [
        ("config.json", b"{", "is not strict JSON"),
        ("model.safetensors", b"", "model.safetensors"),
        ("metrics.jsonl", b"{}", "metrics.jsonl was changed"),
        ("README.md", b"mine", "README.md was changed"),
        ("model.pt", b"", "may be a pickle"),
    ],
)
def test_a_damaged_checkpoint_is_not_sent(known, refused, tmp_path, name, content, complaint):
    mine = shutil.copytree(checkpoint_folder(Registry.installed(), "hanoi-pda"), tmp_path / "mine")
    (mine / name).write_bytes(content)
    assert complaint in refused(3, "push", mine, "me/it")
    assert known.requests == []


def test_a_link_is_not_followed(known, refused, folder, tmp_path):
    (tmp_path / "secret").write_text("{}")
    (folder / "notes.json").symlink_to(tmp_path / "secret")
    (folder / "SHA256SUMS").unlink()
    assert "can't read" in refused(3, "push", folder, "me/it")
    assert known.requests == []


@for_each(
    "arguments, code, complaint",
    [
        (("hanoi-pda", "it"), 2, "'it' is no name of a repository; write OWNER/NAME"),
        (("nobody", "me/it"), 2, "unknown model 'nobody'"),
        (("/nowhere/at/all", "me/it"), 3, "is not a checkpoint"),
    ],
)
def test_what_can_not_be_pushed(known, refused, arguments, code, complaint):
    assert complaint in refused(code, "push", *arguments)
    assert known.requests == []


def test_without_a_token_the_line_says_what_to_do(hub, refused):
    assert "run `hf auth login`, or set HF_TOKEN" in refused(2, "push", "hanoi-pda", "me/it")
    assert hub.requests == []


@for_each(
    "status, body",
    [(403, b"{}"), (400, b'{"error": "no\\nname"}'), (200, b"{}"), (200, b"[]"), (200, b"nonsense")],
)
def test_a_hub_that_refuses_or_answers_nonsense(known, refused, status, body):
    known.attack = lambda handler: answer(handler, status, body)
    told = refused(8, "push", "hanoi-pda", "me/it")
    assert told.startswith(f"coc: error: {known.url} can't be used: ")
    assert "hf_secret" not in told
