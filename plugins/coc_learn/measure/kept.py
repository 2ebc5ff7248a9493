"""The plans of the user's problems, kept in a folder while an evaluation goes on."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from coc_core.errors import UsageError
from coc_core.models import Model
from coc_core.plugin import open_format
from coc_learn.measure.batch.ended import Ended, Expected
from coc_learn.measure.batch.folder import open_plans
from coc_learn.measure.success import Evaluation
from coc_problems import GivenProblems, Instance, Problems


def check_plans(problems: Problems | GivenProblems, folder: Path | None, evaluation: Evaluation) -> None:
    """UsageError if there is a folder for the plans of problems that are drawn, or no such format for the plans."""
    if folder is None:
        return
    if not isinstance(problems, GivenProblems):
        raise UsageError("--plans keeps the plans of your own problems", remedy="name these with --problems")
    if evaluation.expect is not Expected.solved:
        raise UsageError("--plans keeps plans, and none are expected", remedy="leave out --plans or --expect")
    setting, name = evaluation.setting, evaluation.plan_format
    open_format(setting.registry, str(name), setting.domain, problems.instances[0].problem)


@contextmanager
def kept_plans(
    evaluation: Evaluation, problems: Problems | GivenProblems, folder: Path | None
) -> Iterator[Iterable[Instance]]:
    """The problems that are left to run. In the block, the plans of those that are run are put into the folder.

    Problems whose plans are in the folder already are counted in the evaluation as they were then.

    Raises:
        UsageError: The folder has something else, or plans that were made with another setting or model.
        ArtefactError: The results in the folder are damaged.
        StorageError: The folder can't be written.
    """
    if folder is None:
        yield problems
        return
    with open_plans(folder, _heading(evaluation)) as plans:
        domain, left, ended = evaluation.setting.domain, list[Instance](), list[Ended]()
        for instance in problems:
            found = plans.ended(instance.source, instance.text(domain))
            if found is None:
                left.append(instance)
            else:
                ended.append(found)
        evaluation.restore(ended)
        evaluation.on_end = plans.add
        yield left
    order = {instance.source: place for place, instance in enumerate(problems)}
    evaluation.failures.sort(key=lambda failure: order[failure.source])


def _heading(evaluation: Evaluation) -> dict[str, str]:
    """All that a result depends on, but for the problem."""
    setting = evaluation.setting
    return {
        "domain": setting.domain.name,
        "memory": setting.memory.name,
        "arith": setting.arithmetic.name,
        "arith-model": _identity(setting.arith_model) if setting.arith_model else "none",
        "model": _identity(evaluation.model),
        "max-steps": str(setting.limits.steps),
        "plan-format": str(evaluation.plan_format),
        "optimal": str(evaluation.optimal).lower(),
    }


def _identity(model: Model) -> str:
    """A model by what it computes: the fingerprint of a checkpoint, wherever it is."""
    return f"{model.name} {model.record.get('fingerprint', '')}".strip()
