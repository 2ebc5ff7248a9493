"""The plan formats of a domain, by name."""

from typing import Any

from coc_core.domain import Domain, PlanFormat
from coc_core.errors import UsageError
from coc_core.plugin.hookspecs import PlanFormatSpec
from coc_core.plugin.registry import Registry

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
            remedy=f"choose from {', '.join(each.name for each in suitable_formats(registry, domain))}",
        )
    return registry.make(spec, spec.factory, domain, problem)  # type: ignore[no-any-return]


def suitable_formats(registry: Registry, domain: Domain[Any, Any, Any, Any]) -> list[PlanFormatSpec]:
    """The formats that plans of a domain can have, the default one first."""
    found = [spec for spec in registry.specs(PlanFormatSpec) if _suits(spec, domain)]
    return sorted(found, key=lambda spec: spec.name != DEFAULT_FORMAT)


def _suits(spec: PlanFormatSpec, domain: Domain[Any, Any, Any, Any]) -> bool:
    return spec.domains is None or domain.name in spec.domains
