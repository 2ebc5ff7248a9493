"""What bounded windows are compared with: a transcript of the whole run, and the whole plan in one target."""

from coc_core.plugin import MemorySpec, hookimpl

_HERE = "coc_paper.transcript.transcript"
_GROWS = "one window, which keeps everything and grows with each step"
_WHOLE = "no loop: one target has the whole plan"


@hookimpl
def coc_memories() -> list[MemorySpec]:
    return [
        MemorySpec("transcript", f"{_HERE}:Transcript", f"{_HERE}:TranscriptConvention", _GROWS),
        MemorySpec("whole-plan", "coc_core.memories:PDAStack", f"{_HERE}:WholePlanConvention", _WHOLE),
    ]
