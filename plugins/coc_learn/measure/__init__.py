"""How well a model does: success rates over many problems, exactness over prompts, and address arithmetic."""

from coc_core.plugin import CommandSpec, FunctionSpec, hookimpl


@hookimpl
def coc_commands() -> list[CommandSpec]:
    return [
        CommandSpec(
            "eval",
            function="coc_learn.measure.commands.eval:evaluate",
            summary="Measure how many problems a model solves.",
            panel="Measure and prove",
        )
    ]


@hookimpl
def coc_functions() -> list[FunctionSpec]:
    return [
        FunctionSpec("evaluate", function="coc_learn.measure.evaluate:evaluate", summary="measure how many are solved")
    ]
