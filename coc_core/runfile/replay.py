"""Replay: the machine as it was at any step of a recorded run, without any model.

Learned arithmetic is replayed as well, since the run file has its numbers where they were not exact.
"""

from typing import Any

from coc_core.domain import parse_problem
from coc_core.errors import ArtefactError, CocError
from coc_core.execution import StepRecord
from coc_core.plugin import ArithmeticSpec, DomainSpec, MemorySpec, Registry
from coc_core.runfile.manifest import Manifest, other_software
from coc_core.runfile.playback import Playback, RecordedArithmetic
from coc_core.runfile.reader import RunFile
from coc_core.setting import Setting


class Replay:
    """A recorded run that can be stepped through, forwards.

    ArtefactError if a part is not installed, or the problem is malformed.

    Attributes:
        setting: Where the run took place, without a model.
        machine: What takes the steps.
        verified: Whether all steps were taken again and reached the recorded outcome.
    """

    def __init__(self, registry: Registry, runfile: RunFile) -> None:
        self.runfile = runfile
        self.setting, self.problem = rebuild_setting(registry, runfile.manifest, f"the run file {runfile.path}")
        self.machine = self.setting.machine(self.problem, [self._listen])
        self.machine.assume(deterministic=False)  # a loop would have ended the recording
        oracle = self.setting.arithmetic
        arithmetic = oracle if isinstance(oracle, RecordedArithmetic) else None
        self._remedy = other_software(runfile.manifest, registry.plugins)
        self._playback = Playback(runfile, self.machine, arithmetic, remedy=self._remedy)
        self.verified = False

    def seek(self, step: int) -> StepRecord:
        """Return the complete record of a step. Step 0 is the state before the first step, without prompt and target.

        At the last step, the end of the run is compared with the recorded outcome.

        Raises:
            ArtefactError: The file does not replay.
            ValueError: There is no such step, or a later one was sought before.
        """
        now = self.machine
        if not now.steps <= step <= self.runfile.steps:
            raise ValueError(f"can't go from step {now.steps} to step {step} of a run with {self.runfile.steps}")
        if step:
            self._playback.take(step)
        else:
            places = {"before": now.state, "after": now.state, "memory": now.memory, "contents": now.contents}
            self._last = StepRecord(0, "", "", (), now.pointer, **places)
        if step == self.runfile.steps:
            self._check_end()
        return self._last

    def verify(self) -> None:
        """Replay the whole run and compare its end with the recorded outcome; ArtefactError if something differs."""
        self.seek(self.runfile.steps)

    def _check_end(self) -> None:
        outcome, machine = self.runfile.outcome, self.machine
        found = ("interrupted" if machine.fault else machine.status, machine.actions)
        recorded = outcome and ("interrupted" if outcome.status == "fault" else outcome.status, outcome.actions)
        if outcome and recorded and found != recorded:
            raise ArtefactError(
                f"the run file {self.runfile.path} does not replay: it ends as {found[0]} after {found[1]:,} actions,"
                f" but the file says {outcome.status} after {recorded[1]:,}",
                remedy=self._remedy,
            )
        self.verified = True

    def _listen(self, record: StepRecord) -> None:
        self._last = record


def rebuild_setting(registry: Registry, manifest: Manifest, where: str) -> tuple[Setting, Any]:
    """Return a recorded run's setting, without a model, and its problem.

    ArtefactError if a part is not installed, or the problem is malformed; `where` is what the message calls the run.
    """
    try:
        domain_spec = registry.find(DomainSpec, manifest.domain)
        memory_spec = registry.find(MemorySpec, manifest.memory)
        arith_spec = registry.find(ArithmeticSpec, manifest.arith)
        domain = registry.make(domain_spec, domain_spec.factory_on(manifest.memory))
        convention = registry.make(memory_spec, memory_spec.convention, domain, manifest.notation, manifest.limits)
        learned = arith_spec.dialect is not None
        oracle = RecordedArithmetic(convention) if learned else registry.make(arith_spec, arith_spec.factory)
        problem = parse_problem(domain, manifest.problem)
        if not learned and oracle.notation != manifest.notation:
            raise ArtefactError(f"{manifest.arith} arithmetic has no {manifest.notation} notation")
        if domain.problems.format(problem) != manifest.problem:
            raise ArtefactError(f"its problem is not written as {manifest.domain} writes it")
        if domain.size(problem) != manifest.n:
            raise ArtefactError(f"it says n={manifest.n:,}, but its problem has n={domain.size(problem):,}")
    except CocError as error:
        remedy = other_software(manifest, registry.plugins) or error.remedy
        raise ArtefactError(f"{where} can't be replayed here: {error.message}", remedy=remedy) from None
    return Setting(registry, domain, memory_spec, oracle, convention, manifest.limits), problem
