"""Tower of Hanoi on a stack with 15% of the pairs held out."""

from attrs import frozen

from coc_core.text import counted, format_sizes
from coc_paper.item import Budget, Item, Results, Tasks, TrainingParameters, parameter, trained_runs
from coc_paper.report import Cell, Section, Table
from coc_paper.settings import in_words, settings_of

_TITLE = "Tower of Hanoi on a stack, 15% of the pairs held out: coc's own training"
_SETTING = {"domain": "hanoi", "memory": "pda", "arith": "symbolic"}
_STEPS = {Budget.quick: 600, Budget.full: 4_000}


@frozen(kw_only=True)
class _Stack(TrainingParameters):
    sizes: tuple[int, ...] = parameter("disks", (*range(1, 21),))
    holdout: int = parameter("percent of the pairs that are held out", 15, least=0, most=99)
    seeds: tuple[int, ...] = parameter("seeds of the trainings", (*range(5),), (0,), least=0)


def _tasks(chosen: _Stack) -> Tasks:
    sizes, steps = format_sizes(chosen.sizes), _STEPS[chosen.budget]
    return {
        str(seed): trained_runs(
            _SETTING,
            {
                "sizes": sizes,
                "holdout": chosen.holdout / 100,
                "holdout_by": "pairs",
                "seed": seed,
                **chosen.training("exact-numbers", {"digit_positions": 16, "steps": steps}),
            },
            {"sizes": sizes},
            f"the stack, seed {seed}",
        )
        for seed in chosen.seeds
    }


def _report(chosen: _Stack, results: Results) -> Section:
    rows, most = [], len(chosen.sizes)
    paper = 100.0 if (chosen.sizes, chosen.holdout) == (_Stack().sizes, _Stack().holdout) else None
    for seed, done in results.items():
        found = done.result
        solved = sum(row["successes"] for row in found["rows"])
        failures = ", ".join(f"n={each['n']} at step {each['step']:,}" for each in found["failures"])
        rows.append([int(seed), solved, Cell(100 * solved / most, paper), failures])
    every = bool(rows) and all(row[1] == most for row in rows)
    return Section(
        name="stack",
        title=f"Tower of Hanoi on a stack, {chosen.holdout}% of the pairs held out",
        question=f"Does a model that has not seen {chosen.holdout}% of the pairs solve every size that the others come"
        " from?",
        setting=f"Stack, {in_words(chosen.sizes)} disks, {counted(len(chosen.seeds), 'seed')}; then every size is"
        f" run. {settings_of({'': next(iter(_tasks(chosen).values()))})}",
        tables=[Table("", ["seed", f"sizes solved of {most}", "percent", "failures"], rows)],
        meaning=f"All {most} sizes are solved with every seed." if every else "Not all sizes are solved.",
    )


ITEM = Item("stack", _TITLE, _tasks, _report, _Stack)
