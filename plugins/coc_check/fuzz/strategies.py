"""Cases, drawn by hypothesis: small problems and right targets come first, so that shrinking leads to them."""

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

from attrs import evolve, frozen
from hypothesis import strategies as st

from coc_check.fuzz.case import MOST_STEPS, MOST_WINDOWS, WAYS, Case, Cut, Text, setting_of
from coc_check.plain import run_plainly
from coc_check.scripted import MISTAKES, ScriptedPolicy, right_target
from coc_core.execution import Executor
from coc_core.memories import Convention
from coc_core.plugin import Registry
from coc_core.setting import Setting

SIZES, SEEDS = 4, 8  # problems of the smallest sizes
TOGETHER = 3  # problems at once
CROWD = 5  # problems of a crowd, which come again and again
SMALL = 24  # runs in a small crowd
LARGE = (32, 33, 64, 65, 96, 100, 128, 129, 150, 200, 256, 257, 300)
EARLY, LATEST = 4, 12  # steps: how late something happens, mostly and at most
FEW = (1, 2, 3, 5, 8, 1_000)  # the sizes of an executor

_STEPS = st.integers(1, EARLY) | st.integers(1, LATEST)
_COUNTS = st.integers(2, SMALL) | st.sampled_from(LARGE)
_LIMITS = st.just(MOST_STEPS) | st.integers(1, LATEST)
_FAULTY_CALLS = st.sampled_from((0, 0, 1, 2, 1_000))
_RARELY = st.sampled_from((False, False, False, True))
_CUTS = st.lists(
    _STEPS.flatmap(lambda at: st.builds(Cut, way=st.sampled_from(WAYS), at=st.just(at), kept=st.integers(0, at))),
    min_size=1,
    max_size=3,
)


KINDS = ("other", *MISTAKES)
"""In which way a target is wrong: it is the right one for another prompt of the run, or one of MISTAKES."""


@frozen
class Flaw:
    """From the step `step` of the problem with that index, one target is wrong, or with `lasting` every one.

    `which`, counted from 0, chooses among the ways in which one can be of that kind. Of a model that may respond in two
    ways, the wrong target comes second, or with `first` first.
    """

    problem: int
    step: int
    kind: str
    which: int
    lasting: bool
    first: bool = False

    def target(self, convention: Convention[Any, Any], prompt: str, right: str, targets: Sequence[str]) -> Text:
        """Return what becomes of the right target; `targets` are those of the policy's run, if it has a step."""
        if self.kind == "other":
            return targets[self.which % len(targets)] if targets else right
        try:
            return MISTAKES[self.kind](random.Random(self.which), right, prompt, convention)
        except (TypeError, ValueError):  # there is no instruction that could be left
            return right


def sizes_of(executor: Executor) -> list[str]:
    """Return the attributes that may be small: those with a limit on what it keeps or does at once."""
    found = (name for name in dir(type(executor)) if name.startswith("max_") or name == "cache_bytes")
    return [name for name in found if type(getattr(executor, name)) is int]


