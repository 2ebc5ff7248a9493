"""The settings that a report prints: they are those that the trainings receive, none left out."""

import re

from attrs import fields

from coc_learn.hyperparameters import override_texts
from coc_paper.item import Budget, TrainingParameters
from coc_paper.items import ablations
from coc_paper.settings import hyperparameters_of, parameters_of, settings_of
from coc_paper.tasks import Task, with_needs
from tests.support.for_each import for_each
from tests.support.paper_items import ITEMS, parameters

TRAINING = "coc_paper.work.learning:train"
PARTS = {key for changes in ablations._PARTS.values() for key in changes}


def trainings(item, budget):
    every = with_needs(ITEMS[item].tasks(parameters(item, budget)).values()).values()
    shown = "hyperparameters" if item == "hyperparameters" else "sizes"  # those that are trained have sizes
    return [task for task in every if "preset" in task.arguments and shown in task.arguments]


@for_each("budget", Budget)
@for_each("item", ITEMS)
def test_a_report_prints_every_override_and_what_the_paper_says_otherwise(item, budget):
    section = ITEMS[item].report(parameters(item, budget), {})
    found = trainings(item, budget)
    for task in found:
        assert f"preset `{task.arguments['preset']}`" in section.setting
        changes = override_texts(task.arguments.get("hyperparameters", {}), item)
        whole = override_texts(hyperparameters_of(task), item)
        in_table = PARTS if item == "ablations" else set()  # each row of its table has its own
        own = {name for name in ("loss", "name_permutation", "prioritised_replay") if whole[name] != "0.0"}
        for name in (changes.keys() | own) - in_table:
            assert f"`{name}={whole[name]}`" in section.setting
    printed = set(re.findall(r"`(\w+)=([^`]+)`", section.setting))
    wholes = [override_texts(hyperparameters_of(task), item).items() for task in found]
    assert all(any(pair in whole for whole in wholes) for pair in printed)


def test_what_trainings_share_is_printed_once():
    tasks = {
        name: Task(TRAINING, {"preset": preset, "hyperparameters": {"steps": steps, "attention": "scaled"}})
        for name, preset, steps in (("a", "exact-numbers", 7), ("b", "exact-numbers", 8), ("c", "paper", 9))
    }
    assert settings_of(tasks) == (
        "Training: preset `exact-numbers` with `attention=scaled` (its own `loss=target`,"
        " `prioritised_replay=0.25`), and `steps=7` for a, `steps=8` for b; preset `paper` with `steps=9`,"
        " `attention=scaled` (its own `loss=all`) for c."
        " `loss=target` leaves the prompt out, as the paper's appendix says."
        " `loss=all` is that of all tokens, prompt included, as the paper's section on experiments says."
    )


@for_each("budget", Budget)
@for_each("item", ITEMS)
def test_every_training_on_a_domain_says_what_it_holds_out(item, budget):
    """The paper's protocol, whatever coc's default is."""
    for task in trainings(item, budget):
        if "domain" in task.arguments:
            assert task.arguments["holdout_by"] == ("instances" if item == "windows" else "pairs")


def others(item):
    """For each parameter of an item, another value than that of either budget."""
    for each in fields(ITEMS[item].parameters):
        if "help" in each.metadata and each.name != "preset":
            default = getattr(parameters(item, Budget.full), each.name)
            yield each.name, (3, 4, 7) if isinstance(default, tuple) else default + 1


@for_each("item", ITEMS)
def test_each_parameter_changes_what_is_computed_and_the_report_can_be_made(item):
    own = with_needs(ITEMS[item].tasks(parameters(item, Budget.full)).values()).values()
    for name, value in others(item):
        chosen = parameters(item, Budget.full, **{name: value})
        changed = with_needs(ITEMS[item].tasks(chosen).values()).values()
        assert [task.call for task in changed] != [task.call for task in own], name
        assert ITEMS[item].report(chosen, {}).setting


@for_each("item", [name for name in ITEMS if issubclass(ITEMS[name].parameters, TrainingParameters)])
def test_a_hyperparameter_that_is_set_reaches_every_training_and_the_report(item):
    chosen = parameters_of(ITEMS[item], Budget.full, {"weight_decay": "0.07", "preset": "exact"})
    every = with_needs(ITEMS[item].tasks(chosen).values()).values()
    found = [task for task in every if task.function == TRAINING]
    assert found
    for task in found:
        assert task.arguments["preset"] == "exact"
        assert task.arguments["hyperparameters"]["weight_decay"] == "0.07"
    assert "`weight_decay=0.07`" in ITEMS[item].report(chosen, {}).setting
    assert "preset `exact`" in ITEMS[item].report(chosen, {}).setting
