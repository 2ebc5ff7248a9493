"""Which parts of coc's own training matter: each replaced by the usual choice, one at a time."""

from itertools import product
from typing import Any

from attrs import frozen

from coc_core.text import counted
from coc_learn.options import override_texts
from coc_paper.item import Budget, Results, Tasks, parameter
from coc_paper.items import TRAININGS
from coc_paper.items.hanoi import OnTape
from coc_paper.items.instances import DOMAINS, PROBLEMS, Instances
from coc_paper.report import Section, Table, Value
from coc_paper.settings import in_words, settings_of
from coc_paper.tasks import Task

PARTS: dict[str, dict[str, Any]] = TRAININGS["ablations"]
_QUICK = "AdamW, not Muon"
_ALL = "nothing"
_SHARES = (0.5, 0.0)
_COLUMNS = ("replaced", "hyperparameters", "parameters", "held-out pairs", "wrong", "sizes solved")


@frozen(kw_only=True)
class Ablations(OnTape):
    """Ablations of coc's own training."""

    holdout: int = parameter("percent of the pairs that are held out", 50, least=0, most=99)
    seed: int = parameter("seed of the trainings", 0, least=0)
    name_seeds: tuple[int, ...] = parameter("seeds of those with few problems", (0, 1, 2), least=0)
    few: int = parameter("training problems of a size, where they are few", 5)

    def tasks(self) -> Tasks:
        parts = {_ALL: {}, **(PARTS if self.full else {_QUICK: PARTS[_QUICK]})}
        found = {name: self.runs(self.holdout, self.seed, changes) for name, changes in parts.items()}
        for domain, share, seed in product(DOMAINS, _SHARES, self.name_seeds) if self.full else ():
            found[f"names {domain} {share:g} {seed}"] = self._named(domain, share, seed)
        return found

    def _named(self, domain: str, share: float, seed: int) -> Task:
        """Return a training of the sample of `instances`, on few problems, that permutes names in a share of them."""
        own: Any = {"preset": self.preset, "hyperparameters": self.hyperparameters}
        return Instances(budget=Budget.quick, seed=seed, **own).runs(domain, self.few, {"name_permutation": share})

    def report(self, results: Results) -> Section:
        rows, wrong = list[list[Value]](), dict[str, int]()
        for name in (each for each in results if not each.startswith("names ")):
            found, trained = results[name].result["rows"], results[name].result["trained"]
            changes = override_texts(PARTS.get(name, {}), name)
            settings = ", ".join(f"{key}={text}" for key, text in changes.items())
            pairs, solved = trained["heldout_pairs"], sum(row["successes"] for row in found)
            wrong[name] = pairs - trained["heldout_exact"]
            rows.append([name, settings, trained["parameters"], pairs, wrong[name], f"{solved} of {len(found)}"])
        tables, hurt = [Table("", _COLUMNS, rows)], [name for name in wrong if wrong[name] > wrong.get(_ALL, 0)]
        meaning = f"More held-out pairs are wrong with: {'; '.join(hurt)}."
        if _ALL not in wrong or len(wrong) == 1:
            left = "the training" if _ALL in wrong else "the replacements"
            meaning = f"There is nothing yet to compare {left} with."
        elif not hurt:
            meaning = "No replacement makes more held-out pairs wrong."
        setting = (
            f"Tape, inline arithmetic, {in_words(self.sizes)} disks,"
            f" {'half' if self.holdout == 50 else f'{self.holdout}%'} of the pairs held out, seed {self.seed}."
            f" {settings_of({_ALL: self.tasks()[_ALL]})} Each row replaces one part by the usual choice, and leaves"
            " everything else as it is. The paper has no such table."
        )
        if self.full:
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
            names = [f"names {domain} {share:g} {seed}" for seed in self.name_seeds]
            found = [results[name].result["rows"] if name in results else None for name in names]
            solved = [each and sum(row["successes"] for row in each) for each in found]
            of = [sum(row["instances"] for row in each or ()) for each in found]
            sums[share] = [sums[share][0] + sum(filter(None, solved)), sums[share][1] + sum(of)]
            rows += [[domain, share, *solved, max(of)]] if any(of) else []
        columns = ["domain", "name_permutation", *(f"seed {seed}" for seed in self.name_seeds), "problems"]
        text = " With `name_permutation={:g}` and few problems, {:,} of {:,} new ones are solved."
        words = "".join(text.format(share, right, of) for share, (right, of) in sums.items() if of)
        return Table(f"Solved with {self.few} training problems of each size", columns, rows), words
