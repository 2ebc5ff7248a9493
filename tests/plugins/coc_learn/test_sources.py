"""The sources of pairs, which count while they work."""

import pytest

from coc_core.errors import UsageError
from coc_core.plugin import Registry
from coc_learn.addresses.dialect import address_target
from coc_learn.datasets import DatasetSpec, HoldOutBy
from coc_learn.options import DrawnPairs, TrainOptions
from coc_learn.sources import address_pairs, dataset_spec, read_pairs, settings_of, sizes_to_test, written_pairs
from tests.support.for_each import for_each


def chosen_tests(sizes, instances):
    return sizes_to_test(TrainOptions(out="x", test_sizes=sizes, test_instances=instances))


@pytest.fixture(scope="module")
def registry():
    return Registry.installed()


def written(domain, options, tests=None, memories=("pda",)):
    settings = settings_of(Registry.installed(), domain, memories, ["symbolic"])
    return written_pairs(settings, dataset_spec(DrawnPairs(**options)), tests)


def test_written_pairs_are_counted():
    source = written("hanoi", {"sizes": "1-3"}, memories=("pda", "tape"))
    assert (source.count, source.total) == (0, None)
    sets = source.sets()
    assert source.count == sum(len(one.train) + len(one.heldout) for one in sets) > 0


@for_each(("domain", "names"), [("hanoi", set()), ("blocksworld", {"B"}), ("pancake", {"P"})])
def test_read_pairs_are_counted_and_pairs_come_with_their_interchangeable_names(registry, coc, tmp_path, domain, names):
    assert coc("data", "build", "-d", domain, "-n", "2", "-o", tmp_path / "one").code == 0
    source = read_pairs(registry, [tmp_path / "one"])
    sets = [*written(domain, {"sizes": "2-3"}).sets(), *source.sets()]
    assert [one.interchangeable_names for one in sets] == [names, names]
    assert source.count == source.total > 0


def test_tests_come_from_problems_that_no_training_draws():
    source = written("blocksworld", {"sizes": "3-5", "instances": 30}, chosen_tests("7,5", 4))
    (one,) = source.sets()
    assert [(test.n, test.problems) for test in one.tests] == [(5, 4), (7, 4)]
    assert source.count == len(one.train) + len(one.heldout) + sum(len(test.pairs) for test in one.tests)
    known = {pair.prompt for pair in one.train + one.heldout}
    firsts = {pair.prompt for test in one.tests for pair in test.pairs if pair.prompt.count("B") == 2 * test.n}
    assert len(firsts) == 8
    assert not firsts & known


def test_a_size_with_one_problem_is_tested_on_it():
    (one,) = written("hanoi", {"sizes": "3"}, chosen_tests(4, 9)).sets()
    assert [(test.n, test.problems, len(test.pairs)) for test in one.tests] == [(4, 1, 15)]


def test_sizes_to_test_are_checked_before_any_pair_is_written():
    with pytest.raises(UsageError, match="n=65"):
        written("hanoi", {"sizes": "3"}, chosen_tests("4,65", 1))


def test_addresses_are_tested_by_the_number_of_digits():
    source = address_pairs(TrainOptions(out="x", largest_address=999), chosen_tests("1,4,19", 20))
    (one,) = source.sets()
    assert source.count == len(one.train) + len(one.heldout)
    found = [(test.n, test.problems, len(test.pairs)) for test in one.tests]
    assert found == [(1, 10, 120), (4, 20, 240), (19, 20, 240)]
    assert all(address_target(pair.prompt) == pair.target for test in one.tests for pair in test.pairs)


@for_each("digits", ["0", "20"])
def test_there_are_no_addresses_of_other_lengths(digits):
    with pytest.raises(UsageError, match=f"no address has {digits} digits; choose from 1 to 19"):
        address_pairs(TrainOptions(out="x", largest_address=999), chosen_tests(digits, 20))


def test_a_number_of_tests_needs_sizes():
    assert chosen_tests(None, None) is None
    with pytest.raises(UsageError, match="--test-instances is of use with --test-n only"):
        chosen_tests(None, 3)


def test_no_problem_is_held_out_where_all_have_one_list_of_prompts(registry):
    spec = DatasetSpec((2, 3, 4), 5, holdout_by=HoldOutBy.instances, holdout=0.5)
    with pytest.raises(UsageError, match=r"of sort are one list for all problems; .*; hold out steps or"):
        written_pairs(settings_of(registry, "sort", ["heap"], ["symbolic"]), spec)
    assert written_pairs(settings_of(registry, "hanoi", ["pda"], ["symbolic"]), spec)


def test_a_list_of_all_prompts_that_there_are_is_of_no_sizes(registry):
    settings = settings_of(registry, "sort", ["heap"], ["symbolic"])
    found = [written_pairs(settings, DatasetSpec((2, 3), holdout=each)).sets()[0].sizes for each in (0, 0.15)]
    assert found == [None, range(2, 4)]
