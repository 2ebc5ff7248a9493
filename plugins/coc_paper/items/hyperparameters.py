"""The two tables of hyperparameters, beside those of the preset that trains the paper's networks."""

from collections.abc import Mapping

from attrs import frozen

from coc_paper.item import Item, Results, Tasks
from coc_paper.published import table
from coc_paper.report import Section, Table, Value
from coc_paper.settings import settings_of
from coc_paper.tasks import Task

_LARGER = {"d_model": 512, "layers": 8, "heads": 8, "batch_size": 32, "steps": 100_000, "min_frequency": 5}
PAPER: Mapping[str, Mapping[str, int]] = {
    "hanoi": {},
    "blocksworld": {**_LARGER, "max_len": 256},
    "pancake": {**_LARGER, "max_len": 512},
}
"""The paper's networks and trainings: what differs from the preset `paper`."""


@frozen(kw_only=True)
class Hyperparameters(Item):
    """Hyperparameters and numbers of parameters."""

    def tasks(self) -> Tasks:
        function = "coc_paper.work.learning:hyperparameters"
        own = {"model": "transformer", "preset": "paper"}
        return {domain: Task(function, {**own, "hyperparameters": changes}) for domain, changes in PAPER.items()}

    def report(self, results: Results) -> Section:
        columns = ["paper's name", "coc's name", *(name for each in results for name in (each, f"{each}, paper"))]
        rows, differ = dict[str, list[list[Value]]](model=[], training=[]), []
        for line in table("hyperparameters.csv"):
            row: list[Value] = [line["name"], line["hyperparameter"]]
            for domain, done in results.items():
                value = done.result[line["hyperparameter"]]
                row += [value, line[domain]]
                if not _agree(value, line[domain]):
                    differ.append(f"{line['name']} of {domain}")
            rows[line["table"]].append(row)
        return Section(
            question="Is the preset that is named after the paper the paper's network and training?",
            setting="The preset `paper`, as it is and with what the paper has otherwise for larger tasks, with the"
            " numbers of parameters counted. The optimiser is AdamW with a cosine decay."
            f" {settings_of(self.tasks())} Its appendix says the opposite."
            " Logging intervals, and the fraction for validation, are choices of the command and not of a preset.",
            tables=[Table(name.capitalize(), columns, each) for name, each in rows.items()],
            meaning=f"These differ: {', '.join(differ)}." if differ else "Every value is the paper's.",
            passed=not differ,
        )


def _agree(ours: float, printed: str) -> bool:
    """Return whether a number is the printed one, which may be in millions and rounded."""
    number = printed.removesuffix(" M")
    if number == printed:
        return ours == float(printed)
    return f"{ours / 1e6:.{len(number.partition('.')[2])}f}" == number
