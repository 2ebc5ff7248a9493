"""Models on the Hub: fetched once for each commit, pinned, and nothing left of what can't be trusted."""

import json

import pytest
from huggingface_hub import constants

from tests.support.fake_hub import answer, listing
from tests.support.for_each import for_each

RUN = ("run", "-d", "hanoi", "-n", 2, "--json", "--model")


@pytest.fixture
def ran(coc):
    def run(model):
        done = coc(*RUN, model)
        assert done.code == 0, done.err
        return json.loads(done.out)["model"].partition(" ")[0]

    return run


def test_a_commit_is_fetched_once(hub, files, ran, tmp_path):
    extra = {"pytorch_model.bin": b"pickle", "a/config.json": b"{}", "../evil.json": b"{}", ".hidden.json": b"{}"}
    first = hub.commit("me/it", files | extra)
    assert ran("hub:me/it") == f"hub:me/it@{first}"
    kept = tmp_path / "home" / "coc" / "me" / "it" / first
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == files
    assert len(hub.requests) == 1 + len(files)
    assert ran("hub:me/it") == f"hub:me/it@{first}"
    assert ran(f"hub:me/it@{first}") == f"hub:me/it@{first}"
    assert hub.paths()[1 + len(files) :] == ["/api/models/me/it/revision/main"]
    second = hub.commit("me/it", files | {"notes.json": b"{}"})
    assert ran("hub:me/it") == f"hub:me/it@{second}"
    assert len(list(kept.parent.iterdir())) == 2


def test_a_pinned_commit_needs_no_network_a_second_time(hub, files, ran, monkeypatch):
    old = hub.commit("me/it", files)
    hub.commit("me/it", files | {"notes.json": b"{}"})
    assert ran(f"hub:me/it@{old}") == f"hub:me/it@{old}"
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:1")
    assert ran(f"hub:me/it@{old}") == f"hub:me/it@{old}"


def test_another_commit_than_the_pinned_one_is_refused(hub, files, refused, tmp_path):
    sha = hub.commit("me/it", files)
    hub.attack = lambda handler: answer(handler, 200, json.dumps(listing(sha, files)).encode())
    told = refused(3, *RUN, f"hub:me/it@{'0' * 40}")
    assert told == f"coc: error: the Hub's description of me/it is of the commit {sha}, not {'0' * 40}\n"
    assert not (tmp_path / "home").exists()


@for_each(
    "text", ["", "it", "me/it@", "me/it@main", "me/it@" + "g" * 40, "../it", "me/../it", "me/it/x", "a b/c", "é/x"]
)
def test_a_name_that_no_repository_has(hub, refused, text):
    assert "is no repository of the Hub; write hub:OWNER/NAME" in refused(2, *RUN, f"hub:{text}")
    assert hub.requests == []


@for_each(
    "document, complaint",
    [
        ([], "is not a JSON object"),
        ({}, "lacks 'sha'"),
        ({"sha": "../../x", "siblings": []}, "sha can't be '../../x'"),
        ({"sha": "0" * 40, "siblings": ["config.json"]}, "siblings[0] is 'config.json', not an object"),
        ({"sha": "0" * 40, "siblings": [{"rfilename": 7}, {}]}, "it has no config.json"),
        (listing("0" * 40, ["model.safetensors", "x/config.json", "../config.json"]), "it has no config.json"),
        (listing("0" * 40, ["config.json", *(f"{n}.json" for n in range(99))]), "it has more than 32 files"),
    ],
)
def test_a_description_that_is_none(hub, refused, tmp_path, document, complaint):
    hub.attack = lambda handler: answer(handler, 200, json.dumps(document).encode())
    assert complaint in refused(3, *RUN, "hub:me/it")
    assert not (tmp_path / "home").exists()


@for_each(
    "change, complaint",
    [
        ({"config.json": b"{"}, "/config.json is not strict JSON"),
        ({"model.safetensors": b"\x80\x04pickle"}, "/model.safetensors"),
        ({"tokenizer.json": b"{}"}, "/tokenizer.json"),
        ({"SHA256SUMS": b"x"}, "/SHA256SUMS is not a list"),
    ],
)
def test_a_damaged_checkpoint_leaves_nothing_behind(hub, files, refused, change, complaint, tmp_path):
    sha = hub.commit("me/it", files | change)
    told = refused(3, *RUN, "hub:me/it")
    assert f"me/it/resolve/{sha}{complaint}" in told
    assert str(tmp_path) not in told
    assert not (tmp_path / "home").exists()


def test_all_files_together_are_bounded(hub, files, refused, monkeypatch, tmp_path):
    hub.commit("me/it", files | {"big.json": b" " * (1 << 20)})
    monkeypatch.setenv("COC_MODEL_MEMORY", "1MiB")
    assert "bytes" in refused(3, *RUN, "hub:me/it")
    assert not (tmp_path / "home").exists()
