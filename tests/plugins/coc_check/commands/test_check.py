"""`coc check` as a person and as a program sees it."""

import json

import pytest

from tests.broken import faulty_domains
from tests.support.for_each import for_each

PLUGIN = """
from coc_core.plugin import DomainSpec
from coc_core.plugin import hookimpl


@hookimpl
def coc_domains():
    return [DomainSpec("faulty", "tests.broken.faulty_domains:{domain}", "a row of lamps")]
"""


@pytest.fixture
def installed(with_plugins, monkeypatch, tmp_path):
    """Installs a plugin that offers the domain `faulty`, of a class in `faulty_domains`."""

    def install(domain):
        module = f"offers_{domain.lower()}"
        (tmp_path / f"{module}.py").write_text(PLUGIN.format(domain=domain))
        monkeypatch.syspath_prepend(tmp_path)
        with_plugins(("lamps", module))

    return install


def test_a_sound_part_is_as_promised(coc, monkeypatch):
    monkeypatch.setattr("coc_core.cli.progress.PLAIN_EVERY", 1e9)
    done = coc("check", "inline")
    assert done.code == 0
    assert done.err == ""
    lines = done.out.splitlines()
    assert lines[0] == "arithmetic inline"
    assert lines[1].split() == ["check", "result", "time"]
    assert lines[2].split()[:2] == ["numbers_are_right", "passed"]
    count = len(lines) - 5
    assert lines[-3:] == ["  tried: numbers: up to 100,000,000,000,000,000", "", f"{count} checks: {count} passed"]


@pytest.mark.parametrize(("domain", "far"), [("Wasteful", True), ("Sound", False)])
def test_plans_far_from_the_optimum_are_pointed_out(coc, installed, domain, far):
    installed(domain)
    done = coc("check", "faulty", "--only", "no_plan_beats_the_optimum", "-q")
    assert done.code == 0
    said = "warning: the policy's plan has 3 moves for lamps=0, and a search finds 1"
    assert (said in " ".join(done.out.split())) == far


def test_a_failure_says_all_that_helps(coc, installed):
    installed("CannotDrawSmall")
    done = coc("check", "faulty")
    assert done.code == 4
    told = done.out[done.out.index("failed: domain faulty, pictures_can_be_drawn") :].splitlines()
    words = [line.strip().split(maxsplit=1) for line in told[1:7]]
    assert words[0] == ["promised", "Every state can be drawn at any width, the same way each time."]
    assert words[1] == ["found", "the picture at width 1 is empty"]
    assert words[2][0] == "with"
    assert words[2][1].endswith("at width 1")
    assert words[3] == ["hint", "`render` draws less where there is less room, down to a single column."]
    assert words[4] == ["again", "coc check faulty --kind domain --only pictures_can_be_drawn"]
    assert told[-1].endswith("passed, 1 failed, 4 skipped")


def test_the_document(coc, installed):
    installed("CannotDrawSmall")
    done = coc("check", "faulty", "--json")
    assert done.code == 4
    document = json.loads(done.out)
    assert set(document) == {"passed", "failed", "skipped", "tried", "checks"}
    assert set(document["tried"]) == {"domain faulty"}
    assert document["tried"]["domain faulty"]["runs"] == "n = 1-12"
    assert (document["passed"], document["failed"], document["skipped"]) == (len(document["checks"]) - 5, 1, 4)
    (failed,) = [check for check in document["checks"] if check["outcome"] == "failed"]
    (again,) = json.loads(coc(*failed["command"].split()[1:], "--json").out)["checks"]
    assert {**again, "seconds": 0} == {**failed, "seconds": 0}
    assert failed.pop("seconds") >= 0
    assert failed.pop("example").endswith("at width 1")
    assert failed == {
        "kind": "domain",
        "part": "faulty",
        "check": "pictures_can_be_drawn",
        "promise": "Every state can be drawn at any width, the same way each time.",
        "outcome": "failed",
        "complaint": "the picture at width 1 is empty",
        "where": "",
        "reason": "",
        "hint": "`render` draws less where there is less room, down to a single column.",
        "command": "coc check faulty --kind domain --only pictures_can_be_drawn",
    }


