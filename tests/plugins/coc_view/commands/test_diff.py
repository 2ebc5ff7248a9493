"""Two recorded runs compared: the first difference, both ways, and how it is shown."""

import json
import sqlite3

import pytest
from hypothesis import given, strategies as st

from coc_core.runfile import RunFile
from coc_view.commands.diff import compare_runs
from tests.support.damage import change
from tests.support.saved_runs import saved

DETOUR = "OUTPUT Move disk 1 from 1 to 2"


@pytest.fixture
def run(tmp_path):
    return lambda name, **options: saved(tmp_path / name, **options)


EQUAL, DIFFERENT = "equal: the runs have the same ", "different: "
SHOWN = (
    ({}, {}, f"{EQUAL}10 steps and the same end", "solved after 10 steps"),
    ({"at": -1}, {"at": -1}, f"{EQUAL}0 steps and the same end", "unfinished after 0"),
    ({}, {"at": 3, "text": DETOUR}, f"{DIFFERENT}step 3 is the first to differ, in its target and acti", DETOUR),
    ({}, {"at": 4}, f"{DIFFERENT}the second run ends before step 5; all steps up to there are", "interrupt"),
    ({"at": 4}, {}, f"{DIFFERENT}the first run ends before step 5; all steps up to there are", "interrupt"),
    ({"at": 4}, {"at": 5, "text": "x"}, f"{DIFFERENT}the runs have the same 4 steps, but end diff", "fault after"),
    ({}, {"n": 4}, f"{DIFFERENT}the runs are of different problems, so no step was", "n=4 src=1 dst=3"),
    ({}, {"memory": "tape"}, f"{DIFFERENT}the runs are of the same problem in two dialects", "tape"),
)


@pytest.mark.parametrize(("one", "other", "first", "also"), SHOWN)
def test_the_first_difference_and_both_ends_are_shown(coc, run, one, other, first, also):
    done = coc("diff", run("a", **one), run("b", **other))
    assert (done.code, done.err) == (first.startswith(DIFFERENT), "")
    assert done.out.startswith(first)
    assert also in done.out


def test_the_text_at_fault_is_shown_beside_the_step_of_the_other_run(coc, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    done = coc("diff", run("a"), run("b", at=5, text="\x1b[31m</script>\u202e"))
    assert done.code == 1
    assert "OUTPUT Move disk 1 from 3 to 2" in done.out
    assert "\\x1b[31m</script>\\u202e" in done.out
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out


def test_a_document(coc, run):
    a, b = run("a"), run("b", at=3, text=DETOUR)
    done = coc("diff", a, b, "--json")
    assert done.code == 1
    found = json.loads(done.out)
    assert {key: found[key] for key in ("equal", "kind", "step", "parts", "manifest")} == {
        "equal": False,
        "kind": "step",
        "step": 3,
        "parts": ["target", "actions"],
        "manifest": {},
    }
    assert found["a"]["run"] == str(a)
    assert found["a"]["outcome"] == "solved"
    assert found["b"]["recorded"]["target"] == DETOUR
    found = json.loads(coc("diff", a, run("c", n=2), "--json").out)
    assert found["a"]["recorded"] is None
    assert found["manifest"]["n"] == [3, 2]


def test_what_is_shown_of_long_texts_is_bounded(coc, run):
    """A table of millions of characters would take minutes."""
    long = "PUSH " + 60_000 * "x"
    for at, other in ((4, DETOUR), (5, "OUTPUT Move disk 2 from 1 to 3")):
        done = coc("diff", run(f"a{at}", at=at, text=other), run(f"b{at}", at=4, text=long))
        assert done.code == 1
        assert len(done.out) < 40_000


def test_of_many_differences_of_the_software_a_part_is_shown(coc, run):
    one, other = run("a"), run("b")
    (text,) = sqlite3.connect(other).execute("SELECT manifest FROM run").fetchone()
    versions = {f"library {number}\x1b": "1" for number in range(300)}
    change(other, ("UPDATE run SET manifest = ?", (json.dumps(json.loads(text) | {"versions": versions}),)))
    done = coc("diff", one, other)
    assert done.code == 0
    assert done.out.count("library") == 38
    assert "and 262 more, which --json lists" in " ".join(done.out.split())
    assert "\x1b" not in done.out


@pytest.fixture(scope="module")
def compare(tmp_path_factory):
    """Compares two runs that are made as `saved` makes them; each is made once."""
    folder, made = tmp_path_factory.mktemp("runs"), {}

    def run(options):
        key = tuple(sorted(options.items()))
        if key not in made:
            made[key] = saved(folder / f"{len(made)}.run", **options)
        return RunFile.open(made[key])

    def compared(one, other):
        with run(one) as first, run(other) as second:
            return compare_runs(first, second)

    return compared


SMALL = st.fixed_dictionaries(
    {
        "domain": st.sampled_from(["hanoi", "pancake"]),
        "memory": st.sampled_from(["pda", "tape"]),
        "n": st.integers(2, 3),
        "at": st.sampled_from([-1, 0, 1, 2]),
    }
)


@given(SMALL, SMALL)
def test_it_is_the_same_both_ways(compare, one, other):
    found, back = compare(one, other), compare(other, one)
    assert (found.kind, found.step, found.parts) == (back.kind, back.step, back.parts)
    assert (found.one, found.other) == (back.other, back.one)
    assert set(found.manifests) == {(name, b, a) for name, a, b in back.manifests}


@pytest.mark.parametrize(
    ("other", "kind"),
    [
        ({}, "equal"),
        ({"at": 2}, "prefix"),
        ({"at": 3, "text": DETOUR}, "step"),
        ({"n": 4}, "problem"),
        ({"domain": "pancake"}, "problem"),
        ({"memory": "tape"}, "dialect"),
    ],
)
def test_whatever_differs_in_the_runs_their_manifests_are_compared(compare, other, kind):
    found = compare({"seed": 1}, {"seed": 2, **other})
    assert found.kind == kind
    assert ("seed", 1, 2) in found.manifests
