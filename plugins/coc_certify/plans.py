"""Plans as grammars: solved for, written to a file, and read from one."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from coc_certify.plan import GrammarPlan
from coc_certify.plan_grammar import GrammarRecorder, format_plan, read_plan
from coc_core.api import Files, check_skips, new_job, open_registry, warn
from coc_core.domain import Domain
from coc_core.errors import PluginError
from coc_core.models import outside
from coc_core.options import PathLike, SolveOptions, takes
from coc_core.plugin import DomainSpec
from coc_core.storage import FreshFile


@takes(SolveOptions, "domain", "n")
def plan(options: SolveOptions) -> GrammarPlan:
    """Solve one problem, and give its plan as a grammar, however long it is. No step is kept, and most are not taken.

    The plan's `outcome` says how the run ended.

    Raises:
        UsageError: The choices make no sense, or steps can't be skipped here.
        ArtefactError: A checkpoint is broken.
        PluginError: A plugin failed to load, or raised during the run.
    """
    job = new_job(open_registry(options.plugins), options, every_step=False)
    check_skips(job)
    warn([outside(job.model, [job.setting.domain.size(job.problem)])])
    recorder = GrammarRecorder(job.setting.domain)
    _, outcome = job.perform([lambda: nullcontext(recorder)])
    return recorder.plan(job.problem, outcome)


def load_plan(path: PathLike, *, plugins: Files = ()) -> GrammarPlan:
    """Read a plan that is a grammar, as `coc run --plan-format grammar` writes it.

    Args:
        path: The file.
        plugins: Python files that are plugins, too.

    Raises:
        ArtefactError: The file is no such plan, is broken, or its domain is not installed.
    """
    return read_plan(Path(path), partial(open_registry(plugins).create, DomainSpec))


@contextmanager
def grammar_file(path: Path, domain: Domain[Any, Any, Any, Any], problem: Any) -> Iterator[GrammarRecorder]:
    """Give a listener that lets steps be skipped, and writes the plan as a grammar to a file that is made or replaced.

    If the block raises an exception, the old file stays; but after an error of a plugin, the actions before it are the
    plan.

    Raises:
        StorageError: The file can't be written, or another process is writing it.
    """
    recorder = GrammarRecorder(domain)
    with FreshFile(path, "plan") as file:
        try:
            yield recorder
        except PluginError:
            file.write(format_plan(recorder.plan(problem)).encode())
            file.keep()
            raise
        file.write(format_plan(recorder.plan(problem)).encode())
        file.keep()
