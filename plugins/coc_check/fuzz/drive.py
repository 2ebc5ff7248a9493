"""Machines under watch, and what an executor does with them."""

import re
from collections.abc import Sequence

from coc_check.comparison import Difference, Watched, compare_steps
from coc_check.plain import Trace
from coc_check.scripted import ScriptedPolicy
from coc_core.errors import StorageError, UsageError
from coc_core.execution import Executor
from coc_core.models import Sampler
from coc_core.text import described

_ADDRESS = re.compile(r"\b0x[0-9a-f]+")


class Refused(Exception):
    """What a listener raises that wants no more steps."""


def drive(
    executor: Executor, watched: Sequence[Watched], model: ScriptedPolicy, wanted: Sequence[Trace] = ()
) -> Difference | None:
    """Let the executor run the machines to their ends; what is wrong with that, beside how they ended.

    `wanted` are the runs that should come out. What a listener raises comes out.
    """
    of = {each.machine: (each, len(each.steps)) for each in watched}
    try:
        for machine in executor.stream(iter(list(of)), model):
            of[machine][0].ends.append(of[machine][0].trace())
    except (Refused, StorageError):
        raise
    except UsageError as error:  # an executor that takes votes may refuse a model that it can't be sure of
        return None if isinstance(model, Sampler) else _raised(watched, error)
    except Exception as error:
        return _wrong_step(watched, wanted) or _raised(watched, error)
    for number, (each, begun) in enumerate(of.values()):
        for record in each.steps[begun:]:
            if (record.prompt, record.target) not in model.pairs:
                committed = f"{record.target!a}, for which the model was not called"
                return _wrong_step(watched, wanted) or Difference(
                    number, record.step, "the target", "a response to its prompt", committed
                )
    if model.calls == model.written:
        return None
    last = watched[-1].machine.steps
    return Difference(len(watched) - 1, last, "the number of model calls", f"{model.written}", f"{model.calls}")


def _wrong_step(watched: Sequence[Watched], wanted: Sequence[Trace]) -> Difference | None:
    """The first wrong step, which may be why the executor went wrong."""
    pairs = enumerate(zip(watched, wanted, strict=False))
    steps = (compare_steps(number, trace.steps, each.steps) for number, (each, trace) in pairs)
    return next(filter(None, steps), None)


def _raised(watched: Sequence[Watched], error: Exception) -> Difference:
    number = next((number for number, each in enumerate(watched) if not each.ends), 0)
    step = watched[number].machine.steps + 1
    found = _ADDRESS.sub("0x...", described(error))  # an address is another one in each process
    return Difference(number, step, "what the executor raised", "nothing", found)