def cases(registry: Registry, places: Sequence[Case], executor: Executor) -> st.SearchStrategy[Case]:
    """Return cases for an executor that take place where one of `places` does, which have no problems yet.

    There is one problem alone, or a few together, or a crowd; a run that is cut off; an executor that was used before;
    a model that may respond in two ways, where the executor takes one and takes no votes; and votes.
    """
    unsure = not executor.needs_determinism and not executor.samples
    shapes = ["alone", "together", "cut", "used", "crowd"]
    shapes += ["nondeterministic"] * unsure + ["votes"] * executor.samples
    sizes = st.fixed_dictionaries({}, optional=dict.fromkeys(sizes_of(executor), st.sampled_from(FEW)))
    place_of, shape_of = st.sampled_from(range(len(places))), st.sampled_from(shapes)

    @cache
    def setting_at(place: int) -> Setting:
        return setting_of(registry, places[place])

    @cache
    def problems_at(place: int, sizes: int, shape: str) -> st.SearchStrategy[list[tuple[int, int]]]:
        sized = st.tuples(st.sampled_from(setting_at(place).domain.sizes[:sizes]), st.integers(0, SEEDS - 1))
        few, most = {"together": (2, TOGETHER), "crowd": (1, CROWD), "votes": (1, TOGETHER)}.get(shape, (1, 1))
        return st.lists(sized, min_size=few, max_size=most)

    @st.composite
    def case(draw: st.DrawFn) -> Case:
        place, shape = draw(place_of), draw(shape_of)
        setting = setting_at(place)
        count = draw(_COUNTS) if shape == "crowd" else 0
        drawn = draw(problems_at(place, SIZES // 2 if count > SMALL else SIZES, shape))
        flaws = draw(some_flaws(len(drawn))) if shape != "votes" else []  # a model that is often wrong may be refused
        problems = [setting.domain.problem(n, seed) for n, seed in drawn]
        records = max(setting.convention.first_window(problem).count("\n") for problem in problems)
        found: Case = evolve(
            places[place],
            problems=tuple(map(setting.domain.problems.format, problems)),
            cuts=tuple(draw(_CUTS)) if shape == "cut" else (),
            used=shape == "used",
            most_steps=draw(_LIMITS),
            most_windows=MOST_WINDOWS + records,
            count=count,
            faulty_calls=draw(_FAULTY_CALLS),
            votes=shape == "votes",
            sizes={} if shape == "votes" else draw(sizes),
            responses=wrong_responses(setting, problems, flaws, shape == "nondeterministic"),
        )
        if shape in ("cut", "nondeterministic", "votes"):
            return found
        silent = bool(executor.skips) and draw(st.booleans())
        stops = () if silent else tuple(draw(_stops(found.runs)))
        return evolve(found, silent=silent, stops=stops, unsure=unsure and draw(_RARELY))

    return case()


@cache
def some_flaws(problems: int) -> st.SearchStrategy[list[Flaw]]:
    """Return a few flaws, or none, in the runs of so many problems."""
    flaw = st.builds(
        Flaw,
        problem=st.integers(0, problems - 1),
        step=_STEPS,
        kind=st.sampled_from((*KINDS, "numeric", "numeric")),
        which=st.integers(0, 30),
        lasting=st.booleans(),
        first=st.booleans(),
    )
    return st.lists(flaw, max_size=3)


@cache
def _stops(runs: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    one = st.tuples(st.integers(0, runs - 1), _STEPS)
    return st.just([]) | st.lists(one, max_size=2, unique_by=lambda stop: stop[0])


def wrong_responses(
    setting: Setting, problems: Sequence[Any], flaws: Sequence[Flaw], nondeterministic: bool = False
) -> dict[str, tuple[Text, ...]]:
    """Return the wrong responses of a model with these flaws in the runs of some problems."""
    found: dict[str, tuple[Text, ...]] = {}
    for number, problem in enumerate(problems):
        own = [flaw for flaw in flaws if flaw.problem == number]
        if own:
            right = run_plainly(setting, problem)
            model = _Flawed(setting.convention, found)
            model.flaws, model.targets = own, [step.target for step in right.steps]
            model.deterministic, model.found = not nondeterministic, found
            run_plainly(setting, problem, model)
    return found


class _Flawed(ScriptedPolicy):
    """The policy with the flaws of one problem, called once a step. `found` gets what it writes wrong and keeps it."""

    name = "flawed"
    flaws: Sequence[Flaw]
    targets: Sequence[str]
    found: dict[str, tuple[Text, ...]]

    def _respond(self, prompt: str) -> str:
        step = self.calls + 1
        due = (flaw for flaw in self.flaws if flaw.step == step or (flaw.lasting and flaw.step < step))
        if prompt not in self.found and (flaw := next(due, None)):
            right = right_target(self._convention, prompt)
            wrong = flaw.target(self._convention, prompt, right, self.targets)
            if wrong != right:
                two = (wrong, right) if flaw.first else (right, wrong)
                self.found[prompt] = (wrong,) if self.deterministic else two
        return super()._respond(prompt)
