"""What a plugin's author writes: a test file of a few lines, run by pytest with what coc gives it."""

import subprocess
import sys

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
def afresh(monkeypatch):
    """Lets pytest load its plugin of coc once more, where coverage sees it."""
    for name in ("coc_check", "coc_check.pytest_plugin"):
        monkeypatch.delitem(sys.modules, name)


@pytest.fixture
def run(pytester):
    """Runs a test file with pytest, in this process."""

    def run(text, *arguments):
        pytester.makepyfile(text)
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments)

    return run


@pytest.mark.usefixtures("afresh")
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
    assert (outcomes["failed"], outcomes["skipped"]) == (1, 13)
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


@pytest.mark.usefixtures("afresh")
def test_the_fixtures(run):
    done = run(
        """
        import pytest

        from coc_core.execution import Sequential
        from coc_core.plugin import DomainSpec
        from coc_core.setting import Setting


        def test_a_registry_of_few(coc_registry):
            assert [spec.name for spec in coc_registry("core", "hanoi").specs(DomainSpec)] == ["hanoi", "hanoi-4", "hanoi-any"]


        def test_a_folder(coc_run_folder, tmp_path):
            assert coc_run_folder.parent == tmp_path
            assert list(coc_run_folder.iterdir()) == []


        @pytest.mark.parametrize("script", [
            {"INSTR CALL n=1 src=1 dst=3 aux=2": "OUTPUT Move disk 1 from 1 to 3"},
            ["OUTPUT Move disk 1 from 1 to 3"],
        ])
        def test_a_script(coc_registry, coc_script, script):
            setting = Setting.of(coc_registry("core", "hanoi"), "hanoi", "pda", "symbolic")
            model = coc_script(script)
            (outcome,) = Sequential().run([setting.machine(setting.domain.problem(1))], model)
            assert outcome.status == "solved"
            assert model.prompts == ["INSTR CALL n=1 src=1 dst=3 aux=2"]
        """
    )
    assert done.parseoutcomes() == {"passed": 4}


def test_pytest_starts_light():
    code = "import sys, coc_check.pytest_plugin; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = done.stdout.split()
    assert not {"torch", "hypothesis", "numpy", "rich", "typer"} & {name.partition(".")[0] for name in modules}
    own = {name for name in modules if name.startswith("coc_")}
    assert own == {"coc_check", "coc_check.pytest_plugin"}
