"""`coc check` as a person and as a program sees it."""

import itertools
import json

import pytest

from tests.support.for_each import for_each

PLUGIN = """
from coc_core.plugin import DomainSpec, hookimpl
from tests.broken.faulty_domains import *
from tests.broken.faulty_domains import {base}


class Faulty({base}):
    {slip}


@hookimpl
def coc_domains():
    return [DomainSpec("faulty", "{module}:Faulty", "a row of lamps")]
"""


@pytest.fixture
def checked(coc, tmp_path, monkeypatch):
    """Runs `coc check` on a domain `faulty`, of a class in `faulty_domains` with a slip; gives the document, too."""
    count = itertools.count()

    def run(base, *arguments, slip="pass"):
        module = f"offers_{base.lower()}_{next(count)}_{tmp_path.name}".replace("-", "_")
        path = tmp_path / f"{module}.py"
        path.write_text(PLUGIN.format(base=base, slip=slip, module=module))
        arguments = "check", "faulty", "--plugin", path, *arguments
        done, document = coc(*arguments), coc(*arguments, "--json")
        assert done.code == document.code
        return done, json.loads(document.out), path

    return run


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


@for_each(("domain", "far"), [("Wasteful", True), ("Sound", False)])
def test_plans_far_from_the_optimum_are_pointed_out(checked, domain, far):
    done, _, _ = checked(domain, "--only", "no_plan_beats_the_optimum")
    assert done.code == 0
    said = "warning: the policy's plan has 3 moves for lamps=0, and a search finds 1"
    assert (said in " ".join(done.out.split())) == far


def test_a_failure_says_all_that_helps(checked, coc):
    done, document, path = checked("CannotDrawSmall")
    assert done.code == 4
    assert set(document) == {"passed", "failed", "skipped", "tried", "checks"}
    assert document["tried"]["domain faulty"]["runs"] == "n = 1-12"
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
        "command": f"coc check faulty --kind domain --only pictures_can_be_drawn --plugin {path}",
    }
    told = done.out[done.out.index("failed: domain faulty, pictures_can_be_drawn") :].splitlines()
    words = dict(line.strip().split(maxsplit=1) for line in told[1:6])
    assert words.pop("with").endswith("at width 1")
    names = {"promised": "promise", "found": "complaint", "hint": "hint", "again": "command"}
    assert words == {label: failed[name] for label, name in names.items()}
    counts = document["passed"], document["failed"], document["skipped"]
    assert told[-1].endswith("{} passed, {} failed, {} skipped".format(*counts))
    assert counts == (len(document["checks"]) - 4, 1, 3)


@for_each(
    ("slip", "found", "line"),
    [
        ("return Step((Toggle(1)))", "`emits` of a Step must be a tuple, not Toggle", 9),
        ("super().expand(instruction)", "`expand` returned None, not a Step", 8),
        ("return Step((Toggle(instruction.lamp),))", "'Light' object has no attribute 'lamp'", 9),
    ],
)
def test_a_slip_is_blamed_on_the_author_s_line(checked, slip, found, line):
    done, document, path = checked("Sound", slip=f"def expand(self, instruction):\n        {slip}")
    (failed,) = [each for each in document["checks"] if each["outcome"] == "failed"]
    assert found in failed["complaint"]
    assert failed["where"] == f"{path}:{line} in expand"
    told = "".join(each.removeprefix("at").strip() for each in done.out.splitlines())
    assert failed["where"].replace(" ", "") in told.replace(" ", "")


def test_the_first_cause_is_reported_and_what_needs_it_is_skipped_unless_it_is_named(checked):
    done, document, _ = checked("OnlyLooks")
    assert done.code == 4
    assert "failed: domain faulty, goal_is_reached" in done.out
    assert done.out.count("hint") == 1
    assert ["expectation_holds", "skipped"] in [line.split()[:2] for line in done.out.splitlines()]
    assert done.out.count("skipped because goal_is_reached failed\n") == 1
    assert (document["failed"], document["skipped"] > 5) == (1, True)
    done, _, _ = checked("OnlyLooks", "--only", "goal_is_reached", "--only", "expectation_holds")
    assert done.out.endswith("2 checks: 2 failed\n")


def test_what_a_plugin_says_cannot_steer_the_terminal(checked):
    slip = "def render(self, state, width):\n        return '\\x1b[2J'"
    done, _, _ = checked("Sound", "--only", "effects_match_changes", "--only", "pictures_can_be_drawn", slip=slip)
    assert (done.code, "\x1b" in done.out) == (4, False)


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
