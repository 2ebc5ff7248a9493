from .convention import Convention as Convention, ParsedTarget as ParsedTarget, Reference as Reference
from .layout import Layout as Layout
from .memory import Memory as Memory
from .stack import (
    PDAStack as PDAStack,
    Pushdown as Pushdown,
    StackConvention as StackConvention,
    with_returned as with_returned,
)
from .tape import HALT as HALT, PointerTape as PointerTape, tape_convention as tape_convention
from .target import Memo as Memo, Target as Target
