"""What bounded windows are compared with: a transcript of the whole run, and the whole plan in one target."""

from coc_core.plugin import MemorySpec, hookimpl


@hookimpl
def coc_memories() -> list[MemorySpec]:

    return [
        MemorySpec(
            "transcript",
            factory="coc_paper.transcript.transcript:Transcript",
            convention="coc_paper.transcript.transcript:TranscriptConvention",
            summary="one window, which keeps everything and grows with each step",
        ),
        MemorySpec(
            "whole-plan",
            factory="coc_core.memories:PDAStack",
            convention="coc_paper.transcript.whole_plan:WholePlanConvention",
            summary="no loop: one target has the whole plan",
        ),
    ]
