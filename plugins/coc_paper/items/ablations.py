"""Which parts of coc's own training matter: each replaced by the usual choice, one at a time."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from attrs import frozen

from coc_core.text import counted
from coc_learn.hyperparameters import override_texts
from coc_paper.item import Budget, Item, Results, Tasks, parameter
from coc_paper.items import holdout, instances
from coc_paper.report import Section, Table, Value
from coc_paper.settings import in_words, settings_of
from coc_paper.tasks import Task

_TITLE = "Ablations of coc's own training"
_PARTS: dict[str, dict[str, Any]] = {
    "decimal digits": {"tokens": "exact"},
    "positions of the tokens, no fields": {"positions": "absolute", "digit_positions": 0, "attention": "scaled"},
    "AdamW, not Muon": {"optimizer": "adamw", "lr": 0.001},
    "no replay of what is still wrong": {"prioritised_replay": 0.0},
    "no digits at random positions": {"digit_positions": 0},
    "loss of the prompt, too": {"loss": "all"},
    "the prompt attends to itself": {"attention": "scaled"},
    "no token shift": {"token_shift": 0},
    "no buckets": {"bucket_share": 0.0},
    "no average of weights": {"ema": 0.0},
}
_NAME_SHARES = (0.5, 0.0)
_QUICK = ("AdamW, not Muon",)
_ALL = "nothing"


@frozen(kw_only=True)
class _Ablations(holdout.OnTape):
    holdout: int = parameter("percent of the pairs that are held out", 50, least=0, most=99)
    seed: int = parameter("seed of the trainings", 0, least=0)
    name_seeds: tuple[int, ...] = parameter("seeds of those with few problems", (0, 1, 2), least=0)
    few: int = parameter("training problems of a size, where they are few", 5)


def _chosen(budget: Budget) -> dict[str, dict[str, Any]]:
    return {name: changes for name, changes in _PARTS.items() if budget is Budget.full or name in _QUICK}


def _tasks(chosen: _Ablations) -> Tasks:
    found = {_ALL: holdout.runs(chosen, chosen.holdout, chosen.seed)}
    for name, changes in _chosen(chosen.budget).items():
        found[name] = holdout.runs(chosen, chosen.holdout, chosen.seed, changes)
    if chosen.budget is Budget.full:
        for domain, share, seed in product(instances.DOMAINS, _NAME_SHARES, chosen.name_seeds):
            found[_names(domain, share, seed)] = _named(chosen, domain, share, seed)
    return found


def _names(domain: str, share: float, seed: int) -> str:
    return f"names {domain} {share:g} {seed}"


def _named(chosen: _Ablations, domain: str, share: float, seed: int) -> Task:
    """Return a training of the sample of `instances`, on few problems, that permutes names in a share of the
    sequences.
    """
    own = instances.Instances(
        budget=Budget.quick, preset=chosen.preset, hyperparameters=chosen.hyperparameters, seed=seed
    )
    return instances.runs(own, domain, chosen.few, {"name_permutation": share})


def _report(chosen: _Ablations, results: Results) -> Section:
    rows, budget = list[list[Value]](), chosen.budget
    wrong: dict[str, int] = {}
    for name, changes in {_ALL: {}, **_chosen(budget)}.items():
        if name in results:
            found = results[name].result
            settings = ", ".join(f"{key}={text}" for key, text in override_texts(changes, name).items())
            solved, runs = sum(row["successes"] for row in found["rows"]), len(found["rows"])
            trained = found["trained"]
            pairs = trained["heldout_pairs"]
            wrong[name] = pairs - trained["heldout_exact"]
            rows.append([name, settings, trained["parameters"], pairs, wrong[name], f"{solved} of {runs}"])
    columns = ["replaced", "hyperparameters", "parameters", "held-out pairs", "wrong", "sizes solved"]
    tables, meaning = [Table("", columns, rows)], _meaning(wrong)
    setting = (
        f"Tape, inline arithmetic, {in_words(chosen.sizes)} disks, {_share(chosen.holdout)} of the pairs held out,"
        f" seed {chosen.seed}. {settings_of({_ALL: _tasks(chosen)[_ALL]})} Each row replaces one part by the usual"
        " choice, and leaves everything else as it is. The paper has no such table."
    )
    if budget is Budget.full:
        tables.append(_names_table(chosen, results))
        meaning = " ".join([meaning, *_names_meaning(chosen, results)])
        trainings = {
            f"the share {share:g}": _named(chosen, instances.DOMAINS[0], share, chosen.name_seeds[0])
            for share in _NAME_SHARES
        }
        setting += (
            " Then names are permuted in half of the sequences, or in none, as in the paper: the sample of `instances`,"
            f" {counted(len(chosen.name_seeds), 'seed')}, {chosen.few} problems of each size from 5 to 8 and"
            f" {instances.PROBLEMS} new ones. {settings_of(trainings)}"
        )
    return Section(
        name="ablations",
        title=_TITLE,
        question="Which parts of the training are needed for exact steps on pairs that were held out?",
        setting=setting,
        tables=tables,
        meaning=meaning,
    )


def _counts(chosen: _Ablations, results: Results, domain: str, share: float) -> dict[int, tuple[int, int]]:
    """Return, by seed, how many new problems are solved, and of how many, with names permuted in a share of the
    sequences.
    """
    found = {seed: results[name] for seed in chosen.name_seeds if (name := _names(domain, share, seed)) in results}
    rows = {seed: done.result["rows"] for seed, done in found.items()}
    return {
        seed: (sum(row["successes"] for row in each), sum(row["instances"] for row in each))
        for seed, each in rows.items()
    }


def _names_table(chosen: _Ablations, results: Results) -> Table:
    """Return, for each domain, with names permuted and not, how many new problems each seed solves."""
    rows: list[list[Value]] = []
    for domain, share in product(instances.DOMAINS, _NAME_SHARES):
        if counts := _counts(chosen, results, domain, share):
            solved = [counts[seed][0] if seed in counts else None for seed in chosen.name_seeds]
            rows.append([domain, share, *solved, max(of for _, of in counts.values())])
    title = f"Solved with {chosen.few} training problems of each size"
    return Table(
        title, ["domain", "name_permutation", *(f"seed {seed}" for seed in chosen.name_seeds), "problems"], rows
    )


def _names_meaning(chosen: _Ablations, results: Results) -> Iterator[str]:
    for share in _NAME_SHARES:
        counts = [count for domain in instances.DOMAINS for count in _counts(chosen, results, domain, share).values()]
        if counts:
            solved, of = (sum(column) for column in zip(*counts, strict=True))
            yield f"With `name_permutation={share:g}` and few problems, {solved:,} of {of:,} new ones are solved."


def _share(percent: int) -> str:
    return "half" if percent == 50 else f"{percent}%"


def _meaning(wrong: Mapping[str, int]) -> str:
    """Return which replacements do worse than the training itself, as far as they have been made."""
    if _ALL not in wrong or len(wrong) == 1:
        return f"There is nothing yet to compare {'the training' if _ALL in wrong else 'the replacements'} with."
    hurt = [name for name in wrong if wrong[name] > wrong[_ALL]]
    if not hurt:
        return "No replacement makes more held-out pairs wrong."
    return f"More held-out pairs are wrong with: {'; '.join(hurt)}."


ITEM = Item("ablations", _TITLE, _tasks, _report, _Ablations)
