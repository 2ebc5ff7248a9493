from .compiled import Compiled as Compiled
from .direct import interpret as interpret
from .domain import Program as Program
from .functions.function import Function as Function
from .kinds import MOST_KINDS as MOST_KINDS, Kinds as Kinds, every as every
from .language import (
    Call as Call,
    Procedure as Procedure,
    Steps as Steps,
    Told as Told,
    chain as chain,
    each as each,
    new as new,
    procedure as procedure,
    read as read,
    tell as tell,
    write as write,
)
from .operations import (
    Assign as Assign,
    Branch as Branch,
    CallProcedure as CallProcedure,
    Emit as Emit,
    Jump as Jump,
    MakeRecord as MakeRecord,
    ReadRecord as ReadRecord,
    Return as Return,
    Store as Store,
)
from .places import Code as Code
from .record import Record as Record, watching_comparisons as watching_comparisons
from .syntax.source import Expression as Expression
from .texts import Ended as Ended
