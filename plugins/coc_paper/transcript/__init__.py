"""What bounded windows are compared with: a transcript of the whole run, and the whole plan in one target."""

from coc_core.plugin import MemorySpec, hookimpl

_HERE = "coc_paper.transcript.transcript"


@hookimpl
def coc_memories() -> list[MemorySpec]:
    return [
        MemorySpec(
            "transcript",
            factory=f"{_HERE}:Transcript",
            convention=f"{_HERE}:TranscriptConvention",
            summary="one window, which keeps everything and grows with each step",
        ),
        MemorySpec(
            "whole-plan",
            factory="coc_core.memories:PDAStack",
            convention=f"{_HERE}:WholePlanConvention",
            summary="no loop: one target has the whole plan",
        ),
    ]
