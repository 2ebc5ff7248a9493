"""Tasks: what has to be computed, described by plain data, so that a result can be found again by what went into it.

What goes in is the call and the code that runs it.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from attrs import Factory, field, frozen

from coc_core.errors import CocError, PluginError
from coc_core.text import described
from coc_paper.origin import code
from coc_paper.work import Done


@frozen
class Task:
    """A call of a function.

    Attributes:
        function: The function, as `package.module:name`. It takes the task's folder, which it may fill, what the task
            needs as `Done` by name, and the arguments; it returns plain data.
        arguments: The arguments, as plain data.
        needs: The tasks that come before it, by name; `model` is a training whose checkpoint it runs.
        doing: What the task does, in a few words.
    """

    function: str
    arguments: Mapping[str, Any] = Factory(dict)
    needs: Mapping[str, "Task"] = Factory(dict)
    doing: str = field(default="", eq=False)

    @cached_property
    def description(self) -> dict[str, Any]:
        """What determines the result: the function, the arguments, the keys of the tasks before it, and the code."""
        return {**self.call, "needs": {name: task.key for name, task in sorted(self.needs.items())}, "code": code()}

    @property
    def name(self) -> str:
        """The name of the call, whatever code runs it: the beginning of its SHA-256."""
        return digest({**self.call, "needs": {name: task.name for name, task in self.needs.items()}}, 20)

    @cached_property
    def key(self) -> str:
        """The name under which the result is kept: that of the call, and the beginning of its description's SHA-256."""
        return f"{self.name}-{digest(self.description, 12)}"

    @property
    def call(self) -> dict[str, Any]:
        """The function and its arguments."""
        return {"function": self.function, "arguments": dict(self.arguments)}

    def run(self, folder: Path, needs: Mapping[str, Done]) -> Any:
        """Call the function; PluginError if there is none."""
        module, _, name = self.function.partition(":")
        try:
            function = getattr(import_module(module), name)
        except CocError:
            raise
        except Exception as error:
            what = f"the function {self.function} of a task"
            raise PluginError(f"{what} can't be imported: {described(error)}") from error
        return function(folder, needs, **self.arguments)


def digest(document: Any, digits: int) -> str:
    """Return the beginning of the SHA-256 of plain data."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:digits]


def with_needs(tasks: Iterable[Task]) -> dict[str, Task]:
    """Return these tasks and all that they need, each once, by their keys; what is needed comes first."""
    found: dict[str, Task] = {}
    for task in tasks:
        found |= with_needs(task.needs.values()) | {task.key: task}
    return found
