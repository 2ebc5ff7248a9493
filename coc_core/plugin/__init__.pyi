from .attribution import plugin_at_fault as plugin_at_fault, plugin_frame as plugin_frame
from .files import FileLoader as FileLoader
from .hookspecs import (
    DISTRIBUTION as DISTRIBUTION,
    KINDS as KINDS,
    ArithmeticSpec as ArithmeticSpec,
    CheckpointSpec as CheckpointSpec,
    CommandSpec as CommandSpec,
    DomainSpec as DomainSpec,
    ExecutorSpec as ExecutorSpec,
    FunctionSpec as FunctionSpec,
    ItemSpec as ItemSpec,
    MemorySpec as MemorySpec,
    ModelSpec as ModelSpec,
    PlanFormatSpec as PlanFormatSpec,
    ProblemFormatSpec as ProblemFormatSpec,
    RunOptionsSpec as RunOptionsSpec,
    Spec as Spec,
    hookimpl as hookimpl,
)
from .loading import Plugin as Plugin, installed as installed, load as load
from .registry import (
    DEFAULT_FORMAT as DEFAULT_FORMAT,
    Registry as Registry,
    open_format as open_format,
    suggest as suggest,
    suitable_formats as suitable_formats,
)
