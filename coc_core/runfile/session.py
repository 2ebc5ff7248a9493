"""A recording session: a run that is written to a run file from its first step, or continued from one."""

from contextlib import ExitStack
from pathlib import Path

from coc_core.execution import Listener, Machine
from coc_core.models import Model
from coc_core.runfile.manifest import Manifest
from coc_core.runfile.reader import RunFile
from coc_core.runfile.resume import replay_prefix
from coc_core.runfile.writer import Recorder
from coc_core.setting import Setting
from coc_core.types import Outcome


class Session:
    """The run file that a run is written to, and from which it was read if it is continued.

    Call `open` first, hand the listener to the machine, then `replay` the machine, let an executor run it, and
    `finish`. The file is closed when the stack ends.

    Args:
        path: The run file.
        manifest: What is run.
        setting: Where it is run.
        source: The same file, open for reading, if the run is continued.
    """

    def __init__(self, path: Path, manifest: Manifest, setting: Setting, source: RunFile | None = None) -> None:
        self.path = path
        self.replayed = source.steps if source else 0
        self._manifest = manifest
        self._setting = setting
        self._source = source

    def open(self, stack: ExitStack) -> Listener:
        """Open the file for writing until `stack` ends; gives the listener that has to hear every step of the machine.

        Raises:
            UsageError: A new run's file already exists.
            StorageError: The file can't be written, or another process writes to it.
        """
        domain = self._setting.domain
        if self._source is None:
            recorder = Recorder.create(self.path, domain, self._manifest)
        else:
            recorder = Recorder.resume(self.path, domain, self._manifest, self.replayed)
        self.recorder = stack.enter_context(recorder)
        return recorder.listen

    def replay(self, machine: Machine, model: Model) -> None:
        """Let the machine take the steps that are recorded already; ArtefactError if it does not accept one."""
        machine.assume(deterministic=model.deterministic)
        if self._source is not None:
            replay_prefix(machine, self._source, learned=self._setting.arith_model is not None)

    def finish(self, outcome: Outcome, model: Model) -> None:
        """Write how the run has ended."""
        margins = {"model": model.margin}
        if self._setting.arith_model is not None:
            margins["arith_model"] = self._setting.arith_model.margin
        self.recorder.finish(outcome, margins)
