from .convention import Convention as Convention, ParsedTarget as ParsedTarget
from .layout import Layout as Layout
from .memo import Memo as Memo
from .memory import Memory as Memory
from .pushdown import Pushdown as Pushdown, Returned as Returned, with_returned as with_returned
from .reference import Reference as Reference
from .stack import PDAStack as PDAStack
from .stack_convention import StackConvention as StackConvention
from .tape import HALT as HALT, PointerTape as PointerTape, TapeWindow as TapeWindow, TapeWrite as TapeWrite
from .tape_conventions import tape_convention as tape_convention
from .target import Target as Target
