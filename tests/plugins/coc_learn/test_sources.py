"""The sources of pairs, which count while they work."""

import pytest

from coc_core.errors import UsageError
from coc_core.plugin import Registry
from coc_learn.addresses.dialect import address_target
from coc_learn.datasets import DatasetSpec, HoldOutBy
from coc_learn.options import DrawnPairs, TrainOptions
from coc_learn.sources import address_pairs, dataset_spec, read_pairs, settings_of, sizes_to_test, written_pairs


def chosen_tests(sizes, instances):
    return sizes_to_test(TrainOptions(out="x", test_sizes=sizes, test_instances=instances))


@pytest.fixture(scope="module")
def registry():
    return Registry.installed()


def test_written_pairs_are_counted(registry):
    source = written_pairs(
        settings_of(registry, "hanoi", ["pda", "tape"], ["symbolic"]), dataset_spec(DrawnPairs(sizes="1-3"))
    )
    assert (source.count, source.total, source.doing, source.done) == (0, None, "writing pairs", "so far")
    sets = source.sets()
    assert source.count == sum(len(one.train) + len(one.heldout) for one in sets) > 0


def test_read_pairs_are_counted(registry, coc, tmp_path):
    assert coc("data", "build", "-d", "hanoi", "-n", "1-3", "-o", tmp_path / "pairs").code == 0
    source = read_pairs(registry, [tmp_path / "pairs"])
    assert (source.count, source.doing, source.done) == (0, "reading pairs", "audited")
    source.sets()
    assert source.count == source.total > 0


@pytest.mark.parametrize(("domain", "names"), [("hanoi", set()), ("blocksworld", {"B"}), ("pancake", {"P"})])
def test_pairs_come_with_the_names_that_their_domain_calls_interchangeable(registry, coc, tmp_path, domain, names):
    written = written_pairs(
        settings_of(registry, domain, ["pda"], ["symbolic"]), dataset_spec(DrawnPairs(sizes="2-3"))
    ).sets()
    assert coc("data", "build", "-d", domain, "-n", "2", "-o", tmp_path / "one").code == 0
    read = read_pairs(registry, [tmp_path / "one"]).sets()
    assert [one.interchangeable_names for one in (*written, *read)] == [names, names]


def test_tests_come_from_problems_that_no_training_draws(registry):
    (setting,) = settings_of(registry, "blocksworld", ["pda"], ["symbolic"])
    source = written_pairs([setting], dataset_spec(DrawnPairs(sizes="3-5", instances=30)), chosen_tests("7,5", 4))
    (one,) = source.sets()
    assert [(test.n, test.problems) for test in one.tests] == [(5, 4), (7, 4)]
    assert source.count == len(one.train) + len(one.heldout) + sum(len(test.pairs) for test in one.tests)
    known = {pair.prompt for pair in one.train + one.heldout}
    firsts = {pair.prompt for test in one.tests for pair in test.pairs if pair.prompt.count("B") == 2 * test.n}
    assert len(firsts) == 8
    assert not firsts & known


def test_a_size_with_one_problem_is_tested_on_it(registry):
    (one,) = written_pairs(
        settings_of(registry, "hanoi", ["pda"], ["symbolic"]), dataset_spec(DrawnPairs(sizes="3")), chosen_tests(4, 9)
    ).sets()
    assert repr(one.tests) == "[SizeTest(n=4, 1 problem, 15 pairs)]"


def test_addresses_are_tested_by_the_number_of_digits():
    (one,) = address_pairs(TrainOptions(out="x", largest_address=999), chosen_tests("1,4,19", 20)).sets()
    assert [(test.n, test.problems, len(test.pairs)) for test in one.tests] == [
        (1, 10, 120),
        (4, 20, 240),
        (19, 20, 240),
    ]
    assert all(address_target(pair.prompt) == pair.target for test in one.tests for pair in test.pairs)


@pytest.mark.parametrize("digits", ["0", "20"])
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


def test_sizes_to_test_are_checked_before_any_pair_is_written(registry):
    settings = settings_of(registry, "hanoi", ["pda"], ["symbolic"])
    with pytest.raises(UsageError, match="n=65"):
        written_pairs(settings, dataset_spec(DrawnPairs(sizes="3")), chosen_tests("4,65", 1))


@pytest.mark.slow
def test_address_pairs_are_counted():
    source = address_pairs(TrainOptions(out="x", seed=1, holdout=0.5))
    (one,) = source.sets()
    assert source.count == len(one.train) + len(one.heldout)
