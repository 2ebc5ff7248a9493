"""Modules of procedures written to files, and runs of them: compiled on the machine, and as they stand."""

import importlib.util
import itertools
import linecache
import sys
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from coc_core.arithmetic import Inline, Symbolic
from coc_core.domain import number_new
from coc_core.errors import PluginError
from coc_core.execution import Machine
from coc_core.text import Form, Forms
from coc_core.types import Limits
from coc_programs import Ended, Kinds, Program, Record, interpret

_COUNT = itertools.count()


@frozen
class Say:
    """An action."""

    what: Any


@frozen
class Think:
    """A note."""

    what: Any


@frozen
class Go:
    """The problem."""


@contextmanager
def module_of(text: str, folder: Path):
    """A module with this text, imported from a file in a folder."""
    name = f"drawn_{next(_COUNT)}"
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        exec(compile(text, str(path), "exec"), module.__dict__)
        yield module
    finally:
        del sys.modules[name]
        path.unlink()
        linecache.clearcache()


def domain_of(main: Any, begin: Callable[[], tuple[Any, Sequence[Record]]], *classes: type[Record]) -> Program:
    """A domain whose state is the actions taken, and whose only problem begins with a call and records."""
    words = frozenset({None, True, False, "red", "green", "blue"})
    what = Kinds(words, (-9, 9), frozenset(classes)).codec

    class DrawnProgram(Program):
        name = "drawn"
        sizes = range(1, 2)
        problems = Forms(Form.of(Go, "go"))
        actions = Forms(Form.of(Say, "say {what}", what=what))
        notes = Forms(Form.of(Think, "think {what}", what=what))

        def _problem(self, n, rng):
            return Go()

        def size(self, problem):
            return 1

        def begin(self, problem):
            return begin()

        def initial(self, problem):
            return ()

        def apply(self, state, action):
            return (*state, action)

        def is_goal(self, problem, state):
            return True

    DrawnProgram.main = main
    return type("DrawnProgram", (DrawnProgram,), {"main": main, "record_classes": classes})()


@define
class Outcome:
    """What a run did.

    Attributes:
        emits: The actions and notes, in order.
        result: The result of the procedure that it began with.
        records: The fields of each record at the end, by name.
        error: What went wrong, None if nothing did.
        steps: The number of steps of a compiled run.
        pairs: The target for each of its prompts.
        limited: Whether it was ended by the limit of steps.
        deepest: The most windows that waited below the one that was read, records included.
    """

    emits: list[Any]
    result: Any = None
    records: dict[str, dict[str, Any]] | None = None
    error: Exception | None = None
    steps: int = 0
    pairs: dict[str, str] = field(factory=dict)
    limited: bool = False
    deepest: int = 0


def directly(call: Any, records: Sequence[Record]) -> Outcome:
    """The outcome of a run of the generator functions as they stand."""
    run, outcome = interpret(call, records), Outcome([])
    try:
        while True:
            outcome.emits.append(next(run))
    except StopIteration as stop:
        outcome.result, memory = stop.value
        outcome.records = {record.name: record.fields for record in memory}
    except (TypeError, AttributeError) as error:  # the second where a `cast` is wrong
        outcome.error = error
    return outcome


def on_machine(domain: Program, memory: Any, convention: Any, limits: Limits = Limits()) -> Outcome:
    """The outcome of a run of the compiled program. In symbolic notation the names in notes and results are local."""
    arithmetic = Symbolic() if convention.notation == "symbolic" else Inline()
    machine = Machine(domain, Go(), memory, convention, arithmetic, limits=limits)
    outcome = Outcome([])
    target = ""

    def target_for(prompt: str) -> str:
        nonlocal target
        target = outcome.pairs.get(prompt) or outcome.pairs.setdefault(prompt, convention.target_for(prompt))
        outcome.emits += convention.parse(target).target.emits
        outcome.deepest = max(outcome.deepest, machine.pointer)
        return target

    try:
        machine.run(target_for)
    except PluginError as error:
        outcome.error = error
    outcome.limited = machine.fault is not None and machine.fault.kind == "limit"
    assert machine.fault is None or outcome.limited, machine.fault
    actions = iter(machine.state)
    emits = [each for each in outcome.emits if type(each) is not Ended]
    outcome.emits = [next(actions) if isinstance(each, Say) else each for each in emits]
    outcome.steps = machine.steps
    if outcome.error is None and not outcome.limited:
        written = map(domain.instructions.parse, filter(None, machine.windows if domain.compiled.records else ()))
        outcome.records = {each.reference.name: dict(each.fields) for each in written}
        outcome.result = convention.parse(number_new(target, len(machine.windows))).target.result
    return outcome


def without_names(value: Any) -> Any:
    """A note, an action or a result without the number of the record in it."""
    if isinstance(value, Record):
        return type(value).__name__
    return (type(value).__name__, without_names(value.what)) if isinstance(value, Say | Think) else value
