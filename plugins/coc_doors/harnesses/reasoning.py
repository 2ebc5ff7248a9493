"""Data sets of reasoning-gym: importing this registers `coc_steps` and `coc_plans`."""

from dataclasses import dataclass
from typing import Any

from coc_core.extras import needs_extra
from coc_doors.harnesses.tasks import SHOTS, Item, Tasks

with needs_extra("test", "data sets need the package reasoning-gym"):
    from reasoning_gym.dataset import ProceduralDataset
    from reasoning_gym.factory import register_dataset


@dataclass
class CocConfig:
    """The setting, the size of its problems, and how many items there are, from which seed."""

    domain: str = "hanoi"
    n: int = 4
    shots: int = SHOTS
    seed: int = 0
    size: int = 500


class Steps(ProceduralDataset):
    """Single steps: an answer is the target, to the letter."""

    by = "step"

    def __init__(self, config: CocConfig) -> None:
        super().__init__(config, config.seed, config.size)
        self._tasks = Tasks(config.domain, config.n, self.by, shots=config.shots)

    def __getitem__(self, idx: int) -> dict[str, Any]:
        item = self._tasks[self.seed + idx]
        shown = [f"{each['role'].upper()}:\n{each['content']}" for each in item.messages[:-1]]
        question = "\n\n".join([*shown, item.messages[-1]["content"]])
        metadata = {"source_dataset": f"coc_{self.by}s", "source_index": idx, "seed": item.seed}
        return {"question": question, "answer": item.target, "metadata": metadata}

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        item = Item([], entry["answer"], entry["metadata"]["seed"])
        return self._tasks.reward(item, answer) if isinstance(answer, str) else 0.0


class Plans(Steps):
    """Whole plans: an answer is right if it solves the problem."""

    by = "run"


register_dataset("coc_steps", Steps, CocConfig)
register_dataset("coc_plans", Plans, CocConfig)
