"""Checks of a model: one text for each prompt, whatever else is asked, and however."""

import random
from collections.abc import Callable, Sequence

from coc_core.errors import LimitFault, NumericFault
from coc_core.testing.check import require
from coc_core.testing.model.speaking import Speaking, Voice
from coc_core.testing.spoilt import HOSTILE, spoilt
from coc_core.text import quoted

LONG = 20_000  # characters of a prompt that nobody should send


def every_prompt_is_answered(subject: Speaking) -> None:
    """There are as many answers as prompts, and each is a text; to no prompts there is no answer.

    A batch may have any size.
    """
    for voice in subject.voices:
        for count in (0, 1, len(voice.prompts)):
            answers = voice.model.complete(list(voice.prompts[:count]))
            require(isinstance(answers, list), f"the answers are a {type(answers).__name__}, not a list", str(voice))
            require(len(answers) == count, f"{count} prompts have {len(answers)} answers", str(voice))
            texts = all(isinstance(answer, str) for answer in answers)
            require(texts, f"an answer is no text: {answers!r}", str(voice))


def calls_are_counted(subject: Speaking) -> None:
    """`calls` grows by the number of prompts that were answered.

    Call the constructor of `Model`, and leave `calls` to it.
    """
    for voice in subject.voices:
        before = voice.model.calls
        voice.model.complete(list(voice.prompts))
        counted = voice.model.calls - before
        require(counted == len(voice.prompts), f"{len(voice.prompts)} answers are counted as {counted}", str(voice))


def asking_again_agrees(subject: Speaking) -> None:
    """A deterministic model gives the same answers when it is asked again.

    A model that may not sets `deterministic = False`.
    """
    for voice in _deterministic(subject):
        first = voice.model.complete(list(voice.prompts))
        _agree(voice, first, voice.model.complete(list(voice.prompts)), "asked again")


def batches_agree(subject: Speaking) -> None:
    """A deterministic model answers a batch as it answers each prompt alone, and with `alone` set, too.

    Look for padding that is attended to, and for what one prompt leaves behind for the next.
    """
    for voice in _deterministic(subject):
        one_by_one = [voice.model.complete([prompt])[0] for prompt in voice.prompts]
        _agree(voice, one_by_one, voice.model.complete(list(voice.prompts)), "asked in a batch")
        before, voice.model.unbatched = voice.model.unbatched, True
        try:
            alone = voice.model.complete(list(voice.prompts), list(voice.right))
        finally:
            voice.model.unbatched = before
        _agree(voice, one_by_one, alone, "asked with `alone`")


def order_is_kept(subject: Speaking) -> None:
    """The answers stand in the order of the prompts, whatever that is.

    A model that sorts its prompts has to put the answers back.
    """
    for voice in _deterministic(subject):
        answers = voice.model.complete(list(voice.prompts))
        _agree(voice, answers, voice.model.complete(list(voice.prompts[::-1]))[::-1], "asked in reverse order")


def drafts_change_nothing(subject: Speaking) -> None:
    """No draft changes an answer, be it right, cut off, wrong, empty or hostile.

    A draft may be checked, and never be trusted.
    """
    for voice in _deterministic(subject):
        answers = voice.model.complete(list(voice.prompts))
        for what, drafts in _drafts(voice, answers):
            _agree(voice, answers, voice.model.complete(list(voice.prompts), drafts), f"with drafts that are {what}")


def confirming_agrees(subject: Speaking) -> None:
    """`verify` gives the first few of the answers that `complete` gives, and all of them if all drafts are right.

    It may stop behind the first wrong draft, and not before.
    """
    for voice in _deterministic(subject):
        answers = voice.model.complete(list(voice.prompts))
        for what, drafts in _drafts(voice, answers):
            found = voice.model.verify(list(voice.prompts), drafts)
            _agree(voice, answers[: len(found)], found, f"asked to confirm drafts that are {what}")
            right = [draft == answer for draft, answer in zip(drafts, answers, strict=True)]
            least = (right.index(False) if False in right else len(right) - 1) + 1
            told = f"with drafts that are {what}, `verify` stops after {len(found)} answers, {least} are sure"
            require(len(found) >= least, told, str(voice))


