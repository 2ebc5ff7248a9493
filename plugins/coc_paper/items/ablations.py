"""Which parts of coc's own training matter: each replaced by the usual choice, one at a time."""

from collections.abc import Mapping
from typing import Any

from coc_core.text import counted
from coc_paper.item import Budget, Item, Results, Tasks
from coc_paper.items import holdout
from coc_paper.report import Section, Table, Value

_TITLE = "Ablations of coc's own training"
_HELD_OUT = 50  # percent
_SEED = 0
_PARTS: dict[str, dict[str, Any]] = {
    "decimal digits": {"tokens": "exact"},
    "positions of the tokens, no fields": {"positions": "absolute", "digit_positions": 0, "prompt_attention": True},
    "AdamW, not Muon": {"optimizer": "adamw", "lr": 0.001},
    "no replay of what is still wrong": {"prioritised_replay": 0.0},
    "no digits at random positions": {"digit_positions": 0},
    "loss of the prompt, too": {"loss": "all"},
    "the prompt attends to itself": {"prompt_attention": True},
    "no token shift": {"token_shift": 0},
    "no buckets": {"bucket_share": 0.0},
    "no average of weights": {"ema": 0.0},
}
_QUICK = ("AdamW, not Muon",)
_ALL = "nothing"


def _chosen(budget: Budget) -> dict[str, dict[str, Any]]:
    return {name: changes for name, changes in _PARTS.items() if budget is Budget.full or name in _QUICK}


def _tasks(budget: Budget) -> Tasks:
    found = {_ALL: holdout.runs(budget, _HELD_OUT, _SEED)}
    for name, changes in _chosen(budget).items():
        found[name] = holdout.runs(budget, _HELD_OUT, _SEED, changes)
    return found


def _report(budget: Budget, results: Results) -> Section:
    rows: list[list[Value]] = []
    wrong: dict[str, int] = {}
    for name, changes in {_ALL: {}, **_chosen(budget)}.items():
        if name in results:
            found = results[name].result
            settings = ", ".join(f"{key}={value}" for key, value in changes.items())
            solved, runs = sum(row["successes"] for row in found["rows"]), len(found["rows"])
            trained = found["trained"]
            pairs = trained["heldout_pairs"]
            wrong[name] = pairs - trained["heldout_exact"]
            rows.append([name, settings, trained["parameters"], pairs, wrong[name], f"{solved} of {runs}"])
    columns = ["replaced", "hyperparameters", "parameters", "held-out pairs", "wrong", "sizes solved"]
    return Section(
        name="ablations",
        title=_TITLE,
        question="Which parts of the training are needed for exact steps on pairs that were held out?",
        setting=f"Tape, inline arithmetic, 1 to {holdout.MOST[budget]} disks, preset `exact-numbers`. Half of"
        f" the pairs are held out, seed {_SEED}. Each row replaces one part by the usual choice, and"
        " leaves everything else as it is. The paper has no such table.",
        sample=f"1 to {holdout.MOST[budget]} disks instead of 15, fewer steps of smaller batches, and"
        f" {counted(len(_QUICK), 'replacement')} of {len(_PARTS)}."
        if budget is Budget.quick
        else "",
        tables=[Table("", columns, rows)],
        meaning=_meaning(wrong),
    )


def _meaning(wrong: Mapping[str, int]) -> str:
    """Which replacements do worse than the training itself, as far as they have been made."""
    if _ALL not in wrong or len(wrong) == 1:
        return f"There is nothing yet to compare {'the training' if _ALL in wrong else 'the replacements'} with."
    hurt = [name for name in wrong if wrong[name] > wrong[_ALL]]
    if not hurt:
        return "No replacement makes more held-out pairs wrong."
    return f"More held-out pairs are wrong with: {'; '.join(hurt)}."


ITEM = Item("ablations", _TITLE, _tasks, _report)
