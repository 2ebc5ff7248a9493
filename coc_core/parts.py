"""The core's own parts, offered through the same hooks as everybody else's."""

from coc_core.hookspecs import ArithmeticSpec, ExecutorSpec, MemorySpec, ModelSpec, hookimpl


@hookimpl
def coc_memories() -> list[MemorySpec]:
    return [
        MemorySpec(
            "tape",
            factory="coc_core.memory:PointerTape",
            convention="coc_core.convention:tape_convention",
            summary="append-only tape with a pointer",
        ),
        MemorySpec(
            "pda",
            factory="coc_core.memory:PDAStack",
            convention="coc_core.convention:StackConvention",
            summary="pushdown stack",
        ),
    ]


@hookimpl
def coc_arithmetics() -> list[ArithmeticSpec]:
    return [
        ArithmeticSpec("inline", factory="coc_core.arithmetic:Inline", summary="the model writes the numbers itself"),
        ArithmeticSpec("symbolic", factory="coc_core.arithmetic:Symbolic", summary="expressions, worked out exactly"),
        ArithmeticSpec(
            "learned",
            factory="coc_core.learned:Learned",
            summary="expressions, worked out by a second model",
            dialect="arithmetic",
            reference="coc_core.sums:Teacher",
        ),
    ]


@hookimpl
def coc_models() -> list[ModelSpec]:
    return [ModelSpec("reference", factory="coc_core.reference:Reference", summary="the domain's own policy")]


@hookimpl
def coc_executors() -> list[ExecutorSpec]:
    return [
        ExecutorSpec("sequential", factory="coc_core.executor:Sequential", summary="one question a step"),
        ExecutorSpec("cached", factory="coc_core.executor:Cached", summary="one question for each distinct prompt"),
        ExecutorSpec("lockstep", factory="coc_core.lockstep:Lockstep", summary="many problems at once, in batches"),
        ExecutorSpec(
            "speculative", factory="coc_core.speculative:Speculative", summary="many steps ahead, checked in batches"
        ),
    ]
