"""A checkpoint of a user's network: it is opened with the network that is named, and never imports one itself."""

import json
import shutil
import sys
from types import SimpleNamespace

import pytest

from coc_core.models import read_config
from coc_core.plugin import FileLoader
from tests.support.checksums import seal
from tests.support.networks import Stepping

TRAIN = ["train", "-d", "hanoi", "-n", "1-4", "--holdout", "0", "--set", "steps=3", "--set", "rate=0.25"]
NETWORK = "tests.support.networks:Stepping"
PLUGIN = """
from coc_core.plugin import ModelSpec, hookimpl
from coc_transformer.entry import network_opener, network_trainer

open_it, train_it = network_opener("tests.support.networks:Sums"), network_trainer("tests.support.networks:Sums")


@hookimpl
def coc_models():
    name = __name__
    return [ModelSpec("sums", summary="sums", opener=f"{name}:open_it", trainer=f"{name}:train_it")]
"""


@pytest.fixture(autouse=True)
def forgotten():
    """What a test has loaded as a plugin is not there in the next one."""
    yield
    for name, module in list(sys.modules.items()):
        if isinstance(getattr(module, "__loader__", None), FileLoader):
            del sys.modules[name]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    from coc_core.cli import main

    folder = tmp_path_factory.mktemp("own") / "mine"
    assert main([*TRAIN, "--network", NETWORK, "-o", str(folder)]) == 0
    return folder


@pytest.fixture
def copy(trained, tmp_path):
    """A copy of it, and what changes its `config.json`."""
    folder = shutil.copytree(trained, tmp_path / "mine")

    def change(**values):
        config = json.loads((folder / "config.json").read_text())
        config["model"] |= values.pop("model", {})
        (folder / "config.json").write_text(json.dumps(config | values))
        seal(folder)

    return SimpleNamespace(folder=folder, change=change)


def test_what_its_folder_says(trained):
    identity, config = read_config(trained)
    assert (identity.backend, identity.dialects) == ("network", ("hanoi/stack",))
    assert config["network"] == "networks:Stepping"
    values = {"width": 8, "rate": 0.25, "deep": False, "kind": "sum"}
    assert config["model"] == {"vocab": config["model"]["vocab"], "max_len": 96, "config": values}
    assert {"lr", "steps", "seed"} <= set(config["training"])
    assert not {"positions", "heads", "width", "architecture"} & set(config["training"])
    card = (trained / "README.md").read_text()
    assert card.startswith("# A network `networks:Stepping` for hanoi/stack\n")
    assert "width 8, rate 0.25, deep False, kind sum |" in card


def test_it_runs_with_the_network_that_is_named(coc, trained):
    for network in (NETWORK, "tests/support/networks.py:Stepping"):
        done = coc("run", "-d", "hanoi", "-n", 2, "--model", f"network:{network}@{trained}")
        assert (done.code, done.err) == (1, "")
        assert f"1 model call to network:{network}@{trained} (network, " in done.out


def test_it_names_no_network_to_import(coc, copy, tmp_path, monkeypatch):
    (tmp_path / "evil.py").write_text("open('touched', 'w')")
    monkeypatch.chdir(tmp_path)
    for name in ("evil:Stepping", "evil.py:Stepping", f"{tmp_path}/evil.py:Evil"):
        copy.change(network=name)
        for words in (["run", "-d", "hanoi", "--model", "mine"], ["check", "mine"]):
            assert coc(*words).code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evil.py", "mine"]
    assert "evil" not in sys.modules


def test_it_is_refused_without_its_network(refused, trained):
    told = refused(2, "run", "-d", "hanoi", "--model", trained)
    assert f"the checkpoint {trained} is of the network networks:Stepping, which is code" in told
    assert f"load --plugin networks.py, or choose --model network:MODULE:CLASS@{trained}" in told


