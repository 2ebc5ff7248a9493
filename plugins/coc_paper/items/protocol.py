"""The paper's own protocol: its networks, tokens, loss, optimiser and steps, as far as they were trained.

What was not trained is listed, with the hours that it would take at the rate that was measured.
"""

from collections.abc import Mapping
from statistics import mean
from typing import Any

from attrs import frozen

from coc_core.text import counted
from coc_paper.item import Results, Tasks, TrainingItem, parameter, trained_runs
from coc_paper.items.hanoi import Holdout
from coc_paper.items.instances import PROBLEMS, Instances
from coc_paper.items.untrained import PAPER
from coc_paper.published import HOLDOUT_MEANS, instances
from coc_paper.report import Section, Table, Value
from coc_paper.settings import hyperparameters_of, settings_of
from coc_paper.tasks import Task

_LOSSES = ("all", "target")
"""Both readings of the paper, which contradicts itself."""

_PAIRS: Mapping[str, Mapping[str, Any]] = {
    "hanoi": {"sizes": "1-15"},
    "blocksworld": {"sizes": "5-40", "instances": 500},
    "pancake": {"sizes": "5-40", "instances": 500},
}
_CELLS = {
    "hanoi": "Tower of Hanoi, sizes solved, mean of five seeds (protocol: one)",
    "blocksworld": "BlocksWorld, 500 problems of each size, new ones solved",
}
"""The cells of the paper that are trained, by domain."""

_OTHERS = {"hanoi": 49, "blocksworld": 17, "pancake": 9}
"""How many further trainings the paper's tables come from: ten levels with five seeds, nine columns for each domain."""

_SHORT = {"the paper's training": "paper", "coc's training": "exact-numbers"}
"""Trainings that are short enough for everybody, on 1 to 8 disks, and their presets."""

_NOT_RUN = ["training", "trainings", "steps", "steps timed", "threads", "seconds a step", "hardware", "hours"]
_MEASURED = ["parameters", "steps", "minutes", "training pairs exact", "held-out pairs exact", "solved"]
_TRAINED = ["training", "preset", "loss", *_MEASURED]


