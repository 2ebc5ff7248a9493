"""Tasks that look at runs of the reference model. Each function gives plain data."""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import coc_core as coc
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import Seen, hold_out, teacher_pairs
from coc_paper.work import Done


def growth(_: Path, __: Mapping[str, Done], domain: str, n: int, memory: str, arith: str, model: str) -> Any:
    """Return the characters of the prompt and of the context at each step of a run of a model.

    The context is what the paper calls so: the first prompt and all targets so far.
    """
    run = coc.run(domain, n, memory=memory, arith=arith, model=model)
    prompts, contexts, context = [], [], None
    for step in run.trace:
        context = len(step.prompt) if context is None else context
        prompts.append(len(step.prompt))
        contexts.append(context)
        context += len(step.target)
    return {"steps": run.steps, "prompts": _thinned(prompts), "contexts": _thinned(contexts), "longest": max(prompts)}


def pairs(_: Path, __: Mapping[str, Done], domain: str, memory: str, arith: str, model: str, sizes: list[int]) -> Any:
    """Return, for each size, how many pairs it adds to those of all smaller sizes, and how many steps and actions a run
    has.

    The pairs are those of the `model` reference.
    """
    setting = Setting.of(Registry.installed(), domain, memory, arith)
    seen, rows = Seen(), []
    for n in sizes:
        problem = setting.domain.problem(n)
        added = sum(1 for _ in teacher_pairs(setting, [problem], seen))
        expected = setting.convention.expect(problem)
        rows.append({"n": n, "added": added, "actions": expected.actions if expected else None})
    return rows


def isolated(_: Path, __: Mapping[str, Done], sizes: list[int], held_out: list[list[int]]) -> Any:
    """Return, for each percentage held out and seed of Hanoi on a tape, the held-out pairs that nothing else tells.

    That is a pair that no training pair becomes by renumbering (`renumbered`). Beside the number of such pairs are the
    sizes whose runs need one.
    """
    setting = Setting.of(Registry.installed(), "hanoi", "tape", "inline")
    needing: dict[str, list[int]] = {}
    for n in sizes:
        for pair in teacher_pairs(setting, [setting.domain.problem(n)]):
            needing.setdefault(pair.prompt, []).append(n)
    prompts = [(renumbered(prompt), prompt) for prompt in needing]
    rows = []
    for percent, seed in held_out:
        train, held = hold_out(prompts, percent / 100, seed)
        known = {kind for kind, _ in train}
        alone = [prompt for kind, prompt in held if kind not in known]
        needed = sorted({n for prompt in alone for n in needing[prompt]})
        rows.append({"percent": percent, "seed": seed, "alone": len(alone), "sizes": needed})
    return rows


_ALIKE = (
    (re.compile(r"(?<=src=)[0-9]+|(?<=dst=)[0-9]+|(?<=aux=)[0-9]+"), "peg"),
    (re.compile(r"(?<= n=)(?!1 )[0-9]+|(?<= d=)[0-9]+"), "disk"),
    (re.compile(r"(?:(?<=PTR=)|(?<=prev=)|(?<=\[))(?!0\b)[0-9]+|(?<=NEXT_ID=)[0-9]+"), "address"),
)


def renumbered(prompt: str) -> str:
    """Return what is left of a prompt of Hanoi on a tape when pegs, disks and addresses are renumbered.

    Every rule of the policy and of the tape holds for all pegs, for all numbers of disks above 1, at which the
    recursion ends, and for all addresses but 0, where a run starts, and -1, where it ends. So prompts that are left
    alike ask for the same step, and have the same target up to the numbers.
    """
    for numbers, name in _ALIKE:
        prompt = numbers.sub(name, prompt)
    return prompt


def trace(_: Path, __: Mapping[str, Done], problem: str | None, distinct: bool, **choices: Any) -> Any:
    """Return the steps of a model in the form in which the paper prints them."""
    run = coc.run(**choices, problem=problem)
    seen: Counter[str] = Counter()
    parts = []
    for step in run.trace:
        seen[step.prompt] += 1
        if not distinct or seen[step.prompt] == 1:
            title = f"Operation {len(seen)}" if distinct else f"Step {step.step}"
            parts.append(f"{title}\n\nPrompt\n{step.prompt}\n\nTarget\n{step.target}\n\n")
    return "".join(parts)


_DRAWN = 400
"""About how many points of a curve are kept."""


def _thinned(values: list[int]) -> list[list[int]]:
    """Step and value, for at most about `_DRAWN` steps at equal distances, the last one included."""
    stride = max(1, len(values) // _DRAWN)
    kept = list(range(0, len(values), stride))
    kept += [len(values) - 1] if kept[-1] != len(values) - 1 else []
    return [[index + 1, values[index]] for index in kept]
