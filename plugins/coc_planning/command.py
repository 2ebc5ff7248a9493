"""The options `--pddl` and `--pddl-out` of `coc run`: problems are read from PDDL, and written with their plans."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from coc_core import api, storage
from coc_core.api import Job, OpensListener, RunAddition
from coc_core.cli import console
from coc_core.errors import UsageError
from coc_core.execution import Listener
from coc_core.options import OUTPUT, PROBLEM, File, Name, Option, RunOptions, option
from coc_core.plugin import Registry, open_format

if TYPE_CHECKING:
    from coc_core.domain import PlanFormat, Translation

_PLAN = "plan.pddl"
_KIND = "planning problem"


@frozen(kw_only=True, slots=False)
class PddlOptions(RunAddition):
    """What `coc run` takes beside its own options."""

    pddl: tuple[Path, Path] | None = option(
        Option(
            "Read the problem from two PDDL files. Its domain is recognised, or is the one that --domain names; it may"
            " use other names than coc.",
            ("--pddl",),
            Name("DOMAIN PROBLEM", tuple[Path, Path]),
            PROBLEM,
        ),
        None,
    )
    pddl_out: Path | None = option(
        Option(
            "Write the domain, the problem and the plan to this folder, in PDDL.", ("--pddl-out",), File("DIR"), OUTPUT
        ),
        None,
    )

    @property
    def needs_every_step(self) -> str:
        return "" if self.pddl_out is None else "--pddl-out writes"

    def problem(self, registry: Registry, options: RunOptions) -> "Translation | None":
        if self.pddl_out is not None:
            if self.pddl is not None:
                raise UsageError(
                    "--pddl-out writes a problem, and --pddl reads one", remedy="write the plan with --plan FILE"
                )
            storage.check_replaceable(self.pddl_out, marker=_PLAN, kind=_KIND)
        if self.pddl is None:
            return None
        if (options.n, options.problem, options.resume) != (None, None, None):
            raise UsageError("--pddl says which problem it is", remedy="leave out --n, --problem and --resume")
        from coc_planning.translate import translate_files  # runs of other problems do without

        with console.status("reading PDDL"):
            found = translate_files(registry, options.domain, *self.pddl)
        for note in found.notes:
            console.warn(note)
        return found

    def reads(self) -> Mapping[str, Sequence[Path]]:
        return {"--pddl": self.pddl or ()}

    def listeners(self, job: Job) -> Sequence[OpensListener]:
        if (folder := self.pddl_out) is None:
            return ()
        form = open_format(job.setting.registry, "pddl", job.setting.domain, job.problem)
        return [lambda: _plan_folder(folder, form)]


@contextmanager
def _plan_folder(folder: Path, form: "PlanFormat[Any, Any, Any]") -> Iterator[Listener]:
    """Give a listener that writes each action to a folder, with the files that say what the problem is. UsageError if
    something else is there, StorageError if it can't be written or another process is writing it.
    """
    with storage.fresh_folder(folder, marker=_PLAN, kind=_KIND) as place:
        storage.write_files(place, {name: text.encode() for name, text in form.files().items()})
        with api.plan_file(place / _PLAN, form) as listen:
            yield listen
