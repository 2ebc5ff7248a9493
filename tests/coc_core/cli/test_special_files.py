"""Whatever stands where a file should be, a command works or is refused at once, in one line, with nothing changed."""

import pytest

from tests.support.for_each import for_each
from tests.support.saved_runs import saved
from tests.support.special_files import KINDS, looks, put

BUILD = ("data", "build", "-d", "hanoi", "-n", "1-3", "-o")
RUN = ("run", "-d", "hanoi", "-n", 2, "--model", "reference")


@pytest.fixture
def run(tmp_path):
    (tmp_path / "runs").mkdir()
    return saved(tmp_path / "runs" / "a.run")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@for_each("kind", KINDS)
@for_each(
    ("code", "words"),
    [
        (3, ("replay", "it")),
        (3, ("run", "--resume", "it")),
        (2, ("run", "-d", "hanoi", "--model", "reference", "--problem", "it")),
        (2, ("plugins", "--plugin", "it")),
        (3, ("data", "verify", ".")),
    ],
)
def test_a_special_file_is_refused_at_once(refused, tmp_path, monkeypatch, code, words, kind):
    monkeypatch.chdir(tmp_path)
    name = "card.json" if "." in words else "it"
    before = looks(put(tmp_path / name, kind))
    line = refused(code, *words)
    assert "can't read" in line
    assert "Is a directory" in line if kind == "folder" else "it is not a regular file" in line
    assert looks(tmp_path / name) == before
    assert names(tmp_path) == [name]


@pytest.mark.parametrize("kind", KINDS)
def test_a_special_file_is_never_replaced(refused, tmp_path, run, kind):
    path = put(tmp_path / "it", kind)
    before = looks(path)
    for code, words in (
        (5, ("view", run, "-o", path)),
        (2, (*RUN, "--save", path)),
        *(() if kind == "folder" else [(2, (*BUILD, path)), (2, ("new", "domain", "my-puzzle", "-o", path))]),
    ):
        assert str(path) in refused(code, *words)
        assert looks(path) == before
    assert names(tmp_path) == ["it", "runs"]


def test_what_nobody_expected_the_system_to_refuse_is_no_bug_and_told_on_one_line(refused, monkeypatch, tmp_path):
    from coc_view.commands import replay

    assert "a\\nb" in refused(3, "replay", tmp_path / "a\nb")

    def lost(_):
        raise OSError(116, "Stale file handle", "/mnt/it")

    monkeypatch.setattr(replay.RunFile, "open", lost)
    assert refused(5, "replay", "it") == "coc: error: Stale file handle: /mnt/it\n"
    monkeypatch.setattr(replay.RunFile, "open", lambda _: (_ for _ in ()).throw(OSError("odd")))
    assert refused(5, "replay", "it") == "coc: error: OSError: odd\n"
