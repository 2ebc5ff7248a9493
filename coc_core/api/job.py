"""One run, checked and ready: what `coc.run` and the command line both start from."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from coc_core import runfile
from coc_core.domain import Domain, parse_problem, read_problem
from coc_core.errors import ArtefactError, UsageError
from coc_core.execution import Executor, Listener, Machine
from coc_core.models import Model
from coc_core.options import OneProblem, RunOptions, SolveOptions, given as given_options
from coc_core.plugin import ExecutorSpec, Registry
from coc_core.setting import Setting, configured_backend, folder_named
from coc_core.storage import absolute
from coc_core.text import counted, quoted
from coc_core.types import DEFAULT_SIZE, MOST_STEPS, Limits, Outcome

_FIXED = ("domain", "memory", "arith", "executor", "n", "seed")
_REMEDY = "choose a smaller n, or raise --max-steps"
_REFUSED = ("save", "problem", "deterministic")


@frozen
class Job:
    """A problem with everything that it takes to run it. Nothing has been written yet.

    Attributes:
        session: Where the run is recorded; None if it is not.
        notes: A line each about what is not as it was when a run is continued.
    """

    setting: Setting
    problem: Any
    model: Model
    runner: Executor
    seed: int
    session: "runfile.Session | None" = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        size = self.setting.domain.size(self.problem)
        return f"Job({self.setting}, n={size}, {self.model.name}, {self.runner.choice})"

    @property
    def skips(self) -> bool:
        """Whether steps can be skipped, unless a listener needs every one."""
        possible = self.model.deterministic and self.session is None
        return possible and self.runner.skips_steps_of(self.setting.machine(self.problem))

    def perform(
        self,
        listeners: Iterable[Callable[[], AbstractContextManager[Listener]]] = (),
        during: Callable[[Machine], AbstractContextManager[object]] = nullcontext,
    ) -> tuple[Machine, Outcome]:
        """Run it to its end, and return the machine, as the run has left it, and the outcome.

        Args:
            listeners: Makers of context managers, entered in order; their values hear each step, after the recording.
            during: Makes the context in which the machine runs.
        """
        session, setting = self.session, self.setting
        with ExitStack() as stack:
            if session is not None:
                session.check()
            heard = [stack.enter_context(make()) for make in listeners]
            if session is not None:
                heard.insert(0, session.open(stack))
            machine = setting.machine(self.problem, heard)
            stack.enter_context(during(machine))
            if session is not None:
                session.replay(machine, self.model)
            (outcome,) = self.runner.run([machine], self.model)
            if session is not None:
                session.finish(outcome, self.model)
        return machine, outcome


def new_job(
    registry: Registry,
    options: SolveOptions,
    *,
    save: Path | None = None,
    record: bool = False,
    every_step: bool = True,
    loading: AbstractContextManager[object] = nullcontext(),
) -> Job:
    """Check the options and load the models of a new run.

    Args:
        save: Where to record the run.
        record: Whether a run that is not saved is recorded in memory.
        every_step: Whether a listener will need every step. If steps can be skipped, and no limit is set, the run may
            have any number of them.
        loading: Entered while the model is loaded.

    Raises:
        UsageError: The choices make no sense, or the run is known to need more steps than the default limit.
        ArtefactError: A checkpoint is broken, or was trained for another setting.
    """
    max_steps = options.max_steps
    if options.domain is None:
        raise UsageError("Missing option '--domain' / '-d'", remedy="`coc plugins` lists the domains")
    limits = Limits() if max_steps is None else Limits(steps=max_steps)
    setting = Setting.of(registry, options.domain, options.memory, options.arith, limits, options.arith_model)
    chosen = choose_problem(setting.domain, options)
    runner: Executor = registry.create(ExecutorSpec, options.executor)
    remedy = _REMEDY
    if max_steps is None and runner.skips_steps_of(setting.machine(chosen)):
        if save or record or every_step:
            remedy += "; without what needs every step, such as --save, there is no limit"
        else:
            setting = evolve(setting, limits=evolve(limits, steps=MOST_STEPS))
    if max_steps is None:  # a limit that was asked for is where the run is to end
        check_length(setting, chosen, remedy)
    with loading:
        subject = setting.model(options.model)
    if max_steps is None and not subject.deterministic:  # then no step is skipped
        setting = evolve(setting, limits=limits)
        check_length(setting, chosen)
    for called in setting.models(subject).values():
        called.unbatched = options.deterministic
    session = None
    if save is not None or record:
        manifest = runfile.Manifest.of(
            setting,
            chosen,
            subject,
            executor=runner.choice,
            model=options.model if configured_backend(registry, options.model) else _lasting(options.model),
            arith_model=_lasting(options.arith_model),
            seed=options.seed,
        )
        session = runfile.Session(save, manifest, setting)
    return Job(setting, chosen, subject, runner, options.seed, session)


def resumed_job(
    registry: Registry,
    options: RunOptions,
    stack: ExitStack,
    loading: AbstractContextManager[object] = nullcontext(),
    verifying: "Callable[[runfile.Replay], AbstractContextManager[object]]" = nullcontext,
) -> "Job | runfile.RunFile":
    """Check a run file and load its models, to continue its run; return the file, verified, if its run has ended.

    Args:
        options: Of those that differ from their defaults, all but `resume`, which is the file, `max_steps`, `model` and
            `arith_model` have to be those of the file.
        stack: Closes the run file, after the run.
        loading: Entered while the models are loaded.
        verifying: Makes the context in which a run that has ended is replayed.

    Raises:
        UsageError: An option contradicts the file, or the limit is below the number of recorded steps.
        ArtefactError: The file is broken, or a model is not the one that the run was recorded with.
    """
    path, given = options.resume, given_options(options)
    assert path is not None
    recorded = stack.enter_context(runfile.RunFile.open(path))
    _check_given(recorded.manifest, given)
    most = given.get("max_steps")
    if runfile.is_finished(recorded.outcome, recorded.manifest, most):
        replay = runfile.Replay(registry, recorded)
        with verifying(replay):
            replay.verify()
        runfile.merge_log(path)
        return recorded
    manifest = recorded.manifest.with_choices(most, given.get("model"), given.get("arith_model"))
    if "model" not in given and configured_backend(registry, manifest.model):
        raise UsageError(
            f"{path} names the model {quoted(manifest.model or '')}, and a file may not choose what is called",
            remedy="if it is the one to call, name it with --model",
        )
    with loading, _of_the_file(path, given):
        runner = registry.create(ExecutorSpec, manifest.executor)
        setting, problem, subject, manifest, notes = runfile.prepare_resume(registry, recorded, manifest)
    session = runfile.Session(path, manifest, setting, recorded)
    return Job(setting, problem, subject, runner, manifest.seed, session, notes)


@contextmanager
def _of_the_file(path: Path, given: Mapping[str, Any]) -> Iterator[None]:
    """Turn a UsageError about what the file names, and not the caller, into an ArtefactError."""
    try:
        yield
    except UsageError as error:
        if given.keys() & {"max_steps", "model", "arith_model"}:
            raise
        raise ArtefactError(
            f"the run file {path} can't be continued here: {error.message}", remedy=error.remedy
        ) from None


def _check_given(manifest: "runfile.Manifest", given: Mapping[str, Any]) -> None:
    for name in _REFUSED:
        if name in given:
            raise UsageError(f"--{name} can't be combined with --resume", remedy="leave it out")
    for name in _FIXED:
        recorded = getattr(manifest, name)
        if name in given and given[name] != recorded:
            raise UsageError(f"--{name} can't change in a run that is resumed: it is {recorded}", remedy="leave it out")


def choose_problem(domain: Domain[Any, Any, Any, Any], options: OneProblem) -> Any:
    """Return the problem that the options choose; UsageError for a bad size or source, and for both of them."""
    n, seed, source = options.n, options.seed, options.problem
    if source is None:
        return domain.problem(DEFAULT_SIZE if n is None else n, seed)
    if n is not None:
        raise UsageError("--n and --problem both choose the problem", remedy="give one of them")
    return parse_problem(domain, source) if isinstance(source, str) else read_problem(domain, os.fspath(source))


def check_length(setting: Setting, problem: Any, remedy: str = _REMEDY) -> None:
    """Raise UsageError, with a remedy, for a run that is known to need more steps than its limit."""
    expected = setting.convention.expect(problem)
    if expected is not None and expected.steps > setting.limits.steps:
        raise UsageError(
            f"this problem takes {counted(expected.steps, 'step')}, the limit is {setting.limits.steps:,}",
            remedy=remedy,
        )


def _lasting(choice: str | None) -> str | None:
    """Return a model's choice as it can be found again from anywhere: a folder by its whole path."""
    folder = folder_named(choice)
    return str(absolute(folder)) if folder else choice


def check_skips(job: Job) -> None:
    """Raise UsageError unless steps of the run can be skipped, so that its plan can be a grammar."""
    if not job.skips:
        raise UsageError(
            "a plan is a grammar only where steps can be skipped, and here they can't",
            remedy="choose a domain with operators, such as hanoi, the memory pda and the executor summary, without"
            " what needs every step",
        )
