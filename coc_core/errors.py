"""The exceptions, in two families.

A `CocError` ends a command; it has an exit code and, if there is one, a remedy. A `StepFault` ends a run at one step.
The machine turns it into data (`coc_core.types.Fault`), so callers of `coc_core` never have to catch one.
"""

from typing import ClassVar

EXIT_SOLVED = 0
EXIT_NOT_SOLVED = 1
EXIT_INTERNAL = 70
EXIT_INTERRUPTED = 130

EXIT_CODES = {
    EXIT_SOLVED: "solved, or the command succeeded",
    EXIT_NOT_SOLVED: "ran, but did not solve the problem, or found a difference",
    2: "a usage error, such as an unknown name or a size out of range",
    3: "a checkpoint, dataset, run file or plan was rejected",
    4: "a plugin failed",
    5: "a file could not be read or written",
    6: "a limit was reached, the run is an infinite loop, or all workers died",
    7: "the model computed numbers that are not finite",
    8: "a network service could not be used",
    EXIT_INTERNAL: "a bug in coc",
    EXIT_INTERRUPTED: "interrupted",
}
"""Every exit code of the command line, and what it means."""


class CocError(Exception):
    """An error with one clear line for the user, an exit code for the shell and a `kind` for a script.

    Args:
        message: What is wrong.
        remedy: What the user can do about it.
    """

    kind: ClassVar[str] = "internal"
    exit_code: ClassVar[int] = EXIT_INTERNAL

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}; {self.remedy}" if self.remedy else self.message


class UsageError(CocError):
    """The request is wrong: an unknown name, a size out of range, a malformed problem."""

    kind = "usage"
    exit_code = 2


class UnsupportedError(UsageError):
    """No domain, or not the chosen one, can represent this problem. Commands for many problems may skip it."""


class ArtefactError(CocError):
    """A checkpoint, dataset, run file or plan was rejected before it was used."""

    kind = "artefact"
    exit_code = 3


class PluginError(CocError):
    """A plugin failed to load, or raised an exception while it was used."""

    kind = "plugin"
    exit_code = 4
    where = ""
    """The place in the plugin, where the error comes from another process, whose frames are not here."""


class StorageError(CocError):
    """The disk or the file system refused an operation."""

    kind = "storage"
    exit_code = 5


class WorkerError(CocError):
    """Every worker that tried a piece of work was lost."""

    kind = "worker"
    exit_code = 6


class ServiceError(CocError):
    """A service on the network could not be reached, refused the request, or sent something else than a response."""

    kind = "service"
    exit_code = 8


class StepFault(Exception):
    """A step can't be committed. Raise one of its subclasses here, since a run file knows no other kind.

    Args:
        message: What is wrong.
        text: The text at fault.
        offset: Where in the text the fault is, if that is known.
    """

    kind: ClassVar[str] = ""
    exit_code: ClassVar[int] = EXIT_NOT_SOLVED

    def __init__(self, message: str, *, text: str = "", offset: int | None = None) -> None:
        if self.kind not in FAULT_KINDS:
            raise TypeError(f"{type(self).__name__} is not a kind of fault; raise one such as NumericFault")
        super().__init__(message)
        self.message, self.text, self.offset = message, text, offset


class ProtocolFault(StepFault):
    """The model's response is not a target of the convention."""

    kind = "protocol"


class ArithmeticFault(StepFault):
    """The oracle can't resolve an expression to a number."""

    kind = "arithmetic"


class AddressFault(StepFault):
    """The memory has no such address, or it is not the next free one."""

    kind = "address"


class ActionFault(StepFault):
    """An action is illegal in the current state."""

    kind = "action"


class LimitFault(StepFault):
    """A cap was exceeded; the run can be continued with a higher one."""

    kind = "limit"
    exit_code = 6


class LoopFault(StepFault):
    """The run provably never halts."""

    kind = "loop"
    exit_code = 6


class NumericFault(StepFault):
    """The model's logits are not finite."""

    kind = "numeric"
    exit_code = 7


FAULT_KINDS: dict[str, type[StepFault]] = {fault.kind: fault for fault in StepFault.__subclasses__()}
