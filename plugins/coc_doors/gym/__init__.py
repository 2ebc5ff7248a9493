"""The puzzles as environments of Gymnasium, for agents that learn or choose actions without coc's loop."""

from coc_core.plugin import FunctionSpec, hookimpl


@hookimpl
def coc_functions() -> list[FunctionSpec]:
    return [FunctionSpec("gym", function="coc_doors.gym.front:gym", summary="environments of Gymnasium: coc.gym.make")]
