"""What every executor has to get right: whatever `coc fuzz` tries."""

from coc_check.check import Subject, require
from coc_core.plugin import ExecutorSpec

SEED, EXAMPLES = 0, 300  # the cases of `coc fuzz --seed 0`


class ExecutorSubject(Subject):
    """One installed executor."""

    kind = ExecutorSpec


def runs_are_those_of_algorithm_1(subject: ExecutorSubject) -> None:
    """Whatever a model writes, and wherever a run is cut off, all runs are those of Algorithm 1, step by step.

    `coc fuzz --seed 0` with this executor prints the case as a test. An executor decides when the model is called; the
    machine does the rest. Only targets of the model may be committed, each to the prompt that it belongs to.
    """
    from coc_check.fuzz.hunt import Hunt  # with hypothesis, which takes time
    from coc_check.fuzz.trial import in_words

    hunt = Hunt(subject.registry, subject.name, number=SEED)
    found = hunt.run(EXAMPLES)
    subject.tried |= dict(line.split(": ", 1) for line in hunt.lines())
    if found is not None:
        require(False, " ".join(" ".join(in_words(*found)).split()), str(found[0]))
