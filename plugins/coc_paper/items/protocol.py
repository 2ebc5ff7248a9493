"""The paper's own protocol, as far as it was trained; the rest is listed, with the hours that it would take."""

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

_LOSSES = ("all", "target")  # both readings of the paper, which contradicts itself
_PAIRS: Mapping[str, Mapping[str, Any]] = {
    "hanoi": {"sizes": "1-15"},
    "blocksworld": {"sizes": "5-40", "instances": 500},
    "pancake": {"sizes": "5-40", "instances": 500},
}
_CELLS = {  # of the paper, that are trained
    "hanoi": "Tower of Hanoi, sizes solved, mean of five seeds (protocol: one)",
    "blocksworld": "BlocksWorld, 500 problems of each size, new ones solved",
}
_OTHERS = {"hanoi": 49, "blocksworld": 17, "pancake": 9}
"""How many further trainings the paper's tables come from: ten levels with five seeds, nine columns for each domain."""
_SHORT = {"the paper's training": "paper", "coc's training": "exact-numbers"}  # presets, on 1 to 8 disks
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
        rates, *others = self._groups().values()
        return {name: task for group in ([rates, *others] if self.full else [rates]) for name, task in group.items()}

    def _groups(self) -> dict[str, dict[str, Task]]:
        """Return the timings of a step; trainings on few disks; coc's own of each domain; those by the protocol."""
        own: Any = {"preset": self.preset, "hyperparameters": self.hyperparameters}
        few: Any = {"sizes": "1-8", "holdout": 0.1, "seed": 0}
        short = {name: trained_runs(self.training("hanoi tape inline", each, **few)) for name, each in _SHORT.items()}
        seeds = range(self.seed, self.seed + 5)
        hanoi = {f"hanoi coc's {seed}": Holdout(**own).runs(self.holdout, seed) for seed in seeds}
        blocksworld = {"blocksworld coc's": Instances(seed=self.seed, **own).runs("blocksworld", 500)}
        rates, paper = {}, {}
        for domain, pairs in _PAIRS.items():
            setting, drawn = f"{domain} tape inline", "instances" in pairs
            choices: Any = {**pairs, "holdout": self.holdout / 100, "seed": self.seed}
            timed = {**self.training(setting, "paper", PAPER[domain], **choices), **({"instances": 1} if drawn else {})}
            rates[f"{domain} rate"] = Task("coc_paper.work.learning:rate", {**timed, "limit": self.seconds})
            for loss in _LOSSES if domain in _CELLS else ():
                training = self.training(setting, "paper", {**PAPER[domain], "loss": loss}, **choices)
                runs = trained_runs(training, **({"instances": PROBLEMS} if drawn else {}))
                paper[f"{domain}, loss {loss}"] = runs
        return {"rates": rates, "short": short, "hanoi": hanoi, "blocksworld": blocksworld, "paper": paper}

    def report(self, results: Results) -> Section:
        groups, more = self._groups(), ""
        not_run, trained = self._not_run(groups, results), _trained({**groups["short"], **groups["paper"]}, results)
        tables = [Table("Not run: what the paper's protocol would take", _NOT_RUN, not_run)]
        settings = {f"the timing of {name.removesuffix(' rate')}": task for name, task in groups["rates"].items()}
        if self.full:
            settings |= groups["short"]
            for domain in _CELLS:
                settings |= {name: task for name, task in groups["paper"].items() if name.startswith(domain)}
                settings |= {f"{domain}, coc's own": task for task in groups[domain].values()}
            tables = [self._beside(groups, results), *tables, Table("Trained to the end", _TRAINED, trained)]
            more = (
                f" Of the pairs, {self.holdout}% are held out; 5% is also the paper's share for validation. Then"
                " `paper` is trained on 1 to 8 disks with 10% of the pairs held out. There are so few pairs that the"
                " paper's 100 epochs end before its 2,000 steps of warm-up, in which the learning rate grows. Beside it"
                " is coc's `exact-numbers` on the same pairs, with its own number of steps."
            )
        solved = "; ".join(f"{row[-1]} with {row[0]}" for row in trained)
        meaning = f"Solved: {solved}. " if trained else "Nothing was trained by it. "
        trainings = sum(row[1] for row in not_run if isinstance(row[1], int))
        hours = sum(row[-1] for row in not_run if isinstance(row[-1], float))
        left = f"Not run: {counted(trainings, 'training')}, {hours:,.0f} hours at the rates measured."
        return Section(
            question="What comes of the paper's own networks and trainings, and what do they take?",
            setting="The preset `paper`, with what the paper has otherwise for larger tasks: the paper's networks,"
            " tokens, optimiser and numbers of steps. The time of a step is the mean over those that are timed, on"
            f" pairs of all the paper's sizes.{more} {settings_of(settings)}",
            tables=tables,
            meaning=meaning + (left if not_run else "Nothing was timed."),
        )

    def _beside(self, groups: Mapping[str, Tasks], results: Results) -> Table:
        """Return the paper's cells, coc's own and the protocol's beside each other, percent."""
        column = [rate for (domain, _, of), rate in instances().items() if (domain, of) == ("blocksworld", 500)]
        papers, rows = {"hanoi": HOLDOUT_MEANS.get(self.holdout), "blocksworld": round(mean(column), 2)}, []
        for domain, cell in _CELLS.items():
            row: list[Value] = [cell, papers[domain]]
            for names in ([*groups[domain]], *([f"{domain}, loss {loss}"] for loss in _LOSSES)):
                rates = [row["rate"] for name in names if name in results for row in results[name].result["rows"]]
                row.append(round(100 * float(mean(rates)), 2) if results.keys() >= {*names} else "not run")
            rows.append(row)
        columns = ["percent", "paper", "coc's own", *(f"protocol, loss {loss}" for loss in _LOSSES)]
        return Table("Beside each other", columns, rows)

    def _not_run(self, groups: Mapping[str, Tasks], results: Results) -> list[list[Value]]:
        """Return what was not trained, with the hours that it would take at the rate that was measured."""
        rows: list[list[Value]] = []
        for domain, others in _OTHERS.items():
            if done := results.get(f"{domain} rate"):
                cost, steps = done.result, hyperparameters_of(groups["rates"][f"{domain} rate"])["steps"]
                timed = [cost["steps"], cost["threads"], round(cost["seconds"], 3), done.machine]
                left = {name: 1 for name in groups["paper"] if name.startswith(domain) and name not in results}
                left[f"{domain}, the other trainings, at most"] = others * len(_LOSSES)
                for name, count in left.items():
                    rows.append([name, count, steps, *timed, round(count * steps * cost["seconds"] / 3_600, 1)])
        return rows


def _trained(tasks: Tasks, results: Results) -> list[list[Value]]:
    """Return what came of trainings."""
    rows = list[list[Value]]()
    for name in (name for name in tasks if name in results):
        found, preset = results[name].result, tasks[name].needs["model"].arguments["preset"]
        report, loss = found["trained"], hyperparameters_of(tasks[name])["loss"]
        pairs = [f"{report[f'{kind}_exact']:,} of {report[f'{kind}_pairs']:,}" for kind in ("train", "heldout")]
        solved, runs = (sum(row[each] for row in found["rows"]) for each in ("successes", "instances"))
        work = [report["parameters"], report["steps"], round(report["seconds"] / 60, 1)]
        rows.append([name, preset, loss, *work, *pairs, f"{solved:,} of {runs:,}"])
    return rows
