"""What a plan of any length does, known without running it: certificates, and plans as grammars."""

from coc_core.plugin import CommandSpec, FunctionSpec, PlanFormatSpec, hookimpl


@hookimpl
def coc_commands() -> list[CommandSpec]:
    proves, queries = "Prove what a checkpoint does on some problems.", "Query a plan saved with --plan-format grammar."
    return [
        CommandSpec("certify", "coc_certify.commands.certify:certificate", proves, "Measure and prove"),
        CommandSpec("plan", "coc_certify.commands.plan:plan", queries, "Look at runs and plans"),
    ]


@hookimpl
def coc_functions() -> list[FunctionSpec]:
    return [
        FunctionSpec("certify", function="coc_certify.certify:certify", summary="prove what a checkpoint does"),
        FunctionSpec("plan", function="coc_certify.plans:plan", summary="solve a problem, with a grammar for a plan"),
        FunctionSpec("load_plan", function="coc_certify.plans:load_plan", summary="read a plan that is a grammar"),
    ]


@hookimpl
def coc_plan_formats() -> list[PlanFormatSpec]:
    return [
        PlanFormatSpec(
            "grammar",
            writer="coc_certify.plans:grammar_file",
            opening='{"format": "coc-plan-grammar"',
            instead="`coc plan FILE` says whether it solves its problem, and `coc.plan` makes one",
            summary="rules that name each other, for plans of any length",
        )
    ]
