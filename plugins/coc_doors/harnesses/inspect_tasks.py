"""Settings of coc as tasks of inspect_ai: single steps with exact match, and whole runs through the loop.

    inspect eval coc_doors/steps -T domain=pancake -T n=6 --model MODEL
    inspect eval coc_doors/runs -T domain=hanoi -T n=3,8 --model MODEL

MODEL is any model of inspect_ai. One that was trained on coc's prompts needs no examples: `-T shots=0`.
"""

from collections.abc import Sequence

from anyio import from_thread, to_thread
from inspect_ai import Task, model as inspect_model, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from coc_core.domain import parse_problem
from coc_core.errors import LimitFault
from coc_core.execution import Cached
from coc_core.models import Model
from coc_doors.harnesses.tasks import SHOTS, Tasks

_ROLES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


# ── single steps ──────────────────────────────────────────────────────────────────────────────────────────────────────


@task
def steps(
    domain: str = "hanoi",
    n: int = 4,
    memory: str | None = None,
    arith: str = "symbolic",
    shots: int = SHOTS,
    count: int = 100,
) -> Task:
    """Return steps of as many runs; the response must be the target, to the letter."""
    tasks = Tasks(domain, n, "step", memory, arith, shots)
    items = [tasks[seed] for seed in range(count)]
    return Task(
        dataset=[Sample(input=messages(item.messages), target=item.target) for item in items],
        solver=generate(),
        scorer=the_same_text(),
    )


@scorer(metrics=[accuracy(), stderr()])
def the_same_text() -> Scorer:
    """Correct if the response is the target. Other scorers normalise texts, and the machine does not."""

    async def score(state: TaskState, target: Target) -> Score:
        response = state.output.completion
        return Score(value=CORRECT if response == target.text else INCORRECT, answer=response)

    return score


# ── whole runs ────────────────────────────────────────────────────────────────────────────────────────────────────────


@task
def runs(
    domain: str = "hanoi",
    n: int | list[str] = 3,
    memory: str | None = None,
    arith: str = "symbolic",
    shots: int = SHOTS,
) -> Task:
    """Return a problem of each size, solved with the model in coc's loop; each distinct prompt is sent once."""
    tasks = Tasks(domain, memory=memory, arith=arith, shots=shots)
    setting = tasks.setting
    sizes = [n] if isinstance(n, int) else [int(size) for size in n]
    problems = [setting.domain.problems.format(setting.domain.problem(size)) for size in sizes]
    return Task(
        dataset=[Sample(input=problem) for problem in problems],
        solver=in_the_loop(tasks),
        scorer=solved(),
    )


@solver
def in_the_loop(tasks: Tasks) -> Solver:
    """Run coc's loop in a thread; its model calls come back to inspect_ai, which limits, retries and logs them."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        setting = tasks.setting
        machine = setting.machine(parse_problem(setting.domain, state.input_text))
        model = InspectModel(tasks)
        (outcome,) = await to_thread.run_sync(lambda: list(Cached().run([machine], model)))
        state.metadata |= {"outcome": outcome.status, "fault": str(outcome.fault or ""), "steps": outcome.steps}
        state.metadata |= {"actions": outcome.actions, "model_calls": outcome.model_calls}
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()])
def solved() -> Scorer:
    """Correct if the plan reaches the goal. Every action was checked when it was written."""

    async def score(state: TaskState, target: Target) -> Score:
        found = state.metadata
        return Score(
            value=CORRECT if found["outcome"] == "solved" else INCORRECT,
            answer=found["outcome"],
            explanation=found["fault"] or f"{found['steps']:,} steps, {found['model_calls']:,} model calls",
        )

    return score


class InspectModel(Model):
    """The model that inspect_ai evaluates, as one of coc's. It must give equal responses to equal prompts."""

    name = "inspect"

    def __init__(self, tasks: Tasks) -> None:
        super().__init__()
        self._tasks = tasks
        self._model = inspect_model.get_model()

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return [from_thread.run(self._response, prompt) for prompt in prompts]

    async def _response(self, prompt: str) -> str:
        output = await self._model.generate(messages(self._tasks.messages(prompt)))
        if output.stop_reason != "stop":
            raise LimitFault(f"the response ended with the reason {output.stop_reason!r}", text=output.completion)
        return output.completion


# ── what is sent ──────────────────────────────────────────────────────────────────────────────────────────────────────


def messages(shown: Sequence[dict[str, str]]) -> list[ChatMessage]:
    """Return the messages of a chat as inspect_ai has them."""
    return [_ROLES[each["role"]](content=each["content"]) for each in shown]
