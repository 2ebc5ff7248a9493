"""What a search has reached, so that nobody takes "nothing found" for more than it is."""

from collections import Counter
from typing import Any

from attrs import Factory, define

from coc_check.fuzz.branches import Branches
from coc_check.fuzz.case import WAYS, Case
from coc_core.text import counted

_SHOWN = 8


@define
class Reached:
    """The settings, endings and branches that were reached. `places` is the number of settings that there are."""

    places: int
    branches: Branches
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
        kinds = {
            "several runs": case.runs > 1,
            "more runs than room": case.runs > case.sizes.get("max_machines", case.runs),
            "small limits of the executor": bool(case.sizes),
            "runs stopped early": bool(case.stops),
            "interrupted and resumed": bool(case.cuts),
            "used before": case.used,
            "batches that fail": case.faulty_calls > 0,
            "votes": case.votes,
            "no listener": case.silent,
            "nondeterministic": case.nondeterministic,
        }
        self.kinds.update(kind for kind, holds in kinds.items() if holds)

    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "settings": sorted(map(list, self.settings)),
            "settings_in_all": self.places,
            "most_runs_at_once": self.most,
            "endings": dict(self.endings.most_common()),
            "kinds": dict(self.kinds.most_common()),
            "cuts": dict(self.cuts.most_common()),
            "branches": len(self.branches.taken),
            "branches_in_all": len(self.branches.every),
            "branches_missing": self.branches.missing,
        }

    def lines(self) -> list[str]:
        """The same for a person."""
        missing, every = self.branches.missing, len(self.branches.every)
        shown = ", ".join(missing[:_SHOWN]) + (", ..." if len(missing) > _SHOWN else "")
        return [
            f"settings: {len(self.settings)} of {self.places}; up to {counted(self.most, 'run')} at once",
            f"runs should end: {_listed(self.endings)}",
            f"cases: {_listed(self.kinds)}",
            f"interrupted in {len(self.cuts)} of {len(WAYS)} ways: {_listed(self.cuts)}",
            f"branches of the executor: {len(self.branches.taken)} of {every}"
            + (f"; not all of {shown}" if missing else ""),
        ]


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.most_common()) or "none"
