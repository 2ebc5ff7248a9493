"""What the paper argues and leaves to later work: the same planner without bounded windows, and without the loop."""

from typing import Any

from attrs import frozen

from coc_core.text import counted, format_sizes
from coc_paper.item import Results, Tasks, TrainingItem, parameter
from coc_paper.items import TRAININGS
from coc_paper.report import Plot, Section, Series, Table, Value
from coc_paper.settings import hyperparameters_of, settings_of
from coc_paper.tasks import Task

_NO_NEW_PROMPTS = ("heap",)  # in larger problems
_LOOPS = ("heap", "pda", "transcript")
_STEPS: dict[str, int] = TRAININGS["windows"]["steps"]
_COLUMNS = ("memory", "blocks", "distinct steps", "wrong", "predicted, percent", "solved, percent")


@frozen(kw_only=True)
class Windows(TrainingItem):
    """Bounded windows, the whole context, and no loop."""

    sizes: tuple[int, ...] = parameter("blocks of the training problems", (*range(2, 7),))
    instances: int = parameter("training problems of a size", 400)
    seed: int = parameter("seed of the trainings", 0, least=0)
    run_sizes: tuple[int, ...] = parameter("blocks of the problems that are run", (*range(3, 11),))
    problems: int = parameter("problems of a size that are run", 50, 20)
    timed: int = parameter("blocks of the run whose steps are timed", 6)

    def tasks(self) -> Tasks:
        choices: Any = {"sizes": format_sizes(self.sizes), "instances": self.instances, "seed": self.seed}
        choices |= {"holdout": 0.1, "holdout_by": "instances"}
        drawn = {"sizes": format_sizes(self.run_sizes), "instances": self.problems, "seed": 1}
        work = {"runs": ("evaluation:evaluate", drawn), "errors": ("steps:errors", drawn)}
        work |= {"costs": ("steps:costs", {"n": self.timed})}
        found = {}
        for memory, steps in _STEPS.items():
            own = {**TRAININGS["windows"]["network"], "steps": int(steps * (1.0 if self.full else 0.3))}
            training = self.training(f"blocksworld {memory} symbolic", "exact", own, **choices)
            model = {"model": Task("coc_paper.work.learning:train", training)}
            setting = {key: training[key] for key in ("domain", "memory", "arith")}
            for name, (function, arguments) in work.items():
                found[f"{memory} {name}"] = Task(f"coc_paper.work.{function}", {**setting, **arguments}, model)
        return found

    def report(self, results: Results) -> Section:
        rows, solved, predicted, costs, words = list[list[Value]](), [], [], [], []
        found, tasks, most = {name: done.result for name, done in results.items()}, self.tasks(), self.sizes[-1]
        network = hyperparameters_of(tasks["heap runs"])
        for memory in _STEPS:
            runs = found[f"{memory} runs"]["rows"] if f"{memory} runs" in found else []
            if f"{memory} errors" in found and runs:
                points = []
                for run, step in zip(runs, found[f"{memory} errors"], strict=True):
                    n, rate, expected = run["n"], 100 * run["rate"], 100 * step["predicted"]
                    rows.append([memory, n, step["pairs"], step["wrong"], round(expected, 1), round(rate, 1)])
                    points.append((n, expected, rate))
                name = f"{memory}{', no new prompts' * (memory in _NO_NEW_PROMPTS)}"
                solved.append(Series(name, [[n, rate] for n, _, rate in points]))
                predicted.append(Series(memory, sorted([expected, rate] for _, expected, rate in points)))
            if f"{memory} costs" in found and memory in _LOOPS:
                steps = found[f"{memory} costs"]
                costs.append(Series(memory, [[step["step"], 1000 * step["seconds"]] for step in steps]))
            same = ", with the same prompts" * (memory in _NO_NEW_PROMPTS)
            halves = {f"up to {most} blocks": [run for run in runs if run["n"] <= most]}
            halves |= {f"beyond{same}": [run for run in runs if run["n"] > most]}
            shares = [f"{_percent(half)} {where}" for where, half in halves.items() if half]
            words += [f"`{memory}` {' and '.join(shares)}"] if runs else []
        plots = [
            Plot(f"trained on {format_sizes(self.sizes)} blocks", "blocks", "problems solved, percent", solved),
            Plot(f"a run of {self.timed} blocks", "step", "milliseconds for the step", costs),
            Plot("", "predicted, percent", "solved, percent", predicted),
        ]
        return Section(
            question="What does a memory gain that leaves less to the network, over the whole context or a plan at"
            " once?",
            setting="BlocksWorld. `heap` reads the instruction on the stack with one record, `pda` the instruction with"
            " its whole lists, `transcript` the first prompt and all targets so far; `whole-plan` writes the whole plan"
            " at once. So they differ in what they leave to the network: on `heap`, code renumbers the names, and"
            " problems of all sizes share a few prompts, which are all in the training set; the others read longer"
            f" lists in larger problems. The same network ({counted(network['layers'], 'block')} of width"
            f" {network['d_model']}, {network['max_len']} tokens), the same {self.instances} problems of each of"
            f" {format_sizes(self.sizes)} blocks but for a tenth that is held out, and about the same minutes of"
            f" training, seed {self.seed}. Then new problems; those of more than {most} blocks are longer than any in"
            " training. Predicted is (1 − e)^steps, e being the share of distinct steps that are wrong. Step times are"
            f" the least of three, of a call by itself, in a run of {self.timed} blocks; steps that are answered wrong"
            f" are left out. {settings_of({f'`{memory}`': tasks[f'{memory} runs'] for memory in _STEPS})}",
            tables=[Table("", _COLUMNS, rows)],
            plots=[plot for plot in plots if plot.series],
            meaning=f"Solved: {'; '.join(words)}." if words else "",
        )


def _percent(rows: "list[dict[str, int]]") -> str:
    return f"{100 * sum(row['successes'] for row in rows) / sum(row['instances'] for row in rows):.0f}%"
