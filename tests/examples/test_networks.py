"""The networks in examples/: trained, checked, run, resumed after a kill, served; and to exactness, in minutes."""

import json
import re
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from coc_core.cli import main
from coc_transformer.files.snapshot import WorkingFolder
from coc_transformer.training import loop
from tests.support import forked_commands, serve_process
from tests.support.source_files import ROOT

EXAMPLES = {"gru.py:Gru": "width=16", "scan.py:Scan": "width=8", "llama.py:Llama": "width=16"}
MOST_LINES = 60


def words(network, out, *more):
    sets = ["steps=20", "warmup=5", "ema=0.9", "optimizer=muon", "prioritised_replay=0.25", EXAMPLES[network]]
    train = ["train", "-d", "hanoi", "-n", "1-4", "--holdout", "0", "--network", f"{ROOT}/examples/{network}"]
    return [*train, *(word for each in sets for word in ("--set", each)), "-o", str(out), *more]


@pytest.fixture(scope="module", params=EXAMPLES)
def trained(request, tmp_path_factory):
    """A training of twenty steps, and what chooses its model."""
    folder = tmp_path_factory.mktemp("trained") / "mine"
    assert main(words(request.param, folder)) == 0
    return SimpleNamespace(
        network=request.param, folder=folder, model=f"network:{ROOT}/examples/{request.param}@{folder}"
    )


@pytest.mark.parametrize("network", EXAMPLES)
def test_it_is_short(network):
    source = (ROOT / "examples" / network.partition(":")[0]).read_text()
    assert len(source.splitlines()) <= MOST_LINES
    assert "coc_" not in source


def test_it_learns(trained):
    lines = [json.loads(line) for line in (trained.folder / "metrics.jsonl").read_text().splitlines()]
    losses = [line["loss"] for line in lines if "loss" in line]
    assert losses[-1] < losses[0]


def test_it_runs_and_is_checked_and_measured(coc, trained):
    done = coc("run", "-d", "hanoi", "-n", 3, "--model", trained.model)
    assert done.code == 1
    assert "(network, " in done.out
    done = coc("check", trained.model, "--only", "targets_are_always_the_same")
    assert done.code == 0, done.out
    done = coc("eval", "-d", "hanoi", "-n", "2-3", "--exactness", "--model", trained.model)
    assert (done.code, "0 of 2" in done.out) == (1, True)


def test_it_is_served(trained):
    plugin = ROOT / "examples" / trained.network.partition(":")[0]
    with serve_process.serving("--model", trained.folder, "--plugin", plugin) as server:
        _, models = serve_process.call(server.port, "GET", "/v1/models")
        name = models["data"][0]["id"]
        status, document = serve_process.complete(server.port, name, "INSTR CALL n=1 src=1 dst=3 aux=2", max_tokens=4)
    assert status == 200, document
    assert isinstance(document["choices"][0]["text"], str)


@contextmanager
def killed_after(snapshots):
    """Kill a child once it has stored so many, one for every second step."""
    store, stored = WorkingFolder.store, []

    def counted(self, *arguments):
        store(self, *arguments)
        stored.append(arguments)
        if len(stored) == snapshots:
            forked_commands.kill()

    def prepare():
        loop.REPORT_INTERVAL, loop.SNAPSHOT_SECONDS, WorkingFolder.store = 2, 0, counted

    yield prepare


def test_it_is_resumed_after_a_kill_to_the_same_bits(trained, tmp_path):
    out = tmp_path / "mine"
    for more, snapshots in (((), 2), (("--resume",), 3)):
        with killed_after(snapshots) as prepare:
            assert forked_commands.wait(forked_commands.start(words(trained.network, out, *more), prepare)) == -9
    assert main(words(trained.network, out, "--resume")) == 0
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        assert (out / name).read_bytes() == (trained.folder / name).read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("network", EXAMPLES)
def test_the_documented_command_comes_to_exactness(coc, network, tmp_path):
    page = (ROOT / "docs/how-to/train.md").read_text()
    (found,) = re.findall(rf"coc (train .*examples/{re.escape(network)} .*)", page)
    given = [word.replace("examples/", f"{ROOT}/examples/") for word in found.split()]
    out = tmp_path / "mine"
    done = coc(*given[: given.index("--out")], "--out", out)
    assert "exact targets: 216 of 216 training pairs" in done.out
    done = coc("run", "-d", "hanoi", "-n", 20, "--model", f"network:{ROOT}/examples/{network}@{out}")
    assert (done.code, "1,048,575 actions, the known optimum" in done.out) == (0, True)
