"""The calling conventions: one policy, written as the prompt and target text of each memory.

`base` is what all of them share, `stack` and `tape` the three that ship, `target` a target text and its parts. Whoever
writes a memory of their own writes its convention too.
"""

from coc_core.convention.base import Convention, Reply
from coc_core.convention.remembered import Remembered
from coc_core.convention.stack import StackConvention
from coc_core.convention.tape import ChainTapeConvention, LinkedTapeConvention, tape_convention
from coc_core.convention.target import OUTPUT, Target

__all__ = [
    "OUTPUT",
    "ChainTapeConvention",
    "Convention",
    "LinkedTapeConvention",
    "Remembered",
    "Reply",
    "StackConvention",
    "Target",
    "tape_convention",
]
