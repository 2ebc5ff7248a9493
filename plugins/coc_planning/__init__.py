"""Planning problems in PDDL, as a plugin: read, solved, and written."""

from coc_core.plugin import PlanFormatSpec, TranslatorSpec, hookimpl

_DOMAINS = ("blocks", "blocksworld", "blocksworld-extended", "hanoi", "pancake")


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
def coc_translators() -> list[TranslatorSpec]:
    return [
        TranslatorSpec(
            "pddl",
            factory="coc_planning.translate:translate_files",
            summary="PDDL of a domain that coc knows, whatever its names are",
        )
    ]
