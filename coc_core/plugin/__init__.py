"""Plugins: hook specifications, loading, the registry, and the parts of the core."""

from coc_core.plugin.attribution import attributed, plugin_at_fault, plugin_frame
from coc_core.plugin.guard import UserInterrupt
from coc_core.plugin.hookspecs import (
    ArithmeticSpec,
    CheckpointSpec,
    CommandSpec,
    DomainSpec,
    EngineSpec,
    ExecutorSpec,
    FunctionSpec,
    MemorySpec,
    ModelSpec,
    PlanFormatSpec,
    ProblemFormatSpec,
    Spec,
    TranslatorSpec,
    hookimpl,
)
from coc_core.plugin.loading import Plugin, installed, load
from coc_core.plugin.plan_formats import DEFAULT_FORMAT, open_format, suitable_formats
from coc_core.plugin.registry import KINDS, Registry, suggest
from coc_core.plugin.requirements import DISTRIBUTION

__all__ = [
    "DEFAULT_FORMAT",
    "DISTRIBUTION",
    "KINDS",
    "ArithmeticSpec",
    "CheckpointSpec",
    "CommandSpec",
    "DomainSpec",
    "EngineSpec",
    "ExecutorSpec",
    "FunctionSpec",
    "MemorySpec",
    "ModelSpec",
    "PlanFormatSpec",
    "Plugin",
    "ProblemFormatSpec",
    "Registry",
    "Spec",
    "TranslatorSpec",
    "UserInterrupt",
    "attributed",
    "hookimpl",
    "installed",
    "load",
    "open_format",
    "plugin_at_fault",
    "plugin_frame",
    "suggest",
    "suitable_formats",
]
