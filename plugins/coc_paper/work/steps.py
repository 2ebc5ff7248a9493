"""Tasks that look at single steps of a model: how often they are wrong, and how long they take."""

import time
from collections.abc import Mapping
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

import coc_core as coc
from coc_core.models import call_each
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import Seen, teacher_pairs
from coc_learn.measure.exactness import Exactness, predict
from coc_paper.tasks import Done
from coc_paper.work.learning import CHECKPOINT
from coc_problems import ManyProblems, Problems


def errors(_: Path, needs: Mapping[str, Done], domain: str, memory: str, arith: str, **drawn: Any) -> Any:
    """Return, for each size, how many distinct steps of problems, drawn as `ManyProblems`, the task's model gets wrong.

    Beside it, the success that this predicts for whole runs, (1 - e)^steps, in the mean over the problems.
    """
    setting = Setting.of(Registry.installed(), domain, memory, arith)
    model, rows = setting.model(str(needs["model"].folder / CHECKPOINT)), []
    for n, group in groupby(Problems.of(setting.domain, ManyProblems(**drawn)), attrgetter("n")):
        problems, exactness = list(group), Exactness(model)
        exactness.run(teacher_pairs(setting, (each.problem for each in problems), Seen()))
        (prediction,) = predict(setting, problems, exactness)
        rows.append({"n": n, "pairs": exactness.pairs, "wrong": exactness.wrong, "predicted": prediction.success})
    return rows


def costs(__: Path, needs: Mapping[str, Done], domain: str, n: int, **machine: str) -> Any:
    """Return the seconds that the task's model takes for each step of a run of the reference model, least of three.

    Steps that it gets wrong are left out, since a wrong response may be of any length.
    """
    run = coc.run(domain, n, **machine, model="reference")
    model, rows = coc.load_model(domain, **machine, model=str(needs["model"].folder / CHECKPOINT)), []
    for step in run.trace:
        taken, wrong = [], False
        for _ in range(3):
            started = time.perf_counter()
            wrong |= call_each(model, [step.prompt]) != [step.target]
            taken.append(time.perf_counter() - started)
        if not wrong:
            rows.append({"step": step.step, "characters": len(step.prompt), "seconds": round(min(taken), 6)})
    return rows
