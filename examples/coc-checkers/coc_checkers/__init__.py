"""Checker jumping, as a plugin."""

from coc_core.plugin import CheckpointSpec, DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [
        DomainSpec("checkers", factory="coc_checkers.domain:Checkers", summary="swap red and blue checkers in a row")
    ]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    return [
        CheckpointSpec(
            "checkers",
            folder="coc_checkers:checkpoint",
            dialects=("checkers/stack", "checkers/linked/symbolic", "checkers/linked/numeric"),
            summary="on a stack and on a tape, up to 40 checkers a side, trained on up to 20",
        )
    ]
