"""What `python benchmarks/planning.py` checks, at smaller numbers."""

import pytest

from tests.support.late_import import Late, needs

planning_checks = Late("tests.support.planning_checks")
pytestmark = [pytest.mark.slow, needs("unified_planning"), needs("pyval")]


def test_drawn_problems_are_solved(tmp_path):
    assert planning_checks.solved(tmp_path, 6, "reference", most=12) == 6


def test_goals_of_one_tower_are_reached(tmp_path):
    assert planning_checks.one_tower(tmp_path, 6, "reference", most=12) == 6


def test_contradictory_goals_are_unsolvable(tmp_path):
    assert planning_checks.unsolvable(tmp_path, 10, "reference") == 10


def test_shuffled_domains_are_recognised(tmp_path):
    assert planning_checks.recognised(tmp_path, 7) == 7
