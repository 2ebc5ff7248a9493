"""Small parts for the tests: a domain whose tape is a chain, and models that say what they are told."""

from itertools import permutations

from attrs import frozen

from coc_check.scripted import until_wrong
from coc_core.domain import Domain
from coc_core.errors import ActionFault, NumericFault, UsageError
from coc_core.models import DraftVerifier
from coc_core.text import Codec, Form, Forms, Surface, parse_decimal
from coc_core.types import Expectation, Step


def _parse_items(text):
    if not (text.startswith("[") and text.endswith("]")):
        raise ValueError(f"{text!r} is no list")
    return tuple(map(parse_decimal, text[1:-1].split(", "))) if text != "[]" else ()


ITEMS = Codec(_parse_items, lambda items: "[" + ", ".join(map(str, items)) + "]")


@frozen
class Line:
    """The problem: serve everyone, in order."""

    items: tuple[int, ...]


@frozen
class Serve:
    """The instruction: serve those that are left."""

    left: tuple[int, ...]


@frozen
class Take:
    """The action."""

    item: int


@frozen
class Head:
    """A note: who is first."""

    item: int


@frozen
class Nobody:
    """A note: the line is empty."""


class Queue(Domain):
    """A line of numbers, served from the front; the instruction holds a list, the tape is a chain."""

    name = "queue"
    sizes = range(1, 1000)
    problems = Forms(Form.of(Line, "items={items}", items=ITEMS))
    instructions = Forms(Form.of(Serve, "left={left}", left=ITEMS))
    actions = Forms(Form.of(Take, "Take {item}"))
    notes = Forms(Form.of(Head, "The head is {item}."), Form.of(Nobody, "Nobody is left."))
    continuation = "chain"

    def _problem(self, n, rng):
        return Line(tuple(rng.sample(range(n), n)))

    def _every_problem(self, n):
        return map(Line, permutations(range(n)))

    def size(self, problem):
        return len(problem.items)

    def start(self, problem):
        return Serve(problem.items)

    def expand(self, instruction):
        if not instruction.left:
            return Step((Nobody(),), last=instruction)
        first, *rest = instruction.left
        emits, successor = (Head(first), Take(first)), Serve(tuple(rest))
        return Step(emits, then=(successor,)) if rest else Step(emits, last=successor)

    def initial(self, problem):
        return problem.items

    def apply(self, state, action):
        if not state or state[0] != action.item:
            raise ActionFault(f"{action.item} is not first")
        return state[1:]

    def effect(self, state, action):
        return f"take {action.item}"

    def neighbours(self, state):
        return (state[1:],) if state else ()

    def is_goal(self, problem, state):
        return state == ()

    def render(self, state, width):
        return ITEMS.format(state)

    def expect(self, problem):
        return Expectation(actions=len(problem.items), steps=len(problem.items))


_APPEND = "APPEND[{address}] CALL instruction {instruction} pointer={PTR}."


class SpokenQueue(Queue):
    """The same, written as sentences with the pointer inside the write, as the paper writes pancakes."""

    name = "spoken-queue"
    surfaces = {
        ("chain", "numeric"): Surface("CALL instruction pointer={PTR} {instruction}", _APPEND),
        ("chain", "symbolic"): Surface("CALL instruction {instruction}", _APPEND),
        ("stack", "numeric"): Surface("CALL instruction {instruction}", "PUSH CALL instruction {instruction}."),
        ("stack", "symbolic"): Surface("CALL instruction {instruction}", "PUSH CALL instruction {instruction}."),
    }


class Scripted(DraftVerifier):
    """Answers one text after the other; after the last it goes on with `then`, a function of the prompt.

    An answer that is an exception is raised.
    """

    name = "scripted"

    def __init__(self, *answers, then=None):
        super().__init__()
        self.answers = list(answers)
        self.then = then
        self.prompts = []

    def _complete(self, prompts, drafts):
        self.prompts += prompts
        return [self._answer(prompt) for prompt in prompts]

    def _verify(self, prompts, drafts):
        return until_wrong((self._complete([prompt], None)[0] for prompt in prompts), drafts)

    def _answer(self, prompt):
        answer = self.answers.pop(0) if self.answers else self.then(prompt)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Nondeterministic(Scripted):
    """A model that may answer the same prompt in two ways."""

    name = "nondeterministic"
    deterministic = False


def broken_arithmetic(*_):
    """What a model does whose logits are not finite."""
    raise NumericFault("no finite logits")


def refuse():
    """A factory that has a reason."""
    raise UsageError("not today")
