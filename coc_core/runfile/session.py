"""A recording session: a new run, written to a run file or kept in memory, or a recorded run that is continued."""

from contextlib import ExitStack
from pathlib import Path

from coc_core.execution import Listener, Machine
from coc_core.models import Model
from coc_core.runfile.database import check_new, check_old
from coc_core.runfile.manifest import Manifest, other_software
from coc_core.runfile.playback import Playback, RecordedArithmetic
from coc_core.runfile.reader import RunFile
from coc_core.runfile.writer import Recorder
from coc_core.setting import Setting
from coc_core.types import Outcome


class Session:
    """Writes a run to a run file, after the steps that the file already has, or records it in memory.

    Call `open` and pass the listener to the machine, then call `replay`, let an executor run the machine, and call
    `finish`. The file is closed when the exit stack ends. Then `recording` reads the run.

    Args:
        path: The run file; None for a run that is recorded in memory.
        source: The same file, open for reading, if the run is continued; `replayed` is how many steps it has.
    """

    def __init__(self, path: Path | None, manifest: Manifest, setting: Setting, source: RunFile | None = None) -> None:
        self.path, self.replayed = path, source.steps if source else 0
        self._manifest, self._setting, self._source = manifest, setting, source

    def check(self) -> None:
        """Check that the file can be made, or continued, before anything is changed; errors as for `open`."""
        if self.path is not None:
            (check_new if self._source is None else check_old)(self.path)

    def open(self, stack: ExitStack) -> Listener:
        """Open the file for writing until `stack` ends, and return the machine's listener.

        UsageError if a new run's file exists, StorageError if it can't be written or another process writes to it.
        """
        domain = self._setting.domain
        if self.path is None:
            self.recorder = Recorder.in_memory(domain, self._manifest)
            return self.recorder.listen
        if self._source is None:
            recorder = Recorder.create(self.path, domain, self._manifest)
        else:
            recorder = Recorder.resume(self.path, domain, self.replayed)
        self.recorder = stack.enter_context(recorder)
        return recorder.listen

    def replay(self, machine: Machine, model: Model) -> None:
        """Let the machine take the steps of the file, which may change only then; ArtefactError if it refuses one."""
        machine.assume(deterministic=model.deterministic)
        if self._source is not None:
            remedy = other_software(self._source.manifest, self._setting.registry.plugins)
            arithmetic = RecordedArithmetic(machine.convention) if self._setting.arith_model is not None else None
            Playback(self._source, machine, arithmetic, remedy=remedy).take(self.replayed)
            if machine.steps == self.replayed:  # otherwise it was interrupted, and the file stays as it is
                self.recorder.go_on(self._manifest, self._source)

    def finish(self, outcome: Outcome, model: Model) -> None:
        """Write how the run ended."""
        self.recorder.finish(outcome, {name: each.margin for name, each in self._setting.models(model).items()})

    def recording(self) -> RunFile:
        """Open the run that has ended, to be closed by the caller; ArtefactError if its file can't be read."""
        return RunFile.of(self.recorder.connection) if self.path is None else RunFile.open(self.path)