def test_a_file_that_is_loaded_as_a_plugin_names_it(coc, refused, trained, tmp_path):
    plugin, other = tmp_path / "nets_of_ours.py", tmp_path / "sums_only.py"
    plugin.write_text("from tests.support.networks import Stepping, Sums\n")
    other.write_text("from tests.support.networks import Sums as Stepping\n")
    run = ["run", "-d", "hanoi", "-n", 2, "--model", trained]
    assert "which is code" in refused(2, *run, "--plugin", other)
    assert coc(*run, "--plugin", plugin).code == 1


@pytest.mark.parametrize(
    ("network", "code", "reason"),
    [
        ("tests.support.networks:Sums", 3, "is of the network networks:Stepping, not networks:Sums"),
        ("tests.support.networks:Silent", 4, "has no forward"),
        ("", 2, "names no network and checkpoint; write network:MODULE:CLASS@FOLDER"),
    ],
)
def test_it_is_refused_with_another(refused, trained, network, code, reason):
    assert reason in refused(code, "run", "-d", "hanoi", "--model", f"network:{network}@{trained}")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"network": 3}, "config.json names no network"),
        ({"networks": []}, "has the unknown key 'networks'"),
        ({"model": {"config": {"width": 8, "depth": 3}}}, "has the unknown key 'depth'"),
        ({"model": {"config": {"width": "8"}}}, "width is '8', not a whole number"),
        ({"model": {"config": {"width": 16}}}, "'shape': [88, 8]"),
        ({"model": {"config": {"width": 10**12}}}, "has more than 1,000,000,000 parameters"),
        ({"model": {"config": {"width": 20_000}}}, "MiB of memory, and 1,024 MiB are allowed"),
        ({"model": {"config": {"width": -1}}}, ""),
        ({"model": {"vocab": 9}}, "'vocab' is 9"),
        ({"model": {"vocab": 0}}, "'vocab' must be >= 8"),
        ({"model": {"max_len": 10**9}}, "'max_len' must be <="),
        ({"model": {"layers": 3}}, "has the unknown key 'layers'"),
    ],
)
def test_what_is_wrong_with_its_folder(refused, copy, changes, reason):
    copy.change(**changes)
    code = 3 if reason else 4
    assert reason in refused(code, "run", "-d", "hanoi", "--model", f"network:{NETWORK}@{copy.folder}")


def test_it_is_trained_further_with_the_same_network(coc, refused, trained, tmp_path):
    out = tmp_path / "out"
    further = ["train", "-d", "hanoi", "-n", "1-4", "--set", "steps=2", "--init", trained, "-o", out]
    assert "is of the backend network, and this training of transformer; give" in refused(2, *further)
    assert "is of the network networks:Stepping, not networks:Sums" in refused(
        3, *further, "--network", "tests.support.networks:Sums"
    )
    assert "has rate 0.25, and this training 0.5" in refused(2, *further, "--network", NETWORK)
    assert coc(*further, "--network", NETWORK, "--set", "rate=0.25").code == 0
    assert "| initial weights | those of the checkpoint mine, SHA-256 " in (out / "README.md").read_text()


def test_from_python_a_class_is_enough(tmp_path):
    import coc_core as coc

    found = coc.train(
        "hanoi", sizes="1-4", network=Stepping, hyperparameters={"steps": 2, "deep": True}, out=tmp_path / "out"
    )
    assert found.report.steps == 2
    assert "network=Stepping" in (tmp_path / "out/README.md").read_text()
    run = coc.run("hanoi", n=2, model=f"network:{NETWORK}@{tmp_path / 'out'}")
    assert run.outcome.status == "fault"


def test_a_network_that_a_plugin_offers(coc, refused, tmp_path):
    plugin, out = tmp_path / "sums_of_ours.py", tmp_path / "out"
    plugin.write_text(PLUGIN)
    done = coc(*TRAIN, "--plugin", plugin, "--model", "sums", "-o", out)
    assert done.code == 0, done.err
    assert json.loads((out / "config.json").read_text())["backend"] == "sums"
    assert coc("run", "-d", "hanoi", "-n", 2, "--plugin", plugin, "--model", out).code == 1
    assert "needs the backend 'sums', which is not installed" in refused(3, "run", "-d", "hanoi", "--model", out)
