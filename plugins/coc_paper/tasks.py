"""Tasks: what has to be computed, as plain data, so that a result can be found again by what went into it.

A task has a function, its arguments, and the tasks whose results it needs. Its name is a digest of these. Its key,
under which the result is kept, is the name with a digest of the code, too: coc's sources, and the versions of Python,
libraries and plugins. So the result under a key is what would be computed today; results of other code share the name.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from attrs import Factory, frozen

from coc_core.errors import PluginError
from coc_core.text import described
from coc_paper.origin import code


@frozen
class Done:
    """The result of a task: plain data, and the folder of its files.

    `other` says who made it and what differs, if other code or versions made it; else it is empty.
    """

    result: Any
    folder: Path
    seconds: float = 0.0
    machine: str = ""
    other: str = ""


@frozen
class Task:
    """A call of a function.

    Attributes:
        function: The function, as `package.module:name`. It is called with the task's folder, which it may fill, with
            what the task needs as `Done` by name, and with the arguments; it returns plain data.
        arguments: The arguments, as plain data.
        needs: The tasks that come before it, by name; `model` is a training whose checkpoint it runs.
    """

    function: str
    arguments: Mapping[str, Any] = Factory(dict)
    needs: Mapping[str, "Task"] = Factory(dict)

    def __str__(self) -> str:
        """Return the call in a few words, such as `train hanoi tape inline`."""
        words = (str(value) for value in self.arguments.values() if isinstance(value, str | int | float))
        return " ".join([self.function.partition(":")[2], *words])[:80]

    @property
    def call(self) -> dict[str, Any]:
        """The function and its arguments."""
        return {"function": self.function, "arguments": dict(self.arguments)}

    @cached_property
    def name(self) -> str:
        """A digest of the call and of what comes before it, whatever code runs them."""
        return digest({**self.call, "needs": {name: task.name for name, task in self.needs.items()}}, 20)

    @cached_property
    def description(self) -> dict[str, Any]:
        """What determines the result: the call, the keys of the tasks before it, and the code."""
        return {**self.call, "needs": {name: task.key for name, task in self.needs.items()}, "code": code()}

    @cached_property
    def key(self) -> str:
        """The name, and a digest of the description."""
        return f"{self.name}-{digest(self.description, 12)}"

    def run(self, folder: Path, needs: Mapping[str, Done]) -> Any:
        """Call the function; PluginError if there is none."""
        try:
            function = resolve_name(self.function)
        except (ImportError, AttributeError, ValueError) as error:
            reason = f"can't be imported: {described(error)}"
            raise PluginError(f"the function {self.function} of a task {reason}") from error
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
