"""Scheme: one machine, learned once, that runs every program."""

from coc_core.plugin import CheckpointSpec, DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [DomainSpec("scheme", factory="coc_scheme.domain:Scheme", summary="programs in Scheme", memories=("heap",))]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    return [
        CheckpointSpec(
            "scheme",
            folder="coc_scheme:checkpoints/scheme",
            dialects=("scheme/heap/symbolic",),
            summary="for all programs, trained on all prompts that there are",
        )
    ]
