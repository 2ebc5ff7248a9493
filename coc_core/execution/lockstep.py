"""The executor for many problems: all machines take a step together, and the model is asked about them in one batch.

With each prompt goes a draft, the target that the domain's policy would write. A draft is a guess: a model that can
check one does so faster than it decodes, and answers the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from coc_core.errors import PluginError, StepFault
from coc_core.execution.executor import Executor
from coc_core.execution.machine import Machine
from coc_core.models import AnswerCache, Model, Response, in_halves


class Question(NamedTuple):
    """A prompt, and the machine that waits for its answer."""

    machine: Machine
    prompt: str


class Drafts(Sequence[str]):
    """What the policies would answer, empty where one can't say. Worked out when a model looks, and not before."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self._questions = questions

    def __len__(self) -> int:
        return len(self._questions)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Drafts(self._questions[index])
        machine, prompt = self._questions[index]
        try:
            return machine.convention.answer(prompt)
        except Exception:  # a wrong answer may have led to an instruction that no policy knows; the run goes on
            return ""


class Lockstep(Executor):
    """Asks one batch a round: the prompts that the machines under way have come to.

    A machine that has ended leaves, and one that waits comes in. A deterministic model is asked once for each distinct
    prompt, and its answer is remembered, for as long as there is room, for all machines and rounds.
    """

    name = "lockstep"
    together = 128
    """How many machines are under way at once."""

    room = 1 << 27
    """Bytes for answers that are remembered."""

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        waiting, known = iter(machines), AnswerCache(self.room)
        asked: list[Question] = []
        while True:
            while len(asked) < self.together and (machine := next(waiting, None)) is not None:
                prompt = machine.follow(known)
                if prompt is None:
                    yield machine
                else:
                    asked.append(Question(machine, prompt))
            if not asked:
                return
            answers, going = _round(asked, model, known), []
            for (machine, prompt), answer in zip(asked, answers, strict=True):
                if isinstance(answer, StepFault):
                    machine.fail(answer, prompt)
                else:
                    machine.advance(answer)
                following = machine.follow(known)
                if following is None:
                    yield machine
                else:
                    going.append(Question(machine, following))
            asked = going


def _round(questions: Sequence[Question], model: Model, known: AnswerCache) -> list[Response]:
    """The answer to each question, or the fault of asking it. What may be remembered is added to `known`."""
    if not model.deterministic:
        return _ask(model, questions)
    distinct: dict[str, Question] = {}
    for question in questions:
        distinct.setdefault(question.prompt, question)
    found = dict(zip(distinct, _ask(model, list(distinct.values())), strict=True))
    for prompt, answer in found.items():
        if isinstance(answer, str):
            known.keep(prompt, answer)
    return [found[question.prompt] for question in questions]


def _ask(model: Model, questions: Sequence[Question]) -> list[Response]:
    """The answer to each question, or the fault of asking it."""

    def complete(part: slice) -> list[str]:
        some = questions[part]
        with some[0].machine.blaming(model):
            return model.complete([question.prompt for question in some], Drafts(some))

    try:
        return in_halves(len(questions), complete)
    except PluginError:
        if len(questions) > 1:  # the one that the model can't bear to be asked, if it is one, names its step
            for question in questions:
                _ask(model, [question])
        raise
