"""What the paper argues and leaves to later work: the same planner without bounded windows, and without the loop."""

from attrs import frozen

from coc_core.text import counted, format_sizes
from coc_paper.item import Budget, Item, Results, Tasks, TrainingParameters, parameter
from coc_paper.report import Plot, Section, Series, Table, Value
from coc_paper.settings import hyperparameters_of, settings_of
from coc_paper.tasks import Task

_TITLE = "Bounded windows, the whole context, and no loop"
_DOMAIN, _ARITH = "blocksworld", "symbolic"
_NO_NEW_PROMPTS = ("heap",)  # in larger problems
_STEPS = {"heap": 3_600, "pda": 3_000, "transcript": 1_150, "whole-plan": 2_400}
"""Steps of training that take about equally long."""
_SHARE = {Budget.quick: 0.3, Budget.full: 1.0}
_INSTANCES = {Budget.quick: 20, Budget.full: 50}
_NETWORK = {
    "d_model": 64,
    "layers": 2,
    "heads": 2,
    "token_shift": 1,
    "max_len": 512,
    "batch_size": 64,
    "final_pairs": 1_000,
}


@frozen(kw_only=True)
class _Windows(TrainingParameters):
    sizes: tuple[int, ...] = parameter("blocks of the training problems", (*range(2, 7),))
    instances: int = parameter("training problems of a size", 400)
    seed: int = parameter("seed of the trainings", 0, least=0)
    run_sizes: tuple[int, ...] = parameter("blocks of the problems that are run", (*range(3, 11),))
    problems: int = parameter("problems of a size that are run", _INSTANCES[Budget.full], _INSTANCES[Budget.quick])
    timed: int = parameter("blocks of the run whose steps are timed", 6)


def _tasks(chosen: _Windows) -> Tasks:
    found, budget = {}, chosen.budget
    for memory, steps in _STEPS.items():
        setting = {"domain": _DOMAIN, "memory": memory, "arith": _ARITH}
        training = {
            **setting,
            "sizes": format_sizes(chosen.sizes),
            "instances": chosen.instances,
            "holdout": 0.1,
            "holdout_by": "instances",
            "seed": chosen.seed,
            **chosen.training("exact", {**_NETWORK, "steps": int(steps * _SHARE[budget])}),
        }
        running = {**setting, "sizes": format_sizes(chosen.run_sizes), "instances": chosen.problems, "seed": 1}
        model = {"model": Task("coc_paper.work.learning:train", training, {}, f"training with {memory}")}
        found[f"{memory} runs"] = Task("coc_paper.work.evaluation:evaluate", running, model, f"running {memory}")
        found[f"{memory} errors"] = Task("coc_paper.work.steps:errors", running, model, f"single steps, {memory}")
        costs = {**setting, "n": chosen.timed}
        found[f"{memory} costs"] = Task("coc_paper.work.steps:costs", costs, model, f"timing {memory}")
    return found


def _report(chosen: _Windows, results: Results) -> Section:
    rows, tasks, most = list[list[Value]](), _tasks(chosen), chosen.sizes[-1]
    solved, predicted, costs = [], [], []
    network = hyperparameters_of(tasks[f"{next(iter(_STEPS))} runs"])
    for memory in _STEPS:
        if f"{memory} runs" not in results or f"{memory} errors" not in results:
            continue
        runs, steps = results[f"{memory} runs"].result, results[f"{memory} errors"].result
        by_prediction = []
        for run, step in zip(runs["rows"], steps, strict=True):
            rate, expected = 100 * run["rate"], 100 * step["predicted"]
            rows.append([memory, run["n"], step["pairs"], step["wrong"], round(expected, 1), round(rate, 1)])
            by_prediction.append([expected, rate])
        name = f"{memory}, no new prompts" if memory in _NO_NEW_PROMPTS else memory
        solved.append(Series(name, [[row["n"], 100 * row["rate"]] for row in runs["rows"]]))
        predicted.append(Series(memory, sorted(by_prediction)))
    for memory in ("heap", "pda", "transcript"):
        if f"{memory} costs" in results:
            points = [[row["step"], 1000 * row["seconds"]] for row in results[f"{memory} costs"].result]
            costs.append(Series(memory, points))
    plots = [
        Plot(f"trained on {format_sizes(chosen.sizes)} blocks", "blocks", "problems solved, percent", solved),
        Plot(f"a run of {chosen.timed} blocks", "step", "milliseconds for the step", costs),
        Plot("", "predicted, percent", "solved, percent", predicted),
    ]
    columns = ["memory", "blocks", "distinct steps", "wrong", "predicted, percent", "solved, percent"]
    return Section(
        name="windows",
        title=_TITLE,
        question="What does a memory gain that leaves less to the network, over the whole context or a plan at once?",
        setting="BlocksWorld. `heap` reads the instruction on the stack with one record, `pda` the instruction with its"
        " whole lists, `transcript` the first prompt and all targets so far; `whole-plan` writes the whole plan at"
        " once. So they differ in what they leave to the network: on `heap`, code renumbers the names, and problems of"
        " all sizes share a few prompts, which are all in the training set; the others read longer lists in larger"
        f" problems. The same network ({counted(network['layers'], 'block')} of width {network['d_model']},"
        f" {network['max_len']} tokens), the same {chosen.instances} problems of each of {format_sizes(chosen.sizes)}"
        " blocks but for a tenth that is held out, and about the same minutes of training, seed"
        f" {chosen.seed}. Then new problems; those of more than {most} blocks are longer than any in training."
        " Predicted is (1 − e)^steps, e being the share of distinct steps that are wrong. Step times are the least of"
        f" three, of a call by itself, in a run of {chosen.timed} blocks; steps that are answered wrong are left out. "
        + settings_of({f"`{memory}`": tasks[f"{memory} runs"] for memory in _STEPS}),
        tables=[Table("", columns, rows)],
        plots=[plot for plot in plots if plot.series],
        meaning=_meaning(most, results),
    )


def _meaning(most: int, results: Results) -> str:
    parts = []
    for memory in _STEPS:
        if f"{memory} runs" in results:
            found = results[f"{memory} runs"].result["rows"]
            within = [row for row in found if row["n"] <= most]
            beyond = [row for row in found if row["n"] > most]
            same = ", with the same prompts" if memory in _NO_NEW_PROMPTS else ""
            halves = (within, f"up to {most} blocks"), (beyond, f"beyond{same}")
            parts.append(f"`{memory}` {' and '.join(f'{_percent(rows)} {where}' for rows, where in halves if rows)}")
    return f"Solved: {'; '.join(parts)}." if parts else ""


def _percent(rows: "list[dict[str, int]]") -> str:
    return f"{100 * sum(row['successes'] for row in rows) / sum(row['instances'] for row in rows):.0f}%"


ITEM = Item("windows", _TITLE, _tasks, _report, _Windows)
