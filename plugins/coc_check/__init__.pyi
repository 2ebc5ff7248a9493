from .check import Check as Check, Nonconforming as Nonconforming
from .parametrize import parametrize_with_checks as parametrize_with_checks
from .parts import checks as checks
from .result import Result as Result, examine as examine
from .scripted import Scripted as Scripted
