"""A run file that another version of coc or of a plugin has written, or whose parts have changed since."""

import pytest

from coc_core.errors import ActionFault
from coc_core.plugin import DISTRIBUTION
from coc_core.runfile import RunFile
from coc_core.runfile.manifest import versions
from coc_puzzles.hanoi.domain import Hanoi
from tests.support.damage import change
from tests.support.recorded_runs import edit as edited, go_on, tape

OLDER = {"versions": {"coc": "0.0.1", "python": "2.7"}, "plugins": {"core": "coc 0.0.1", "hanoi": "coc 0.0.1"}}


def edit(path, **changes):
    change(path, edited(path, "manifest", **changes))


@pytest.fixture
def cut(tmp_path):
    tape(tmp_path / "cut", stop=5)
    return tmp_path / "cut"


def test_a_run_of_other_versions_is_replayed_and_continued_with_a_note_for_each(coc, run, cut):
    for path in (run, cut):
        edit(path, **OLDER)
    assert coc("replay", run, "--end").code == 0
    done = coc("run", "--resume", cut)
    assert done.code == 0
    now, release = versions(), f"{DISTRIBUTION} {versions()['coc']}"
    notes = [("coc", "0.0.1", now["coc"]), ("plugin core", "coc 0.0.1", release)]
    notes += [("plugin hanoi", "coc 0.0.1", release), ("python", "2.7", now["python"])]
    assert done.err.splitlines() == [
        f"coc: note: the run was recorded with {name} {old!r}, and continues with {new!r}" for name, old, new in notes
    ]
    with RunFile.open(cut) as runfile:
        assert runfile.manifest.versions == {"coc": f"0.0.1, then {now['coc']}", "python": f"2.7, then {now['python']}"}
        assert runfile.manifest.plugins == dict.fromkeys(OLDER["plugins"], f"coc 0.0.1, then {release}")


def test_a_run_that_two_versions_made_names_each_once(tmp_path):
    tape(tmp_path / "run", stop=2)
    edit(tmp_path / "run", **OLDER)
    go_on(tmp_path / "run", stop=4)
    go_on(tmp_path / "run")
    with RunFile.open(tmp_path / "run") as runfile:
        assert runfile.manifest.versions["coc"] == f"0.0.1, then {versions()['coc']}"
        assert runfile.outcome.status == "solved"


def test_rules_that_have_changed_since_are_not_taken_for_a_forgery(coc, refused, run, cut, monkeypatch):
    def refuse(*_):
        raise ActionFault("a new rule")

    monkeypatch.setattr(Hanoi, "apply", refuse)
    for path in (run, cut):
        edit(path, plugins={"hanoi": "coc 0.0.1"})
    told = f"a new rule; use the versions that recorded it: the plugin hanoi 'coc 0.0.1', here '{DISTRIBUTION} {versions()['coc']}'"
    assert refused(3, "replay", run, "--end").endswith(f"{told}\n")
    done = coc("run", "--resume", cut)
    assert (done.code, done.err.endswith(f"{told}\n")) == (3, True)


def test_every_refusal_of_steps_names_the_other_versions(refused, run):
    edit(run, **OLDER, problem="n=9 src=1 dst=3", n=9)
    told = f"use the versions that recorded it: coc '0.0.1', here '{versions()['coc']}'; the plugin core "
    assert told in refused(3, "replay", run, "--end")
    edit(run, problem="n=4 src=1 dst=3", n=5)
    assert told in refused(3, "replay", run)
    edit(run, n=4)
    change(run, "UPDATE run SET outcome = replace(outcome, 'solved', 'unsolved')")
    assert told in refused(3, "replay", run, "--end")


def test_what_a_newer_version_wrote_is_refused_by_its_name(refused, run):
    def told(writer):
        return f"; use the version that recorded it: coc {writer}, here '{versions()['coc']}'\n"

    edit(run, versions={"coc": "99\x1b[0m"}, more=1)
    assert refused(3, "replay", run).endswith(
        f"the manifest has the unknown key 'more'{told(ascii('99' + chr(27) + '[0m'))}"
    )
    for broken in ({"versions": {}}, {"versions": 3}, {"versions": {"coc": 1}}, {"versions": versions()}):
        edit(run, **broken)
        assert "the version that recorded it" not in refused(3, "replay", run)
    change(run, "UPDATE run SET manifest = '{'")
    assert "is not strict JSON" in refused(3, "replay", run)


def test_so_is_an_outcome(refused, run):
    edit(run, versions={"coc": "99"})
    change(run, "UPDATE run SET outcome = replace(outcome, 'solved', 'excellent')")
    assert "unsolvable, fault, interrupted; use the version that recorded it: coc '99'" in refused(3, "replay", run)
