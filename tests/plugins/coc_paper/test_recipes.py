"""Recipes: the commands in the cards of the checkpoints that ship, and cards that state none."""

import pytest
from attrs import asdict, evolve

from coc_core.errors import ArtefactError
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.storage import read_json
from coc_paper.recipes import read_recipe
from coc_transformer.files import ModelConfig, from_json
from coc_transformer.training.presets import choose
from tests.support.for_each import for_each

COMMAND = "    coc train --domain hanoi --memory tape --set steps=3 --set tokens=exact -n 1-3 --out b --init a\n"
FIRST = "    coc train --preset small --seed 4 -o a\n"


def checkpoint(folder, card):
    (folder / "README.md").write_text(card)
    (folder / "config.json").write_text("{}")
    return folder


def shipped():
    registry = Registry.installed()
    return {spec.name: registry.folder(spec) for spec in registry.specs(CheckpointSpec)}


@for_each("name", shipped())
def test_a_shipped_card_states_the_training_that_the_checkpoint_had(name):
    folder = shipped()[name]
    config, last = read_json(folder / "config.json", 1 << 20), read_recipe(folder).trainings[-1]
    preset, changes = last["preset"], last.get("hyperparameters", {})
    chosen = choose(preset, changes, last.get("seed", 0))
    model = from_json(ModelConfig, config["model"], name)
    assert model == evolve(chosen.model, vocab=model.vocab)  # which depends on the pairs
    fixed = {"init": "gpt2" if preset == "small" else "fan-in", "clip": 1, "stop_exact": 0}
    expected = {**asdict(chosen), "item_offset": chosen.item_offset, "digit_offset": chosen.digit_offset, **fixed}
    known = config["training"].keys() & expected.keys() - {"precision"}  # which depends on the machine
    assert {key: config["training"][key] for key in known} == {key: expected[key] for key in known}


def test_trainings_come_in_their_order(tmp_path):
    recipe = read_recipe(checkpoint(tmp_path, f"# A\n\n{COMMAND}\n{FIRST}"))
    assert recipe.trainings == [
        {"preset": "small", "seed": 4},
        {
            "domain": "hanoi",
            "memory": ["tape"],
            "preset": "small",
            "hyperparameters": {"steps": "3", "tokens": "exact"},
            "sizes": "1-3",
        },
    ]
    assert (recipe.processes, recipe.exact, recipe.tested) == (False, {}, (0, 0))


def test_a_command_says_what_it_held_out(tmp_path):
    command = COMMAND.replace("--init a", "--holdout-by instances")
    (training,) = read_recipe(checkpoint(tmp_path, command)).trainings
    assert training["holdout_by"] == "instances"


def test_what_came_out_is_that_of_the_checkpoint_itself(tmp_path):
    rows = "| training pairs predicted exactly | {} of 1,200 |\n| held-out pairs predicted exactly | 7 of 8 |\n"
    later = "| environment | torch, CPU, 2 processes |\n"
    recipe = read_recipe(checkpoint(tmp_path, FIRST + rows.format("1,100") + rows.format("1,000") + later))
    assert recipe.exact == {"training": (1100, 1200), "held-out": (7, 8)}
    assert recipe.processes


@pytest.mark.parametrize(
    "card", ["", "    coc train --cloud 9 -o a\n", "    coc train --seed x -o a\n", "    coc train -n 3\n", COMMAND]
)
def test_a_card_that_states_no_training_is_refused(tmp_path, card):
    with pytest.raises(ArtefactError, match="states no training that can be done again"):
        read_recipe(checkpoint(tmp_path, card))


def test_trainings_in_a_circle_are_refused(tmp_path):
    circle = "    coc train -o a --init b\n    coc train -o b --init a\n"
    with pytest.raises(ArtefactError, match="no other command leads to 'a'"):
        read_recipe(checkpoint(tmp_path, circle))


def test_a_folder_without_a_card_is_refused(tmp_path):
    with pytest.raises(ArtefactError):
        read_recipe(tmp_path)
