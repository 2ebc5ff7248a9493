"""The settings that a report prints: they are those that the trainings receive, none left out."""

import re

from attrs import fields

from coc_learn.options import override_texts
from coc_paper.item import Budget, TrainingItem
from coc_paper.items.ablations import PARTS
from coc_paper.selection import item_of
from coc_paper.settings import hyperparameters_of
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.paper_items import ITEMS

TRAINING = "coc_paper.work.learning:train"
REPLACED = {key for changes in PARTS.values() for key in changes}


def trainings(name, item):
    shown = "hyperparameters" if name == "hyperparameters" else "sizes"  # those that are trained have sizes
    return [task for task in item.every().values() if "preset" in task.arguments and shown in task.arguments]


@for_each("budget", Budget)
@for_each("name", ITEMS)
def test_a_report_prints_every_override_and_what_the_paper_says_otherwise(name, budget):
    item = ITEMS[name](budget=budget)
    setting, found = item.report({}).setting, trainings(name, item)
    for task in found:
        assert f"preset `{task.arguments['preset']}`" in setting
        whole = override_texts(hyperparameters_of(task), name)
        in_table = REPLACED if name == "ablations" else set()  # each row of its table has its own
        own = {name for name in ("loss", "name_permutation", "prioritised_replay") if whole[name] != "0.0"}
        for key in (task.arguments["hyperparameters"].keys() | own) - in_table:
            assert f"`{key}={whole[key]}`" in setting
        if "domain" in task.arguments:  # as the paper does, whatever coc's default is
            assert task.arguments["holdout_by"] == ("instances" if name == "windows" else "pairs")
    wholes = [override_texts(hyperparameters_of(task), name).items() for task in found]
    assert all(any(pair in whole for whole in wholes) for pair in re.findall(r"`(\w+)=([^`]+)`", setting))


@for_each("name", ITEMS)
def test_each_parameter_changes_what_is_computed_and_the_report_can_be_made(name):
    own = ITEMS[name]()
    for each in fields(ITEMS[name]):
        if "help" in each.metadata and each.name != "preset":
            default = getattr(own, each.name)
            changed = ITEMS[name](**{each.name: (3, 4, 7) if isinstance(default, tuple) else default + 1})
            assert [task.call for task in changed.every().values()] != [task.call for task in own.every().values()]
            assert changed.report({}).setting


@for_each("name", [name for name in ITEMS if issubclass(ITEMS[name], TrainingItem)])
def test_a_hyperparameter_that_is_set_reaches_every_training_and_the_report(name):
    item = item_of(REGISTRY, name, Budget.full, {name: {"weight_decay": "0.07", "preset": "exact"}})
    found = [task.arguments for task in item.every().values() if task.function == TRAINING]
    assert {(task["preset"], task["hyperparameters"]["weight_decay"]) for task in found} == {("exact", "0.07")}
    assert "`weight_decay=0.07`" in item.report({}).setting
    assert "preset `exact`" in item.report({}).setting
