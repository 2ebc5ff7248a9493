"""The hunt: cases are drawn and tried until one differs, and that one is shrunk to the smallest that still does.

Small problems and right targets are drawn first, so that shrinking leads to them.
"""

import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from typing import Any

from attrs import evolve
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings, strategies as st
from hypothesis.configuration import set_hypothesis_home_dir

from coc_check.fuzz.case import MOST_STEPS, MOST_WINDOWS, WAYS, Case, Cut, Text, setting_of
from coc_check.fuzz.trial import Differs, try_case
from coc_check.plain import Difference, run_plainly
from coc_check.scripted import MISTAKES, ScriptedPolicy
from coc_core.errors import StepFault, UsageError
from coc_core.execution import Executor, StepRecord
from coc_core.memories import Convention
from coc_core.plugin import ArithmeticSpec, DomainSpec, ExecutorSpec, MemorySpec, Registry
from coc_core.setting import Setting
from coc_core.storage import temporary_folder

ROUND = 20  # cases that are drawn with one seed; then the next round begins with another
SHRINKING = 30.0  # seconds that making a case smaller may take
SIZES, SEEDS = 4, 8  # problems of the smallest sizes
TOGETHER = 3  # problems at once
CROWD = 5  # problems of a crowd, which come again and again
FEW = (1, 2, 3, 5, 8, 1_000)  # the sizes of an executor
SMALL = 24  # runs in a small crowd
LARGE = (32, 33, 64, 65, 96, 100, 128, 129, 150, 200, 256, 257, 300)
EARLY, LATEST = 4, 12  # steps: how late something happens, mostly and at most
SHAPES = {"together": (2, TOGETHER), "crowd": (1, CROWD), "votes": (1, TOGETHER), "cut": (1, TOGETHER)}
"""How many problems there are at least and at most, where there may be several."""
KINDS = ("other", *MISTAKES, "numeric", "numeric")
"""In which way a target is wrong: it is the right one for another prompt of the run, or one of MISTAKES."""

_STEPS = st.integers(1, EARLY) | st.integers(1, LATEST)
_COUNTS = st.integers(2, SMALL) | st.sampled_from(LARGE)
_LIMITS = st.just(MOST_STEPS) | st.integers(1, LATEST)
_FAULTY_CALLS = st.sampled_from((0, 0, 1, 2, 1_000))
_CUTS = st.lists(st.builds(Cut, st.sampled_from(WAYS), st.integers(1, EARLY)), min_size=1, max_size=3)
_KIND = st.tuples(st.sampled_from(KINDS), st.integers(0, 30))
# Where the targets are wrong, in which way, and whether those of all later steps are, and the first time already.
_FLAW = st.tuples(st.integers(0, CROWD), _STEPS, _KIND, st.booleans(), st.booleans())


def places(
    registry: Registry, executor: str, domain: str | None, memory: str | None, arith: str | None
) -> list[tuple[Case, Setting]]:
    """Return every setting of what is named, or else of all there is, each with a case that has no problems yet.

    UsageError or PluginError for a name that can't be had, UsageError if nothing goes together.
    """
    domains = registry.specs(DomainSpec) if domain is None else [registry.find(DomainSpec, domain)]
    memories = registry.specs(MemorySpec) if memory is None else [registry.find(MemorySpec, memory)]
    ariths = registry.specs(ArithmeticSpec) if arith is None else [registry.find(ArithmeticSpec, arith)]
    found = list[tuple[Case, Setting]]()
    for one, other, third in product(domains, memories, ariths):
        with suppress(UsageError):  # they don't go together, or the arithmetic calls a model and has no reference
            case = Case(executor, one.name, other.name, third.name, ())
            found.append((case, setting_of(registry, case)))
    if not found:
        raise UsageError("no executor can be tried there", remedy="choose a domain and a memory that go together")
    return found


def sizes_of(executor: Executor) -> list[str]:
    """Return the attributes that may be small: those with a limit on what it keeps or does at once."""
    found = (name for name in dir(type(executor)) if name.startswith("max_") or name == "cache_bytes")
    return [name for name in found if type(getattr(executor, name)) is int]


