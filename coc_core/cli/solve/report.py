"""What is said of a run: a few lines for a person, the fields of its JSON document, and its exit code."""

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import asdict

from coc_core import runfile
from coc_core.api import Job
from coc_core.cli import console
from coc_core.errors import EXIT_INTERRUPTED, EXIT_NOT_SOLVED, EXIT_SOLVED, FAULT_KINDS, StepFault
from coc_core.models import Model, outside
from coc_core.plugin import Registry
from coc_core.text import counted, duration, escaped, quoted, shortened
from coc_core.types import Fault, Outcome

FEWEST = 100  # steps for which a rate means something
LONGEST = 60  # characters of a problem in a line
REMARK = "yellow"  # the style of a line about a result that is not as it should be


def summary(job: Job, outcome: Outcome, skipped: int) -> Iterator[console.Words]:
    """Yield what happened, in a few lines for `console.show`, of which the first one is the result."""
    setting, before = job.setting, job.session.replayed if job.session else 0
    stated = shortened(setting.domain.problems.format(job.problem), LONGEST)
    where = " · ".join((setting.domain.name, stated, setting.memory.name, setting.arithmetic.name))
    yield console.verdict(outcome.status, where, complaint_of(outcome))
    new = max(0, outcome.steps - before)
    took = f", in {duration(outcome.seconds)}" if skipped else f"; {speed(new, outcome.seconds)}"
    took = f"; {before:,} recorded before, {new:,} new{took}" if before else took
    yield f"{counted(outcome.steps, 'step')}, {legality(outcome.actions, skipped, outcome.steps)}{took}"
    yield f"{counted(outcome.model_calls, 'model call')} to {job.model.describe()}"
    yield from setting.registry.report_lines(job.runner.choice, outcome)
    if setting.arith_model is not None:
        calls = counted(setting.arith_model.calls, "call")
        yield f"{calls} to the arithmetic model {setting.arith_model.describe()}"
    yield from ((mistake, REMARK) for mistake in setting.arithmetic.mistakes)
    expected = setting.convention.expect(job.problem)
    if outcome.status == "solved" and expected is not None and outcome.actions == expected.actions:
        known = f"the known optimum ({expected.optimum})" if expected.optimum else "the expected number"
        yield f"{counted(expected.actions, 'action')}, {known}"
    yield from ((remark, REMARK) for remark in job.runner.remarks)


def legality(actions: int, skipped: int, steps: int) -> str:
    """Return how many actions a run has, and how it is known that they are legal, if some steps were `skipped`."""
    if not actions:
        return counted(actions, "action")
    each, every, them = ("", "", "it") if actions == 1 else ("each one ", "all ", "them")
    if not skipped:
        how = f"{each}checked as it was taken"
    else:
        how = f"{every}{'checked, or ' if skipped < steps else ''}proved legal without stepping through {them}"
    return f"{counted(actions, 'action')}, {how}"


def speed(steps: int, seconds: float) -> str:
    """Return how long a loop took, and its rate unless the steps were too few for one."""
    if steps < FEWEST or not seconds:
        return duration(seconds)
    return f"{duration(seconds)}, {steps / seconds:,.0f} steps/s"


def complaint_of(outcome: Outcome) -> str:
    """Return what ended a run before it halted, in one line that is safe for a terminal; empty if nothing did."""
    if outcome.fault is not None:
        return fault_line(outcome.fault)
    return ("no plan solves it: " if outcome.status == "unsolvable" else "") + escaped(outcome.reason)


def fault_line(fault: Fault) -> str:
    """Return a fault in one line, its text made safe for a terminal."""
    tail = f"; the text was {quoted(fault.text)}" if fault.text else ""
    if fault.text and fault.offset is not None:
        tail = f" at character {fault.offset + 1:,} of the text, which begins {quoted(fault.text)}"
    return f"{fault.kind} fault at step {fault.step:,}: {fault.message}{tail}"


def warn_outside(model: Model, sizes: Iterable[int]) -> str:
    """Print a note about sizes that the model was not trained on, if there are any; gives it."""
    if sentence := outside(model, sizes):
        console.warn(sentence)
    return sentence


def report_ended(registry: Registry, recorded: "runfile.RunFile") -> int:
    """Say how a run ended that has nothing more to do."""
    outcome = recorded.outcome
    assert outcome is not None
    steps, actions = counted(outcome.steps, "step"), counted(outcome.actions, "action")
    console.report(
        lambda: _ended(recorded, outcome),
        console.verdict(
            outcome.status, f"{recorded.path} has ended already: {steps}, {actions}", complaint_of(outcome)
        ),
        registry.report_lines(recorded.manifest.executor, outcome),
    )
    return exit_code(outcome)


def fields_of(job: Job, outcome: Outcome, **more: Any) -> dict[str, Any]:
    """Return a run as the fields of a JSON document, `more` among them; the file that it is saved in must be closed."""
    setting, size = job.setting, job.setting.domain.size(job.problem)
    found = {
        "domain": setting.domain.name,
        "memory": setting.memory.name,
        "arith": setting.arithmetic.name,
        "executor": job.runner.choice,
        "executor_used": job.runner.used,
        "remarks": list(job.runner.remarks),
        "model": job.model.describe(),
        "n": size,
        "seed": job.seed,
        "problem": setting.domain.problems.format(job.problem),
        **_how(outcome),
        "arith_model": setting.arith_model.describe() if setting.arith_model else None,
        "arith_calls": setting.arith_model.calls if setting.arith_model else 0,
        "arith_mistakes": list(setting.arithmetic.mistakes),
        "seconds": round(outcome.seconds, 6),
        **outcome.report,
        **trained_sizes(job.model, [size]),
        **more,
    }
    if job.session is not None:
        with job.session.recording() as recorded:
            found |= {"save": str(recorded.path), "digest": recorded.digest(), "replayed": job.session.replayed}
    return found


def _how(outcome: Outcome) -> dict[str, Any]:
    """Return how a run ended."""
    return {
        "outcome": outcome.status,
        "reason": outcome.reason or None,
        "fault": asdict(outcome.fault) if outcome.fault else None,
        "steps": outcome.steps,
        "actions": outcome.actions,
        "model_calls": outcome.model_calls,
    }


def _ended(recorded: "runfile.RunFile", outcome: Outcome) -> dict[str, Any]:
    """Return a run that had ended already as a JSON document, like that of the run itself."""
    manifest = recorded.manifest
    names = ("domain", "memory", "arith", "executor", "n", "seed", "problem")
    return {
        **{name: getattr(manifest, name) for name in names},
        "model": manifest.records["model"].get("description"),
        **_how(outcome),
        "seconds": round(outcome.seconds, 6),
        **outcome.report,
        "save": str(recorded.path),
        "digest": recorded.digest(),
        "replayed": recorded.steps,
    }


def trained_sizes(model: Model, sizes: Iterable[int]) -> dict[str, Any]:
    """Return a JSON document's fields about a model's sizes: the first and last trained, and those outside them."""
    trained = model.trained_sizes
    return {
        "trained_sizes": [trained[0], trained[-1]] if trained else None,
        "untrained_sizes": [n for n in sizes if n not in trained] if trained else None,
    }


def exit_code(outcome: Outcome) -> int:
    """Return the exit code for a run that ended like this."""
    if outcome.fault is not None:
        return FAULT_KINDS.get(outcome.fault.kind, StepFault).exit_code
    return {"solved": EXIT_SOLVED, "interrupted": EXIT_INTERRUPTED}.get(outcome.status, EXIT_NOT_SOLVED)
