"""The paper's own protocol: its networks, tokens, loss, optimiser and steps, as far as they were trained.

A training is a chain of pieces (`coc_paper.work.protocol`), so that what was done is shown, and the rest, with the
hours that it would take at the rate that was measured, is listed as not run.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean
from typing import Any

from attrs import frozen

from coc_core.text import counted
from coc_paper.item import Budget, Item, Results, Tasks, TrainingParameters, parameter, trained_runs
from coc_paper.items import holdout, instances
from coc_paper.items.hyperparameters import PAPER
from coc_paper.published import HOLDOUT_MEANS, instances as published
from coc_paper.report import Plot, Section, Series, Table, Value
from coc_paper.settings import hyperparameters_of, settings_of
from coc_paper.tasks import Task

_TITLE = "The paper's own protocol"
_SETTING = {"memory": "tape", "arith": "inline"}
_LOSSES = ("all", "target")
"""Both readings of the paper, which contradicts itself."""

_FIRST = (100, 1_000)
_REST = 5  # further pieces, of equal length
_PAIRS: Mapping[str, Mapping[str, Any]] = {
    "hanoi": {"sizes": "1-15"},
    "blocksworld": {"sizes": "5-40", "instances": 500},
    "pancake": {"sizes": "5-40", "instances": 500},
}
_OTHERS = {"hanoi": 49, "blocksworld": 17, "pancake": 9}
"""How many further trainings the paper's tables come from: ten levels with five seeds, nine columns for each domain."""

_MOST = 8
_SHORT = {"the paper's": ("paper", 60.0), "coc's": ("exact-numbers", 8.0)}


@frozen(kw_only=True)
class _Protocol(TrainingParameters):
    seconds: int = parameter("seconds for which steps are timed", 10, 1)
    holdout: int = parameter("percent of the pairs that are held out", 5, least=0, most=99)
    seed: int = parameter("seed of the trainings", 0, least=0)


