"""The hunt: cases are drawn and tried until one differs, and that one is shrunk to the smallest that still does."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from attrs import Factory, define, frozen
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir

from coc_check.fuzz.case import WAYS, Case, places
from coc_check.fuzz.report import Differs, in_words
from coc_check.fuzz.strategies import cases
from coc_check.fuzz.trial import try_case
from coc_check.plain import Difference
from coc_core.errors import UsageError
from coc_core.execution import Executor
from coc_core.plugin import ExecutorSpec, Registry
from coc_core.storage import temporary_folder
from coc_core.text import counted

ROUND = 100
"""Cases that are drawn with one seed; then the next round begins with another."""

SHRINKING = 30.0
"""Seconds that making a case smaller may take."""


KINDS: Mapping[str, Callable[[Case], Any]] = {
    "several runs": lambda case: case.runs > 1,
    "more runs than room": lambda case: case.runs > case.sizes.get("max_machines", case.runs),
    "small limits of the executor": lambda case: case.sizes,
    "runs stopped early": lambda case: case.stops,
    "interrupted and resumed": lambda case: case.cuts,
    "used before": lambda case: case.used,
    "batches that fail": lambda case: case.faulty_calls,
    "votes": lambda case: case.votes,
    "no listener": lambda case: case.silent,
    "nondeterministic": lambda case: case.nondeterministic,
}
"""The kinds of cases, which overlap."""


@define
class Reached:
    """The settings and endings that were reached. `places` is the number of settings that there are."""

    places: int
    settings: set[tuple[str, str, str]] = Factory(set)
    most: int = 0
    endings: Counter[str] = Factory(Counter)
    cuts: Counter[str] = Factory(Counter)
    kinds: Counter[str] = Factory(Counter)

    def add(self, case: Case, ended: list[str]) -> None:
        """Count a case that was tried, whose runs should have ended so."""
        self.settings.add((case.domain, case.memory, case.arith))
        self.most = max(self.most, case.runs)
        self.endings.update(ended)
        self.cuts.update(cut.way for cut in case.cuts)
        self.kinds.update(kind for kind, holds in KINDS.items() if holds(case))

    def document(self) -> dict[str, Any]:
        """Return the same as plain data."""
        settings = {"settings": sorted(map(list, self.settings)), "settings_in_all": self.places}
        counts = {name: dict(getattr(self, name).most_common()) for name in ("endings", "kinds", "cuts")}
        return {**settings, "most_runs_at_once": self.most, **counts}

    def lines(self) -> list[str]:
        """Return the same for a person."""
        lists = {"runs should end": self.endings, "cases": self.kinds}
        lists[f"interrupted in {len(self.cuts)} of {len(WAYS)} ways"] = self.cuts
        found = [f"settings: {len(self.settings)} of {self.places}; up to {counted(self.most, 'run')} at once"]
        for what, counts in lists.items():
            found.append(f"{what}: {', '.join(f'{name} {n:,}' for name, n in counts.most_common()) or 'none'}")
        return found


@frozen
class Finding:
    """The smallest case that was found to differ, and in what."""

    case: Case
    difference: Difference


class Hunt:
    """Looks for a case in which an executor does something else than Algorithm 1.

    UsageError or PluginError if one of the names can't be had. The same seed draws the same cases.

    Attributes:
        tried: How many cases were tried so far.
        found: The smallest so far that differs.
        reached: What these cases were.
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
        where = [Case(executor, *place, ()) for place in places(registry, domain, memory, arith)]
        self.tried, self.reached = 0, Reached(len(where))
        self.found: Finding | None = None
        self._registry, self._seed, self._end = registry, number, float("inf")
        self._cases = cases(registry, where, made)
        self._known: dict[str, Difference | None] = {}

    def run(self, examples: int, seconds: float = float("inf")) -> Finding | None:
        """Try so many cases, or as many as there are, or for so many seconds, but at least one.

        Returns:
            What was found; it is in `found`, too.

        Raises:
            UsageError: No case was tried.
        """
        self._end = time.monotonic() + seconds
        rounds, before = 0, -1
        with temporary_folder() as folder:  # hypothesis would make one in the current folder
            set_hypothesis_home_dir(str(folder))
            try:
                while self.found is None and before < self.tried < examples and self._goes_on():
                    before = self.tried
                    self._round(min(examples - self.tried, ROUND), rounds)
                    rounds += 1
            finally:
                set_hypothesis_home_dir(None)
        if not self.tried:
            raise UsageError("no case was tried", remedy="allow at least one")
        return self.found

    def _goes_on(self) -> bool:
        return not self.tried or time.monotonic() < self._end

    def _round(self, examples: int, number: int) -> None:
        configured = settings(
            max_examples=examples,
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
        """Raise Differs if the executor differs. Once the time is over, a case that is new passes."""
        key, ended = repr(case), list[str]()
        if key not in self._known:
            if not self._goes_on():
                return
            self._known[key] = try_case(self._registry, case, ended)
            self.reached.add(case, ended)
            self.tried += 1
        difference = self._known[key]
        if difference is not None:
            if self.found is None:
                self._end = time.monotonic() + SHRINKING
            self.found = Finding(case, difference)
            raise Differs("\n".join(in_words(case, difference)))
