"""How many training pairs a further disk needs."""

from attrs import frozen

from coc_core.text import counted, format_sizes
from coc_paper.item import Budget, Item, Results, Tasks, TrainingParameters, parameter, trained_runs
from coc_paper.report import Cell, Plot, Section, Series, Table
from coc_paper.settings import in_words, settings_of
from coc_paper.tasks import Task

_TITLE = "Training pairs that a further disk needs"
_SETTING = {"domain": "hanoi", "memory": "tape", "arith": "symbolic"}
_STEPS = {Budget.quick: 250, Budget.full: 2_000}


@frozen(kw_only=True)
class _Pairs(TrainingParameters):
    sizes: tuple[int, ...] = parameter(
        "disks that the model is trained on, and runs", (*range(1, 21),), (*range(1, 11),)
    )
    counted: tuple[int, ...] = parameter("disks whose pairs are counted", (*range(1, 21),))
    seed: int = parameter("seed of the training", 0, least=0)


def _tasks(chosen: _Pairs) -> Tasks:
    sizes, steps = format_sizes(chosen.sizes), _STEPS[chosen.budget]
    runs = trained_runs(
        _SETTING,
        {
            "sizes": sizes,
            "holdout": 0.0,
            "holdout_by": "pairs",
            "seed": chosen.seed,
            **chosen.training("exact-numbers", {"digit_positions": 16, "steps": steps}),
        },
        {"sizes": sizes},
        f"symbolic steps of {sizes} disks",
    )
    counting = {**_SETTING, "model": "reference", "sizes": list(chosen.counted)}
    return {"counts": Task("coc_paper.work.reference:pairs", counting, doing="counting pairs"), "runs": runs}


def _report(chosen: _Pairs, results: Results) -> Section:
    rows, plots, total, further = [], [], 0, ""
    solved = {row["n"]: 100.0 * row["rate"] for row in results["runs"].result["rows"]} if "runs" in results else {}
    if "counts" in results:
        counts = results["counts"].result
        for row in counts:
            total += row["added"]
            ours = solved.get(row["n"])
            rows.append([row["n"], row["actions"], row["added"], total, None if ours is None else Cell(ours, 100.0)])
        last, before = counts[-1], counts[-2]["actions"] if len(counts) > 1 else 0
        added = last["actions"] - before
        further = f"Disk number {last['n']} adds {counted(last['added'], 'pair')} and {counted(added, 'move')}."
        curves = [
            Series("pairs added", [[row["n"], row["added"]] for row in counts]),
            Series("moves of the plan", [[row["n"], row["actions"]] for row in counts]),
        ]
        plots.append(Plot("", "disks", "pairs or moves", curves, log_y=True))
    every = all(rate == 100 for rate in solved.values())
    learned = f"The model {'solves every size' if every else 'does not solve every size'}." if solved else ""
    return Section(
        name="pairs",
        title=_TITLE,
        question="The plan grows exponentially with the disks. How fast does the training set grow?",
        setting="Tape with symbolic arithmetic: the distinct pairs that each size adds to those of all smaller sizes."
        f" Then a model is trained on all pairs of {in_words(chosen.sizes)} disks, seed {chosen.seed}, and runs"
        f" every size. {settings_of({'': _tasks(chosen)['runs']})}",
        tables=[Table("", ["disks", "moves", "pairs added", "pairs in all", "solved, percent"], rows)],
        plots=plots,
        meaning=" ".join(filter(None, (further, learned))),
    )


ITEM = Item("pairs", _TITLE, _tasks, _report, _Pairs)
