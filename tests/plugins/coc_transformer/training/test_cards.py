"""The commands in the cards of the checkpoints that ship: they state the training that each had."""

import re
import shlex
from argparse import ArgumentParser

from attrs import asdict, evolve

from coc_core.plugin import CheckpointSpec
from coc_core.storage import read_json
from coc_transformer.files import ModelConfig, from_json
from coc_transformer.training.hyperparameters import choose
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY

SHIPPED = {spec.name: REGISTRY.folder(spec) for spec in REGISTRY.specs(CheckpointSpec)}
PARSER = ArgumentParser()
PARSER.add_argument("--set", action="append", default=[])
PARSER.add_argument("--seed", type=int, default=0)


@for_each("name", SHIPPED)
def test_a_shipped_card_states_the_training_that_the_checkpoint_had(name):
    config = read_json(SHIPPED[name] / "config.json", 1 << 20)
    card = (SHIPPED[name] / "README.md").read_text("utf-8")
    (command, *_), (preset, *_) = (
        re.findall(r"^    coc train (.+)$", card, re.M),
        re.findall(r"the preset `(.+?)`", card),
    )
    given, _ = PARSER.parse_known_args(shlex.split(command))
    values = dict(text.split("=", 1) for text in given.set)
    assert ("loss_probes" in values) == (name == "blocksworld-extended")  # the hyperparameter is gone
    values.pop("loss_probes", None)
    chosen = choose(preset, values, given.seed)
    model = from_json(ModelConfig, config["model"], name)
    assert model == evolve(chosen.model, vocab=model.vocab)  # which depends on the pairs
    fixed = {"init": "gpt2" if preset == "small" else "fan-in", "clip": 1, "stop_exact": 0}
    expected = {**asdict(chosen), "item_offset": chosen.item_offset, "digit_offset": chosen.digit_offset, **fixed}
    known = config["training"].keys() & expected.keys()
    assert {key: config["training"][key] for key in known} == {key: expected[key] for key in known}
