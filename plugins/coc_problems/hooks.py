"""Problems on the lines of a file, as JSON, and answers to items, as a plugin. Importing this imports no domain."""

from coc_core.plugin import PlanFormatSpec, ProblemFormatSpec, hookimpl


@hookimpl
def coc_problem_formats() -> list[ProblemFormatSpec]:
    summary = "a problem on each line, as JSON, or an item of reasoning-gym"
    factory, translation = "coc_problems.items:json_lines", "coc_problems.items:items"
    return [ProblemFormatSpec("jsonl", factory=factory, summary=summary, translation=translation)]


@hookimpl
def coc_plan_formats() -> list[PlanFormatSpec]:
    summary = "the answers that the scorers of reasoning-gym take"
    return [PlanFormatSpec("reasoning-gym", factory="coc_problems.items:answer", summary=summary, domains=())]
