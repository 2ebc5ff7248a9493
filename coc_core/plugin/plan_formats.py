"""The plan formats of a domain, by name."""

from typing import Any

from coc_core.domain import Domain, PlanFormat, Translation
from coc_core.errors import UsageError
from coc_core.plugin.hookspecs import DomainSpec, PlanFormatSpec
from coc_core.plugin.registry import Registry

DEFAULT_FORMAT = "text"


def open_format(
    registry: Registry,
    name: str,
    domain: Domain[Any, Any, Any, Any],
    problem: Any,
    translation: Translation | None = None,
) -> PlanFormat[Any, Any, Any]:
    """The plan format of a name, for the plans of one problem; in its own words if it was translated.

    Raises:
        UsageError: There is no such format, or it has no plans of this domain.
    """
    spec = registry.find(PlanFormatSpec, name)
    if spec.factory is None:
        raise UsageError(f"a plan in the format {name!r} is not a list of actions", remedy=spec.instead)
    if not _suits(registry, spec, domain):
        raise UsageError(
            f"the plan format {name!r} has no plans of {domain.name}",
            remedy=f"choose from {', '.join(each.name for each in suitable_formats(registry, domain))}",
        )
    if translation is not None and translation.language == name:
        return translation.plan_format(domain, problem)
    return registry.make(spec, spec.factory, domain, problem)  # type: ignore[no-any-return]


def suitable_formats(registry: Registry, domain: Domain[Any, Any, Any, Any]) -> list[PlanFormatSpec]:
    """The formats that lists of a domain's actions can have, the default one first."""
    found = [spec for spec in registry.specs(PlanFormatSpec) if _suits(registry, spec, domain)]
    return sorted(found, key=lambda spec: spec.name != DEFAULT_FORMAT)


def _suits(registry: Registry, spec: PlanFormatSpec, domain: Domain[Any, Any, Any, Any]) -> bool:
    if spec.factory is None or spec.domains is None or domain.name in spec.domains:
        return spec.factory is not None
    return any(each.name == domain.name and spec.name in each.plan_formats for each in registry.specs(DomainSpec))
