"""Configurations, folders and checkpoints of transformers that are refused, in one line and before memory is taken."""

import json
import shutil
import sys

import numpy as np
import pytest
import torch

from coc_core.errors import ArtefactError, UsageError
from coc_core.extras import install_command
from coc_core.setting import Setting
from tests.support.causal_configs import train, write
from tests.support.checksums import seal
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY

SETTING = Setting.of(REGISTRY, "hanoi", "pda", "symbolic")
TERABYTE = {"hidden_size": 65_536, "intermediate_size": 262_144, "num_attention_heads": 64, "num_hidden_layers": 20}


@pytest.mark.parametrize(
    ("kind", "changes", "told"),
    [
        ("llama", TERABYTE, "parameters, which is what the memory allows"),
        ("llama", {"num_hidden_layers": 10**9}, "'num_hidden_layers' is 1e+09, which is too large"),
        ("llama", {"attention_types": [[["global"], 10**9]]}, "'attention_types' is 1e+09, which is too large"),
        ("llama", {"vocab_size": 10**30}, "'vocab_size' is 1e+30, which is too large"),
        ("llama", {"auto_map": {"AutoModelForCausalLM": "evil.Model"}}, "names code of its own, which coc never runs"),
        ("llama", {"quantization_config": {"bits": 4}}, "is of quantised weights"),
        ("llama", {"hidden_size": "wide"}, "transformers refuses"),
        ("nonesuch", {}, "the model type 'nonesuch' is no causal language model"),
        (None, {}, "it has no 'model_type'"),
        ("llama", {"to_json_string": "x"}, "transformers refuses"),
    ],
)
def test_a_configuration_is_refused(tmp_path, kind, changes, told):
    network = write(tmp_path / "config.json", "llama", **{"model_type": kind, **changes})
    with pytest.raises(ArtefactError) as found:
        train(tmp_path / "out", network)
    assert told in str(found.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.json"]


@for_each(
    ("network", "hyperparameters", "told"),
    [
        ("", {"max_len": 129}, "'max_len' 129 is more than the 128 positions of the configuration"),
        ("", {"tokens": "exact"}, "transformers can't read tokens=exact, which rewrites numbers; set tokens=digits"),
        ("hf:", {}, "'hf:.' is no configuration; write hf:CONFIG.json"),
        ("hf:no/such.json", {}, "'hf:no/such.json' is no configuration"),
    ],
)
def test_what_can_not_be_trained_is_refused(tmp_path, network, hyperparameters, told):
    with pytest.raises(UsageError) as found:
        train(tmp_path / "out", network or write(tmp_path / "config.json"), **hyperparameters)
    assert told in str(found.value)


def test_without_the_library_its_command_is_given(tmp_path, monkeypatch):
    network = write(tmp_path / "config.json")
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(UsageError, match="networks of transformers need the package transformers") as found:
        train(tmp_path / "out", network)
    assert found.value.remedy == install_command("transformers")


def with_pickle(folder):
    torch.save({}, folder / "pytorch_model.bin")


def with_broken_tokenizer(folder):
    (folder / "tokenizer.json").write_text('{"model": 1}')


def test_several_dialects_are_refused(tmp_path, refused):
    network = write(tmp_path / "config.json")
    words = ["-n", "1-3", "--holdout", "0", "--network", network, "--set", "steps=2", "-o", tmp_path / "out"]
    told = refused(2, "train", "-d", "hanoi", "-m", "pda", "-m", "tape", *words)
    assert "transformers can't tell 2 dialects apart" in told


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("causal")
    train(folder / "out", write(folder / "config.json"))
    return folder / "out"


def changed(folder, **keys):
    config = json.loads((folder / "config.json").read_bytes())
    (folder / "config.json").write_text(json.dumps(config | keys))


def with_nan(folder):
    data = bytearray((folder / "model.safetensors").read_bytes())
    data[-4:] = np.float32("nan").tobytes()
    (folder / "model.safetensors").write_bytes(data)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda folder: changed(folder, **TERABYTE), "which is what the memory allows"),
        (lambda folder: changed(folder, hidden_size=64), "'shape':"),
        (lambda folder: changed(folder, auto_map={"AutoConfig": "evil.Config"}), "names code of its own"),
        (lambda folder: changed(folder, vocab_size=95), "tokens, and"),
        (lambda folder: changed(folder, model={"max_len": 4096}), "is more than the 128 positions"),
        (with_nan, "not finite"),
        (with_pickle, "may be a pickle"),
        (with_broken_tokenizer, "tokenizer.json"),
    ],
)
def test_a_checkpoint_is_refused(trained, tmp_path, spoil, told):
    folder = shutil.copytree(trained, tmp_path / "copy")
    spoil(folder)
    seal(folder)
    with pytest.raises(ArtefactError) as found:
        SETTING.model(str(folder))
    assert told in str(found.value)


def test_a_changed_file_is_refused(trained, tmp_path):
    folder = shutil.copytree(trained, tmp_path / "copy")
    changed(folder, rms_norm_eps=1e-5)
    with pytest.raises(ArtefactError, match=r"config.json was changed"):
        SETTING.model(str(folder))
