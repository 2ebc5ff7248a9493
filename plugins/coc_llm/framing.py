"""What is sent for a prompt: the system text, which explains its language, the teacher's examples, and the prompt."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from attrs import frozen

from coc_core.errors import UsageError
from coc_core.memories import Convention
from coc_core.models import Pair
from coc_core.setting import Setting
from coc_core.text import Forms, counted
from coc_learn.datasets import sampling_buckets, teacher_pairs
from coc_learn.grammar import Grammar
from coc_llm.choice import Choice
from coc_problems import Split, sample_problems

_SIZES = 12  # the smallest ones, which examples come from
_PROBLEMS = 4  # of a size
_PAIRS = 400  # of a size, at most


@frozen
class Shots:
    """Examples, one more than are needed, of which one is left out, if possible that with the prompt at hand."""

    pairs: Sequence[Pair] = ()

    @classmethod
    def of(cls, setting: Setting, count: int) -> "Shots":
        """Choose examples that cover many kinds of steps, `count` for a prompt; UsageError if there are too few pairs.

        The candidates are the teacher's pairs for problems of the training split, four of each of the 12 smallest
        sizes. One after another, that pair is taken which belongs to the most sampling buckets
        (`coc_learn.datasets.sampling_buckets`) that no pair has covered yet; of several, the first.
        """
        if not count:
            return cls()
        candidates = list(_candidates(setting))
        if len(candidates) <= count:
            raise UsageError(
                f"{counted(count, 'example')} can't be chosen from {counted(len(candidates), 'pair')}",
                remedy="lower shots",
            )
        buckets = [set(sampling_buckets(pair)) for pair in candidates]
        covered: set[str] = set()
        chosen: list[int] = []
        left = list(range(len(candidates)))
        for _ in range(count + 1):
            best = max(left, key=lambda index: len(buckets[index] - covered))
            if not buckets[best] - covered:  # all kinds are covered: begin again
                covered.clear()
                best = max(left, key=lambda index: len(buckets[index]))
            chosen.append(best)
            left.remove(best)
            covered |= buckets[best]
        return cls(tuple(candidates[index] for index in chosen))

    def before(self, prompt: str) -> Sequence[Pair]:
        """Return the examples for a prompt, which is not among them."""
        return [pair for pair in self.pairs if pair.prompt != prompt][: max(0, len(self.pairs) - 1)]


def _candidates(setting: Setting) -> Iterator[Pair]:
    seen = set[str]()
    for n in setting.domain.sizes[:_SIZES]:
        try:
            problems = [found.problem for found in sample_problems(setting.domain, n, _PROBLEMS, split=Split.train)]
            pairs = list(islice(teacher_pairs(setting, problems), _PAIRS))
        except UsageError:  # all problems of this size are in the other split, or a whole plan is too long
            continue
        for pair in pairs:
            if pair.prompt not in seen:
                seen.add(pair.prompt)
                yield pair


_BEGINNING = """\
You carry out one step of a computation. You are given a prompt and respond with its target, and with nothing else: no \
explanation, no greeting, no code fence, and no space or empty line before or after it.

Names in braces stand for values. Words, punctuation and spaces are written exactly as they are here, and numbers in \
decimal without leading zeros. The same prompt always has the same target."""


def system_text(convention: Convention[Any, Any], shots: bool) -> str:
    """Return the text that explains what prompts and targets look like, before examples if there are `shots`. It states
    their form, with the meaning of each instruction and action where its class has a docstring; examples show what a
    step does.
    """
    surface, domain = convention.surface, convention.domain
    parts = [f"OUTPUT {each}" for each in _forms(domain.actions)] + list(_forms(domain.notes))
    parts.append(surface.write.text)
    if surface.registers is not None:
        parts.append(f"{surface.registers.text}   (always, and last)")
    join = "each on a line of its own" if surface.join == "\n" else "separated by one space"
    paragraphs = [
        _BEGINNING,
        _listing("A prompt has the form", [surface.prompt.text]),
        _listing("where {instruction} is one of", _forms(domain.instructions)),
        _listing(f"A target has one or more of these parts, {join}, in the order in which the step makes them", parts),
    ]
    if shots:
        paragraphs.append("Examples follow. Do what they do.")
    return "\n\n".join(paragraphs)


def _listing(title: str, lines: Iterable[str]) -> str:
    return "\n".join([f"{title}:", *(f"  {line}" for line in lines)])


def _forms(forms: Forms[Any]) -> Iterator[str]:
    """Yield the template of each form, with the summary of its class."""
    for form in forms:
        summary = (form.record.__doc__ or "").strip().partition("\n")[0]
        yield form.template.text + (f"   ({summary})" if summary else "")


_PROMPT, _TARGET = "PROMPT\n", "\n\nTARGET\n"
_STOP = f"\n\n{_PROMPT}"


@frozen
class Framing:
    """The bodies of requests to the model of a choice; `system` is the system text, empty for none, `shots` the
    examples. They are the same with and without the `grammar` of targets.
    """

    choice: Choice
    system: str
    shots: Shots
    grammar: Grammar

    @classmethod
    def of(cls, setting: Setting, choice: Choice) -> "Framing":
        """Return the framing of a setting's prompts; UsageError if there are too few examples."""
        system = system_text(setting.convention, choice.shots > 0) if choice.system else ""
        return cls(choice, system, Shots.of(setting, choice.shots), Grammar.of(setting))

    def body(self, prompt: str, temperature: float = 0) -> dict[str, Any]:
        """Return the body of the request for one response to a prompt."""
        choice = self.choice
        body: dict[str, Any] = {
            "model": choice.name,
            "temperature": temperature if choice.temperature is None else choice.temperature,
        }
        if choice.max_tokens:
            body["max_tokens"] = choice.max_tokens
        examples = self.shots.before(prompt)
        if choice.api == "chat":
            turns = [("system", self.system)] if self.system else []
            for pair in examples:
                turns += [("user", pair.prompt), ("assistant", pair.target)]
            turns.append(("user", prompt))
            return body | {"messages": [{"role": role, "content": content} for role, content in turns]}
        if not self.system and not examples:
            return body | {"prompt": prompt}
        parts = [self.system] if self.system else []
        parts += [f"{_PROMPT}{pair.prompt}{_TARGET}{pair.target}" for pair in examples]
        parts.append(f"{_PROMPT}{prompt}{_TARGET}")
        return body | {"prompt": "\n\n".join(parts), "stop": [_STOP]}


class ReadsText(ABC):
    """A model in this process, which reads a prompt with all that comes before it as one text."""

    @abstractmethod
    def text(self, prompt: str) -> str:
        """Return what the model reads for a prompt, before it is cut into tokens."""

    @abstractmethod
    def tokens(self, prompt: str) -> list[int]:
        """Return the tokens that the model reads for a prompt."""


def texts(body: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the texts of a body, each with its role."""
    if "messages" in body:
        return [(message["role"], message["content"]) for message in body["messages"]]
    return [("prompt", body["prompt"])]
