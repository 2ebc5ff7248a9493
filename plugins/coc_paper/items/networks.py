"""The paper's own networks and trainings: what they take on this machine, and what comes of one that ends soon."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from coc_core.text import format_sizes
from coc_paper.item import Budget, Item, Results, Tasks, TrainingParameters, parameter, trained_runs
from coc_paper.items import hyperparameters
from coc_paper.items.hyperparameters import PAPER
from coc_paper.report import Section, Table, Value
from coc_paper.settings import hyperparameters_of, in_words, settings_of
from coc_paper.tasks import Task

_TITLE = "The paper's own networks and trainings"
_SETTING = {"memory": "tape", "arith": "inline"}
_DOMAINS: Mapping[str, Mapping[str, Any]] = {
    "hanoi": {"sizes": "1-15"},
    "blocksworld": {"sizes": "5-40", "instances": 1},
    "pancake": {"sizes": "5-40", "instances": 1},
}
_TIMED = {"hanoi": 10, "blocksworld": 3, "pancake": 3}  # steps
_FEW = {"final_pairs": 20}
_PROTOCOLS = {"the paper's": ("paper", 60.0), "coc's": ("exact-numbers", 8.0)}
_COST_COLUMNS = ("domain", "parameters", "steps timed", "threads", "seconds a step", "the paper's steps", "days")
_TRAINED_COLUMNS = (
    "training",
    "preset",
    "loss",
    "parameters",
    "steps",
    "minutes",
    "training pairs exact",
    "held-out pairs exact",
)


@frozen(kw_only=True)
class _Networks(TrainingParameters):
    sizes: tuple[int, ...] = parameter("disks of the two trainings", (*range(1, 9),))
    holdout: int = parameter("percent of the pairs that they hold out", 10, least=0, most=99)
    seed: int = parameter("their seed", 0, least=0)


def _cost(domain: str) -> str:
    return f"{domain} cost"


def _tasks(chosen: _Networks) -> Tasks:
    found, whole = {}, hyperparameters.ITEM.tasks(chosen)
    for domain, pairs in _DOMAINS.items():
        changes = {**PAPER[domain], "steps": _TIMED[domain], **_FEW}
        choices = {**_SETTING, **pairs, "holdout_by": "pairs"}
        training = {"domain": domain, **choices, "preset": "paper", "hyperparameters": changes}
        found[domain] = whole[domain]
        found[_cost(domain)] = Task("coc_paper.work.learning:step_cost", training, {}, f"timing steps of {domain}", 1.5)
    if chosen.budget is Budget.full:
        sizes = format_sizes(chosen.sizes)
        for protocol, (preset, minutes) in _PROTOCOLS.items():
            found[protocol] = trained_runs(
                {"domain": "hanoi", **_SETTING},
                {"sizes": sizes, "holdout": chosen.holdout / 100, "holdout_by": "pairs", "seed": chosen.seed}
                | chosen.training(preset),
                {"sizes": sizes},
                f"{in_words(chosen.sizes)} disks with {protocol} training",
                minutes,
            )
    return found


def _costs(results: Results) -> list[list[Value]]:
    """What the trainings take whose steps were timed."""
    rows: list[list[Value]] = []
    for domain in _DOMAINS:
        if domain in results and _cost(domain) in results:
            values, cost = results[domain].result, results[_cost(domain)].result
            days = values["steps"] * cost["seconds"] / 86_400
            timed = [_TIMED[domain], cost["threads"], round(cost["seconds"], 1)]
            rows.append([domain, values["parameters"], *timed, values["steps"], round(days, 1)])
    return rows


def _trained(chosen: _Networks, results: Results) -> list[list[Value]]:
    """What came out of the trainings that were made, the paper's and coc's."""
    rows, tasks = list[list[Value]](), _tasks(chosen)
    for protocol, (preset, _) in _PROTOCOLS.items():
        if protocol in results:
            found, preset = results[protocol].result, chosen.preset or preset
            report = found["trained"]
            pairs = [f"{report[f'{kind}_exact']:,} of {report[f'{kind}_pairs']:,}" for kind in ("train", "heldout")]
            solved = sum(row["successes"] for row in found["rows"])
            minutes = round(report["seconds"] / 60, 1)
            loss = hyperparameters_of(tasks[protocol])["loss"]
            rows.append([protocol, preset, loss, report["parameters"], report["steps"], minutes, *pairs, solved])
    return rows


def _report(chosen: _Networks, results: Results) -> Section:
    costs, trained, tasks = _costs(results), _trained(chosen, results), _tasks(chosen)
    full, sizes = chosen.budget is Budget.full, in_words(chosen.sizes)
    settings = {f"the timing of {domain}": tasks[_cost(domain)] for domain in _DOMAINS}
    settings |= {f"{protocol} training": tasks[protocol] for protocol in _PROTOCOLS if protocol in tasks}
    tables = [Table("What the trainings would take", _COST_COLUMNS, costs)]
    if full:
        columns = [*_TRAINED_COLUMNS, f"sizes solved of {len(chosen.sizes)}"]
        tables.append(Table(f"Trained on {sizes} disks", columns, trained))
    days = [f"{row[-1]:.1f} days for {row[0]}" for row in costs]
    solved = [f"{row[-1]} with {row[0]} training" for row in trained]
    meaning = (
        f"All the paper's steps would take {', '.join(days)}; they were not run." if days else "Nothing was timed."
    )
    if solved:
        meaning += f" Of {len(chosen.sizes)} sizes, {' and '.join(solved)} are solved."
    return Section(
        name="networks",
        title=_TITLE,
        question="What do the paper's own trainings take, and what comes of one that is short enough?",
        setting="The preset `paper`, with what the paper has otherwise for larger tasks: the paper's networks, tokens"
        " and numbers of steps. The time is the mean of the steps that are timed, on pairs of all the paper's sizes."
        + (
            f" Then `paper` is trained on {sizes} disks with {chosen.holdout}% of the pairs held out. There are so few"
            " pairs that the paper's 100 epochs end before its 2,000 steps of warm-up, in which the learning rate"
            " grows. Beside it is coc's `exact-numbers` on the same pairs, with its own number of steps."
            if full
            else ""
        )
        + f" {settings_of(settings)}",
        sample="The steps are timed, and nothing is trained." if not full else "",
        tables=tables,
        meaning=meaning,
    )


ITEM = Item("networks", _TITLE, _tasks, _report, _Networks)
