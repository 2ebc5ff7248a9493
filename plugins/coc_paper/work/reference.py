"""Tasks that look at runs of the reference model."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import coc_core as coc
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import Seen, hold_out, teacher_pairs
from coc_paper.tasks import Done

_DRAWN = 400  # points of a curve that are kept, about


def growth(_: Path, __: Mapping[str, Done], domain: str, n: int, **choices: str) -> Any:
    """Return the characters of the prompt and of the context at each step of a run of a model.

    The context is what the paper calls so: the first prompt and all targets so far.
    """
    run = coc.run(domain, n, **choices)
    prompts, contexts, targets = list[int](), list[int](), 0
    for step in run.trace:
        prompts.append(len(step.prompt))
        contexts.append(prompts[0] + targets)
        targets += len(step.target)
    return {"steps": run.steps, "prompts": _thinned(prompts), "contexts": _thinned(contexts), "longest": max(prompts)}


def _thinned(values: list[int]) -> list[list[int]]:
    """Step and value, for at most about `_DRAWN` steps at equal distances, the last one included."""
    kept = {*range(0, len(values), max(1, len(values) // _DRAWN)), len(values) - 1}
    return [[index + 1, values[index]] for index in sorted(kept)]


def pairs(_: Path, __: Mapping[str, Done], domain: str, memory: str, arith: str, model: str, sizes: list[int]) -> Any:
    """Return, for each size, the pairs that it adds to those of all smaller sizes, and the actions of a run."""
    setting = Setting.of(Registry.installed(), domain, memory, arith)
    seen, rows = Seen(), []
    for n in sizes:
        problem = setting.domain.problem(n)
        added, expected = len(list(teacher_pairs(setting, [problem], seen))), setting.convention.expect(problem)
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
    prompts, rows = [(renumbered(prompt), prompt) for prompt in needing], []
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

    Every rule holds for all pegs, for all numbers of disks above 1, at which the recursion ends, and for all addresses
    but 0, where a run starts, and -1, where it ends. So prompts that are left alike have one target up to the numbers.
    """
    for numbers, name in _ALIKE:
        prompt = numbers.sub(name, prompt)
    return prompt


def trace(_: Path, __: Mapping[str, Done], distinct: bool, **choices: Any) -> Any:
    """Return the steps of a model, or its `distinct` ones, in the form in which the paper prints them."""
    parts: dict[Any, str] = {}
    for step in coc.run(**choices).trace:
        key = step.prompt if distinct else step.step
        title = f"Operation {len(parts) + 1}" if distinct else f"Step {step.step}"
        parts.setdefault(key, f"{title}\n\nPrompt\n{step.prompt}\n\nTarget\n{step.target}\n\n")
    return "".join(parts.values())
