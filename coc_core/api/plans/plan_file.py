"""Writing a plan to a file, which appears when the run has ended."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from coc_core.domain import Domain, PlanFormat, PlanWriter
from coc_core.errors import PluginError, UsageError
from coc_core.execution import Listener, StepRecord
from coc_core.plugin import PlanFormatSpec, Registry
from coc_core.storage import FreshFile

DEFAULT_FORMAT = "text"


def open_format(
    registry: Registry, name: str, domain: Domain[Any, Any, Any, Any], problem: Any
) -> PlanFormat[Any, Any, Any]:
    """The plan format of a name, for the plans of one problem.

    Raises:
        UsageError: There is no such format, or it has no plans of this domain.
    """
    spec = registry.find(PlanFormatSpec, name)
    if not _suits(spec, domain):
        raise UsageError(
            f"the plan format {name!r} has no plans of {domain.name}",
            remedy=f"choose from {', '.join(each.name for each in suitable(registry, domain))}",
        )
    return registry.make(spec, spec.factory, domain, problem)  # type: ignore[no-any-return]


def suitable(registry: Registry, domain: Domain[Any, Any, Any, Any]) -> list[PlanFormatSpec]:
    """The formats that plans of a domain can have, the default one first."""
    found = [spec for spec in registry.specs(PlanFormatSpec) if _suits(spec, domain)]
    return sorted(found, key=lambda spec: spec.name != DEFAULT_FORMAT)


def _suits(spec: PlanFormatSpec, domain: Domain[Any, Any, Any, Any]) -> bool:
    return spec.domains is None or domain.name in spec.domains


@contextmanager
def plan_file(path: Path, form: PlanFormat[Any, Any, Any]) -> Iterator[Listener]:
    """A listener that writes each action in a format, to a file that is made or replaced as a whole.

    If the block raises an exception, the old file stays; but after an error of a plugin, the actions before it are the
    plan.

    Raises:
        StorageError: The file can't be written, or another process is writing it.
    """
    with FreshFile(path, "plan") as file:
        writer = PlanWriter(form, file.write)

        def listen(record: StepRecord) -> None:
            writer.add(record.before, record.actions)

        try:
            yield listen
        except PluginError:
            writer.close()
            file.keep()
            raise
        writer.close()
        file.keep()