SLIP = """
from coc_core.plugin import DomainSpec
from coc_core.plugin import hookimpl
from coc_core.types import Step
from tests.broken.faulty_domains import Sound, Toggle


class Mine(Sound):
    name = "mine"

    def expand(self, instruction):
        {slip}


@hookimpl
def coc_domains():
    return [DomainSpec("mine", "{module}:Mine", "a row of lamps")]
"""


@for_each(
    ("module", "slip", "found", "line"),
    [
        ("slips_a_comma", "return Step((Toggle(1)))", "`emits` of a Step must be a tuple, not Toggle", 12),
        ("slips_a_return", "super().expand(instruction)", "`expand` returned None, not a Step", 11),
        ("slips_a_name", "return Step((Toggle(instruction.lamp),))", "'Light' object has no attribute 'lamp'", 12),
    ],
)
def test_a_slip_is_blamed_on_the_author_s_line(coc, tmp_path, module, slip, found, line):
    path = tmp_path / f"{module}.py"
    path.write_text(SLIP.format(slip=slip, module=module))
    document = json.loads(coc("check", module, "--plugin", path, "--json").out)
    (failed,) = [each for each in document["checks"] if each["outcome"] == "failed"]
    assert found in failed["complaint"]
    assert failed["where"] == f"{path}:{line} in expand"
    done = coc("check", module, "--plugin", path)
    assert done.code == 4
    told = "".join(each.removeprefix("at").strip() for each in done.out.splitlines())
    assert failed["where"].replace(" ", "") in told.replace(" ", "")


def test_the_first_cause_is_reported_and_what_needs_it_is_skipped(coc, installed):
    installed("OnlyLooks")
    done = coc("check", "faulty")
    assert done.code == 4
    assert "failed: domain faulty, goal_is_reached" in done.out
    assert done.out.count("hint") == 1
    assert ["goal_is_reached", "skipped"] in [line.split()[:2] for line in done.out.splitlines()]
    told = " ".join(done.out[done.out.index("skipped: ") :].split())
    assert told.startswith("skipped: faulty, because goal_is_reached failed: goal_is_reached, ")
    assert done.out.splitlines()[-1].endswith("passed, 1 failed, 12 skipped")


def test_a_check_that_is_named_runs_whatever_failed(coc, installed):
    installed("OnlyLooks")
    done = coc("check", "faulty", "--only", "goal_is_reached", "--only", "goal_is_reached")
    assert done.code == 4
    assert done.out.endswith("2 checks: 2 failed\n")


def test_what_a_plugin_says_cannot_steer_the_terminal(coc, installed, monkeypatch):
    monkeypatch.setattr(faulty_domains.Sound, "render", lambda self, state, width: "\x1b[2J")
    installed("Sound")
    done = coc("check", "faulty", "--only", "effects_match_changes", "--only", "pictures_can_be_drawn")
    assert done.code == 4
    assert "\x1b" not in done.out


@for_each(
    ("arguments", "complaint"),
    [
        (["hanio"], "nothing is called 'hanio'; did you mean 'hanoi'"),
        (["hanio", "--kind", "memory"], "there is no memory 'hanio'; "),
        (["hanoi", "--kind", "domains"], "no checks of the kind 'domains'; did you mean 'domain'"),
        (["hanoi", "--kind", "memory"], "the plugin 'hanoi' offers no memory"),
        (["hanoi", "--only", "seed_decides"], "there is no check 'seed_decides'; did you mean 'seeds_decide'"),
    ],
)
def test_what_makes_no_sense_is_refused(refused, arguments, complaint):
    assert complaint in refused(2, "check", *arguments)


def test_what_is_neither_a_part_nor_a_checkpoint_is_refused(refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    remedy = "name a folder that `coc train` wrote, a part or a plugin"
    for name in ("empty", "./empty", tmp_path / "empty", "no/such"):
        assert f"; {remedy}" in refused(3, "check", name)
    assert "empty is a model; leave out --kind" in refused(2, "check", "empty", "--kind", "domain")
    assert "write coc check mine --plugin mine.py" in refused(2, "check", "mine.py")
