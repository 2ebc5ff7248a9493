"""Hostile texts for the machine, and what it promises about each of them.

A `Walk` is one run that takes whatever it is told. Each text is a committed step, or a fault of the model's that has
changed nothing. Accepted steps are kept, so that later texts meet states and memories that no teacher leads to.
"""

import re
import string
import time
from collections import Counter

from attrs import Factory, define, evolve, field

from coc_check.hostile import HEADS, damaged
from coc_core.plugin import ArithmeticSpec, DomainSpec, MemorySpec, Registry
from coc_core.setting import Setting
from coc_core.types import Limits

LIMITS = Limits(tape_bytes=600, stack_depth=12)
"""Low enough to be reached beyond the records that a run begins with; a target and a step have their usual limits."""

SLOW = 0.05  # seconds
STEP = "step"
KINDS = ("protocol", "address", "action", "arithmetic", "limit")
"""The faults that a text can be; `loop` and `numeric` are not about a text."""

_DOUBTFUL = SLOW / 50
_LONGEST_WALK = 40  # accepted steps
_WORD = re.compile(r"[A-Za-z_]+|[0-9]+|[^A-Za-z_0-9]")
_LONG = 66_000  # characters: just over what a target may have
_PLAIN_LINE = re.compile(r"[\x20-\x7e]{1,1000}")


def setting(domain, memory, arith):
    """The setting with these names, with low limits; a model of sums is a right one."""
    registry = Registry.installed()
    asked = "reference" if registry.find(ArithmeticSpec, arith).reference else None
    return Setting.of(registry, domain, memory, arith, LIMITS, asked)


def every_setting():
    """The names of every setting that can be: (domain, memory, arithmetic)."""
    registry = Registry.installed()
    return [
        (domain.name, memory.name, arith.name)
        for domain in registry.specs(DomainSpec)
        for memory in registry.specs(MemorySpec)
        if domain.memories is None or memory.name in domain.memories
        for arith in registry.specs(ArithmeticSpec)
    ]


def right_target(setting):
    """The first target of one run."""
    return setting.convention.target_for(setting.machine(setting.domain.problem(setting.domain.sizes[2])).peek())


class Broken(AssertionError):
    """A promise that was not kept."""


class Walk:
    """A run of `setting` on its problem of size `n`, with the reference's answers to the first `steps` prompts."""

    def __init__(self, setting, n, seed, steps):
        self.setting = setting
        self.problem = setting.domain.problem(n, seed)
        records = setting.convention.first_window(self.problem).split("\n")[:-1]
        depth, size = LIMITS.stack_depth + len(records), LIMITS.tape_bytes + sum(map(len, records))
        setting = evolve(setting, limits=evolve(LIMITS, stack_depth=depth, tape_bytes=size))
        machine = setting.machine(self.problem)
        for _ in range(steps):
            if (prompt := machine.peek()) is not None:
                machine.step(setting.convention.target_for(prompt))
        if machine.peek() is None:  # it has halted already
            machine = setting.machine(self.problem)
        machine.assume(deterministic=False)
        self._base = machine
        self.restart()

    def restart(self):
        """Go back to where the walk began."""
        self.path = []
        self._stand(self._base.fork())

    def _stand(self, machine):
        """Remember where the machine is, to see that a fault changes nothing."""
        self.machine, self.before = machine, machine.fork()
        self.prompt = machine.peek()
        if self.prompt is None:
            raise Broken(f"no prompt follows: {machine.fault}")
        try:
            self.right = self.setting.convention.target_for(self.prompt)
        except Exception:  # no policy knows where a wrong answer leads
            self.right = ""

    def try_text(self, text):
        """What becomes of `text`: STEP or the fault's kind. Raises Broken, or what the machine raised."""
        machine = self.machine
        state, steps, actions = machine.state, machine.steps, machine.actions
        machine.step(text)
        fault = machine.fault
        if fault is None or fault.step == steps + 2:  # where the step's result is not what waits for it
            if machine.steps != steps + 1:
                raise Broken(f"one text, {machine.steps - steps} steps")
            self.path.append(text)
            if fault is not None or machine.pointer < 0 or len(self.path) >= _LONGEST_WALK:
                self.restart()
            else:
                self._stand(machine)
            return STEP
        if fault.kind not in KINDS:
            raise Broken(f"a fault of the kind {fault.kind}")
        if machine.state is not state or (machine.steps, machine.actions) != (steps, actions):
            raise Broken("a fault has changed the state or the counts")
        if machine.contents is not self.before.contents:
            raise Broken("a fault has changed the memory")
        if fault.step != steps + 1 or not _PLAIN_LINE.fullmatch(fault.message):
            raise Broken(f"a fault that does not say in a plain line what is wrong: {fault.message!a}")
        self.machine = self.before.fork()
        return fault.kind


