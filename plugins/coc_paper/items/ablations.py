"""Which parts of coc's own training matter: each replaced by the usual choice, one at a time."""

from collections.abc import Mapping
from itertools import product
from typing import Any

from attrs import frozen

from coc_core.text import counted
from coc_learn.hyperparameters import override_texts
from coc_paper.item import Budget, Results, Tasks, parameter
from coc_paper.items.holdout import OnTape
from coc_paper.items.instances import DOMAINS, PROBLEMS, Instances
from coc_paper.report import Section, Table, Value
from coc_paper.settings import in_words, settings_of
from coc_paper.tasks import Task

PARTS: dict[str, dict[str, Any]] = {
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
"""What is replaced, and the hyperparameters that do it."""
_QUICK = "AdamW, not Muon"
_ALL = "nothing"
_SHARES = (0.5, 0.0)
_COUNTS = ("successes", "instances")


@frozen(kw_only=True)
class Ablations(OnTape):
    """A training for each part that is replaced; then few problems, with and without the permutation of names."""

    title = "Ablations of coc's own training"
    holdout: int = parameter("percent of the pairs that are held out", 50, least=0, most=99)
    seed: int = parameter("seed of the trainings", 0, least=0)
    name_seeds: tuple[int, ...] = parameter("seeds of those with few problems", (0, 1, 2), least=0)
    few: int = parameter("training problems of a size, where they are few", 5)

    @property
    def _parts(self) -> dict[str, dict[str, Any]]:
        return {_ALL: {}, **(PARTS if self.budget is Budget.full else {_QUICK: PARTS[_QUICK]})}

    def tasks(self) -> Tasks:
        found = {name: self.runs(self.holdout, self.seed, changes) for name, changes in self._parts.items()}
        if self.budget is Budget.full:
            for domain, share, seed in product(DOMAINS, _SHARES, self.name_seeds):
                found[f"names {domain} {share:g} {seed}"] = self._named(domain, share, seed)
        return found

    def _named(self, domain: str, share: float, seed: int) -> Task:
        """Return a training of the sample of `instances`, on few problems, that permutes names in a share of the
        sequences.
        """
        own: Any = {"preset": self.preset, "hyperparameters": self.hyperparameters}
        return Instances(budget=Budget.quick, seed=seed, **own).runs(domain, self.few, {"name_permutation": share})

    def report(self, results: Results) -> Section:
        rows, wrong = list[list[Value]](), dict[str, int]()
        for name in self._parts:
            if name in results:
                found, trained = results[name].result["rows"], results[name].result["trained"]
                changes = override_texts(self._parts[name], name)
                settings = ", ".join(f"{key}={text}" for key, text in changes.items())
                pairs, solved = trained["heldout_pairs"], sum(row["successes"] for row in found)
                wrong[name] = pairs - trained["heldout_exact"]
                rows.append([name, settings, trained["parameters"], pairs, wrong[name], f"{solved} of {len(found)}"])
        columns = ["replaced", "hyperparameters", "parameters", "held-out pairs", "wrong", "sizes solved"]
        tables, meaning = [Table("", columns, rows)], _meaning(wrong)
        setting = (
            f"Tape, inline arithmetic, {in_words(self.sizes)} disks,"
            f" {'half' if self.holdout == 50 else f'{self.holdout}%'} of the pairs held out, seed {self.seed}."
            f" {settings_of({_ALL: self.tasks()[_ALL]})} Each row replaces one part by the usual choice, and leaves"
            " everything else as it is. The paper has no such table."
        )
        if self.budget is Budget.full:
            table, words = self._names(results)
            tables, meaning = [*tables, table], meaning + words
            trainings = {
                f"the share {share:g}": self._named(DOMAINS[0], share, self.name_seeds[0]) for share in _SHARES
            }
            setting += (
                " Then names are permuted in half of the sequences, or in none, as in the paper: the sample of"
                f" `instances`, {counted(len(self.name_seeds), 'seed')}, {self.few} problems of each size from 5 to 8"
                f" and {PROBLEMS} new ones. {settings_of(trainings)}"
            )
        question = "Which parts of the training are needed for exact steps on pairs that were held out?"
        return Section(question=question, setting=setting, tables=tables, meaning=meaning)

    def _names(self, results: Results) -> tuple[Table, str]:
        """Return, for each domain and share, how many new problems each seed solves; and the sums in words."""
        rows, sums = list[list[Value]](), {share: [0, 0] for share in _SHARES}
        for domain, share in product(DOMAINS, _SHARES):
            solved, most = list[int | None](), 0
            for seed in self.name_seeds:
                done = results.get(f"names {domain} {share:g} {seed}")
                right, of = (sum(row[each] for row in done.result["rows"]) if done else 0 for each in _COUNTS)
                sums[share] = [sums[share][0] + right, sums[share][1] + of]
                solved.append(right if done else None)
                most = max(most, of)
            rows += [[domain, share, *solved, most]] if most else []
        columns = ["domain", "name_permutation", *(f"seed {seed}" for seed in self.name_seeds), "problems"]
        text = " With `name_permutation={:g}` and few problems, {:,} of {:,} new ones are solved."
        words = "".join(text.format(share, right, of) for share, (right, of) in sums.items() if of)
        return Table(f"Solved with {self.few} training problems of each size", columns, rows), words


def _meaning(wrong: Mapping[str, int]) -> str:
    """Return which replacements do worse than the training itself, as far as they have been made."""
    if _ALL not in wrong or len(wrong) == 1:
        return f"There is nothing yet to compare {'the training' if _ALL in wrong else 'the replacements'} with."
    hurt = "; ".join(name for name in wrong if wrong[name] > wrong[_ALL])
    return f"More held-out pairs are wrong with: {hurt}." if hurt else "No replacement makes more held-out pairs wrong."
