"""What a model learns from: the distinct prompt-target pairs of the reference model's runs."""

from collections.abc import Iterable, Iterator
from typing import Any

from coc_core.data import Pair, closure
from coc_core.errors import PluginError
from coc_core.reference import Reference
from coc_core.setting import Setting


def lessons(setting: Setting, problems: Iterable[Any]) -> Iterator[Pair]:
    """The distinct pairs of the runs of `problems`, as they come; only their prompts are remembered.

    Where a prompt depends on its instruction alone nothing is run. PluginError if the policy fails on a problem.
    """
    if setting.convention.memoryless:
        yield from closure(setting.convention, problems)
        return
    teacher, seen = Reference(setting.convention), set[str]()
    for problem in problems:
        machine = setting.machine(problem)
        while (prompt := machine.prompt()) is not None:
            target = teacher.complete([prompt])[0]
            machine.advance(target)
            if prompt not in seen:
                seen.add(prompt)
                yield Pair(prompt, target)
        if machine.status != "solved":
            text = setting.domain.problems.format(problem)
            raise PluginError(f"the policy of {setting.domain.name} does not solve {text}: {machine.fault}")
