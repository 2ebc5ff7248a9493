"""coc as an engine of unified-planning: `OneshotPlanner(name="coc")`.

unified-planning has no entry points: it knows the engines that it lists itself, those that a file `up.ini` names, and
those that a program adds. Importing this module adds `coc` to its global environment. The module needs
unified-planning, so no other module of this package imports it.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from coc_core.extras import install_command

try:
    import unified_planning  # noqa: F401
except ModuleNotFoundError:
    raise ModuleNotFoundError(f"the engine needs unified-planning; {install_command('planning')}") from None
from unified_planning.engines import Engine
from unified_planning.engines.mixins import OneshotPlannerMixin
from unified_planning.engines.mixins.oneshot_planner import OptimalityGuarantee
from unified_planning.engines.results import LogLevel, LogMessage, PlanGenerationResult, PlanGenerationResultStatus
from unified_planning.environment import get_environment
from unified_planning.exceptions import UPException
from unified_planning.io import PDDLWriter
from unified_planning.model import ProblemKind
from unified_planning.plans import ActionInstance, SequentialPlan

from coc_core.api import new_job
from coc_core.errors import CocError, UnsupportedError
from coc_core.execution import Machine
from coc_core.options import SolveOptions
from coc_core.plugin import Registry
from coc_planning.pddl.expressions import Source
from coc_planning.pddl.reading import task_in
from coc_planning.pddl.task import Task
from coc_planning.plan import plan_lines
from coc_planning.translate import translate_task

NAME = "coc"
_KIND = {
    "problem_class": "ACTION_BASED",
    "problem_type": "SIMPLE_NUMERIC_PLANNING",
    "typing": "FLAT_TYPING HIERARCHICAL_TYPING",
    "conditions_kind": "NEGATIVE_CONDITIONS EQUALITIES DISJUNCTIVE_CONDITIONS EXISTENTIAL_CONDITIONS"
    " UNIVERSAL_CONDITIONS",
    "effects_kind": "CONDITIONAL_EFFECTS FORALL_EFFECTS INCREASE_EFFECTS STATIC_FLUENTS_IN_NUMERIC_ASSIGNMENTS",
    "fluents_type": "NUMERIC_FLUENTS INT_FLUENTS REAL_FLUENTS",
    "quality_metrics": "ACTIONS_COST PLAN_LENGTH FINAL_VALUE",
    "actions_cost_kind": "STATIC_FLUENTS_IN_ACTIONS_COST INT_NUMBERS_IN_ACTIONS_COST REAL_NUMBERS_IN_ACTIONS_COST",
}
_STATUS = {
    "solved": PlanGenerationResultStatus.SOLVED_SATISFICING,
    "unsolvable": PlanGenerationResultStatus.UNSOLVABLE_PROVEN,
    "interrupted": PlanGenerationResultStatus.TIMEOUT,
    "unsolved": PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY,
    "fault": PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY,
}


class CocPlanner(Engine, OneshotPlannerMixin):  # type: ignore[misc]
    """A planner whose actions a language model writes, one window at a time, by the policy that it has learned.

    It solves problems of the domains that coc knows, whatever their names are, and knows no others.

    Args:
        solve_as: The domain of coc whose problems it solves; by default the one that a problem is found to be.
        memory: The memory that keeps the windows; by default the domain's own.
        arith: What computes addresses.
        model: A model or a shipped checkpoint by its name, or a checkpoint by its folder.
        executor: How the loop is run.
    """

    def __init__(
        self,
        solve_as: str | None = None,
        memory: str | None = None,
        arith: str = "symbolic",
        model: str | None = None,
        executor: str = "auto",
    ) -> None:
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        self._solve_as = solve_as
        self._choices: dict[str, Any] = {"memory": memory, "arith": arith, "model": model, "executor": executor}

    @property
    def name(self) -> str:
        """The name of the engine."""
        return NAME

    @staticmethod
    def supported_kind() -> ProblemKind:
        """Return the kinds of problems that it may know: classical ones, with costs; reading refuses more."""
        kind = ProblemKind(version=2)
        for name, features in _KIND.items():
            for feature in features.split():
                getattr(kind, f"set_{name}")(feature)
        return kind

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        """Return whether problems of this kind may be known."""
        return bool(problem_kind <= CocPlanner.supported_kind())

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        """Its plans are valid, and need not be the shortest."""
        return bool(optimality_guarantee == OptimalityGuarantee.SATISFICING)

    def _solve(
        self,
        problem: Any,
        heuristic: Callable[[Any], float | None] | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        def say(text: str) -> None:
            if output_stream is not None:
                output_stream.write(f"{text}\n")

        registry = Registry.installed()
        try:
            task, written = task_of(problem)
            translation = translate_task(registry, task, solve_as=self._solve_as)
            say(f"the problem is one of {translation.domain}: {translation.problem:.200}")
            job = new_job(
                registry,
                SolveOptions(domain=translation.domain, problem=translation.problem, **self._choices),
            )
            lines: list[str] = []
            form = translation.plan_format(job.setting.domain, job.problem)
            machine, outcome = job.perform(
                [lambda: plan_lines(form, lines)], lambda machine: _limited(machine, timeout)
            )
            if outcome.status == "solved":
                translation.check_plan(lines)
        except UnsupportedError as error:
            return self._result(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, str(error), say)
        except CocError as error:
            return self._result(PlanGenerationResultStatus.INTERNAL_ERROR, str(error), say)
        if outcome.status != "solved":
            reason = outcome.fault.message if outcome.fault else machine.unsolvable or "the goal was not reached"
            return self._result(_STATUS[outcome.status], f"{outcome.status}: {reason}", say)
        actions = []
        for line in lines:
            operator, *arguments = line.strip("()").split(" ")
            objects = tuple(map(written.get_item_named, arguments))
            actions.append(ActionInstance(written.get_item_named(operator), objects))
        say(f"solved: {len(actions):,} actions, {outcome.model_calls:,} model calls")
        return PlanGenerationResult(_STATUS["solved"], SequentialPlan(actions, problem.environment), NAME)

    def _result(self, status: PlanGenerationResultStatus, text: str, say: Callable[[str], None]) -> Any:
        say(text)
        return PlanGenerationResult(status, None, NAME, log_messages=[LogMessage(LogLevel.INFO, text)])


def task_of(problem: Any) -> tuple[Task, PDDLWriter]:
    """Return the task in an object of unified-planning, and what knows its objects by their names there;
    UnsupportedError for something that coc does not know, such as numbers.
    """
    try:
        writer = PDDLWriter(problem)
        texts = {"the domain": writer.get_domain(), "the problem": writer.get_problem()}
    except (AttributeError, AssertionError, UPException) as error:
        raise UnsupportedError(f"the problem is not a classical one: {error}") from None
    return task_in(*(Source(Path(name), text) for name, text in texts.items())), writer


@contextmanager
def _limited(machine: Machine, timeout: float | None) -> Iterator[None]:
    """End, while the block runs, the machine's run after some seconds."""
    timer = threading.Timer(0 if timeout is None else timeout, machine.interrupt)
    timer.daemon = True
    if timeout is not None:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


get_environment().factory.add_engine(NAME, __name__, CocPlanner.__name__)
