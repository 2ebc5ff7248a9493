from coc_puzzles.river.people import PEOPLE
from coc_puzzles.river.plans import PLANS
from tests.support.for_each import for_each
from tests.support.puzzle_simulators import row_people
from tests.support.river_search import fewest_by_name


@for_each(("boat", "pairs"), [(boat, n) for boat, plans in PLANS.items() for n in range(1, len(plans) + 1)])
def test_each_plan_is_right_and_shortest(boat, pairs):
    plan = PLANS[boat][pairs - 1]
    banks = ["right", "left"] * len(plan)
    lines = [f"Row {PEOPLE.format(people)} to the {bank} bank" for people, bank in zip(plan, banks, strict=False)]
    assert row_people(pairs, boat, lines) == (set(), "right")
    assert len(plan) == fewest_by_name(pairs, boat)


def test_the_searches_know_how_many_pairs_can_cross():
    assert {boat: len(plans) for boat, plans in PLANS.items()} == {1: 0, 2: 3, 3: 5}
    for boat, plans in PLANS.items():
        assert fewest_by_name(len(plans) + 1, boat) is None