def cases(places: Sequence[tuple[Case, Setting]], executor: Executor) -> st.SearchStrategy[Case]:
    """Return cases for an executor that take place in one of `places`.

    There is one problem alone, or a few together, or a crowd; a run that is cut off; an executor that was used before;
    a model that may respond in two ways, where the executor takes one and takes no votes; and votes.
    """
    shapes = ["alone", "together", "cut", "used", "crowd"]
    shapes += ["votes"] if executor.samples else ["nondeterministic"] * (not executor.needs_determinism)
    sizes = st.fixed_dictionaries({}, optional=dict.fromkeys(sizes_of(executor), st.sampled_from(FEW)))
    place_of, shape_of = st.sampled_from(places), st.sampled_from(shapes)

    @st.composite
    def case(draw: st.DrawFn) -> Case:
        (place, setting), shape = draw(place_of), draw(shape_of)
        number = draw(_COUNTS) if shape == "crowd" else 0
        few, most = SHAPES.get(shape, (1, 1))
        smallest = setting.domain.sizes[: SIZES // 2 if number > SMALL else SIZES]
        sized = st.tuples(st.sampled_from(smallest), st.integers(0, SEEDS - 1))
        problems = [setting.domain.problem(*each) for each in draw(st.lists(sized, min_size=few, max_size=most))]
        most = 0 if shape == "votes" else 3  # a model that is often wrong may be refused
        flaws = draw(st.lists(_FLAW, min_size=shape == "nondeterministic", max_size=most))
        records = max(setting.convention.first_window(problem).count("\n") for problem in problems)
        found: Case = evolve(
            place,
            problems=tuple(map(setting.domain.problems.format, problems)),
            cuts=tuple(draw(_CUTS)) if shape == "cut" else (),
            used=shape == "used",
            most_steps=draw(_LIMITS),
            most_windows=MOST_WINDOWS + records,
            count=number,
            faulty_calls=draw(_FAULTY_CALLS),
            votes=shape == "votes",
            sizes={} if shape == "votes" else draw(sizes),
            responses=_wrong_responses(setting, problems, flaws, nondeterministic=shape == "nondeterministic"),
        )
        if shape in ("cut", "nondeterministic", "votes"):
            return found
        silent = bool(executor.skips) and draw(st.booleans())
        stop = st.tuples(st.integers(0, found.runs - 1), _STEPS)
        some = st.just(list[tuple[int, int]]()) | st.lists(stop, max_size=2, unique_by=lambda stop: stop[0])
        stops = () if silent else tuple(draw(some))
        return evolve(found, silent=silent, stops=stops)

    return case()


def _wrong_responses(
    setting: Setting, problems: Sequence[Any], flaws: Sequence[tuple[Any, ...]], *, nondeterministic: bool
) -> dict[str, tuple[Text, ...]]:
    """Return the wrong responses of a model with these flaws, each in a run with those before it."""
    found: dict[str, tuple[Text, ...]] = {}
    for problem, step, kind, lasting, first in flaws:
        model = ScriptedPolicy(setting.convention, found)
        steps = run_plainly(setting, problems[problem % len(problems)], model).steps
        for record in steps[step - 1 : None if lasting else step]:
            wrong = wrong_target(kind, setting.convention, record, steps)
            if wrong != record.target and record.prompt not in found:
                two = (wrong, record.target) if first else (record.target, wrong)
                found[record.prompt] = two if nondeterministic else (wrong,)
    return found


def wrong_target(
    way: tuple[str, int], convention: Convention[Any, Any], record: StepRecord, steps: Sequence[StepRecord]
) -> Text:
    """Return what becomes of the right target of a step; the same where there is no mistake of that kind."""
    kind, which = way
    if kind == "other":
        return steps[which % len(steps)].target
    with suppress(TypeError, ValueError, StepFault):  # there is no instruction that could be left
        return MISTAKES[kind](random.Random(which), record.target, record.prompt, convention)
    return record.target


class Hunt:
    """Looks for a case in which an executor does something else than Algorithm 1.

    UsageError or PluginError if one of the names can't be had. The same seed draws the same cases.

    Attributes:
        tried: How many cases were tried so far.
        found: The smallest so far that differs, and in what.
        settings: The domain, memory and arithmetic of each.
        reached: What they had, and how they were interrupted, with how often.
    """

    def __init__(
        self,
        registry: Registry,
        executor: str,
        domain: str | None = None,
        memory: str | None = None,
        arith: str | None = None,
        number: int = 0,
    ) -> None:
        made: Executor = registry.create(ExecutorSpec, executor)
        where = places(registry, executor, domain, memory, arith)
        self.settings, self.reached = set[tuple[str, str, str]](), defaultdict[str, Counter[str]](Counter)
        self.tried, self._places = 0, len(where)
        self.found: tuple[Case, Difference] | None = None
        self._registry, self._seed, self._end, self._most = registry, number, float("inf"), 0
        self._cases = cases(where, made)
        self._known: dict[str, Difference | None] = {}

    def lines(self) -> list[str]:
        """Return what was reached, for a person."""
        told = {
            name: ", ".join(f"{each} {n:,}" for each, n in found.most_common()) for name, found in self.reached.items()
        }
        settings = f"settings: {len(self.settings)} of {self._places}"
        return [settings, *(f"{name}: {text or 'none'}" for name, text in told.items())]

    def run(self, examples: int, seconds: float = float("inf")) -> tuple[Case, Difference] | None:
        """Try so many cases, or as many as there are, or for so many seconds, but at least one; return what was found.

        Raises:
            UsageError: No case was tried.
        """
        self._end, self._most = time.monotonic() + seconds, examples
        with temporary_folder() as folder:  # hypothesis would make one in the current folder
            set_hypothesis_home_dir(str(folder))
            try:
                number, before = 0, -1
                while self.found is None and before < self.tried and self._goes_on():
                    before, number = self.tried, number + 1
                    self._round(number)
            finally:
                set_hypothesis_home_dir(None)
        if not self.tried:
            raise UsageError("no case was tried", remedy="allow at least one")
        return self.found

    def _goes_on(self) -> bool:
        return self.tried < self._most and (not self.tried or time.monotonic() < self._end)

    def _round(self, number: int) -> None:
        configured = settings(
            max_examples=ROUND,
            database=None,
            deadline=None,
            derandomize=False,
            phases=(Phase.generate, Phase.shrink),
            print_blob=False,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
        )
        with suppress(Differs):
            seed(f"{self._seed} {number}")(configured(given(self._cases)(self._try)))()

    def _try(self, case: Case) -> None:
        """Raise Differs if the executor differs. Once enough was tried, a case that is new passes."""
        key = repr(case)
        if key not in self._known:
            if not self._goes_on():
                return
            self._known[key] = try_case(self._registry, case)
            self.tried += 1
            self.settings.add((case.domain, case.memory, case.arith))
            self.reached["cases with"].update([*case.changed])
            self.reached["interrupted by"].update(cut.way for cut in case.cuts)
        difference = self._known[key]
        if difference is not None:
            if self.found is None:
                self._end, self._most = time.monotonic() + SHRINKING, sys.maxsize
            self.found = case, difference
            raise Differs
