"""What made a result: the code that ran, the checkpoints, the versions, and the hardware."""

from coc_paper.origin.sources import code_of, sums_of
from coc_paper.origin.versions import machine

__all__ = ["code_of", "machine", "sums_of"]
