"""What a plugin's author writes: a test file of a few lines, run by pytest with what coc gives it."""

import pytest

RUNS = """
from coc_core.plugin import DomainSpec, Plugin, Registry
from coc_check import parametrize_with_checks

spec = DomainSpec("faulty", "tests.broken.faulty_domains:{domain}", "a row of lamps")
REGISTRY = Registry.of([*Registry.installed().plugins, Plugin("faulty", "tests.broken.faulty_domains", "x", "1", (spec,))])

@parametrize_with_checks("faulty", registry=REGISTRY, expected_failures={expected})
def test_promise(check):
    check.run()
"""


def run(pytester, text, *arguments):
    """Run a test file with pytest, in this process."""
    pytester.makepyfile(text)
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments)


def test_three_lines_are_a_test_file(pytester):
    lines = (
        "from coc_check import parametrize_with_checks",
        '@parametrize_with_checks("inline")',
        "def test_promise(check):",
    )
    done = run(pytester, "\n".join([*lines, "    assert check.kind == 'arithmetic'"]), "-v")
    done.stdout.fnmatch_lines(["*test_promise?arithmetic-inline-numbers_are_right? PASSED*"])
    assert set(done.parseoutcomes()) == {"passed"}


@pytest.mark.parametrize(
    ("domain", "expected", "outcomes", "line"),
    [
        ("OnlyLooks", None, {"failed": 1, "skipped": 9}, "because goal_is_reached failed"),
        ("CannotDrawSmall", {"pictures_can_be_drawn": "not on a watch"}, {"failed": 0, "xfailed": 1}, "not on a watch"),
        ("Sound", {"domain-faulty-pictures_can_be_drawn": "on a watch"}, {"failed": 1}, "XPASS(strict)*on a watch"),
        (
            "Sound",
            {"picture_can_be_drawn": ""},
            {"errors": 1},
            "'picture_can_be_drawn'; did you mean 'pictures_can_be_d",
        ),
    ],
)
def test_a_failure_skips_what_needs_it_and_an_expected_one_has_to_come(pytester, domain, expected, outcomes, line):
    done = run(pytester, RUNS.format(domain=domain, expected=expected), "-rsx")
    assert {name: done.parseoutcomes().get(name, 0) for name in outcomes} == outcomes
    done.stdout.fnmatch_lines([f"*{line}*"])
