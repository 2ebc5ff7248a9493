"""Settings of coc as tasks of inspect_ai: single steps with exact match, and whole runs through the loop.

    inspect eval inspect_tasks.py@steps -T pairs=$PWD/pairs/heldout.jsonl.gz --model MODEL
    inspect eval inspect_tasks.py@runs -T domain=hanoi -T n=3,8 --model MODEL

MODEL is any model of inspect_ai. One that was not trained on coc's prompts needs the system text and the examples that
`coc prompt --json` writes to a file: `-T frame=FILE`.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

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
from coc_core.plugin import Registry
from coc_core.setting import Setting

_ROLES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


# ── single steps ──────────────────────────────────────────────────────────────────────────────────────────────────────


@task
def steps(pairs: str, frame: str | None = None) -> Task:
    """Return the prompts of a file that `coc data build` wrote; the response must be the target, to the letter."""
    with gzip.open(pairs, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return Task(
        dataset=[Sample(input=messages(row["prompt"], frame), target=row["target"]) for row in rows],
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
    memory: str = "pda",
    arith: str = "symbolic",
    frame: str | None = None,
) -> Task:
    """Return a problem of each size, solved with the model in coc's loop; each distinct prompt is sent once."""
    setting = Setting.of(Registry.installed(), domain, memory, arith)
    sizes = [n] if isinstance(n, int) else [int(size) for size in n]
    problems = [setting.domain.problems.format(setting.domain.problem(size)) for size in sizes]
    return Task(
        dataset=[Sample(input=problem) for problem in problems],
        solver=in_the_loop(setting, frame),
        scorer=solved(),
    )


@solver
def in_the_loop(setting: Setting, frame: str | None) -> Solver:
    """Run coc's loop in a thread; its model calls come back to inspect_ai, which limits, retries and logs them."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        machine = setting.machine(parse_problem(setting.domain, state.input_text))
        model = InspectModel(frame)
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
    """The model that inspect_ai evaluates, as one of coc's. It must give equal responses to equal prompts.

    Args:
        frame: The file with what comes before a prompt.
    """

    name = "inspect"

    def __init__(self, frame: str | None) -> None:
        super().__init__()
        self._frame = frame
        self._model = inspect_model.get_model()

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return [from_thread.run(self._response, prompt) for prompt in prompts]

    async def _response(self, prompt: str) -> str:
        output = await self._model.generate(messages(prompt, self._frame))
        if output.stop_reason != "stop":
            raise LimitFault(f"the response ended with the reason {output.stop_reason!r}", text=output.completion)
        return output.completion


# ── what is sent ──────────────────────────────────────────────────────────────────────────────────────────────────────


def messages(prompt: str, frame: str | None) -> list[ChatMessage]:
    """Return a prompt and what comes before it, of which an example with this prompt is left out."""
    shown = [] if frame is None else json.loads(Path(frame).read_text("utf-8"))["request"]["messages"][:-1]
    return [*_without(prompt, shown), ChatMessageUser(content=prompt)]


def _without(prompt: str, shown: Sequence[dict[str, Any]]) -> Iterator[ChatMessage]:
    left_out = False
    for each in shown:
        left_out = each["content"] == prompt if each["role"] == "user" else left_out
        if not left_out:
            yield _ROLES[each["role"]](content=each["content"])
