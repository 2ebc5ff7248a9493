from .compiled import Compiled as Compiled
from .direct import interpret as interpret
from .domain import Program as Program
from .language import (
    Call as Call,
    Steps as Steps,
    chain as chain,
    new as new,
    procedure as procedure,
    read as read,
    write as write,
)
from .record import Record as Record