@frozen
class _Training:
    """A training of the paper: a domain of `_PAIRS`, the paper's steps, how long one takes a core, how it is run."""

    domain: str
    cell: str
    steps: int
    seconds: float
    running: Mapping[str, Any]

    def ends(self, chosen: _Protocol) -> Sequence[int]:
        """The steps at which its pieces end."""
        changed = chosen.preset or chosen.hyperparameters
        steps: int = hyperparameters_of(_rate(chosen, self.domain))["steps"] if changed else self.steps
        length = max(10, steps // _REST // 10 * 10)
        return sorted({*(step for step in _FIRST if step < steps), *range(length, steps, length), steps})

    def pieces(self, chosen: _Protocol, loss: str) -> Iterator[tuple[str, Task]]:
        """The pieces in their order, by their names."""
        before: Task | None = None
        for until in self.ends(chosen):
            training = {"until": until, **_training(chosen, self.domain, {"loss": loss})}
            minutes = (until - (before.arguments["until"] if before else 0)) * self.seconds / 60
            doing = f"training {self.domain} by the paper's protocol, loss {loss}, up to step {until:,}"
            needs = {"before": before} if before else {}
            before = Task("coc_paper.work.protocol:train", training, needs, doing, minutes)
            yield f"{self.domain} {loss} {until}", before

    def tasks(self, chosen: _Protocol, loss: str) -> Tasks:
        """The pieces and the runs of the model, by their names."""
        pieces = dict(self.pieces(chosen, loss))
        *_, last = pieces.values()
        choices = {"domain": self.domain, **_SETTING, **self.running}
        doing = f"running the model of {self.domain}, loss {loss}"
        runs = Task("coc_paper.work.evaluation:evaluate", choices, {"model": last}, doing, 5)
        return pieces | {f"{self.domain} {loss} runs": runs}


def _training(chosen: _Protocol, domain: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a training by the paper's protocol."""
    choices = {"domain": domain, **_SETTING, **_PAIRS[domain], "holdout": chosen.holdout / 100}
    own = chosen.training("paper", {**PAPER[domain], **changes})
    return {**choices, "holdout_by": "pairs", "seed": chosen.seed, **own}


_TRAININGS = (
    _Training(
        "hanoi", "Tower of Hanoi, sizes solved, mean of five seeds (protocol: one)", 50_000, 4, {"sizes": "1-15"}
    ),
    _Training(
        "blocksworld",
        "BlocksWorld, 500 problems of each size, new ones solved",
        100_000,
        12,
        {"sizes": "5-40", "instances": instances.PROBLEMS},
    ),
)


def _ours(chosen: _Protocol) -> Tasks:
    """The trainings of coc's own: five seeds of the paper's for Tower of Hanoi, and all problems of BlocksWorld."""
    changes: Any = {"preset": chosen.preset, "hyperparameters": chosen.hyperparameters}
    tape, seeds = holdout.OnTape(**changes), range(chosen.seed, chosen.seed + 5)
    return {f"hanoi coc's {seed}": holdout.runs(tape, chosen.holdout, seed) for seed in seeds} | {
        "blocksworld coc's": instances.runs(instances.Instances(seed=chosen.seed, **changes), "blocksworld", 500)
    }


def _rate(chosen: _Protocol, domain: str) -> Task:
    few = {"instances": 1} if "instances" in _PAIRS[domain] else {}
    arguments = {**_training(chosen, domain, {}), **few, "limit": chosen.seconds}
    return Task("coc_paper.work.protocol:rate", arguments, {}, f"timing steps of {domain}", 1.5)


def _tasks(chosen: _Protocol) -> Tasks:
    found = {f"{domain} rate": _rate(chosen, domain) for domain in _PAIRS}
    if chosen.budget is Budget.full:
        sizes = f"1-{_MOST}"
        for training, (preset, minutes) in _SHORT.items():
            found[training] = trained_runs(
                {"domain": "hanoi", **_SETTING},
                {"sizes": sizes, "holdout": 0.1, "holdout_by": "pairs", "seed": 0} | chosen.training(preset),
                {"sizes": sizes},
                f"1 to {_MOST} disks with {training} training",
                minutes,
            )
        found |= _ours(chosen)
        for each in _TRAININGS:
            for loss in _LOSSES:
                found |= each.tasks(chosen, loss)
    return found


def _last(chosen: _Protocol, results: Results, training: _Training, loss: str) -> dict[str, Any] | None:
    """What the last piece left of those that were trained; None if none was."""
    done = [results[name] for name, _ in training.pieces(chosen, loss) if name in results]
    if not done:
        return None
    return {**done[-1].result, "seconds": sum(each.result["seconds"] for each in done), "machine": done[-1].machine}


def _trained(chosen: _Protocol, results: Results) -> list[list[Value]]:
    """How far each training came."""
    rows: list[list[Value]] = []
    for each in _TRAININGS:
        for loss in _LOSSES:
            if found := _last(chosen, results, each, loss):
                exact = f"{found['heldout_exact']:,} of {found['heldout_pairs']:,}"
                loss_now = found["losses"][-1][1] if found["losses"] else None
                done = [found["step"], each.ends(chosen)[-1], round(found["seconds"]), found["machine"]]
                rows.append([each.domain, loss, *done, loss_now, exact, round(found["bytes"] / 1e6, 1)])
    return rows


def _percent(results: Results, names: Sequence[str]) -> float | None:
    if not all(name in results for name in names):
        return None
    return round(100 * float(mean(row["rate"] for name in names for row in results[name].result["rows"])), 2)


def _beside(chosen: _Protocol, results: Results) -> list[list[Value]]:
    """The paper's cells, coc's own and the protocol's beside each other, percent."""
    columns = {"hanoi": HOLDOUT_MEANS.get(chosen.holdout), "blocksworld": _mean_of_column("blocksworld")}
    rows: list[list[Value]] = []
    for each in _TRAININGS:
        own = [name for name in _ours(chosen) if name.startswith(each.domain)]
        ours = [_percent(results, names) for names in (own, *([f"{each.domain} {loss} runs"] for loss in _LOSSES))]
        cells = ["not run" if value is None else value for value in ours]
        rows.append([each.cell, columns[each.domain], *cells])
    return rows


def _mean_of_column(domain: str) -> float:
    return round(mean(value for (name, _, count), value in published().items() if (name, count) == (domain, 500)), 2)


def _not_run(chosen: _Protocol, results: Results) -> list[list[Value]]:
    """What was not trained, with the hours that it would take at the rate that was measured."""
    rows: list[list[Value]] = []
    for domain in (domain for domain in _PAIRS if f"{domain} rate" in results):
        done = results[f"{domain} rate"]
        cost, steps = done.result, hyperparameters_of(_rate(chosen, domain))["steps"]
        timed = [cost["steps"], cost["threads"], round(cost["seconds"], 3), done.machine]
        for each in (each for each in _TRAININGS if each.domain == domain):
            for loss in _LOSSES:
                left = steps - (_last(chosen, results, each, loss) or {"step": 0})["step"]
                if left:
                    rows.append([f"{domain}, loss {loss}", 1, left, *timed, round(left * cost["seconds"] / 3_600, 1)])
        others = _OTHERS[domain] * len(_LOSSES)
        hours = others * steps * cost["seconds"] / 3_600
        rows.append([f"{domain}, the other trainings, at most", others, steps, *timed, round(hours, 1)])
    return rows


def _short(chosen: _Protocol, results: Results) -> list[list[Value]]:
    """What came of the trainings that are short enough."""
    rows, tasks = list[list[Value]](), _tasks(chosen)
    for training, (preset, _) in _SHORT.items():
        if training in results:
            found, preset = results[training].result, chosen.preset or preset
            report = found["trained"]
            pairs = [f"{report[f'{kind}_exact']:,} of {report[f'{kind}_pairs']:,}" for kind in ("train", "heldout")]
            solved, minutes = sum(row["successes"] for row in found["rows"]), round(report["seconds"] / 60, 1)
            loss = hyperparameters_of(tasks[training])["loss"]
            rows.append([training, preset, loss, report["parameters"], report["steps"], minutes, *pairs, solved])
    return rows


_TRAINED_COLUMNS = (
    "domain",
    "loss over",
    "steps",
    "of",
    "seconds",
    "hardware",
    "loss",
    "held-out exact",
    "snapshot, MB",
)
_BESIDE_COLUMNS = ("percent", "paper", "coc's own", *(f"protocol, loss {loss}" for loss in _LOSSES))
_NOT_RUN_COLUMNS = ("training", "trainings", "steps", "steps timed", "threads", "seconds a step", "hardware", "hours")
_SHORT_COLUMNS = (
    "training",
    "preset",
    "loss",
    "parameters",
    "steps",
    "minutes",
    "training pairs exact",
    "held-out pairs exact",
    f"sizes solved of {_MOST}",
)


def _plots(chosen: _Protocol, results: Results) -> list[Plot]:
    """The loss and the exactness over the steps."""
    losses, exact = list[Series](), list[Series]()
    for each in _TRAININGS:
        for loss in _LOSSES:
            done = [results[name].result for name, _ in each.pieces(chosen, loss) if name in results]
            points = [point for piece in done for point in piece["losses"]]
            held = [piece for piece in done if piece["heldout_pairs"]]
            shares = [[piece["step"], 100 * piece["heldout_exact"] / piece["heldout_pairs"]] for piece in held]
            losses += [Series(f"{each.domain}, loss {loss}", points)] if points else []
            exact += [Series(f"{each.domain}, loss {loss}", shares)] if shares else []
    plots = [Plot("the loss in training", "step", "loss", losses, log_y=True)]
    plots += [Plot("held-out pairs", "step", "exact, percent", exact)]
    return [plot for plot in plots if plot.series]


def _report(chosen: _Protocol, results: Results) -> Section:
    tasks, full = _tasks(chosen), chosen.budget is Budget.full
    not_run, trained = _not_run(chosen, results), _trained(chosen, results)
    settings = {f"the timing of {domain}": tasks[f"{domain} rate"] for domain in _PAIRS}
    tables = [Table("Not run: what the paper's protocol would take", _NOT_RUN_COLUMNS, not_run)]
    if full:
        settings |= {f"{training} training": tasks[training] for training in _SHORT}
        for each in _TRAININGS:
            settings |= {f"{each.domain}, loss {loss}": tasks[f"{each.domain} {loss} runs"] for loss in _LOSSES}
            settings |= {
                f"{each.domain}, coc's own": task for name, task in _ours(chosen).items() if each.domain in name
            }
        tables = [
            Table("Beside each other", _BESIDE_COLUMNS, _beside(chosen, results)),
            Table("Trained by the paper's protocol", _TRAINED_COLUMNS, trained),
            *tables,
            Table(f"Trained to the end on 1 to {_MOST} disks", _SHORT_COLUMNS, _short(chosen, results)),
        ]
    return Section(
        name="protocol",
        title=_TITLE,
        question="What comes of the paper's own networks and trainings, and what do they take?",
        setting="The preset `paper`, with what the paper has otherwise for larger tasks: the paper's networks, tokens,"
        " optimiser and numbers of steps. The time of a step is the mean over those that are timed, on pairs of all the"
        " paper's sizes."
        + (
            " A training consists of pieces, each of which goes on from the state that the one before it left: the"
            f" weights in float32, and AdamW's moments with 6 significant bits. Of the pairs, {chosen.holdout}% are"
            " held out; 5% is also the paper's share for validation. Exactness is that of up to 1,000 of them. Then"
            f" `paper` is trained on 1 to {_MOST} disks with 10% of the pairs held out. There are so few pairs that the"
            " paper's 100 epochs end before its 2,000 steps of warm-up, in which the learning rate grows. Beside it is"
            " coc's `exact-numbers` on the same pairs, with its own number of steps."
            if full
            else ""
        )
        + f" {settings_of(settings)}",
        sample="The steps are timed, and nothing is trained." if not full else "",
        tables=tables,
        plots=_plots(chosen, results),
        meaning=_meaning(not_run, trained, _short(chosen, results)),
    )


def _meaning(not_run: list[list[Value]], trained: list[list[Value]], short: list[list[Value]]) -> str:
    parts = [f"{row[0]} with loss {row[1]}: {row[2]:,} of {row[3]:,} steps" for row in trained]
    text = f"Trained: {'; '.join(parts)}. " if parts else "Nothing was trained by it. "
    if not_run:
        trainings = sum(row[1] for row in not_run if isinstance(row[1], int))
        hours = sum(row[-1] for row in not_run if isinstance(row[-1], float))
        text += f"Not run: {counted(trainings, 'training')}, {hours:,.0f} hours at the rates measured."
    else:
        text += "Nothing was timed."
    if short:
        sizes = [f"{row[-1]} with {row[0]} training" for row in short]
        text += f" Of {_MOST} sizes, {' and '.join(sizes)} are solved."
    return text


ITEM = Item("protocol", _TITLE, _tasks, _report, _Protocol)
