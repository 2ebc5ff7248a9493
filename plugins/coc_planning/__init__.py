"""Planning problems in PDDL, as a plugin: read, solved, and written."""

from coc_core.plugin import FunctionSpec, PlanFormatSpec, ProblemFormatSpec, TranslatorSpec, hookimpl

_DOMAINS = (
    "blocks",
    "blocks-3",
    "blocksworld",
    "blocksworld-extended",
    "hanoi",
    "hanoi-4",
    "pancake",
    "river-crossing",
)


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
            "pddl", factory="coc_planning.translate:problem_file", summary="one problem in PDDL, its domain beside it"
        )
    ]


@hookimpl
def coc_translators() -> list[TranslatorSpec]:
    return [
        TranslatorSpec(
            "pddl",
            factory="coc_planning.translate:translate_files",
            summary="PDDL of a domain that coc knows, whatever its names are",
        )
    ]


@hookimpl
def coc_functions() -> list[FunctionSpec]:
    return [FunctionSpec("solve_pddl", function="coc_planning.solve:solve_pddl", summary="solve a problem in PDDL")]
