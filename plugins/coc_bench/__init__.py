"""Benchmarks: how fast the executors are, beside other libraries that run the same weights."""

from coc_core.plugin import CommandSpec, hookimpl


@hookimpl
def coc_commands() -> list[CommandSpec]:
    return [
        CommandSpec(
            "bench",
            function="coc_bench.command:bench",
            summary="Measure the speed of each executor.",
            panel="Measure and prove",
        )
    ]
