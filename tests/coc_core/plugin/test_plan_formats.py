"""The plan formats of a domain, those of other plugins among them."""

import pytest

from coc_core.errors import UsageError
from coc_core.plugin import DomainSpec, open_format, suitable_formats
from coc_puzzles.hanoi.reasoning_gym import ReasoningGymPlan
from tests.support.installed_plugins import REGISTRY

HANOI, PANCAKE = (REGISTRY.create(DomainSpec, name) for name in ("hanoi", "pancake"))


def names(domain):
    return [spec.name for spec in suitable_formats(REGISTRY, domain)]


def test_the_default_one_comes_first():
    assert names(PANCAKE) == ["text", "json", "pddl", "physical"]
    assert names(HANOI) == ["text", "json", "pddl", "physical", "reasoning-gym"]


def test_a_format_knows_its_domain_and_problem():
    form = open_format(REGISTRY, "reasoning-gym", HANOI, HANOI.problem(2))
    assert isinstance(form, ReasoningGymPlan)
    assert (form.domain, form.problem) == (HANOI, HANOI.problem(2))


def test_other_formats_are_refused():
    with pytest.raises(UsageError, match="unknown plan format 'jsno'; did you mean 'json'"):
        open_format(REGISTRY, "jsno", HANOI, HANOI.problem(2))
    with pytest.raises(UsageError, match="has no plans of pancake; choose from text, json, pddl, physical"):
        open_format(REGISTRY, "reasoning-gym", PANCAKE, PANCAKE.problem(2))


def test_most_plans_need_no_further_files():
    assert open_format(REGISTRY, "json", HANOI, HANOI.problem(2)).files() == {}
