import pytest
from hypothesis import given, strategies as st

from coc_core.runfile import RunFile
from coc_view.commands.diff import compare_runs
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
