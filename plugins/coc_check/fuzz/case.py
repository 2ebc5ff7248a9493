"""A case: all that a trial of an executor depends on, as plain data; the parts it names; and the test that it is."""

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import field, fields, frozen

from coc_check.scripted import ScriptedPolicy, VotingPolicy
from coc_core.execution import Executor
from coc_core.plugin import ArithmeticSpec, ExecutorSpec, Registry
from coc_core.setting import Setting
from coc_core.types import Limits

WAYS = ("error", "listener", "model", "broken")
MOST_STEPS, MOST_WINDOWS = 64, 40
CALLS, VOTES = 200, 20_000  # for each step and problem, how many prompts an executor may call for, and how many votes

Text = str | None
"""What a model writes; None where its arithmetic breaks down instead (NumericFault)."""


@frozen
class Cut:
    """Runs are cut off once `at` steps were taken, or prompts responded to, since they were begun or went on.

    The ways:
        error     a listener raises an ordinary exception when it is notified of a step
        listener  a listener raises KeyboardInterrupt when it is notified of a step
        model     the model raises KeyboardInterrupt when it is called
        broken    the model raises an ordinary exception when it is called
    """

    way: str
    at: int


@frozen
class Case:
    """What an executor is tried on. The model is the reference, but for `responses`.

    Attributes:
        responses: A model's responses to some prompts: when it comes first, again, ...; the last one for ever.
        cuts: How the runs are cut off, to go on with a new executor and a new model.
        used: Whether the same executor object has run the same problems before, with the reference model, once to the
            end and once until it was interrupted; then it also runs them once more.
        most_steps: The limit on the steps of a run.
        most_windows: The limit on the windows that wait, and on the records.
        count: How many runs there are at once: the problems in turn, again and again. 0 for one of each.
        stops: Runs that are asked to stop: the number of the run, counted from 0, and after which of its steps.
        silent: Whether nobody listens, so that steps may be skipped.
        faulty_calls: How many calls with more than one prompt are NumericFaults, before the model responds to them.
        votes: Whether the model can be sampled and then is wrong once in eight times.
        sizes: Attributes of the executor, such as `max_machines`, which are these numbers.
    """

    executor: str
    domain: str
    memory: str
    arith: str
    problems: tuple[str, ...]
    responses: Mapping[str, tuple[Text, ...]] = field(factory=dict)
    cuts: tuple[Cut, ...] = ()
    used: bool = False
    most_steps: int = MOST_STEPS
    most_windows: int = MOST_WINDOWS
    count: int = 0
    stops: tuple[tuple[int, int], ...] = ()
    silent: bool = False
    faulty_calls: int = 0
    votes: bool = False
    sizes: Mapping[str, int] = field(factory=dict)

    @property
    def nondeterministic(self) -> bool:
        """Whether the model says that it may respond to a prompt in two ways."""
        return any(len(texts) > 1 for texts in self.responses.values())

    @property
    def runs(self) -> int:
        """How many runs there are at once."""
        return self.count or len(self.problems)

    @property
    def changed(self) -> dict[str, Any]:
        """What is not as it is by default, by the names of the attributes."""
        plain = Case(self.executor, self.domain, self.memory, self.arith, self.problems)
        values = {each.name: getattr(self, each.name) for each in fields(Case)}
        return {name: value for name, value in values.items() if value != getattr(plain, name)}

    def __str__(self) -> str:
        """Return the expression that makes it, an argument a line."""
        first = {name: getattr(self, name) for name in ("executor", "domain", "memory", "arith", "problems")}
        lines = (f"\n        {name}={value!a}," for name, value in (first | self.changed).items())
        return f"Case({''.join(lines)}\n    )"


_TEST = """\
{path}from coc_core.plugin import Registry
from coc_check.fuzz import {names}


def test_{name}_does_as_algorithm_1_says():
    case = {case}
    reproduce(Registry.installed({files}), case)
"""


def as_test(case: Case, files: Sequence[Path] = ()) -> str:
    """Return a module with one test, which fails for as long as the executor differs in this case.

    `files` are the plugins that are files.
    """
    return _TEST.format(
        path="from pathlib import Path\n\n" if files else "",
        names="Case, Cut, reproduce" if case.cuts else "Case, reproduce",
        name=re.sub(r"\W", "_", case.executor),
        case=case,
        files=f"[{', '.join(f'Path({str(file)!r})' for file in files)}]" if files else "",
    )


def setting_of(registry: Registry, case: Case) -> Setting:
    """Return the setting of a case, with limits that are low enough to be reached.

    An arithmetic that calls a model calls one that is right.
    """
    limits = Limits(case.most_steps, 75 * case.most_windows, case.most_windows, windows_per_step=8, target_chars=600)
    model = "reference" if registry.find(ArithmeticSpec, case.arith).reference else None
    return Setting.of(registry, case.domain, case.memory, case.arith, limits, model)


def executor_of(registry: Registry, case: Case) -> Executor:
    """Return a new executor, with the sizes of the case."""
    executor: Executor = registry.create(ExecutorSpec, case.executor)
    for name, size in case.sizes.items():
        setattr(executor, name, size)
    return executor


def model_of(setting: Setting, case: Case, failure: tuple[BaseException, int] | None = None) -> ScriptedPolicy:
    """Return the model of a case, which has not been called yet. After so many prompts it raises its `failure`."""
    kind, most = (VotingPolicy, VOTES) if case.votes and not case.nondeterministic else (ScriptedPolicy, CALLS)
    most *= case.runs * (case.most_steps + 1)
    model = kind(setting.convention, case.responses, most, failure or (KeyboardInterrupt(), sys.maxsize))
    model.faulty_calls, model.deterministic = case.faulty_calls, not case.nondeterministic
    return model
