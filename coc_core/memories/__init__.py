"""Memories and the conventions that turn a policy into the text of each memory."""

from coc_core.memories.convention import Convention, ParsedTarget
from coc_core.memories.layout import Layout
from coc_core.memories.memo import Memo
from coc_core.memories.memory import Memory
from coc_core.memories.pushdown import Pushdown
from coc_core.memories.reference import Reference
from coc_core.memories.stack import PDAStack
from coc_core.memories.stack_convention import StackConvention
from coc_core.memories.tape import HALT, PointerTape, TapeWindow, TapeWrite
from coc_core.memories.tape_conventions import tape_convention
from coc_core.memories.target import Target

__all__ = [
    "HALT",
    "Convention",
    "Layout",
    "Memo",
    "Memory",
    "PDAStack",
    "ParsedTarget",
    "PointerTape",
    "Pushdown",
    "Reference",
    "StackConvention",
    "TapeWindow",
    "TapeWrite",
    "Target",
    "tape_convention",
]
