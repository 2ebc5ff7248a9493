"""What a plugin's author writes: a test file of a few lines, run by pytest with what coc gives it."""

import pytest

RUNS = """
from coc_core.plugin import DomainSpec
from coc_core.plugin import Plugin
from coc_core.plugin import Registry
from coc_check import parametrize_with_checks

spec = DomainSpec("faulty", "tests.broken.faulty_domains:{domain}", "a row of lamps")
REGISTRY = Registry.of([*Registry.installed().plugins, Plugin("faulty", "tests.broken.faulty_domains", "stranger", "1", (spec,))])

@parametrize_with_checks("faulty", registry=REGISTRY, expected_failures={expected})
def test_promise(check):
    check.run()
"""


@pytest.fixture
def run(pytester):
    """Runs a test file with pytest, in this process."""

    def run(text, *arguments):
        pytester.makepyfile(text)
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments)

    return run


def test_three_lines_are_a_test_file(run):
    done = run(
        """
        from coc_check import parametrize_with_checks

        @parametrize_with_checks("hanoi")
        def test_promise(check): check.run()
        """,
        "-v",
    )
    done.stdout.fnmatch_lines(["*test_promise?domain-hanoi-goal_is_reached? PASSED*"])
    assert set(done.parseoutcomes()) == {"passed"}


def test_what_needs_a_check_that_failed_is_skipped(run):
    done = run(RUNS.format(domain="OnlyLooks", expected=None), "-rs")
    outcomes = done.parseoutcomes()
    assert (outcomes["failed"], outcomes["skipped"]) == (1, 12)
    done.stdout.fnmatch_lines(["*because goal_is_reached failed*"])


def test_an_expected_failure_is_no_failure(run):
    expected = {"pictures_can_be_drawn": "not on a watch"}
    done = run(RUNS.format(domain="CannotDrawSmall", expected=expected), "-rx")
    outcomes = done.parseoutcomes()
    assert outcomes["xfailed"] == 1
    assert "failed" not in outcomes
    done.stdout.fnmatch_lines(["*not on a watch*"])


def test_an_expected_failure_that_passes_is_a_failure(run):
    done = run(RUNS.format(domain="Sound", expected={"domain-faulty-pictures_can_be_drawn": "not on a watch"}))
    assert done.parseoutcomes()["failed"] == 1
    done.stdout.fnmatch_lines(["*XPASS(strict)*not on a watch*"])


def test_an_expectation_of_no_check_is_an_error(run):
    done = run(RUNS.format(domain="Sound", expected={"picture_can_be_drawn": "not on a watch"}))
    assert done.parseoutcomes() == {"errors": 1}
    done.stdout.fnmatch_lines(["*there is no check 'picture_can_be_drawn'; did you mean 'pictures_can_be_drawn'*"])