@frozen(kw_only=True)
class Protocol(TrainingItem):
    """The paper's own protocol."""

    seconds: int = parameter("seconds for which steps are timed", 10, 1)
    holdout: int = parameter("percent of the pairs that are held out", 5, least=0, most=99)
    seed: int = parameter("seed of the trainings", 0, least=0)

    def tasks(self) -> Tasks:
        rates = {f"{domain} rate": self._rate(domain) for domain in _PAIRS}
        if not self.full:
            return rates
        return {**rates, **self._short(), **self._ours("hanoi"), **self._ours("blocksworld"), **self._by_paper()}

    def _training(self, domain: str, changes: Mapping[str, Any] = {}) -> dict[str, Any]:
        """Return the arguments of a training by the paper's protocol."""
        choices = {**_PAIRS[domain], "holdout": self.holdout / 100, "seed": self.seed}
        return self.training(f"{domain} tape inline", "paper", {**PAPER[domain], **changes}, **choices)

    def _rate(self, domain: str) -> Task:
        few = {"instances": 1} if "instances" in _PAIRS[domain] else {}
        return Task("coc_paper.work.learning:rate", {**self._training(domain), **few, "limit": self.seconds})

    def _by_paper(self) -> dict[str, Task]:
        """Return the trainings by the paper's protocol, run, by their names."""
        found = {}
        for domain in _CELLS:
            drawn = {"instances": PROBLEMS} if "instances" in _PAIRS[domain] else {}
            for loss in _LOSSES:
                found[f"{domain}, loss {loss}"] = trained_runs(self._training(domain, {"loss": loss}), **drawn)
        return found

    def _ours(self, domain: str) -> Tasks:
        """Return the trainings of coc's own: five seeds for Tower of Hanoi, and all problems of BlocksWorld."""
        own: Any = {"preset": self.preset, "hyperparameters": self.hyperparameters}
        if domain == "blocksworld":
            return {"blocksworld coc's": Instances(seed=self.seed, **own).runs(domain, 500)}
        seeds = range(self.seed, self.seed + 5)
        return {f"hanoi coc's {seed}": Holdout(**own).runs(self.holdout, seed) for seed in seeds}

    def _short(self) -> dict[str, Task]:
        """Return the trainings on few disks, run, by their names."""
        choices: Any = {"sizes": "1-8", "holdout": 0.1, "seed": 0}
        own = {name: self.training("hanoi tape inline", preset, **choices) for name, preset in _SHORT.items()}
        return {name: trained_runs(training) for name, training in own.items()}

    def report(self, results: Results) -> Section:
        not_run, trained, more = self._not_run(results), self._trained(results), ""
        tables = [Table("Not run: what the paper's protocol would take", _NOT_RUN, not_run)]
        settings = {f"the timing of {domain}": self._rate(domain) for domain in _PAIRS}
        if self.full:
            settings |= self._short()
            for domain in _CELLS:
                settings |= {name: task for name, task in self._by_paper().items() if name.startswith(domain)}
                settings |= {f"{domain}, coc's own": task for task in self._ours(domain).values()}
            tables = [self._beside(results), *tables, Table("Trained to the end", _TRAINED, trained)]
            more = (
                f" Of the pairs, {self.holdout}% are held out; 5% is also the paper's share for validation. Then"
                " `paper` is trained on 1 to 8 disks with 10% of the pairs held out. There are so few pairs that the"
                " paper's 100 epochs end before its 2,000 steps of warm-up, in which the learning rate grows. Beside it"
                " is coc's `exact-numbers` on the same pairs, with its own number of steps."
            )
        solved = "; ".join(f"{row[-1]} with {row[0]}" for row in trained)
        meaning = f"Solved: {solved}. " if trained else "Nothing was trained by it. "
        if not_run:
            trainings = sum(row[1] for row in not_run if isinstance(row[1], int))
            hours = sum(row[-1] for row in not_run if isinstance(row[-1], float))
            meaning += f"Not run: {counted(trainings, 'training')}, {hours:,.0f} hours at the rates measured."
        else:
            meaning += "Nothing was timed."
        return Section(
            question="What comes of the paper's own networks and trainings, and what do they take?",
            setting="The preset `paper`, with what the paper has otherwise for larger tasks: the paper's networks,"
            " tokens, optimiser and numbers of steps. The time of a step is the mean over those that are timed, on"
            f" pairs of all the paper's sizes.{more} {settings_of(settings)}",
            tables=tables,
            meaning=meaning,
        )

    def _beside(self, results: Results) -> Table:
        """Return the paper's cells, coc's own and the protocol's beside each other, percent."""
        column = [rate for (domain, _, of), rate in instances().items() if (domain, of) == ("blocksworld", 500)]
        papers, rows = {"hanoi": HOLDOUT_MEANS.get(self.holdout), "blocksworld": round(mean(column), 2)}, []
        for domain, cell in _CELLS.items():
            row: list[Value] = [cell, papers[domain]]
            for names in ([*self._ours(domain)], *([f"{domain}, loss {loss}"] for loss in _LOSSES)):
                rates = [row["rate"] for name in names if name in results for row in results[name].result["rows"]]
                row.append(round(100 * float(mean(rates)), 2) if results.keys() >= {*names} else "not run")
            rows.append(row)
        columns = ["percent", "paper", "coc's own", *(f"protocol, loss {loss}" for loss in _LOSSES)]
        return Table("Beside each other", columns, rows)

    def _not_run(self, results: Results) -> list[list[Value]]:
        """Return what was not trained, with the hours that it would take at the rate that was measured."""
        rows: list[list[Value]] = []
        for domain in _PAIRS:
            if done := results.get(f"{domain} rate"):
                cost, steps = done.result, hyperparameters_of(self._rate(domain))["steps"]
                timed = [cost["steps"], cost["threads"], round(cost["seconds"], 3), done.machine]
                left = {name: 1 for name in self._by_paper() if name.startswith(domain) and name not in results}
                left[f"{domain}, the other trainings, at most"] = _OTHERS[domain] * len(_LOSSES)
                for name, count in left.items():
                    rows.append([name, count, steps, *timed, round(count * steps * cost["seconds"] / 3_600, 1)])
        return rows

    def _trained(self, results: Results) -> list[list[Value]]:
        """Return what came of the trainings, those of few disks first."""
        rows = list[list[Value]]()
        for name, task in {**self._short(), **self._by_paper()}.items():
            if name in results:
                found, preset = results[name].result, task.needs["model"].arguments["preset"]
                report, loss = found["trained"], hyperparameters_of(task)["loss"]
                pairs = [f"{report[f'{kind}_exact']:,} of {report[f'{kind}_pairs']:,}" for kind in ("train", "heldout")]
                solved, runs = (sum(row[each] for row in found["rows"]) for each in ("successes", "instances"))
                work = [report["parameters"], report["steps"], round(report["seconds"] / 60, 1)]
                rows.append([name, preset, loss, *work, *pairs, f"{solved:,} of {runs:,}"])
        return rows
