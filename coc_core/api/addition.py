"""What a plugin may add to `coc run` by options of its own."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from coc_core.execution import Listener
from coc_core.options import RunOptions

if TYPE_CHECKING:
    from coc_core.api.job import Job
    from coc_core.domain import Translation
    from coc_core.plugin import Registry

OpensListener = Callable[[], AbstractContextManager[Listener]]


@frozen(kw_only=True, slots=False)
class RunAddition:
    """What options of `coc run` do, which are the fields of a subclass: `coc_core.options.option` makes each."""

    @property
    def needs_every_step(self) -> str:
        """Which option needs that no step is skipped, and what it does, as in `--watch shows`; empty if none does."""
        return ""

    @property
    def draws(self) -> str:
        """Which option draws on the terminal, in place of the progress and the last picture; empty if none does."""
        return ""

    def problem(self, registry: "Registry", options: RunOptions) -> "Translation | None":
        """Return the problem, if these options name it; called first, so that what can't be done is refused here."""
        return None

    def reads(self) -> Mapping[str, Sequence[Path]]:
        """Return the files that are read, by option; nothing may be written to them."""
        return {}

    def listeners(self, job: "Job") -> Sequence[OpensListener]:
        """Return what hears of each step, opened before the first one."""
        return ()
