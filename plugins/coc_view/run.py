"""A run as a page, whether it was recorded in a file or has just ended."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import asdict

from coc_core.execution import StepRecord
from coc_core.runfile import Manifest
from coc_core.setting import Setting
from coc_core.text import escaped
from coc_core.types import Fault, Outcome
from coc_view.page import render_page
from coc_view.timeline import build_timeline


def render_run(
    setting: Setting,
    problem: Any,
    records: Iterable[StepRecord],
    outcome: Outcome | None,
    facts: Mapping[str, str],
    *,
    steps: int | None = None,
    fault: Fault | None = None,
) -> str:
    """Render consecutive steps of a run as one HTML page, which needs no network.

    Args:
        setting: Where the run took place.
        problem: What was solved.
        records: At least one record with its memory and its states, as a listener or `Replay.seek` gets them. Each is
            read as soon as it comes, so a generator may advance a machine between two of them.
        outcome: How the run ended; None if it has not.
        facts: What to list about the run, name by name.
        steps: How many steps the run has; by default as many as the outcome says.
        fault: The fault to show after the last of the records, if they reach as far as that.

    Returns:
        The page, to be written in UTF-8. Equal runs have equal pages.

    Raises:
        UsageError: There are too many steps, or too many characters or windows in them.
    """
    timeline = build_timeline(setting.domain, setting.convention.layout, records)
    if steps is None:
        steps = outcome.steps if outcome else timeline["first_step"] + len(timeline["rows"]) - 1
    return render_page(
        {
            "title": escaped(f"{setting.domain.name}, n={setting.domain.size(problem)}"),
            "problem": escaped(setting.domain.problems.format(problem)),
            "outcome": outcome.status if outcome else "unfinished",
            "reason": escaped(outcome.reason) if outcome else "",
            "steps": steps,
            "memory": {
                "name": escaped(setting.memory.name),
                "newest_first": setting.convention.layout.newest_first,
                "registers": [escaped(name) for name in setting.convention.layout.registers],
            },
            "facts": [(escaped(name), escaped(value)) for name, value in facts.items()],
            "fault": fault and {**asdict(fault), "text": escaped(fault.text), "message": escaped(fault.message)},
            **timeline,
        }
    )


def facts_of(manifest: Manifest) -> dict[str, str]:
    """What a page lists about the run that a manifest describes: its parts, its models, and the software."""
    facts = {
        "domain": manifest.domain,
        "problem": manifest.problem,
        "memory": manifest.memory,
        "arithmetic": manifest.arith,
        "executor": manifest.executor,
    }
    for role, record in sorted(manifest.records.items(), reverse=True):  # the model, then the arithmetic's
        for key in sorted(record, key=lambda key: (key != "name", key)):
            facts[f"{role.replace('_', ' ')} {key}"] = record[key]
    plugins = {f"plugin {name}": version for name, version in sorted(manifest.plugins.items())}
    return {**facts, **plugins, **dict(sorted(manifest.versions.items()))}
