from .check import Check as Check, Nonconforming as Nonconforming, Result as Result, examine as examine
from .parts import checks as checks, registry_of as registry_of
from .pytest_plugin import parametrize_with_checks as parametrize_with_checks
from .scripted import Scripted as Scripted
