"""The paper's own protocol: its networks, tokens, loss, optimiser and steps, as far as they were trained.

What was not trained is listed, with the hours that it would take at the rate that was measured.
"""

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

from attrs import frozen

from coc_core.text import counted
from coc_paper.item import Budget, Item, Results, Tasks, TrainingParameters, parameter, trained_runs
from coc_paper.items import holdout, instances
from coc_paper.items.hyperparameters import PAPER
from coc_paper.published import HOLDOUT_MEANS, instances as published
from coc_paper.report import Section, Table, Value
from coc_paper.settings import hyperparameters_of, settings_of
from coc_paper.tasks import Task

_TITLE = "The paper's own protocol"
_SETTING = {"memory": "tape", "arith": "inline"}
_LOSSES = ("all", "target")
"""Both readings of the paper, which contradicts itself."""

_PAIRS: Mapping[str, Mapping[str, Any]] = {
    "hanoi": {"sizes": "1-15"},
    "blocksworld": {"sizes": "5-40", "instances": 500},
    "pancake": {"sizes": "5-40", "instances": 500},
}
_CELLS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "hanoi": ("Tower of Hanoi, sizes solved, mean of five seeds (protocol: one)", {"sizes": "1-15"}),
    "blocksworld": (
        "BlocksWorld, 500 problems of each size, new ones solved",
        {"sizes": "5-40", "instances": instances.PROBLEMS},
    ),
}
"""The cells of the paper that are trained, by domain: what they show, and how a model is run."""

_OTHERS = {"hanoi": 49, "blocksworld": 17, "pancake": 9}
"""How many further trainings the paper's tables come from: ten levels with five seeds, nine columns for each domain."""

_MOST = 8
_SHORT = {"the paper's training": "paper", "coc's training": "exact-numbers"}
"""Trainings that are short enough for everybody, and their presets."""


@frozen(kw_only=True)
class _Protocol(TrainingParameters):
    seconds: int = parameter("seconds for which steps are timed", 10, 1)
    holdout: int = parameter("percent of the pairs that are held out", 5, least=0, most=99)
    seed: int = parameter("seed of the trainings", 0, least=0)


