"""Plans validated, and planning problems in PDDL, as a plugin: read, solved, and written."""

from coc_core.plugin import CommandSpec, FunctionSpec, PlanFormatSpec, ProblemFormatSpec, RunOptionsSpec, hookimpl

_DOMAINS = "blocks", "blocksworld", "blocksworld-extended", "hanoi", "hanoi-4", "hanoi-any"


@hookimpl
def coc_plan_formats() -> list[PlanFormatSpec]:
    return [
        PlanFormatSpec(
            "pddl",
            factory="coc_planning.plan:PddlPlan",
            summary="actions in PDDL, such as (stack a b)",
            domains=_DOMAINS,
        )
    ]


@hookimpl
def coc_problem_formats() -> list[ProblemFormatSpec]:
    return [
        ProblemFormatSpec(
            "pddl",
            factory="coc_planning.translate:problem_file",
            summary="one problem in PDDL, its domain beside it",
            translation="coc_planning.translate:translation",
        )
    ]


@hookimpl
def coc_run_options() -> list[RunOptionsSpec]:
    return [
        RunOptionsSpec("pddl", record="coc_planning.command:PddlOptions", summary="problems in PDDL, read and written")
    ]


@hookimpl
def coc_functions() -> list[FunctionSpec]:
    return [
        FunctionSpec("validate", function="coc_planning.validation:validate", summary="check a plan"),
        FunctionSpec("solve_pddl", function="coc_planning.translate:solve_pddl", summary="solve a problem in PDDL"),
        FunctionSpec(
            "validate_pddl", function="coc_planning.pddl.validation:validate_pddl", summary="check a plan in PDDL"
        ),
    ]


@hookimpl
def coc_commands() -> list[CommandSpec]:
    return [
        CommandSpec(
            "validate",
            function="coc_planning.validate:validate",
            summary="Check whether a plan solves a problem.",
            panel="Solve problems",
        )
    ]
