"""The paper's own protocol: its networks, tokens, loss, optimiser and steps, as far as they were trained.

What was not trained is listed, with the hours that it would take at the rate that was measured.
"""

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

from attrs import frozen

from coc_core.text import counted
from coc_paper.item import Budget, Results, Tasks, TrainingItem, parameter, trained_runs
from coc_paper.items.holdout import Holdout
from coc_paper.items.hyperparameters import PAPER
from coc_paper.items.instances import PROBLEMS, Instances
from coc_paper.published import HOLDOUT_MEANS, instances
from coc_paper.report import Section, Table, Value
from coc_paper.settings import hyperparameters_of, settings_of
from coc_paper.tasks import Task

_SETTING = {"memory": "tape", "arith": "inline"}
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

_TIMED = ["steps timed", "threads", "seconds a step", "hardware"]
_MEASURED = ["parameters", "steps", "minutes", "training pairs exact", "held-out pairs exact", "solved"]


@frozen(kw_only=True)
class Protocol(TrainingItem):
    """The time of a step, trainings on few disks, and the paper's trainings beside coc's own."""

    title = "The paper's own protocol"
    seconds: int = parameter("seconds for which steps are timed", 10, 1)
    holdout: int = parameter("percent of the pairs that are held out", 5, least=0, most=99)
    seed: int = parameter("seed of the trainings", 0, least=0)

    def tasks(self) -> Tasks:
        rates = {f"{domain} rate": self._rate(domain) for domain in _PAIRS}
        if self.budget is Budget.quick:
            return rates
        return {**rates, **self._short(), **self._ours("hanoi"), **self._ours("blocksworld"), **self._protocols()}

    def _by_paper(self, domain: str, changes: Mapping[str, Any] = {}) -> dict[str, Any]:
        """Return the arguments of a training by the paper's protocol."""
        choices = {**_PAIRS[domain], "holdout": self.holdout / 100, "seed": self.seed}
        return {"domain": domain, **_SETTING, **self.training("paper", {**PAPER[domain], **changes}, **choices)}

    def _rate(self, domain: str) -> Task:
        few = {"instances": 1} if "instances" in _PAIRS[domain] else {}
        arguments = {**self._by_paper(domain), **few, "limit": self.seconds}
        return Task("coc_paper.work.learning:rate", arguments, doing=f"timing steps of {domain}")

    def _protocols(self) -> Tasks:
        """Return the trainings by the paper's protocol, run, by their names."""
        found = {}
        for domain in _CELLS:
            setting, drawn = {"domain": domain, **_SETTING}, {"instances": PROBLEMS} if domain == "blocksworld" else {}
            for loss in _LOSSES:
                training, name = self._by_paper(domain, {"loss": loss}), f"{domain}, loss {loss}"
                running = {"sizes": _PAIRS[domain]["sizes"], **drawn}
                found[name] = trained_runs(setting, training, running, f"{name}, by the protocol")
        return found

    def _ours(self, domain: str) -> Tasks:
        """Return the trainings of coc's own: five seeds for Tower of Hanoi, and all problems of BlocksWorld."""
        own: Any = {"preset": self.preset, "hyperparameters": self.hyperparameters}
        if domain == "blocksworld":
            return {"blocksworld coc's": Instances(seed=self.seed, **own).runs(domain, 500)}
        seeds = range(self.seed, self.seed + 5)
        return {f"hanoi coc's {seed}": Holdout(**own).runs(self.holdout, seed) for seed in seeds}

    def _short(self) -> Tasks:
        """Return the trainings on few disks, run, by their names."""
        setting, choices = {"domain": "hanoi", **_SETTING}, dict[str, Any](sizes="1-8", holdout=0.1, seed=0)
        return {
            name: trained_runs(setting, self.training(preset, **choices), {"sizes": "1-8"}, f"1 to 8 disks with {name}")
            for name, preset in _SHORT.items()
        }

    def report(self, results: Results) -> Section:
        not_run, trained, more = self._not_run(results), self._trained(results), ""
        columns = ["training", "trainings", "steps", *_TIMED, "hours"]
        tables = [Table("Not run: what the paper's protocol would take", columns, not_run)]
        settings = {f"the timing of {domain}": self._rate(domain) for domain in _PAIRS}
        if self.budget is Budget.full:
            settings |= self._short()
            for domain in _CELLS:
                settings |= {name: task for name, task in self._protocols().items() if name.startswith(domain)}
                settings |= {f"{domain}, coc's own": task for task in self._ours(domain).values()}
            columns = ["percent", "paper", "coc's own", *(f"protocol, loss {loss}" for loss in _LOSSES)]
            tables = [Table("Beside each other", columns, self._beside(results)), *tables]
            tables.append(Table("Trained to the end", ["training", "preset", "loss", *_MEASURED], trained))
            more = (
                f" Of the pairs, {self.holdout}% are held out; 5% is also the paper's share for validation. Then"
                " `paper` is trained on 1 to 8 disks with 10% of the pairs held out. There are so few pairs that the"
                " paper's 100 epochs end before its 2,000 steps of warm-up, in which the learning rate grows. Beside it"
                " is coc's `exact-numbers` on the same pairs, with its own number of steps."
            )
        return Section(
            question="What comes of the paper's own networks and trainings, and what do they take?",
            setting="The preset `paper`, with what the paper has otherwise for larger tasks: the paper's networks,"
            " tokens, optimiser and numbers of steps. The time of a step is the mean over those that are timed, on"
            f" pairs of all the paper's sizes.{more} {settings_of(settings)}",
            tables=tables,
            meaning=_meaning(not_run, trained),
        )

    def _beside(self, results: Results) -> list[list[Value]]:
        """Return the paper's cells, coc's own and the protocol's beside each other, percent."""
        column = mean(
            cell for (domain, _, count), cell in instances().items() if (domain, count) == ("blocksworld", 500)
        )
        papers = {"hanoi": HOLDOUT_MEANS.get(self.holdout), "blocksworld": round(column, 2)}
        return [
            [
                cell,
                papers[domain],
                _percent(results, [*self._ours(domain)]),
                *(_percent(results, [f"{domain}, loss {loss}"]) for loss in _LOSSES),
            ]
            for domain, cell in _CELLS.items()
        ]

    def _not_run(self, results: Results) -> list[list[Value]]:
        """Return what was not trained, with the hours that it would take at the rate that was measured."""
        rows: list[list[Value]] = []
        for domain in _PAIRS:
            if done := results.get(f"{domain} rate"):
                cost, steps = done.result, hyperparameters_of(self._rate(domain))["steps"]
                timed = [cost["steps"], cost["threads"], round(cost["seconds"], 3), done.machine]
                left = {name: 1 for name in self._protocols() if name.startswith(domain) and name not in results}
                left[f"{domain}, the other trainings, at most"] = _OTHERS[domain] * len(_LOSSES)
                for name, count in left.items():
                    rows.append([name, count, steps, *timed, round(count * steps * cost["seconds"] / 3_600, 1)])
        return rows

    def _trained(self, results: Results) -> list[list[Value]]:
        """Return what came of the trainings, those of few disks first."""
        rows = list[list[Value]]()
        for name, task in {**self._short(), **self._protocols()}.items():
            if name in results:
                found, preset = results[name].result, task.needs["model"].arguments["preset"]
                report, loss = found["trained"], hyperparameters_of(task)["loss"]
                pairs = [f"{report[f'{kind}_exact']:,} of {report[f'{kind}_pairs']:,}" for kind in ("train", "heldout")]
                solved, runs = (sum(row[each] for row in found["rows"]) for each in ("successes", "instances"))
                work = [report["parameters"], report["steps"], round(report["seconds"] / 60, 1)]
                rows.append([name, preset, loss, *work, *pairs, f"{solved:,} of {runs:,}"])
        return rows


def _percent(results: Results, names: Sequence[str]) -> float | str:
    if not results.keys() >= {*names}:
        return "not run"
    return round(100 * float(mean(row["rate"] for name in names for row in results[name].result["rows"])), 2)


def _meaning(not_run: list[list[Value]], trained: list[list[Value]]) -> str:
    parts = [f"{row[-1]} with {row[0]}" for row in trained]
    text = f"Solved: {'; '.join(parts)}. " if parts else "Nothing was trained by it. "
    if not not_run:
        return f"{text}Nothing was timed."
    trainings = sum(row[1] for row in not_run if isinstance(row[1], int))
    hours = sum(row[-1] for row in not_run if isinstance(row[-1], float))
    return f"{text}Not run: {counted(trainings, 'training')}, {hours:,.0f} hours at the rates measured."
