"""What can go wrong, as two families.

`CocError` ends a command: each carries the exit code of its family and, where there is one, the remedy.
`StepFault` ends a run at one step: the machine turns it into data (`coc_core.types.Fault`), so a caller of
`coc_core` never has to catch one.
"""

from typing import ClassVar

EXIT_SOLVED = 0
EXIT_NOT_SOLVED = 1
EXIT_INTERNAL = 70
EXIT_INTERRUPTED = 130


class CocError(Exception):
    """An error with one clear line for the person and an exit code for the shell."""

    exit_code: ClassVar[int] = EXIT_INTERNAL

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}; {self.remedy}" if self.remedy else self.message


class UsageError(CocError):
    """The request makes no sense: an unknown name, a size out of range, a malformed problem."""

    exit_code = 2


class ArtefactError(CocError):
    """A checkpoint, dataset or run file was rejected before it was used."""

    exit_code = 3


class PluginError(CocError):
    """A plugin failed to load, or raised while it was used."""

    exit_code = 4


class StorageError(CocError):
    """The disk or the file system refused."""

    exit_code = 5


class StepFault(Exception):
    """A step that cannot be committed. `text` is the offending text, `offset` where in it, if known."""

    kind: ClassVar[str]
    exit_code: ClassVar[int] = EXIT_NOT_SOLVED

    def __init__(self, message: str, *, text: str = "", offset: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.text = text
        self.offset = offset


class ProtocolFault(StepFault):
    """The model's text is not a target of the convention."""

    kind = "protocol"


class ArithmeticFault(StepFault):
    """An expression that is no number, or that the oracle can't resolve."""

    kind = "arithmetic"


class AddressFault(StepFault):
    """An address that the memory can't honour."""

    kind = "address"


class ActionFault(StepFault):
    """An action that is illegal in the state it meets."""

    kind = "action"


class LimitFault(StepFault):
    """A cap was reached; the run can go on with a higher one."""

    kind = "limit"
    exit_code = 6


class LoopFault(StepFault):
    """The run provably never halts."""

    kind = "loop"
    exit_code = 6


class NumericFault(StepFault):
    """The model produced no finite logits."""

    kind = "numeric"
    exit_code = 7


FAULT_KINDS: dict[str, type[StepFault]] = {fault.kind: fault for fault in StepFault.__subclasses__()}
