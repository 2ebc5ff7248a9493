"""The puzzles as environments of Gymnasium, for agents that learn or choose actions without coc's loop."""

from coc_core.plugin import FunctionSpec, hookimpl


@hookimpl
def coc_functions() -> list[FunctionSpec]:
    return [FunctionSpec("make_env", function="coc_gym.envs:make_env", summary="make a Gymnasium environment")]
