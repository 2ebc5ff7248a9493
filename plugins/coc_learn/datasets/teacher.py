"""The pairs that a model is trained on: the distinct prompt-target pairs of the reference model's runs."""

from collections.abc import Iterable, Iterator
from typing import Any

from coc_core.errors import LimitFault, PluginError, UsageError
from coc_core.memories import Reference
from coc_core.models import Pair
from coc_core.setting import Setting
from coc_learn.datasets.pairs import Seen
from coc_problems import closure, is_closed


def teacher_pairs(setting: Setting, problems: Iterable[Any], seen: Seen | None = None) -> Iterator[Pair]:
    """The distinct pairs of the runs of `problems`, in the order of the runs; only digests of prompts are stored.

    Where a convention allows it, the pairs are listed without running the problems (`closure`).

    Args:
        setting: The setting of the runs.
        problems: The problems.
        seen: What earlier calls for the same setting have seen; their pairs are left out, and the new ones are added.

    Raises:
        UsageError: If a target would be longer than allowed.
        PluginError: If the policy does not solve a problem.
    """
    seen = Seen() if seen is None else seen
    if is_closed(setting.convention):
        yield from closure(setting.convention, problems, seen.add)
        return
    teacher = Reference(setting.convention)
    for problem in problems:
        machine = setting.machine(problem)
        while (prompt := machine.peek()) is not None:
            try:
                target = teacher.complete([prompt])[0]
            except LimitFault as fault:
                text = setting.domain.problems.format(problem)
                raise UsageError(
                    f"there are no pairs of {text}: {fault.message}", remedy="choose a smaller n"
                ) from None
            machine.step(target)
            if seen.add(prompt):
                yield Pair(prompt, target)
        if machine.status != "solved":
            text = setting.domain.problems.format(problem)
            raise PluginError(f"the policy of {setting.domain.name} does not solve {text}: {machine.fault}")
