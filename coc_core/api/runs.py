"""`coc.run`: solve one problem; and what comes of it."""

from collections import deque
from contextlib import ExitStack, nullcontext
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from coc_core.api import html
from coc_core.api.job import new_job, resumed_job
from coc_core.api.parts import Files, open_registry, warn
from coc_core.api.recorded import Plan, Trace
from coc_core.domain import HasAnswer, parse_problem
from coc_core.errors import UnsupportedError
from coc_core.execution import Listener
from coc_core.models import outside
from coc_core.options import PathLike, RunOptions, takes
from coc_core.plugin import FunctionSpec, Registry
from coc_core.runfile import Replay, RunFile
from coc_core.setting import Setting
from coc_core.text import escaped
from coc_core.types import Fault, Outcome

_ANIMATED = 500  # steps that a notebook shows


class Run:
    """A run that has ended, or one that a run file holds. Make one with `coc.run` or `coc.load_run`.

    Its steps are kept packed, about as small as in a run file, and unpacked when they are read.

    Attributes:
        setting: Where it took place: domain, memory, arithmetic.
        problem: The text of the problem.
        outcome: How it ended; None if it was cut off before it did.
        recording: Its steps, packed.
        plan: The text of each action, in order.
        trace: A record of each step: prompt, target, actions and pointer.
    """

    def __init__(self, recording: RunFile, setting: Setting) -> None:
        self.recording = recording
        recording.close_when_unused()
        manifest = recording.manifest
        self.setting = setting
        self.problem = manifest.problem
        self.outcome: Outcome | None = recording.outcome
        self.plan = Plan(recording, setting, parse_problem(setting.domain, manifest.problem))
        self.trace = Trace(recording)

    @property
    def status(self) -> str:
        """How it ended: `solved`, `unsolved`, `unsolvable`, `fault`, `interrupted`; `unfinished` if it was cut off."""
        return self.outcome.status if self.outcome else "unfinished"

    @property
    def solved(self) -> bool:
        """Whether the plan reaches the goal."""
        return self.status == "solved"

    @property
    def fault(self) -> Fault | None:
        """What ended the run before it halted, if anything did."""
        return self.outcome.fault if self.outcome else None

    @property
    def reason(self) -> str:
        """Why the problem has no solution, or why an answer is not right; otherwise empty."""
        return self.outcome.reason if self.outcome else ""

    @property
    def answer(self) -> str:
        """What the run has found out, such as what a program printed; UnsupportedError if its domain has no answers."""
        domain = self.setting.domain
        if not isinstance(domain, HasAnswer):
            raise UnsupportedError(f"a plan of {domain.name} is no answer", remedy="look at `plan`")
        return domain.answer(self.final_state)

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return self.recording.steps

    @property
    def digest(self) -> str:
        """The SHA-256 of all that the run did: equal for equal runs."""
        return self.recording.digest()

    def save(self, path: PathLike) -> None:
        """Write the run to a new file, the same that `coc run --save` writes.

        Raises:
            UsageError: Something is there already.
            StorageError: The file can't be written.
        """
        self.recording.save(Path(path))

    def verify(self) -> None:
        """Take all steps again without a model, and compare the end with the outcome.

        Raises:
            ArtefactError: A step is not one that the machine takes, or the run does not end like this.
        """
        Replay(self.setting.registry, self.recording).verify()

    def view(self, path: PathLike, first: int | None = None, last: int | None = None) -> None:
        """Write a page that plays the run in a browser, as `coc view` does; what is at `path` is replaced.

        Args:
            path: The page, one file of HTML that needs no network.
            first: The first step to show, 0 (the beginning) by default.
            last: The last step to show, by default the last one, or the fault after it.

        Raises:
            UsageError: There are no such steps, or too many for a page.
            StorageError: The page can't be written.
        """
        self._view(path, first, last)

    def _view(self, *choices: Any, svg: bool = False) -> None:
        registry = self.setting.registry
        registry.function(registry.find(FunctionSpec, "view"))(self, *choices, svg=svg)

    @property
    def initial_state(self) -> Any:
        """The domain's state before the first action."""
        return self.setting.domain.initial(self.plan.problem)

    @cached_property
    def final_state(self) -> Any:
        """The domain's state after the last action."""
        return deque(self.plan.states(), maxlen=1).pop()

    def __repr__(self) -> str:
        return f"<Run: {self._title:.70}: {self.status}, {self.steps:,} steps, {len(self.plan):,} actions>"

    def _repr_html_(self) -> str:
        fault = self.fault
        parts = [
            html.paragraph(self.status, f"{self._title}: {self.steps:,} steps, {len(self.plan):,} actions"),
            self._picture(),
        ]
        if fault is not None:
            parts.append(html.paragraph(f"{fault.kind} fault at step {fault.step:,}", escaped(fault.message)))
        if self.reason:
            title = "no plan solves it" if self.status == "unsolvable" else "not right"
            parts.append(html.paragraph(title, escaped(self.reason)))
        return "".join(parts)

    def _picture(self) -> str:
        """Return the last steps as an animated picture, and in words what there is at the end."""
        with TemporaryDirectory() as folder:
            self._view(path := Path(folder) / "run.svg", max(0, self.steps - _ANIMATED), svg=True)
            return html.image(path.read_bytes(), self.setting.domain.render(self.final_state, html.WIDTH))

    @property
    def _title(self) -> str:
        manifest = self.recording.manifest
        return f"{manifest.domain} n={manifest.n} on {manifest.memory} with {manifest.arith} arithmetic"


@takes(RunOptions, "domain", "n")
def run(options: RunOptions, on_step: Listener | None = None) -> Run:
    """Solve one problem with a model in the loop, as `coc run` does.

    A run that does not reach the goal raises nothing: its `outcome` says what happened.

    Args:
        on_step: Called with the record of each step, once it is committed (`coc_core.execution.StepRecord`).

    Raises:
        UsageError: The choices make no sense.
        ArtefactError: A checkpoint or the run file to continue is broken.
        PluginError: A plugin failed to load, or raised during the run.
        StorageError: The run can't be saved.
    """
    registry = open_registry(options.plugins)
    with ExitStack() as source:
        if options.resume is None:
            job = new_job(registry, options, save=options.save, record=True)
        else:
            found = resumed_job(registry, options, source)
            if isinstance(found, RunFile):
                return _loaded(registry, found)
            job = found
        warn([*job.notes, outside(job.model, [job.setting.domain.size(job.problem)])])
        job.perform([] if on_step is None else [lambda: nullcontext(on_step)])
    assert job.session is not None
    recording = job.session.recording()
    if job.session.path is not None:
        with recording as file:
            recording = file.kept()
    return Run(recording, job.setting)


def load_run(path: PathLike, *, plugins: Files = ()) -> Run:
    """Read the run in a file, as `coc.run(..., save=path)`, `Run.save` and `coc run --save` write it.

    A file that was damaged or edited is refused. Its digests have no key, so of a file that somebody else may have
    forged, call `Run.verify` before you believe the outcome.

    Args:
        path: The run file.
        plugins: Python files that are plugins, too.

    Raises:
        ArtefactError: The file is no run file, is broken, or needs a part that is not installed.
    """
    with RunFile.open(Path(path)) as file:
        return _loaded(open_registry(plugins), file)


def _loaded(registry: Registry, file: RunFile) -> Run:
    return Run(file.kept(), Replay(registry, file).setting)
