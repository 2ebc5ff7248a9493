"""The user's own problems: from files, folders, patterns and texts; what is wrong is named by file and line."""

import pytest

from coc_core.errors import UsageError
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.types import Limits
from coc_problems import GivenProblems, ManyProblems, chosen_problems

SETTING = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic", Limits(steps=1_000))


@pytest.fixture
def folder(tmp_path):
    """Problems in files of each format."""
    path = tmp_path / "mine"
    path.mkdir()
    (path / "b.txt").write_text("n=3 src=1 dst=3\n\nn=1 src=2 dst=3\n")
    (path / "a.jsonl").write_text('{"n": 2, "src": 1, "dst": 2}\n"n=3 src=3 dst=1"\n')
    (path / "c.json").write_text('{\n "n": 1,\n "src": 1, "dst": 2}')
    (path / ".hidden").write_text("what?")
    (path / "deeper.txt").mkdir()
    return path


def sources(origin):
    return [(instance.n, instance.source) for instance in GivenProblems.of(SETTING, origin)]


ALL = [(1, "b.txt:3"), (1, "c.json"), (2, "a.jsonl:1"), (3, "a.jsonl:2"), (3, "b.txt:1")]


def test_a_folder_has_the_problems_of_its_files_by_size(folder):
    assert sources(folder) == ALL
    assert sources(f"{folder}/") == ALL


def test_a_pattern_or_a_file(folder, monkeypatch):
    assert sources(f"{folder}/*.[jt]*") == ALL
    assert sources(folder / "c.json") == [(1, "c.json")]
    monkeypatch.chdir(folder.parent)
    assert sources("**/*.json") == [(1, "c.json")]


def test_a_file_whose_name_is_a_pattern(folder):
    (folder / "[x].txt").write_text("n=1 src=1 dst=3")
    assert sources(folder / "[x].txt") == [(1, "[x].txt:1")]


def test_texts():
    found = GivenProblems.of(SETTING, iter(["n=2 src=1 dst=3", '{"n": 1, "src": 1, "dst": 3}']))
    assert [(instance.n, instance.source) for instance in found] == [(1, "problem:2"), (2, "problem:1")]
    assert (found.sizes, found.total) == ((1, 2), 2)
    assert found.document() == {"problems": "texts", "seed": None, "unsupported": []}
    assert repr(found) == "GivenProblems(domain=hanoi, origin='texts', instances=2)"
    assert found == GivenProblems.of(SETTING, ["n=2 src=1 dst=3", "n=1 src=1 dst=3"])
    found.check(SETTING)
    found.check(SETTING, optimal=True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("n=1 src=1 dst=3\nhello", "^bad.txt:2: not a problem of hanoi: 'hello' is not of the form"),
        ("n=99 src=1 dst=3", "^bad.txt:1: not a problem of hanoi: 'n' must be <= 64: 99$"),
        ("\nn=20 src=1 dst=3", "^bad.txt:2: this problem takes 1,572,862 steps, the limit is 1,000$"),
        ("a\nb\nc\nd\ne\n", r"^bad.txt:1: [^;]*; bad.txt:2: [^;]*; bad.txt:3: [^;]*; and 2 more$"),
        ("", "^there is no problem in .*bad.txt$"),
    ],
)
def test_what_is_wrong_is_named_by_file_and_line(tmp_path, text, reason):
    (tmp_path / "bad.txt").write_text(text)
    with pytest.raises(UsageError, match=reason):
        GivenProblems.of(SETTING, tmp_path / "bad.txt")


def test_files_that_can_t_be_taken_are_refused(folder, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "b.txt").write_text("n=1 src=1 dst=3")
    for origin, reason in (
        (tmp_path / "none.txt", "can't read the problem file .*none.txt: No such file"),
        (f"{tmp_path}/*.nothing", "there are no problem files in .*nothing"),
        (tmp_path / "empty", "there are no problem files in .*empty"),
        (f"{tmp_path}/**/b.txt", "two problem files are called b.txt: .*b.txt and .*mine/b.txt"),
        (
            folder.parent / "p.pdf",
            r"the problem file .*p.pdf has an unknown extension; choose from .json, .jsonl, .pddl, .scen, .txt",
        ),
    ):
        with pytest.raises(UsageError, match=reason):
            GivenProblems.of(SETTING, origin)


ITEM = '{"question": "?", "answer": "!", "metadata": {"source_dataset": "tower_of_hanoi", "num_pegs": %d%s}}\n'


def test_items_of_other_domains_may_be_left_out(folder):
    told = ', "num_disks": 2, "start_peg": 3, "target_peg": 1'
    (folder / "items.jsonl").write_text(ITEM % (3, told) + ITEM % (4, told))
    with pytest.raises(UsageError, match=r"^items.jsonl:2: it has 4 pegs; hanoi has 3$"):
        GivenProblems.of(SETTING, folder)
    (folder / "README").write_text("nothing")
    found = GivenProblems.of(SETTING, folder, skip_unsupported=True)
    assert [SETTING.domain.problems.format(each.problem) for each in found if each.source == "items.jsonl:1"] == [
        "n=2 src=3 dst=1"
    ]
    assert [each.partition(":")[0] for each in found.unsupported] == [
        f"the problem file {folder / 'README'} has an unknown extension; choose from .json, .jsonl, .pddl, .scen, .txt",
        "items.jsonl",
    ]
    assert found.note.startswith("2 problems left out, such as the problem file")
    (folder / "items.jsonl").write_text(ITEM % (3, ""))
    with pytest.raises(UsageError, match=r"items.jsonl:1: not a problem of hanoi: its metadata state no problem: KeyE"):
        GivenProblems.of(SETTING, folder / "items.jsonl", skip_unsupported=True)


def test_nothing_is_drawn_beside_them(folder):
    assert chosen_problems(SETTING, ManyProblems(problems=folder)).total == 5
    assert chosen_problems(SETTING, ManyProblems()).sizes == (8,)
    assert chosen_problems(SETTING, ManyProblems(sizes="1-3")).sizes == (1, 2, 3)
    for name, value in (("instances", 1), ("split", "all"), ("exhaustive", True), ("seed", 1)):
        with pytest.raises(UsageError, match="--problems names the problems, so none are drawn"):
            chosen_problems(SETTING, ManyProblems(problems=folder, **{name: value}))
    with pytest.raises(UsageError, match="leave out --n"):
        chosen_problems(SETTING, ManyProblems(problems=folder, sizes=3))
