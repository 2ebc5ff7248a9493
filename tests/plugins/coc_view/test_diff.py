import pytest
from hypothesis import given, strategies as st

from coc_core.errors import ArtefactError
from coc_core.runfile import RunFile
from coc_view.diff import compare_runs
from tests.support.saved_runs import saved

DETOUR = "OUTPUT Move disk 1 from 1 to 2"  # legal at step 3 of three disks, and not what the policy does


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


@given(SMALL)
def test_a_run_equals_itself(compare, one):
    found = compare(one, one)
    assert (found.kind, found.step, found.manifests) == ("equal", None, ())


@given(SMALL, SMALL)
def test_it_is_the_same_both_ways(compare, one, other):
    found, back = compare(one, other), compare(other, one)
    assert (found.kind, found.step, found.parts) == (back.kind, back.step, back.parts)
    assert (found.one, found.other) == (back.other, back.one)
    assert set(found.manifests) == {(name, b, a) for name, a, b in back.manifests}


def test_the_first_step_that_differs_is_found(compare):
    found = compare({}, {"at": 3, "text": DETOUR})
    assert (found.kind, found.step, found.parts, found.manifests) == ("step", 3, ("target", "actions"), ())
    assert found.one.target == "OUTPUT Move disk 1 from 1 to 3"
    assert found.other.target == DETOUR
    assert found.other.actions == ("Move disk 1 from 1 to 2",)


@pytest.mark.parametrize("at", [-1, 1, 4])
def test_a_run_may_be_the_beginning_of_another(compare, at):
    found = compare({}, {"at": at})
    assert (found.kind, found.step, found.other) == ("prefix", max(at, 0) + 1, None)
    assert found.one.step == found.step


@pytest.mark.parametrize(
    ("other", "kind"),
    [({}, "equal"), ({"at": 2}, "prefix"), ({"at": 3, "text": DETOUR}, "step"), ({"n": 4}, "problem")],
)
def test_whatever_differs_in_the_runs_their_manifests_are_compared(compare, other, kind):
    found = compare({"seed": 1}, {"seed": 2, **other})
    assert found.kind == kind
    assert ("seed", 1, 2) in found.manifests


def test_the_ends_may_differ_where_no_step_does(compare):
    found = compare({"at": 4}, {"at": 5, "text": "nonsense"})
    assert (found.kind, found.step) == ("ending", None)
    assert compare({"at": 5, "text": "rubbish"}, {"at": 5, "text": "nonsense"}).kind == "ending"


def test_other_problems_are_not_compared(compare):
    found = compare({"n": 3}, {"n": 4})
    assert (found.kind, found.step) == ("problem", None)
    assert ("n", 3, 4) in found.manifests
    assert ("problem", "n=3 src=1 dst=3", "n=4 src=1 dst=3") in found.manifests
    assert compare({}, {"domain": "pancake"}).kind == "problem"


def test_other_dialects_are_not_compared(compare):
    found = compare({"memory": "pda"}, {"memory": "tape"})
    assert (found.kind, found.manifests) == ("dialect", (("memory", "pda", "tape"),))
    assert compare({"memory": "tape"}, {"memory": "tape", "arith": "inline"}).kind == "dialect"


def test_what_only_the_manifest_says_makes_no_run_different(compare, tmp_path):
    with RunFile.open(saved(tmp_path / "one.run")) as one, RunFile.open(saved(tmp_path / "two.run")) as two:
        records = {"model": {"name": "other"}, "arith_model": {"name": "sums"}}
        object.__setattr__(two.manifest, "records", records)
        found = compare_runs(one, two)
    assert found.kind == "equal"
    assert ("records.model.name", "reference", "other") in found.manifests
    assert ("records.arith_model.name", None, "sums") in found.manifests


def test_a_bad_file_is_rejected(tmp_path):
    (tmp_path / "no.run").write_text("no")
    with pytest.raises(ArtefactError):
        RunFile.open(tmp_path / "no.run")
