"""The two tables of hyperparameters, beside those of the preset that trains the paper's networks."""

from collections.abc import Mapping

from coc_paper.item import Item, Parameters, Results, Tasks
from coc_paper.published import hyperparameters
from coc_paper.report import Section, Table, Value
from coc_paper.settings import settings_of
from coc_paper.tasks import Task

_TITLE = "Hyperparameters and numbers of parameters"
_LARGER = {"d_model": 512, "layers": 8, "heads": 8, "batch_size": 32, "steps": 100_000, "min_frequency": 5}
PAPER: Mapping[str, Mapping[str, int]] = {
    "hanoi": {},
    "blocksworld": {**_LARGER, "max_len": 256},
    "pancake": {**_LARGER, "max_len": 512},
}
"""The paper's networks and trainings: what differs from the preset `paper`."""


def _tasks(_: Parameters) -> Tasks:
    return {
        domain: Task(
            "coc_paper.work.learning:hyperparameters",
            {"model": "transformer", "preset": "paper", "hyperparameters": changes},
            doing=f"the paper's training for {domain}",
        )
        for domain, changes in PAPER.items()
    }


def _report(chosen: Parameters, results: Results) -> Section:
    domains = [domain for domain in PAPER if domain in results]
    rows: dict[str, list[list[Value]]] = {"model": [], "training": []}
    differ = []
    for line in hyperparameters():
        values = [results[domain].result[line["hyperparameter"]] for domain in domains]
        for domain, value in zip(domains, values, strict=True):
            if not _agree(value, line[domain]):
                differ.append(f"{line['name']} of {domain}")
        row: list[Value] = [line["name"], line["hyperparameter"]]
        for domain, value in zip(domains, values, strict=True):
            row += [value, line[domain]]
        rows[line["table"]].append(row)
    columns = ["paper's name", "coc's name", *(name for domain in domains for name in (domain, f"{domain}, paper"))]
    return Section(
        name="hyperparameters",
        title=_TITLE,
        question="Is the preset that is named after the paper the paper's network and training?",
        setting="The preset `paper`, as it is and with what the paper has otherwise for larger tasks, with the numbers"
        " of parameters counted. The optimiser is AdamW with a cosine decay."
        f" {settings_of(_tasks(chosen))} Its appendix says the opposite."
        " Logging intervals, and the fraction for validation, are choices of the command and not of a preset.",
        tables=[
            Table("Model", columns, rows["model"]),
            Table("Training", columns, rows["training"]),
        ],
        meaning="Every value is the paper's." if not differ else f"These differ: {', '.join(differ)}.",
        passed=not differ,
    )


def _agree(ours: float, printed: str) -> bool:
    """Return whether a number is the printed one, which may be in millions and rounded."""
    if not printed.endswith(" M"):
        return ours == float(printed)
    number = printed.removesuffix(" M")
    decimals = len(number.partition(".")[2])
    return f"{ours / 1e6:.{decimals}f}" == number


ITEM = Item("hyperparameters", _TITLE, _tasks, _report)
