"""Cases, drawn by hypothesis: small problems and right targets come first, so that shrinking leads to them."""

from collections.abc import Sequence
from functools import cache

from attrs import evolve
from hypothesis import strategies as st

from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.testing.fuzz.case import WAYS, Case, Cut, Text
from coc_core.testing.fuzz.flaw import KINDS, Flaw, Flawed, NondeterministicFlawed
from coc_core.testing.fuzz.place import problems_of, setting_of
from coc_core.testing.plain import run_plainly

SIZES, SEEDS = 4, 8  # problems of the smallest sizes
TOGETHER = 3  # problems at once
LATEST = 12  # steps: how late something happens, at most

_CUTS = st.lists(
    st.integers(1, LATEST).flatmap(
        lambda at: st.builds(Cut, way=st.sampled_from(WAYS), at=st.just(at), kept=st.integers(0, at))
    ),
    min_size=1,
    max_size=3,
)


def cases(registry: Registry, places: Sequence[Case], nondeterministic: bool) -> st.SearchStrategy[Case]:
    """Cases in one of the `places`; with a model that may respond in two ways only if `nondeterministic`.

    A run of several problems, one that is cut off, and one of an executor that was used before are different cases.
    """
    shapes = ["alone", "together", "cut", "used", *(["nondeterministic"] if nondeterministic else [])]

    @cache
    def setting_at(place: int) -> Setting:
        return setting_of(registry, places[place])

    @st.composite
    def case(draw: st.DrawFn) -> Case:
        place = draw(st.integers(0, len(places) - 1))
        shape = draw(st.sampled_from(shapes))
        domain = setting_at(place).domain
        sized = st.tuples(st.sampled_from(domain.sizes[:SIZES]), st.integers(0, SEEDS - 1))
        drawn = draw(st.lists(sized, min_size=2, max_size=TOGETHER) if shape == "together" else st.tuples(sized))
        flaws = draw(st.lists(_flaw(len(drawn)), max_size=3))
        found: Case = evolve(
            places[place],
            problems=tuple(domain.problems.format(domain.problem(n, seed)) for n, seed in drawn),
            cuts=tuple(draw(_CUTS)) if shape == "cut" else (),
            used=shape == "used",
            most_steps=draw(st.just(places[place].most_steps) | st.integers(1, LATEST)),
        )
        return evolve(found, responses=wrong_responses(setting_at(place), found, flaws, shape == "nondeterministic"))

    return case()


def _flaw(problems: int) -> st.SearchStrategy[Flaw]:
    return st.builds(
        Flaw,
        problem=st.integers(0, problems - 1),
        step=st.integers(1, LATEST),
        kind=st.sampled_from(KINDS),
        which=st.integers(0, 30),
        lasting=st.booleans(),
    )


def wrong_responses(
    setting: Setting, case: Case, flaws: Sequence[Flaw], nondeterministic: bool
) -> dict[str, tuple[Text, ...]]:
    """The wrong responses of a model with these flaws in the runs of the case's problems."""
    responses: dict[str, tuple[Text, ...]] = {}
    for number, problem in enumerate(problems_of(setting, case)):
        own = [flaw for flaw in flaws if flaw.problem == number]
        if own:
            right = run_plainly(setting, problem, setting.model("reference"))
            targets = [step.target for step in right.steps]
            kind = NondeterministicFlawed if nondeterministic else Flawed
            run_plainly(setting, problem, kind(setting.convention, own, targets, responses))
    return responses
