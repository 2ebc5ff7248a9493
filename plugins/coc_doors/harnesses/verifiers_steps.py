"""An environment of verifiers, `coc-doors`: an endless set of tasks with an exact reward.

    vf-eval coc-doors --env.taskset.domain pancake --env.taskset.n 6 -n 20 ...

Whatever trains on task sets of verifiers can take it.
"""

from collections.abc import Iterator
from itertools import count
from typing import Any

import verifiers.v1 as vf

from coc_doors.harnesses.tasks import SHOTS, Item, Tasks


class CocData(vf.TaskData):
    """A prompt, the reference's response, the seed of the problem, and the `setting`: what the tasks are of."""

    target: str
    seed: int
    setting: dict[str, Any]


class CocConfig(vf.TasksetConfig):
    """The setting, the size of the problems, and whether a task is a `step` or the whole `run`."""

    domain: str = "hanoi"
    n: int = 4
    by: str = "step"
    memory: str | None = None
    arith: str = "symbolic"
    shots: int = SHOTS


class CocTask(vf.Task[CocData]):
    """One prompt. It may be scored in another process than that which has made it."""

    @vf.reward
    async def exact(self, trace: vf.Trace) -> float:
        """1 if the response is right: the target, to the letter, or a plan that solves the problem."""
        responses = trace.assistant_messages
        item = Item([], self.data.target, self.data.seed)
        tasks = Tasks(**self.data.setting, shots=0)
        return tasks.reward(item, str(responses[-1].content)) if responses else 0.0


class CocTaskset(vf.Taskset[CocTask, CocConfig]):
    """As many tasks as are asked for."""

    INFINITE = True

    def load(self) -> Iterator[CocTask]:
        config = self.config
        setting = {name: getattr(config, name) for name in ("domain", "n", "by", "memory", "arith")}
        tasks = Tasks(**setting, shots=config.shots)
        for seed in count():
            item = tasks[seed]
            first = item.messages[0]["content"] if item.messages[0]["role"] == "system" else None
            shown = item.messages[first is not None :]
            prompt = shown[0]["content"] if len(shown) == 1 else shown
            name = f"{tasks.setting.convention.dialect} {seed}"
            more = {"target": item.target, "seed": seed, "setting": setting}
            yield CocTask(CocData(name=name, prompt=prompt, system_prompt=first, **more), config.task)


def load_environment(**options: Any) -> vf.Env:
    """Return the environment with these options of its task set."""
    return vf.load_environment(vf.SingleAgentEnvConfig(taskset=CocConfig(id="coc-doors", **options)))
