"""Plugins: hook specifications, loading, the registry, and the parts of the core."""

from coc_core.plugin.attribution import plugin_at_fault, plugin_frame
from coc_core.plugin.hookspecs import (
    ArithmeticSpec,
    CheckpointSpec,
    DomainSpec,
    ExecutorSpec,
    MemorySpec,
    ModelSpec,
    Spec,
    hookimpl,
)
from coc_core.plugin.loading import DISTRIBUTION, Plugin, installed, load
from coc_core.plugin.registry import KINDS, Registry, suggest

__all__ = [
    "DISTRIBUTION",
    "KINDS",
    "ArithmeticSpec",
    "CheckpointSpec",
    "DomainSpec",
    "ExecutorSpec",
    "MemorySpec",
    "ModelSpec",
    "Plugin",
    "Registry",
    "Spec",
    "hookimpl",
    "installed",
    "load",
    "plugin_at_fault",
    "plugin_frame",
    "suggest",
]
