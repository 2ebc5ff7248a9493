"""Tasks: what has to be computed, described by plain data, so that a result can be found again by what went into it."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from attrs import Factory, field, frozen


@frozen
class Done:
    """A task's result, as plain data, its folder, where files may be, how many seconds it took, and on what machine."""

    result: Any
    folder: Path
    seconds: float = 0.0
    machine: str = ""


@frozen
class Task:
    """A call of a function.

    Attributes:
        function: The function, as `package.module:name`. It takes the task's folder, which it may fill, what the task
            needs as `Done` by name, and the arguments; it returns plain data.
        arguments: The arguments, as plain data.
        needs: The tasks that come before it, by name.
        doing: What the task does, in a few words.
        minutes: About how long it takes on one core. Only the time that is left is estimated with it.
    """

    function: str
    arguments: Mapping[str, Any] = Factory(dict)
    needs: Mapping[str, "Task"] = Factory(dict)
    doing: str = field(default="", eq=False)
    minutes: float = field(default=0.1, eq=False)

    @property
    def description(self) -> dict[str, Any]:
        """What determines the result: the function, the arguments, and the keys of the tasks before it."""
        needs = {name: task.key for name, task in sorted(self.needs.items())}
        return {"function": self.function, "arguments": dict(self.arguments), "needs": needs}

    @property
    def key(self) -> str:
        """The name under which the result is kept: the beginning of the SHA-256 of its description."""
        text = json.dumps(self.description, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:20]

    @property
    def depth(self) -> int:
        """How many tasks have to come before it, one after the other."""
        return 1 + max((task.depth for task in self.needs.values()), default=-1)

    def call(self, folder: Path, needs: Mapping[str, Done]) -> Any:
        """Call the function."""
        module, _, name = self.function.partition(":")
        return getattr(import_module(module), name)(folder, needs, **self.arguments)


def with_needs(tasks: Iterable[Task]) -> dict[str, Task]:
    """These tasks and all that they need, each once, by their keys; what is needed comes first."""
    found: dict[str, Task] = {}
    for task in tasks:
        found |= with_needs(task.needs.values()) | {task.key: task}
    return found
