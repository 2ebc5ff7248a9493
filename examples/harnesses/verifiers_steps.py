"""Single steps of a setting of coc as a task set of verifiers: one without an end, with an exact reward.

    PYTHONPATH=examples/harnesses vf-eval verifiers_steps --env.taskset.domain pancake --env.taskset.n 6 -n 20 ...

Task i is a step of the run of the problem that the seed i draws. Whatever trains on task sets of verifiers can take it.
"""

import random
from collections.abc import Iterator
from itertools import count

import verifiers.v1 as vf

from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import teacher_pairs

__all__ = ["StepTaskset"]


class StepData(vf.TaskData):
    """A prompt, and the only right response."""

    target: str


class StepTask(vf.Task[StepData]):
    """One prompt."""

    @vf.reward
    async def exact(self, trace: vf.Trace) -> float:
        """1 if the response is the target, to the letter: the machine takes nothing else."""
        responses = trace.assistant_messages
        return float(bool(responses) and responses[-1].content == self.data.target)


class StepConfig(vf.TasksetConfig):
    """The setting, and the size of the problems."""

    domain: str = "hanoi"
    n: int = 8
    memory: str | None = None
    arith: str = "symbolic"


class StepTaskset(vf.Taskset[StepTask, StepConfig]):
    """As many steps as are asked for."""

    INFINITE = True

    def load(self) -> Iterator[StepTask]:
        config = self.config
        setting = Setting.of(Registry.installed(), config.domain, config.memory, config.arith)
        for seed in count():
            pairs = list(teacher_pairs(setting, [setting.domain.problem(config.n, seed)]))
            pair = random.Random(seed).choice(pairs)
            name = f"{setting.convention.dialect} {seed}"
            yield StepTask(StepData(name=name, prompt=pair.prompt, target=pair.target), config.task)
