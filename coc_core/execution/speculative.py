"""The executor that runs ahead: it guesses the next prompts and answers, and has a model check all of them at once.

A guess is what the domain's policy would do. Only answers of the model are ever committed, each to its own prompt, so
a wrong guess costs time and changes nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from coc_core.arithmetic import Inline, Symbolic
from coc_core.errors import CocError, StepFault
from coc_core.execution.executor import Executor
from coc_core.execution.machine import Machine
from coc_core.models import AnswerCache, Model

_EXACT = {oracle.notation: oracle() for oracle in (Inline, Symbolic)}


def foresee(machine: Machine, most: int, known: Mapping[str, str], farthest: int) -> dict[str, str]:
    """The prompts that are not among `known` and come next if the policy answers them, each with that answer, in order.

    At most `most` prompts on at most `farthest` steps. Fewer, or none, where the run would end or the policy can't say.
    Raises nothing, calls no listener, and leaves the machine as it was; sums are worked out exactly.
    """
    memory, convention, act = machine.memory, machine.convention, machine.domain.apply
    arithmetic, state, drafts = _EXACT[convention.notation], machine.state, dict[str, str]()
    mark = memory.mark()
    try:
        for _ in range(min(farthest, machine.limits.steps - machine.steps)):
            window = memory.fetch()
            if window is None:
                break
            prompt = convention.prompt(window)
            text = drafts.get(prompt)
            if text is None:
                text = known.get(prompt)
            if text is None:
                text = drafts[prompt] = convention.answer(prompt)
                if len(drafts) >= most:
                    break
            reply = convention.parse(text)
            write = convention.resolve(reply, window, arithmetic)
            for action in reply.actions:
                state = act(state, action)
            memory.apply(write)
    except Exception:
        pass
    finally:
        memory.rollback(mark)
    return drafts


class Speculative(Executor):
    """Guesses many steps of one machine ahead, and asks the model for its answers up to the first wrong guess.

    More steps where guesses are right, fewer where they are not. A prompt is asked once, and its answer is remembered
    for all machines while there is room.
    """

    name = "speculative"
    needs_determinism = True

    first, most = 4, 64
    """How many prompts are guessed at first, and at most."""

    farthest = 1024
    """How many steps a guess may look ahead, over prompts whose answers are known."""

    room = 1 << 27
    """Bytes for answers that are remembered."""

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        known = AnswerCache(self.room)
        for machine in machines:
            ahead = self.first
            while (prompt := machine.follow(known)) is not None:
                guesses = foresee(machine, ahead, known, self.farthest) or {prompt: ""}
                answers = _ask(model, machine, list(guesses), list(guesses.values()))
                for asked, answer in answers.items():
                    known.keep(asked, answer)
                right = sum(guesses[asked] == answer for asked, answer in answers.items())
                ahead = min(2 * ahead, self.most) if right == len(guesses) else max(1, right)
                machine.follow(answers)  # what there was no room to remember, too
            yield machine


def _ask(model: Model, machine: Machine, prompts: Sequence[str], drafts: Sequence[str]) -> dict[str, str]:
    """The model's answers to the first of the prompts, to none if asking was a fault, which has ended the run.

    What goes wrong with a prompt ahead is nothing to this step, so then fewer are asked together.
    """
    count = len(prompts)
    while count > 1:
        try:
            with machine.blaming(model):
                return dict(zip(prompts, model.confirm(prompts[:count], drafts[:count]), strict=False))
        except (StepFault, CocError):
            count //= 2
    try:
        with machine.blaming(model):
            return dict(zip(prompts, model.complete(prompts[:1], drafts[:1]), strict=False))
    except StepFault as fault:
        machine.fail(fault, prompts[0])
        return {}