def what_is_asked_stays(subject: Speaking) -> None:
    """The lists of prompts and of drafts are left as they were.

    Make a list of your own to sort or pad.
    """
    for voice in subject.voices:
        prompts, drafts = list(voice.prompts), list(voice.right)
        voice.model.complete(prompts, drafts)
        voice.model.verify(prompts, drafts)
        same = (prompts, drafts) == (list(voice.prompts), list(voice.right))
        require(same, "the prompts or drafts are others after asking", str(voice))


def hostile_prompts_are_borne(subject: Speaking) -> None:
    """Any prompt gets a text, or is a NumericFault, or a LimitFault if it is too long, be it empty or in no ASCII.

    A model that is made for a convention may also say, with a ValueError, that a text is no prompt of it.
    """
    for voice in subject.voices:
        rng = random.Random("hostile prompts")
        texts = [*HOSTILE, "x" * LONG]
        if voice.convention is None:
            texts += [spoilt(prompt, rng) for prompt in voice.prompts]
        for text in texts:
            for answer in _borne(voice, text):
                require(isinstance(answer, str), f"the answer to {quoted(text)} is no text: {answer!r}", str(voice))


def _borne(voice: Voice, text: str) -> Sequence[str]:
    """The answers to a hostile prompt, none if it is refused as it may be."""
    try:
        return voice.model.complete([text])
    except (NumericFault, LimitFault):
        return ()
    except Exception as error:
        may = voice.convention is not None and type(error) is ValueError
        require(may, f"the prompt {quoted(text)} raises {type(error).__name__}: {error}", str(voice))
        return ()


def facts_are_texts(subject: Speaking) -> None:
    """`record` holds texts by name, which asking does not change, and the model says in one line which it is.

    A run file keeps the record; a run is resumed only with a model of the same `fingerprint`.
    """
    for voice in subject.voices:
        before = dict(voice.model.record)
        texts = all(isinstance(item, str) for pair in before.items() for item in pair)
        require(texts, f"`record` holds something else than texts: {before!r}", str(voice))
        voice.model.complete(list(voice.prompts[:1]))
        after = dict(voice.model.record)
        require(after == before, f"asking made of the record {before!r} this: {after!r}", str(voice))
        said = voice.model.describe()
        require(bool(said) and "\n" not in said, f"the description is not one line: {said!r}", str(voice))


def answers_are_the_policys(subject: Speaking) -> None:
    """A checkpoint that ships answers the prompts of small problems as the policy does.

    Train it for longer, or do not ship it.
    """
    for voice in subject.voices:
        answers = voice.model.complete(list(voice.prompts))
        for prompt, right, answer in zip(voice.prompts, voice.right, answers, strict=True):
            require(answer == right, f"{prompt!r} is answered with {answer!r}, not with {right!r}", str(voice))


def _deterministic(subject: Speaking) -> list[Voice]:
    return [voice for voice in subject.voices if voice.model.deterministic]


def _agree(voice: Voice, wanted: Sequence[str], found: Sequence[str], how: str) -> None:
    require(len(found) == len(wanted), f"{how}, {len(wanted)} prompts have {len(found)} answers", str(voice))
    for prompt, one, other in zip(voice.prompts, wanted, found, strict=False):
        require(one == other, f"{how}, it answers {prompt!r} with {other!r}, before with {one!r}", str(voice))


def _drafts(voice: Voice, answers: Sequence[str]) -> list[tuple[str, list[str]]]:
    ways: dict[str, Callable[[int, str], str]] = {
        "right": lambda place, answer: answer,
        "cut off": lambda place, answer: answer[: len(answer) // 2],
        "too long": lambda place, answer: f"{answer}\n{answer}",
        "those of others": lambda place, answer: answers[place - 1],
        "wrong by a character": lambda place, answer: answer[:-1] + ("0" if answer[-1:] != "0" else "1"),
        "empty": lambda place, answer: "",
        "hostile": lambda place, answer: HOSTILE[place % len(HOSTILE)],
    }
    return [(what, [way(place, answer) for place, answer in enumerate(answers)]) for what, way in ways.items()]
