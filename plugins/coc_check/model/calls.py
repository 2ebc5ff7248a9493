"""Checks of a model: one target for each prompt, whatever else it is called with, and however."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from coc_check.check import needs, require
from coc_check.model.subject import InDialect, ModelSubject
from coc_check.texts import hostile
from coc_check.texts.mutation import mutated
from coc_core.errors import LimitFault, NumericFault, ProtocolFault, StepFault
from coc_core.models import call_each
from coc_core.text import quoted

NEEDS = ("every_prompt_gets_a_target",)
LONG = 20_000  # characters of a prompt that nobody should send
LARGE = 300  # prompts of a batch
MUTATED = 2  # prompts in which something is wrong, of each dialect of a trained model


@needs()
def every_prompt_gets_a_target(subject: ModelSubject) -> None:
    """There are as many targets as prompts, each is a text, and each is counted; no prompts get no targets.

    A batch may have any size. Leave `calls` to `Model`, and make a list of your own to sort or pad.
    """
    for each in subject.dialects:
        for count in (0, 1, len(each.prompts)):
            before = each.model.calls
            each.model.complete(list(each.prompts[:count]))  # which checks what it returns
            counted = each.model.calls - before
            require(counted == count, f"{count} targets are counted as {counted}", str(each))
        prompts, drafts = list(each.prompts), list(each.right)
        each.model.complete(prompts, drafts)
        each.model.verify(prompts, drafts)
        same = (prompts, drafts) == (list(each.prompts), list(each.right))
        require(same, "the prompts or drafts are others after a call", str(each))


def repeated_calls_agree(subject: ModelSubject) -> None:
    """A deterministic model gives the same targets when it is called again.

    A model that may not sets `deterministic = False`.
    """
    for each in _deterministic(subject):
        first = each.model.complete(list(each.prompts))
        _agree(each, first, each.model.complete(list(each.prompts)), "called again")


@needs("repeated_calls_agree")
def batches_agree(subject: ModelSubject) -> None:
    """A deterministic model gives a prompt one target: alone, with `unbatched`, and in a batch of any size and order.

    Look for padding that is attended to, and for what one prompt leaves behind for the next. A model that sorts its
    prompts has to put the targets back.
    """
    for each in _deterministic(subject):
        one_by_one = [each.model.complete([prompt])[0] for prompt in each.prompts]
        _agree(each, one_by_one, each.model.complete(list(each.prompts)), "called with a batch")
        _agree(each, one_by_one, each.model.complete(list(each.prompts[::-1]))[::-1], "called in reverse order")
        before, each.model.unbatched = each.model.unbatched, True
        try:
            unbatched = each.model.complete(list(each.prompts), list(each.right))
        finally:
            each.model.unbatched = before
        _agree(each, one_by_one, unbatched, "called with `unbatched`")
        targets = dict(zip(each.prompts, one_by_one, strict=True))
        batch = random.Random("large batch").choices(each.prompts, k=LARGE if each.convention else 2 * len(targets))
        for prompt, target in zip(batch, each.model.complete(list(batch)), strict=True):
            complaint = f"in a batch of {len(batch)}, {prompt!r} gets {target!r}, before it got {targets[prompt]!r}"
            require(target == targets[prompt], complaint, str(each))
        subject.tried["prompts in a batch"] = f"up to {len(batch)}"


@needs("batches_agree", "records_are_texts")
def models_made_alike_agree(subject: ModelSubject) -> None:
    """A model that is made anew gives the same targets, whatever it is called with first, and has the same record.

    A run is resumed with another object of the class. What is random belongs neither in a model's making nor in its
    `fingerprint`, and what it keeps of a prompt must not answer another.
    """
    for each in _deterministic(subject):
        other, targets = each.made(), each.model.complete(list(each.prompts))
        found = [other.complete([prompt])[0] for prompt in each.prompts[::-1]][::-1]
        _agree(each, targets, found, "made anew and called in reverse order")
        same = dict(other.record) == dict(each.model.record)
        require(
            same, f"its record is {dict(other.record)!r}, made anew, and was {dict(each.model.record)!r}", str(each)
        )


@needs("batches_agree")
def drafts_change_nothing(subject: ModelSubject) -> None:
    """No draft changes a target, whether it is right, cut off, wrong, empty or hostile; `verify` gives the first few.

    A draft may be checked, and never be trusted. `verify` may stop after the first wrong draft, and not before.
    """
    for each in _deterministic(subject):
        targets = each.model.complete(list(each.prompts))
        for what, drafts in _drafts(targets):
            _agree(each, targets, each.model.complete(list(each.prompts), drafts), f"with drafts that are {what}")
            found = each.model.verify(list(each.prompts), drafts)
            _agree(each, targets[: len(found)], found, f"verifying drafts that are {what}")
            right = [draft == target for draft, target in zip(drafts, targets, strict=True)]
            least = (right.index(False) if False in right else len(right) - 1) + 1
            complaint = f"with drafts that are {what}, `verify` stops after {len(found)} targets, {least} are sure"
            require(len(found) >= least, complaint, str(each))


@needs("repeated_calls_agree")
def hostile_prompts_are_handled(subject: ModelSubject) -> None:
    """Any prompt, even an empty one or one that is not ASCII, gets a text or is a NumericFault; too long, a LimitFault.

    A model that is made for a convention may also say, with a ValueError, that a text is not a prompt of it.
    """
    for index, each in enumerate(subject.dialects):
        rng, model = random.Random("hostile prompts"), each.model
        before = model.complete(list(each.prompts)) if model.deterministic else None
        texts = [*hostile.TEXTS, "x" * LONG]
        if each.convention is None:  # then it answers most of them as far as its context goes, which takes time
            texts = [
                *texts[index :: len(subject.dialects)],
                *(mutated(prompt, rng) for prompt in each.prompts[:MUTATED]),
            ]
        targets = call_each(each.model, texts, within=_any_error_as_fault)
        if len(targets) != len(texts):  # of a batch it leaves something out
            targets = [target for text in texts for target in call_each(each.model, [text], within=_any_error_as_fault)]
        for text, target in zip(texts, targets, strict=True):
            if isinstance(target, StepFault):
                may = isinstance(target, NumericFault | LimitFault)
                may |= each.convention is not None and type(target.__cause__) is ValueError
                require(may, f"the prompt {quoted(text)} raises {target.message}", str(each))
        if before is not None:
            _agree(each, before, each.model.complete(list(each.prompts)), "called after hostile prompts")


@contextmanager
def _any_error_as_fault(_: int) -> Iterator[None]:
    try:
        yield
    except (NumericFault, LimitFault):
        raise
    except Exception as error:
        raise ProtocolFault(f"{type(error).__name__}: {error}") from error


def records_are_texts(subject: ModelSubject) -> None:
    """`record` holds texts by name, which no call changes, and the model says in one line which it is.

    A run file keeps the record; a run is resumed only with a model of the same `fingerprint`.
    """
    for each in subject.dialects:
        before = dict(each.model.record)
        texts = all(isinstance(item, str) for pair in before.items() for item in pair)
        require(texts, f"`record` holds something else than texts: {before!r}", str(each))
        for _ in range(2):
            each.model.complete(list(each.prompts[:1]))
        after_it = dict(each.model.record)
        require(after_it == before, f"calls made of the record {before!r} this: {after_it!r}", str(each))
        said = each.model.describe()
        require(bool(said) and "\n" not in said, f"the description is not one line: {said!r}", str(each))


def _deterministic(subject: ModelSubject) -> list[InDialect]:
    return [each for each in subject.dialects if each.model.deterministic]


def _agree(each: InDialect, wanted: Sequence[str], found: Sequence[str], how: str) -> None:
    require(len(found) == len(wanted), f"{how}, {len(wanted)} prompts have {len(found)} targets", str(each))
    for prompt, one, other in zip(each.prompts, wanted, found, strict=False):
        require(one == other, f"{how}, {prompt!r} gets {other!r}, before it got {one!r}", str(each))


def _drafts(targets: Sequence[str]) -> list[tuple[str, list[str]]]:
    ways: dict[str, Callable[[int, str], str]] = {
        "right": lambda place, target: target,
        "cut off": lambda place, target: target[: len(target) // 2],
        "too long": lambda place, target: f"{target}\n{target}",
        "those of others": lambda place, target: targets[place - 1],
        "wrong by a character": lambda place, target: target[:-1] + ("0" if target[-1:] != "0" else "1"),
        "empty": lambda place, target: "",
        "hostile": lambda place, target: hostile.TEXTS[place % len(hostile.TEXTS)],
    }
    return [(what, [way(place, target) for place, target in enumerate(targets)]) for what, way in ways.items()]
