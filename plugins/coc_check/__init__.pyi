from .check import Check as Check, Nonconforming as Nonconforming
from .parts import checks as checks
from .result import Result as Result, examine as examine, parametrize_with_checks as parametrize_with_checks
from .scripted import Scripted as Scripted