def _training(chosen: _Protocol, domain: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a training by the paper's protocol."""
    choices = {"domain": domain, **_SETTING, **_PAIRS[domain], "holdout": chosen.holdout / 100}
    own = chosen.training("paper", {**PAPER[domain], **changes})
    return {**choices, "holdout_by": "pairs", "seed": chosen.seed, **own}


def _protocols(chosen: _Protocol) -> Tasks:
    """Return the trainings by the paper's protocol, run, by their names."""
    found = {}
    for domain, (_, running) in _CELLS.items():
        for loss in _LOSSES:
            training, name = _training(chosen, domain, {"loss": loss}), f"{domain}, loss {loss}"
            found[name] = trained_runs({"domain": domain, **_SETTING}, training, running, f"{name}, by the protocol")
    return found


def _ours(chosen: _Protocol) -> Tasks:
    """Return the trainings of coc's own: five seeds for Tower of Hanoi, and all problems of BlocksWorld."""
    changes: Any = {"preset": chosen.preset, "hyperparameters": chosen.hyperparameters}
    tape, seeds = holdout.OnTape(**changes), range(chosen.seed, chosen.seed + 5)
    return {f"hanoi coc's {seed}": holdout.runs(tape, chosen.holdout, seed) for seed in seeds} | {
        "blocksworld coc's": instances.runs(instances.Instances(seed=chosen.seed, **changes), "blocksworld", 500)
    }


def _short(chosen: _Protocol) -> Tasks:
    """Return the trainings on few disks, run, by their names."""
    sizes = f"1-{_MOST}"
    choices: dict[str, Any] = {"sizes": sizes, "holdout": 0.1, "holdout_by": "pairs", "seed": 0}
    return {
        name: trained_runs(
            {"domain": "hanoi", **_SETTING},
            choices | chosen.training(preset),
            {"sizes": sizes},
            f"1 to {_MOST} disks with {name}",
        )
        for name, preset in _SHORT.items()
    }


def _rate(chosen: _Protocol, domain: str) -> Task:
    few = {"instances": 1} if "instances" in _PAIRS[domain] else {}
    arguments = {**_training(chosen, domain, {}), **few, "limit": chosen.seconds}
    return Task("coc_paper.work.learning:rate", arguments, {}, f"timing steps of {domain}")


def _tasks(chosen: _Protocol) -> Tasks:
    found = {f"{domain} rate": _rate(chosen, domain) for domain in _PAIRS}
    if chosen.budget is Budget.full:
        found |= {**_short(chosen), **_ours(chosen), **_protocols(chosen)}
    return found


def _percent(results: Results, names: Sequence[str]) -> float | str:
    if not all(name in results for name in names):
        return "not run"
    return round(100 * float(mean(row["rate"] for name in names for row in results[name].result["rows"])), 2)


def _beside(chosen: _Protocol, results: Results) -> list[list[Value]]:
    """Return the paper's cells, coc's own and the protocol's beside each other, percent."""
    papers = {"hanoi": HOLDOUT_MEANS.get(chosen.holdout), "blocksworld": _mean_of_column("blocksworld")}
    rows: list[list[Value]] = []
    for domain, (cell, _) in _CELLS.items():
        own = [name for name in _ours(chosen) if name.startswith(domain)]
        names = [own, *([f"{domain}, loss {loss}"] for loss in _LOSSES)]
        rows.append([cell, papers[domain], *(_percent(results, each) for each in names)])
    return rows


def _mean_of_column(domain: str) -> float:
    return round(mean(value for (name, _, count), value in published().items() if (name, count) == (domain, 500)), 2)


def _not_run(chosen: _Protocol, results: Results) -> list[list[Value]]:
    """Return what was not trained, with the hours that it would take at the rate that was measured."""
    rows: list[list[Value]] = []
    for domain in (domain for domain in _PAIRS if f"{domain} rate" in results):
        done = results[f"{domain} rate"]
        cost, steps = done.result, hyperparameters_of(_rate(chosen, domain))["steps"]
        timed = [cost["steps"], cost["threads"], round(cost["seconds"], 3), done.machine]
        left = {name: 1 for name in _protocols(chosen) if name.startswith(domain) and name not in results}
        left[f"{domain}, the other trainings, at most"] = _OTHERS[domain] * len(_LOSSES)
        for name, trainings in left.items():
            rows.append([name, trainings, steps, *timed, round(trainings * steps * cost["seconds"] / 3_600, 1)])
    return rows


def _trained(chosen: _Protocol, results: Results) -> list[list[Value]]:
    """Return what came of the trainings, those of few disks first."""
    rows = list[list[Value]]()
    for name, task in {**_short(chosen), **_protocols(chosen)}.items():
        if name in results:
            found, preset = results[name].result, task.needs["model"].arguments["preset"]
            report = found["trained"]
            pairs = [f"{report[f'{kind}_exact']:,} of {report[f'{kind}_pairs']:,}" for kind in ("train", "heldout")]
            solved, runs = (sum(row[each] for row in found["rows"]) for each in ("successes", "instances"))
            work = [report["parameters"], report["steps"], round(report["seconds"] / 60, 1)]
            loss = hyperparameters_of(task)["loss"]
            rows.append([name, preset, loss, *work, *pairs, f"{solved:,} of {runs:,}"])
    return rows


_BESIDE_COLUMNS = ("percent", "paper", "coc's own", *(f"protocol, loss {loss}" for loss in _LOSSES))
_NOT_RUN_COLUMNS = ("training", "trainings", "steps", "steps timed", "threads", "seconds a step", "hardware", "hours")
_TRAINED_COLUMNS = (
    "training",
    "preset",
    "loss",
    "parameters",
    "steps",
    "minutes",
    "training pairs exact",
    "held-out pairs exact",
    "solved",
)


def _report(chosen: _Protocol, results: Results) -> Section:
    full, not_run, trained = chosen.budget is Budget.full, _not_run(chosen, results), _trained(chosen, results)
    settings = {f"the timing of {domain}": _rate(chosen, domain) for domain in _PAIRS}
    tables = [Table("Not run: what the paper's protocol would take", _NOT_RUN_COLUMNS, not_run)]
    if full:
        settings |= _short(chosen)
        for domain in _CELLS:
            settings |= {name: task for name, task in _protocols(chosen).items() if name.startswith(domain)}
            settings |= {f"{domain}, coc's own": task for name, task in _ours(chosen).items() if domain in name}
        beside = Table("Beside each other", _BESIDE_COLUMNS, _beside(chosen, results))
        tables = [beside, *tables, Table("Trained to the end", _TRAINED_COLUMNS, trained)]
    return Section(
        name="protocol",
        title=_TITLE,
        question="What comes of the paper's own networks and trainings, and what do they take?",
        setting="The preset `paper`, with what the paper has otherwise for larger tasks: the paper's networks, tokens,"
        " optimiser and numbers of steps. The time of a step is the mean over those that are timed, on pairs of all the"
        " paper's sizes."
        + (
            f" Of the pairs, {chosen.holdout}% are held out; 5% is also the paper's share for validation. Then"
            f" `paper` is trained on 1 to {_MOST} disks with 10% of the pairs held out. There are so few pairs that the"
            " paper's 100 epochs end before its 2,000 steps of warm-up, in which the learning rate grows. Beside it is"
            " coc's `exact-numbers` on the same pairs, with its own number of steps."
            if full
            else ""
        )
        + f" {settings_of(settings)}",
        tables=tables,
        meaning=_meaning(not_run, trained),
    )


def _meaning(not_run: list[list[Value]], trained: list[list[Value]]) -> str:
    parts = [f"{row[-1]} with {row[0]}" for row in trained]
    text = f"Solved: {'; '.join(parts)}. " if parts else "Nothing was trained by it. "
    if not not_run:
        return f"{text}Nothing was timed."
    trainings = sum(row[1] for row in not_run if isinstance(row[1], int))
    hours = sum(row[-1] for row in not_run if isinstance(row[-1], float))
    return f"{text}Not run: {counted(trainings, 'training')}, {hours:,.0f} hours at the rates measured."


ITEM = Item("protocol", _TITLE, _tasks, _report, _Protocol)
