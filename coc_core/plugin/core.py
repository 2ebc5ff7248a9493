"""The parts of the core, offered through the same hooks as those of other plugins."""

from coc_core.plugin.hookspecs import (
    ArithmeticSpec,
    CommandSpec,
    ExecutorSpec,
    MemorySpec,
    ModelSpec,
    PlanFormatSpec,
    ProblemFormatSpec,
    hookimpl,
)


@hookimpl
def coc_memories() -> list[MemorySpec]:
    return [
        MemorySpec(
            "tape",
            factory="coc_core.memories:PointerTape",
            convention="coc_core.memories:tape_convention",
            summary="append-only tape with a pointer",
        ),
        MemorySpec(
            "pda",
            factory="coc_core.memories:PDAStack",
            convention="coc_core.memories:StackConvention",
            summary="pushdown stack",
        ),
    ]


@hookimpl
def coc_arithmetics() -> list[ArithmeticSpec]:
    return [
        ArithmeticSpec("inline", factory="coc_core.arithmetic:Inline", summary="the model writes the numbers itself"),
        ArithmeticSpec("symbolic", factory="coc_core.arithmetic:Symbolic", summary="expressions, evaluated exactly"),
    ]


@hookimpl
def coc_models() -> list[ModelSpec]:
    return [ModelSpec("reference", factory="coc_core.memories:Reference", summary="the domain's own policy")]


@hookimpl
def coc_executors() -> list[ExecutorSpec]:
    return [
        ExecutorSpec("auto", factory="coc_core.execution:Auto", summary="whichever of the others suits the run"),
        ExecutorSpec("sequential", factory="coc_core.execution:Sequential", summary="one model call a step"),
        ExecutorSpec("cached", factory="coc_core.execution:Cached", summary="one model call for each distinct prompt"),
        ExecutorSpec("summary", factory="coc_core.execution:Summary", summary="steps composed, on a stack"),
        ExecutorSpec(
            "lockstep",
            factory="coc_core.execution:Lockstep",
            summary="many problems at once, in batches",
            configured="coc_core.execution.lockstep:configured",
        ),
        ExecutorSpec(
            "speculative", factory="coc_core.execution:Speculative", summary="many steps ahead, checked in batches"
        ),
    ]


@hookimpl
def coc_plan_formats() -> list[PlanFormatSpec]:
    return [
        PlanFormatSpec("text", factory="coc_core.domain:TextPlan", summary="the texts of the actions, one a line"),
        PlanFormatSpec(
            "json", factory="coc_core.domain:JsonPlan", summary="an object with the domain, the problem and the actions"
        ),
    ]


@hookimpl
def coc_problem_formats() -> list[ProblemFormatSpec]:
    return [
        ProblemFormatSpec("txt", factory="coc_core.domain:text_lines", summary="a problem on each line"),
        ProblemFormatSpec("json", factory="coc_core.domain:whole_file", summary="one problem, as a JSON object"),
    ]


@hookimpl
def coc_commands() -> list[CommandSpec]:
    return [
        CommandSpec(
            "run",
            function="coc_core.cli.solve.run:run",
            summary="Solve one problem with a model in the loop.",
            panel="Solve problems",
        )
    ]
