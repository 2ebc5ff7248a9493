"""Time travel: the machine as it was at any step of a recorded run. No model is asked, and none has to be there.

Learned arithmetic is replayed exactly, too: where its numbers were not exact, the run file has them.
"""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from coc_core.domain import parse_problem
from coc_core.errors import ArtefactError, CocError
from coc_core.execution import Machine
from coc_core.plugin import ArithmeticSpec, DomainSpec, MemorySpec, Registry
from coc_core.runfile.arithmetic_log import Witness
from coc_core.runfile.manifest import Manifest
from coc_core.runfile.playback import Script, follow
from coc_core.runfile.reader import RunFile
from coc_core.setting import Setting

APART = 1 << 12
"""How many steps lie between two marks, so how many are taken again, at most, to go back."""


@frozen
class Moment:
    """The machine just after a step. Step 0 is the beginning: nothing was read (`window` is None), nothing written.

    `window` is what the step read, as in `coc_core.execution.Commit`; `windows` and `pointer` are the memory's after
    the step; `before` and `after` are the domain's states; `actions` are the domain's records; `written` are the
    instruction texts that the target writes, in its order.
    """

    step: int
    window: Any
    prompt: str
    target: str
    windows: Sequence[str]
    pointer: int
    before: Any
    after: Any
    actions: tuple[Any, ...]
    written: tuple[str, ...]


@frozen
class _Mark:
    """What it takes to return to a step."""

    steps: int
    actions: int
    state: Any
    memory: Any


class Replay:
    """A recorded run that can be looked at, forwards and backwards. `setting` has no model in it."""

    def __init__(self, registry: Registry, runfile: RunFile) -> None:
        self.runfile = runfile
        self.setting, self.problem = restage(registry, runfile.manifest, f"the run file {runfile.path}")
        self._machine = self._fresh()
        oracle = self.setting.arithmetic
        self._witness = oracle if isinstance(oracle, Witness) else None
        self._marks = [self._mark()]
        self._script = Script(runfile, self._machine, self._witness)

    def seek(self, step: int) -> Moment:
        """The moment after `step`, 0 to `runfile.steps`, else ValueError.

        Going on by one is one step, going back a few thousand at most. ArtefactError if the file does not replay.
        """
        if not 0 <= step <= self.runfile.steps:
            raise ValueError(f"step {step} of a run with {self.runfile.steps}")
        self._go(max(step - 1, 0))
        before, window, prompt, target = self._machine.state, None, "", ""
        actions: tuple[Any, ...] = ()
        written: tuple[str, ...] = ()
        if step:
            window = self._machine.memory.fetch()
            self._forward(step)
            found = self.runfile.step(step)
            reply = self.setting.convention.parse(found.target)
            prompt, target, actions, written = found.prompt, found.target, reply.actions, reply.windows
        memory = self._machine.memory
        after = self._machine.state
        return Moment(step, window, prompt, target, memory.windows(), memory.pointer, before, after, actions, written)

    def verify(self) -> None:
        """Replay all of it, and compare how it ends with the recorded outcome; ArtefactError if anything differs."""
        self._go(self.runfile.steps)
        outcome, machine = self.runfile.outcome, self._machine
        if outcome is None:
            return
        found = ("interrupted" if machine.fault else machine.status, machine.actions)
        told = ("interrupted" if outcome.status == "fault" else outcome.status, outcome.actions)
        if found != told:
            raise ArtefactError(
                f"the run file {self.runfile.path} does not replay: it ends as {found[0]} after {found[1]:,} actions,"
                f" and the file says {outcome.status} after {told[1]:,}"
            )

    def _fresh(self) -> Machine:
        machine = self.setting.machine(self.problem)
        machine.find_loops = False
        return machine

    def _go(self, step: int) -> None:
        if step < self._machine.steps:
            self._back(step)
        while self._machine.steps < step:
            self._forward(min(step, (self._machine.steps // APART + 1) * APART))

    def _back(self, step: int) -> None:
        """Return to the last mark that is not after `step`."""
        mark = self._marks[step // APART]
        memory = self._machine.memory
        memory.rollback(mark.memory)
        self._machine = self._fresh()
        self._machine.memory, self._machine.state = memory, mark.state
        self._machine.steps, self._machine.actions = mark.steps, mark.actions
        self._script = Script(self.runfile, self._machine, self._witness, mark.steps + 1)

    def _forward(self, step: int) -> None:
        """Take the steps up to `step`, which lies no further than the next place for a mark."""
        follow(self._machine, self._script, self.runfile, step)
        if step == APART * len(self._marks):
            self._marks.append(self._mark())

    def _mark(self) -> _Mark:
        machine = self._machine
        return _Mark(machine.steps, machine.actions, machine.state, machine.memory.mark())


def restage(registry: Registry, manifest: Manifest, where: str) -> tuple[Setting, Any]:
    """The setting and the problem of a recorded run, its arithmetic without a model.

    ArtefactError, which names `where`, if a part of it is not installed here or the problem is none.
    """
    try:
        domain_spec = registry.find(DomainSpec, manifest.domain)
        memory_spec = registry.find(MemorySpec, manifest.memory)
        arith_spec = registry.find(ArithmeticSpec, manifest.arith)
        domain = registry.make(domain_spec, domain_spec.factory)
        convention = registry.make(memory_spec, memory_spec.convention, domain, manifest.notation, manifest.limits)
        asks = arith_spec.dialect is not None
        oracle = Witness(convention) if asks else registry.make(arith_spec, arith_spec.factory)
        problem = parse_problem(domain, manifest.problem)
    except CocError as error:
        raise ArtefactError(f"{where} can't be replayed here: {error.message}", remedy=error.remedy) from None
    return Setting(registry, domain, memory_spec, oracle, convention, manifest.limits), problem