@define
class Finding:
    """A text that broke a promise, with the accepted ones before it."""

    where: tuple
    path: list
    text: str
    error: str


@define
class Tally:
    """What a number of texts came to. `slowest` is (seconds, setting, length, head of the text)."""

    kinds: Counter = Factory(Counter)
    slowest: tuple = (0.0, "", 0, "")
    seconds: float = 0.0
    findings: list = field(factory=list)

    def add(self, other):
        self.kinds += other.kinds
        self.slowest = max(self.slowest, other.slowest)
        self.seconds += other.seconds
        self.findings += other.findings


def fuzz(setting, rng, count, foreign=(), slow=SLOW):
    """Try `count` texts, those that `rng` draws, each in `slow` seconds; `foreign` are targets of other dialects."""
    tally, begun = Tally(), time.process_time()
    for _ in range(0, count, 1000):
        where = rng.choice(setting.domain.sizes[:4]), rng.randint(0, 99), rng.randint(0, 12)
        walk = Walk(setting, *where)
        for _ in range(min(1000, count)):
            path, text = list(walk.path), drawn(rng, walk.right, foreign or ("",))
            started = time.perf_counter()
            try:
                tally.kinds[walk.try_text(text)] += 1
                error = ""
            except Exception as broken:
                error = f"{type(broken).__name__}: {broken}"
            took = time.perf_counter() - started
            if took > max(tally.slowest[0], _DOUBTFUL):  # somebody else may have had the processor
                took = min(_again(setting, where, path, text) for _ in range(3))
                error = error or (f"took {took:.3f} s" if took > slow else "")
            if took > tally.slowest[0]:
                tally.slowest = took, _name(setting), len(text), text[:60]
            if error:
                tally.findings.append(Finding((_name(setting), *where), path, text, error))
                walk = Walk(setting, *where)
    tally.seconds = time.process_time() - begun
    return tally


def drawn(rng, right, foreign):
    """Most often `right` with a few damages, now and then `right` itself or something else entirely."""
    kind = rng.random()
    if kind < 0.08:
        return right
    if kind < 0.09:
        return rng.choice(foreign)
    if kind < 0.11:  # the same characters
        return "".join(rng.choices(right or string.printable, k=int(2 ** (rng.random() * 8))))
    if kind < 0.14:  # the same words, and those that things begin with
        return "".join(rng.choices([*_WORD.findall(right), *HEADS], k=int(2 ** (rng.random() * 6))))
    text = damaged(right, rng, foreign)
    return text if kind > 0.1405 else long(rng, text)


def long(rng, text):
    """A line or a part of the text repeated until it is as long as a target may be, or just longer."""
    most = _LONG - rng.randrange(2_000)
    if rng.random() < 0.5:
        line = rng.choice(text.split("\n"))
        return "\n".join([line] * (most // (len(line) + 1)))
    part = rng.choice((text, *HEADS, "1", "B1, ", "P1, ")) or " "
    return (part * (most // len(part) + 1))[:most]


def _name(setting):
    return f"{setting.domain.name} {setting.memory.name} {setting.arithmetic.name}"


def _again(setting, where, path, text):
    """The seconds that `text` takes after `path`, whatever comes of it."""
    walk = Walk(setting, *where)
    try:
        for accepted in path:
            walk.try_text(accepted)
        setting.convention.parse.__self__.clear()  # what it remembers would be quicker
        started = time.thread_time()
        walk.try_text(text)
    except Exception:
        pass
    return time.thread_time() - started
